import { listPath } from './seed.ts'
import { withSql } from './service.ts'
import type { Stage } from './stage.ts'

/** Starts bench/bare/text.ts and checks that its answers equal the service's, byte for byte. */
export async function startBareText({ service, seeded, bare }: Stage, { compressed = false } = {}) {
  const resources = new Map<string, unknown>()
  const { rows } = await withSql(service, client => client.query('select id::int, uuid from resource'))
  for (const { id, uuid } of rows) resources.set(listPath(uuid), await describe(service.origin, id, uuid))
  const started = await bare('text', { database: service.database, compressed, resources })
  for (const { uuid } of seeded.resources.slice(0, 3)) {
    const [theirs, ours] = await Promise.all(
      [`http://127.0.0.1:${started.port}`, service.origin].map(async origin =>
        (await fetch(origin + listPath(uuid))).text(),
      ),
    )
    if (theirs !== ours) throw new Error('The bare program and the service do not say the same.')
  }
  return started
}

/** What the bare program must know in advance, taken from a list of the service. */
async function describe(origin: string, id: number, uuid: string) {
  const text = await (await fetch(origin + listPath(uuid))).text()
  const days = Object.entries(JSON.parse(text)).filter(([day]) => day !== 'public_visible')
  const [_match, offset] = /"start":"[^"]{19}([^"]+)"/.exec(text)!
  const sign = offset!.startsWith('-') ? -1 : 1
  const offsetMs = sign * (Number(offset!.slice(1, 3)) * 60 + Number(offset!.slice(4, 6))) * 60_000
  const timeslots = days.map(([day, slots]) => {
    const [{ timeslot_uuid }] = slots as [{ timeslot_uuid: string }]
    const [rest] = new RegExp(`,"timeslot_uuid":"${timeslot_uuid}"[^]*?"kind":"models.Bookable"}`).exec(text)!
    const [from, to] = ['08:00', '18:00'].map(time => Date.parse(`${day}T${time}:00${offset}`))
    return { from, to, step: 30 * 60_000, rest }
  })
  return { id, timeslots, offset, offsetMs }
}

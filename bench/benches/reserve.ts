import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots } from '../lib/seed.ts'
import { onStage } from '../lib/stage.ts'
import { cpuPer } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'
import type { Outcome } from '../load/plan.ts'

const seconds = 2
const connections = 16

/** Random free slots, none of them twice; then whole bookings, with their mails queued. */
export const reserve = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load, bare }) => {
    const slots = await freeSlots(service, seeded)
    const { port: barePort } = await bare('insert', service.database)
    const { port } = service
    const mostly = Math.floor(slots.length * 0.7)
    const holds = supply(slots.slice(0, mostly).map(holdRequest))
    const pairs = supply(slots.slice(mostly).map(pairRequests))
    const inserts = supply([slots, slots.map(aYearLater)].flat().map(holdRequest))

    const reserving = () =>
      holds.use(requests => load.run({ port, connections, seconds, work: { kind: 'once', requests } }), 200)
    const pairing = () =>
      pairs.use(some => load.run({ port, connections, seconds, work: { kind: 'pairs', pairs: some } }), 201)
    const inserting = async () => {
      const work = (requests: string[]) => ({ kind: 'once' as const, requests })
      const run = (requests: string[]) =>
        load.run({ port: barePort, connections, seconds: seconds / 2, work: work(requests) })
      return (await inserts.use(run, 200)).perSecond
    }
    const reserved = await compare(async () => (await reserving()).perSecond, inserting, 3)
    const paired = await compare(async () => (await pairing()).perSecond, inserting, 3)
    return [
      atLeast('reserve, random free slots', 'bookings/s', reserved, 0.4),
      atLeast('reserve + complete, mails queued', 'pairs/s', paired, 0.15),
      reported('CPU a reserve', await cpuPer(service.pid, reserving)),
      reported('CPU a pair', await cpuPer(service.pid, pairing)),
    ]
  })

/** Each round takes what no round before it has taken. */
function supply<T>(items: T[]) {
  let at = 0
  return {
    async use(run: (some: T[]) => Promise<Outcome>, status: number): Promise<Outcome> {
      const outcome = expectOnly(await run(items.slice(at, at + 10_000)), status)
      at += outcome.used
      return outcome
    },
  }
}

/** The bare program takes any time; it needs more of them than there are slots. */
const aYearLater = (slot: FreeSlot): FreeSlot => ({
  ...slot,
  start: inAYear(slot.start),
  end: inAYear(slot.end),
})
const inAYear = (text: string) => new Date(Date.parse(text) + 365 * 86_400_000).toISOString()

const at = (resource: string, verb: string) => `/resources/${resource}/${verb}`
const utc = (text: string) => new Date(text).toISOString()

export function holdRequest({ resource, start, end, timeslot_uuid, product_uuid }: FreeSlot): string {
  const body = { timeslot_uuid, product_uuid, from: utc(start), to: utc(end) }
  return requestText('POST', at(resource, 'reserve_appointment'), {}, body)
}

export function pairRequests(slot: FreeSlot, index: number) {
  const { resource, start, end, timeslot_uuid, product_uuid } = slot
  const body = {
    start,
    end,
    timeslot_uuid,
    product_uuid,
    placeholder_id: 'PLACEHOLDER'.padEnd(36, '_'),
    email: `person${index}@example.org`,
    firstname: 'Ann',
    lastname: `Winter${index}`,
  }
  return {
    reserve: holdRequest(slot),
    complete: requestText('POST', at(resource, 'create_appointment_with_consumer'), {}, body),
  }
}

import { compare, short } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { alsoCompared, type Row, reported } from '../lib/report.ts'
import { inParallel, listPath, post, timeslotBody } from '../lib/seed.ts'
import { type Running, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { busyMs, busySince } from '../lib/usage.ts'

const scale = Number(process.env.SCALE ?? 1)
const many = Math.max(20, Math.round(200 * scale))
const few = 5
const maxMs = 50

/** A Resource with 200 Products and slots every five minutes, beside one with 5 Products. None of the lists is kept. */
export const manyProducts = (): Promise<Row[]> =>
  onStage(
    async stage => {
      await makeProducts(stage)
      const [large, small] = stage.seeded.resources as [Room, Room]
      const ids = await compare(cpuOf(stage, large, '&products=ids'), cpuOf(stage, small, '&products=ids'), 3)
      const whole = await compare(cpuOf(stage, large, ''), cpuOf(stage, small, ''), 3)
      const month = `&from=${stage.seeded.days[0]}&to=${stage.seeded.days[27]}`
      return [
        { ...alsoCompared('a month with products=ids', 'ms of CPU', ids), ...reachOf(ids.ours.median) },
        reported('its answer', await sizeOf(stage.service, large, `${month}&products=ids`)),
        {
          ...alsoCompared('the same with all Products in each slot', 'ms of CPU', whole),
          ...reachOf(whole.ours.median),
        },
        reported('its answer', await sizeOf(stage.service, large, month)),
      ]
    },
    { args: ['--without-jobs'], data: { resources: 2, days: 28 } },
  )

const reachOf = (ms: number) => ({ reach: `at most ${maxMs} ms`, reached: ms <= maxMs })

type Room = { reference: string; uuid: string }

async function makeProducts({ service, seeded }: Stage) {
  progress(`  ${many} Products`)
  const products = await inParallel(
    Array.from({ length: many }, (_, index) => index),
    8,
    index =>
      post(service, `${seeded.path}/products`, {
        reference: `treatment-${index}@bench`,
        name: `Treatment number ${index}`,
        minDuration: 15 + 5 * (index % 10),
      }),
  )
  const references = products.map(({ product }) => product.reference as string)
  for (const [index, count] of [many, few].entries()) {
    const { reference } = seeded.resources[index]!
    await post(service, `${seeded.path}/resources/${encodeURIComponent(reference)}`, {
      products: references.slice(0, count),
    })
    await withSql(service, client =>
      client.query('delete from timeslot where reference like $1', [`${reference}%`]),
    )
    const timeslots = seeded.days.map(day => timeslotBody(reference, day, 5, ['08:00', '20:00']))
    await post(service, `${seeded.path}/timeslots`, { timeslots })
  }
}

let asked = 0

/** Each time another period, which differs by a minute: a list that is not kept. */
function cpuOf({ service, seeded }: Stage, { uuid }: Room, more: string) {
  const times = 4
  return async () => {
    let used = 0
    for (let time = 0; time < times; time++) {
      const minute = String(asked++ % 60).padStart(2, '0')
      const period = `&from=${seeded.days[0]}T0${asked % 7}:${minute}&to=${seeded.days[27]}`
      const before = busyMs(service.pid)
      const answer = await fetch(`${service.origin}${listPath(uuid)}?${period}${more}`)
      await answer.arrayBuffer()
      used += busySince(service.pid, before)
    }
    return used / times
  }
}

async function sizeOf({ origin }: Running, { uuid }: Room, query: string) {
  const answer = await fetch(`${origin}${listPath(uuid)}?${query}`)
  return `${answer.status}, ${short((await answer.arrayBuffer()).byteLength / 1000)} KB`
}

import { compare, short } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { alsoCompared, type Row, reported } from '../lib/report.ts'
import { listPath } from '../lib/seed.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { cpuOfOne } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'
import { changedLists, usedBy } from './list-after-booking.ts'

const [many, few] = [200, 50]
const maxMs = 50

const browser = { 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }

type Path = (stage: Stage, count: number) => string

const namesOf = ({ seeded }: Stage, count: number) => {
  const [first, ...others] = seeded.resources.slice(0, count).map(one => one.uuid)
  return { first: first!, more: others.map(uuid => `ref=${uuid}`).join('&') }
}

/** A week, as the widget asks for it. */
const week: Path = (stage, count) => {
  const { first, more } = namesOf(stage, count)
  const { days } = stage.seeded
  return `${listPath(first)}?products=ids&from=${days[0]}&to=${days[7]}&${more}`
}

const page: Path = (stage, count) => {
  const { first, more } = namesOf(stage, count)
  return `/book/${first}?${more}`
}

/** One list and one booking page for 200 Resources, beside those for 50. */
export const manyResources = (): Promise<Row[]> =>
  onStage(
    async stage => {
      const rows: Row[] = []
      for (const [name, path] of [
        ['a week', week],
        ['booking page', page],
      ] as const) {
        const known = await compare(unchanged(stage, path, many), unchanged(stage, path, few), 3)
        rows.push(
          within(
            alsoCompared(`${name} of ${many} Resources, unchanged`, 'ms of CPU', known),
            known.ours.median,
          ),
        )
        const large = await afterBooking(stage, path, many)
        const small = await afterBooking(stage, path, few)
        const figures = `service ${short(large.own)} ms, PostgreSQL ${short(large.below)} ms`
        const limit = `service ${short(small.own)} ms, PostgreSQL ${short(small.below)} ms`
        const row = reported(`... after a booking at one of them, beside ${few}`, figures)
        rows.push(within({ ...row, limit }, large.own + large.below))
      }
      return [...rows, await tooMany(stage)]
    },
    { args: ['--without-jobs'], data: { resources: many + 1, days: 28 } },
  )

const within = (row: Row, ms: number): Row => ({
  ...row,
  reach: `at most ${maxMs} ms`,
  reached: ms <= maxMs,
})

function unchanged(stage: Stage, path: Path, count: number) {
  const { service, load } = stage
  const requests = [requestText('GET', path(stage, count), browser)]
  const work = { kind: 'cycle' as const, requests }
  const plan = { port: service.port, connections: 4, seconds: 2, work }
  return async () => {
    const { own, below } = await cpuOfOne(service.pid, async () => expectOnly(await load.run(plan), 200))
    return own + below
  }
}

/** Each view comes after one booking at one of its Resources. */
async function afterBooking(stage: Stage, path: Path, count: number) {
  const { service, load } = stage
  const work = await changedLists(stage, browser['accept-encoding'], () => path(stage, count), count)
  const run = (seconds: number) => load.run({ port: service.port, connections: 1, seconds, work })
  await run(1)
  const before = await usedBy(service)
  const { count: views } = expectOnly(await run(4), 200)
  const after = await usedBy(service)
  const backends = [...after.backends].map(([pid, ms]) => ms - (before.backends.get(pid) ?? 0))
  return {
    own: (after.own - before.own) / views,
    below: backends.reduce((sum, ms) => sum + ms, 0) / views,
  }
}

async function tooMany(stage: Stage): Promise<Row> {
  const answer = await fetch(stage.service.origin + week(stage, many + 1))
  const { errors } = (await answer.json()) as { errors?: { message: string }[] }
  return {
    ...reported(`${many + 1} Resources`, `${answer.status}: ${errors?.[0]?.message}`, 'a clear message'),
    reached: answer.status === 400,
  }
}

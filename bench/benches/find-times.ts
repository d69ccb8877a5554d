import type { Row } from '../lib/report.ts'
import { bookDaily, bookedTimes, makePractice, makeTimeslots, type Seeded } from '../lib/seed.ts'
import { apiKey, crm, type Running } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { cpuMs } from '../lib/usage.ts'

// The search for free times by wish: 40 Resources and six weeks at raster 15, a quarter of the time booked.
// One request at a time, so its CPU time is its server time on a machine without other load.

const days = 42
const maxMs = 300
const rounds = 30

export const findTimes = (): Promise<Row[]> =>
  onStage(
    async ({ service }) => {
      const seeded = await furnish(service)
      const from = seeded.days[0]!
      const to = new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10)
      const all = { from, to, perGroup: 5 }
      return [
        await row(service, seeded, 'any Resource, Tuesdays or Thursdays after 15:00, 45 minutes', {
          ...all,
          duration: 45,
          weekdays: '2,4',
          timeFrom: '15:00',
        }),
        await row(service, seeded, 'everything in groups', all),
        await row(service, seeded, 'the next five days', {
          from,
          nextDays: 5,
          perGroup: 5,
          timeFrom: '15:00',
        }),
      ]
    },
    { data: 'none', args: ['--without-jobs'] },
  )

async function furnish(service: Running): Promise<Seeded> {
  const seeded = await makePractice(service, 40, days)
  await makeTimeslots(service, seeded, 15)
  for (const { reference } of seeded.resources)
    for (const time of bookedTimes) await bookDaily(service, seeded, reference, time)
  return seeded
}

type Query = Record<string, string | number>

async function row(service: Running, { path, product }: Seeded, bench: string, query: Query): Promise<Row> {
  const asked = new URLSearchParams({ productReference: product.reference })
  for (const [name, value] of Object.entries(query)) asked.set(name, String(value))
  const url = `${service.origin}/crms/${crm}${path}/free_times?${asked}`
  const taken: number[] = []
  let before = cpuMs(service.pid)
  for (let round = -5; round < rounds; round++) {
    if (round === 0) before = cpuMs(service.pid)
    const begun = performance.now()
    const response = await fetch(url, { headers: { 'x-service-client-id': apiKey } })
    if (!response.ok) throw new Error(`${bench}: ${response.status} ${await response.text()}`)
    const { freeTimes } = await response.json()
    if (freeTimes.groups.length === 0) throw new Error(`${bench}: found nothing`)
    if (round >= 0) taken.push(performance.now() - begun)
  }
  const after = cpuMs(service.pid)
  const own = Math.round((after.own - before.own) / rounds)
  const below = Math.round((after.below - before.below) / rounds)
  const median = Math.round(taken.toSorted((one, other) => one - other)[rounds / 2]!)
  return {
    bench,
    ours: `${own + below} ms of CPU (service ${own}, PostgreSQL ${below}), answered in ${median} ms`,
    limit: '',
    ratio: '',
    reach: `at most ${maxMs} ms of CPU`,
    reached: own + below <= maxMs,
  }
}

import { spread } from '../lib/compare.ts'
import { type Row, reported } from '../lib/report.ts'
import { bookDaily, daysFromTomorrow, listPath, makePractice, post, timeslotBody } from '../lib/seed.ts'
import type { Running } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'

const stallLimitMs = 50

/** A year of 15-minute slots around the clock, 35,040 of them: the longest delay for other requests. */
export const year = (): Promise<Row[]> =>
  onStage(
    async ({ service }) => {
      const seeded = await makePractice(service, 1, 365)
      const [{ reference, uuid }] = seeded.resources as [{ reference: string; uuid: string }]
      const timeslots = seeded.days.map((day, index) => ({
        ...timeslotBody(reference, day, 15),
        start: `${day}T00:00Z`,
        end: `${daysFromTomorrow(1, index + 2)[0]}T00:00Z`,
      }))
      await post(service, `${seeded.path}/timeslots`, { timeslots })
      for (const time of ['08:00', '13:00']) await bookDaily(service, seeded, reference, time)
      const whole = await measure(service, listPath(uuid))
      const month = await measure(
        service,
        `${listPath(uuid)}?from=${seeded.days[100]}&to=${seeded.days[130]}`,
      )
      const stall = spread(whole.stalls)
      return [
        {
          ...reported(
            'a year of 15-minute slots',
            `${whole.text}; longest stall ${stall.median.toFixed(0)} ms (${stall.least.toFixed(0)} to ${stall.most.toFixed(0)})`,
          ),
          reach: `no stall over ${stallLimitMs} ms`,
          reached: stall.median <= stallLimitMs,
        },
        reported(
          'a month of it, by from and to',
          `${month.text}; longest stall ${spread(month.stalls).median.toFixed(0)} ms`,
        ),
      ]
    },
    { data: 'none', env: { LIST_CACHE_MB: '0' } },
  )

async function measure(service: Running, path: string) {
  const times: number[] = []
  const stalls: number[] = []
  let bytes = 0
  for (let round = 0; round < 8; round++) {
    await longestStall(service)
    const begun = performance.now()
    bytes = (await (await fetch(service.origin + path)).arrayBuffer()).byteLength
    times.push(performance.now() - begun)
    stalls.push(await longestStall(service))
  }
  // The first rounds compile the code.
  const text = `${(bytes / 1e6).toFixed(1)} MB in ${spread(times.slice(2)).median.toFixed(0)} ms`
  return { text, stalls: stalls.slice(2) }
}

/** The service measures its own event loop (perf_hooks); each request resets the measurement. */
async function longestStall({ origin }: Running): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1] ?? 0) * 1000
}

import { setTimeout as pause } from 'node:timers/promises'
import { short } from '../lib/compare.ts'
import { expectOnly, startLoad } from '../lib/load.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { freeSlots, listPath } from '../lib/seed.ts'
import { onStage } from '../lib/stage.ts'
import { residentMegabytes } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'
import { pairRequests } from './reserve.ts'

/** MINUTES=3 makes a shorter run. */
const minutes = Number(process.env.MINUTES ?? 20)
const settled = Math.min(5, Math.ceil(minutes / 3))
const [mostGrowth, mostSlower] = [1.1, 1.3]

/**
 * Clients list, hold, book and cancel at half of the machine's capacity. After the first minutes neither
 * memory nor latency may grow.
 */
export const soak = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load }) => {
    const slots = await freeSlots(service, seeded)
    const stays = slots.map((slot, index) => pairRequests(slot, index))
    const lists = seeded.resources.map(({ uuid }) =>
      requestText('GET', listPath(uuid), { 'accept-encoding': 'gzip, deflate, br, zstd' }),
    )
    const looking = startLoad()
    const { port } = service
    const booking = { kind: 'stays' as const, stays }
    const full = expectOnly(await load.run({ port, connections: 8, seconds: 10, work: booking }), 200)
    const pace = full.perSecond / 2
    progress(
      `  ${short(full.perSecond)} stays a second at most; going on with half of that and ${short(pace * 20)} lists`,
    )
    const samples: { p99: number; megabytes: number }[] = []
    for (let minute = 1; minute <= minutes; minute++) {
      const [booked, looked] = await Promise.all([
        load.run({ port, connections: 8, seconds: 60, pace, work: booking }),
        looking.run({
          port,
          connections: 8,
          seconds: 60,
          pace: pace * 20,
          work: { kind: 'cycle', requests: lists },
        }),
      ])
      expectOnly(booked, 200)
      expectOnly(looked, 200)
      samples.push({ p99: booked.p99, megabytes: residentMegabytes(service.pid) })
      progress(
        `  minute ${minute}: p99 ${short(booked.p99)} and ${short(looked.p99)} ms, ${short(samples.at(-1)!.megabytes)} MB`,
      )
      await pause(0)
    }
    await looking.stop()
    const [then, now] = [samples[settled - 1]!, samples.at(-1)!]
    const ratio = (bench: string, before: number, after: number, unit: string, most: number): Row => ({
      ...reported(
        bench,
        `${short(before)} and ${short(after)} ${unit}: ${(after / before).toFixed(2)}`,
        `at most ${most}`,
      ),
      reached: after / before <= most,
    })
    return [
      ratio(
        `soak of ${minutes} minutes: memory after minute ${settled} and at last`,
        then.megabytes,
        now.megabytes,
        'MB',
        mostGrowth,
      ),
      ratio('p99 of hold, book and cancel then and at last', then.p99, now.p99, 'ms', mostSlower),
    ]
  })

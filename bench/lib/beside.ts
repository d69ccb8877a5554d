import { setTimeout as pause } from 'node:timers/promises'
import type { Plan } from '../load/plan.ts'
import { compared, short } from './compare.ts'
import { startLoad } from './load.ts'
import { progress } from './progress.ts'
import { atMost, type Row } from './report.ts'

// The same calls, calm and beside what an attacker or a heavy tenant does, in turns: calm, one disturbance,
// calm, the next.

type Times = { p50: number; p95: number }
type Figures = Record<string, Times>

export type Disturbance = {
  name: string
  /** Keeps going while `work` measures. */
  during<T>(work: () => Promise<T>): Promise<T>
}

/** At most twice the calm time. */
const mostTimes = 2

export async function besideRows(
  measure: () => Promise<Figures>,
  disturbances: Disturbance[],
  rounds = 5,
): Promise<Row[]> {
  await measure()
  const pairs = new Map<string, { ours: number; limit: number }[]>()
  for (let round = 1; round <= rounds; round++)
    for (const { name, during } of disturbances) {
      const calm = await measure()
      const disturbed = await during(measure)
      for (const [what, times] of Object.entries(disturbed))
        for (const part of ['p50', 'p95'] as const) {
          const pair = { ours: times[part], limit: calm[what]![part] }
          const row = `${name}: ${what}, ${part}`
          pairs.set(row, [...(pairs.get(row) ?? []), pair])
          progress(`  round ${round}, ${row}: ${short(pair.ours)} and ${short(pair.limit)} ms`)
        }
    }
  return [...pairs].map(([row, measured]) => atMost(row, 'ms', compared(measured), mostTimes))
}

/** Long enough for queues to fill and, afterwards, to be empty again. */
const settleMs = 1_500

/** Load from a process of its own. `noted` gets how its requests were answered. */
export function loadBeside(
  name: string,
  plan: Omit<Plan, 'seconds'>,
  seconds: number,
  noted: Record<string, number>,
  startMs = settleMs,
): Disturbance {
  return {
    name,
    async during(work) {
      const load = startLoad()
      try {
        const running = load.run({ ...plan, seconds: seconds + startMs / 1000 })
        await pause(startMs)
        const result = await work()
        const { statuses } = await running
        for (const [status, count] of Object.entries(statuses)) noted[status] = (noted[status] ?? 0) + count
        return result
      } finally {
        await load.stop()
        await pause(settleMs)
      }
    },
  }
}

export const answeredText = (statuses: Record<string, number>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count.toLocaleString('en')} times ${status}`)
    .join(', ')

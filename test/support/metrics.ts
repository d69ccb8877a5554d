import type { Counter } from 'prom-client'
import type { Metrics } from '../../src/lib/watch/metrics.ts'

/** The current count with these labels; 0 if there is none yet. */
export async function countOf(counter: Counter, labels: Record<string, string>): Promise<number> {
  const { values } = await counter.get()
  const isWanted = (found: Record<string, unknown>) =>
    Object.entries(labels).every(([name, value]) => found[name] === value)
  return values.filter(one => isWanted(one.labels)).reduce((sum, one) => sum + one.value, 0)
}

export const refusalsOf = ({ refusals }: Metrics, reason: string) => countOf(refusals, { reason })

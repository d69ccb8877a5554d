import type { Comparison } from './compare.ts'
import type { Reading } from './readings.ts'
import { atMost, type Row } from './report.ts'
import { busyMs, busySince } from './usage.ts'

const most = 1.25
const timesInARound = 8

/** CPU time instead of elapsed time, which on a busy machine says more about the neighbours. */
export async function cpuMsOf({ prepare, work }: Reading, pid: number): Promise<number> {
  let used = 0
  for (let time = 0; time < timesInARound; time++) {
    const prepared = (await prepare?.()) ?? ''
    const before = busyMs(pid)
    await work(prepared)
    used += busySince(pid, before)
  }
  return used / timesInARound
}

/** A difference of one millisecond counts as flat, and so does everything within `enoughMs`. */
export function flat(name: string, result: Comparison, enoughMs = 0): Row {
  const row = atMost(name, 'ms of CPU', result, most)
  const isEnough = result.ours.median - result.limit.median < 1 || result.ours.median <= enoughMs
  return {
    ...row,
    ...(enoughMs > 0 && { reach: `${row.reach}, or ${enoughMs} ms` }),
    reached: row.reached || isEnough,
  }
}

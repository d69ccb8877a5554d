import { setTimeout as pause } from 'node:timers/promises'

/**
 * Pauses nine times as long as a step took, so that background work takes at most a tenth of the database.
 */
const restTimes = 9
const longestMs = 1_000

/** Runs a step of background work, then pauses: longer if the machine is busier. */
export async function runAtLowPriority<T>(step: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const done = await step()
  await pause(Math.min(longestMs, restTimes * (performance.now() - startedAt)))
  return done
}

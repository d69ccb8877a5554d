import { setTimeout as pause } from 'node:timers/promises'

/** For so many times as long as a step took, others have the database to themselves: a tenth is taken from them at most. */
const restTimes = 9
const longestMs = 1_000

/** For work that has the whole night: after each step it rests, the longer the busier the machine is. */
export async function inPassing<T>(step: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const done = await step()
  await pause(Math.min(longestMs, restTimes * (performance.now() - begun)))
  return done
}

import { setTimeout as sleep } from 'node:timers/promises'
import { logOutage } from '../db/base/postgres-errors.ts'
import type { Service } from '../service.ts'

export type WarningLog = { warn(details: object, message: string): void }

/** Ends early when the instance stops. */
export const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})

/** Repeats the work until stopped. It returns how long to wait; after an error, usually of the database, `awayMs`. */
export async function repeat(signal: AbortSignal, awayMs: number, work: () => Promise<number>) {
  while (!signal.aborted) await pause(await work().catch(() => awayMs), signal)
}

/** Waits for the rest, but not longer than `ms`. */
export const settled = (work: Promise<unknown>[], ms: number) =>
  Promise.race([Promise.all(work), sleep(ms, undefined, { ref: false })])

/** An outage of the database has log lines of its own. */
export function warnUnlessOutage(
  { outages }: Service,
  log: WarningLog,
  error: unknown,
  message: string,
  details: object = {},
) {
  if (logOutage(outages, log, error) === null) log.warn({ ...details, err: error as Error }, message)
}

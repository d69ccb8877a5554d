import type { Outages } from '../../lib/watch/outage-log.ts'
import { isPoolTimeout, isUnusableConnection, outageOf } from './postgres-errors.ts'

type Log = { warn(details: object, message: string): void }

/** If the database is the reason, logs the outage and returns its cause. */
export function logOutage(outages: Outages, log: Log, error: unknown): string | null {
  const cause = outageOf(error)
  if (cause !== null) outageFor(outages, error, cause).failed(log, cause, { reason: reasonOf(error) })
  return cause
}

/**
 * The write probe only sees that the database is unavailable. It may succeed while a disk is nearly full or a lock
 * is held, so those end when they stop occurring.
 */
function outageFor(outages: Outages, error: unknown, cause: string) {
  const isAway = isPoolTimeout(error) ? outages.database.isOpen : isUnusableConnection(error)
  return isAway ? outages.database : outages.of(cause)
}

/** No stack: it is the same for every failure. The messages of these errors contain no data of people. */
function reasonOf(error: unknown): string {
  const { message, code = '' } = error as Error & { code?: string }
  return message.includes(code) ? message : `${code} ${message}`
}

import sql from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

// Whoever waits for a lock keeps a connection meanwhile. If everybody did, one Resource that somebody has locked and does
// not let go would stop the whole process. So only the first few wait for as long as DATABASE_LOCK_SECONDS allows; the others
// give way soon, to those who want something else, and are told to come back.

const mostPatient = 3
const shortly = sql`set local lock_timeout = '300ms'`

const waiting = new Map<string, number>()

/** Takes a lock; `key` says of what. */
export async function inTurn<T>(tx: Queryable, key: string, lock: () => Promise<T>): Promise<T> {
  const before = waiting.get(key) ?? 0
  waiting.set(key, before + 1)
  try {
    // Not awaited: it travels with the lock.
    if (before >= mostPatient) tx.query(shortly).catch(() => {})
    return await lock()
  } finally {
    const others = waiting.get(key)! - 1
    if (others > 0) waiting.set(key, others)
    else waiting.delete(key)
  }
}

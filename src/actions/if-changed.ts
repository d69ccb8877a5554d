import type { Db, Transaction } from '../db/base/queryable.ts'

/** Ends the work: what was to be saved is there already. */
type Same<T> = (known: T) => never

class NothingChanged extends Error {
  known: unknown

  constructor(known: unknown) {
    super('Nothing changed.')
    this.known = known
  }
}

/**
 * A transaction that leaves nothing behind where the work says that it is all the same. The lock that it began with raised the
 * revision of a Resource, and lists would be made anew for nothing: that is taken back, too.
 */
export async function ifChanged<T>(db: Db, work: (tx: Transaction, same: Same<T>) => Promise<T>): Promise<T> {
  const same: Same<T> = known => {
    throw new NothingChanged(known)
  }
  try {
    return await db.transaction(tx => work(tx, same))
  } catch (error) {
    if (error instanceof NothingChanged) return error.known as T
    throw error
  }
}

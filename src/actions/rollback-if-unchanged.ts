import type { Db, Transaction } from '../db/base/queryable.ts'

/** Aborts the work: the stored state already matches. */
type Same<T> = (known: T) => never

class NothingChanged extends Error {
  known: unknown

  constructor(known: unknown) {
    super('Nothing changed.')
    this.known = known
  }
}

/**
 * Rolls the transaction back if the work reports that nothing changes. Taking the lock raised a revision,
 * which would invalidate cached lists for nothing; the rollback undoes that too.
 */
export async function rollbackIfUnchanged<T>(
  db: Db,
  work: (tx: Transaction, same: Same<T>) => Promise<T>,
): Promise<T> {
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

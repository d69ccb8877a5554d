import type { Queryable } from '../../db/base/queryable.ts'
import { nestedDb } from '../../db/base/transactions.ts'
import type { Service } from '../../service.ts'

/** The record that a path names, of this Provider if it names one. */
type NamedRecord = { crmId: number; providerId: number; params: Record<string, string>; body: unknown }

/** Takes the locks under which the record changes, in the same order as its changes do. */
export type RecordLock = (tx: Queryable, named: NamedRecord) => Promise<unknown>

/** Runs the check and the work in one transaction, under the lock that keeps the record as it was checked. */
export const runIfUnchanged = <T>(
  service: Service,
  lock: RecordLock,
  named: NamedRecord,
  check: (inner: Service) => Promise<void>,
  work: (inner: Service) => Promise<T>,
): Promise<T> =>
  service.db.transaction(async tx => {
    const inner = { ...service, db: nestedDb(service.db, tx) }
    await lock(tx, named)
    await check(inner)
    return work(inner)
  })

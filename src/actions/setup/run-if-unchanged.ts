import { nestedDb } from '../../db/base/nested-db.ts'
import type { Queryable } from '../../db/base/queryable.ts'
import { findProvider } from '../../db/setup/providers.ts'
import type { Service } from '../../service.ts'

/** The record that a path names. */
export type NamedRecord = { crmId: number; providerId: number; params: Record<string, string>; body: unknown }

/** Takes the locks under which the record changes, in the same order as its changes do. */
export type RecordLock = (tx: Queryable, named: NamedRecord) => Promise<unknown>

/** Runs the check and the work in one transaction, under the lock that keeps the record as it was checked. */
export const runIfUnchanged = <T>(
  service: Service,
  lock: RecordLock,
  { crmId, params, body }: Omit<NamedRecord, 'providerId'>,
  check: (inner: Service) => Promise<void>,
  work: (inner: Service) => Promise<T>,
): Promise<T> =>
  service.db.transaction(async tx => {
    const inner = { ...service, db: nestedDb(service.db, tx) }
    const provider = params.providerRef ? await findProvider(tx, crmId, params.providerRef) : null
    // The check refuses an unknown Provider.
    await lock(tx, { crmId, providerId: provider?.id ?? 0, params, body })
    await check(inner)
    return work(inner)
  })

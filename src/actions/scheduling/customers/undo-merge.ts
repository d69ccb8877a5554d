import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import { lockRecords } from '../../../db/base/ledger.ts'
import { RestartTransaction, violates } from '../../../db/base/postgres-errors.ts'
import { type CustomerRow, findCustomer, participationsOf } from '../../../db/scheduling/customers.ts'
import {
  deleteMerge,
  findMerge,
  lockCustomersById,
  type MergeRecord,
  moveEntries,
  moveMerges,
  movePlaces,
  writeCustomer,
} from '../../../db/scheduling/merges.ts'
import { searchAgainFor } from '../../../db/scheduling/waiting-line.ts'
import { notFound, referenceExists, undoExpired } from '../../../errors.ts'
import { isUuid } from '../../../rules/references.ts'
import { recordEvents } from '../../record-events.ts'
import { missingCustomer } from './customers.ts'

/**
 * Returns what the merge moved, and the fields that were not changed since. Bookings made since then stay with the
 * Customer who was kept.
 */
export async function undoMerge(
  { service, actor, provider }: ProviderContext,
  keptReference: string,
  mergeUuid: string,
): Promise<{ customer: CustomerRow; restored: CustomerRow }> {
  return service.db.transaction(async tx => {
    const seen = await findCustomer(tx, provider.id, keptReference)
    if (!seen) throw await missingCustomer(tx, provider, keptReference)
    const inside = await participationsOf(tx, seen)
    await lockRecords(tx, inside)
    const [kept] = await lockCustomersById(tx, [seen.id])
    if (!kept) throw new RestartTransaction()
    if ((await participationsOf(tx, kept)).some(id => !inside.includes(id))) throw new RestartTransaction()
    const merge = isUuid(mergeUuid) ? await findMerge(tx, provider.id, mergeUuid) : null
    if (!merge || merge.keptId !== kept.id) throw notFound('merge', mergeUuid)
    if (!merge.isUndoable) throw undoExpired()
    const { merged, ...moved } = merge.record!
    await deleteMerge(tx, provider.id, merge.id)
    const before = withoutMerge(kept, moved)
    if (!isDeepStrictEqual(before, kept)) await writeCustomer(tx, before)
    await writeCustomer(tx, { ...merged, id: merge.customerId, providerId: provider.id }).catch(error => {
      if (violates(error, 'customer_reference')) throw referenceExists('Customer', merged.reference)
      throw error
    })
    const places = await movePlaces(tx, kept.id, merge.customerId, moved.participations)
    const entries = await moveEntries(tx, kept.id, merge.customerId, moved.entries)
    await moveMerges(tx, kept.id, merge.customerId, moved.merges)
    const extra = { uuid: merge.mergedUuid, separatedFrom: kept.uuid }
    const events = {
      'customer.unmerged': [{ subject: merge.customerId, extra }],
      'customer.changed': [kept.id],
      'appointment.changed': [...new Set(places.map(one => one.appointmentId))],
      'waiting.changed': entries.map(one => one.id),
    }
    await recordEvents(tx, service, { actor, provider, events })
    await searchAgainFor(tx, provider.id, [kept.id, merge.customerId])
    return {
      customer: (await findCustomer(tx, provider.id, kept.reference))!,
      restored: (await findCustomer(tx, provider.id, merged.reference))!,
    }
  })
}

/** Fields that still have the value of the merge get their former one. Accepted Customers stay accepted. */
function withoutMerge(
  kept: CustomerRow,
  { before, after }: Pick<MergeRecord, 'before' | 'after'>,
): CustomerRow {
  const names = Object.keys(after) as (keyof CustomerRow)[]
  const unchanged = names.filter(name => name !== 'invited' && isDeepStrictEqual(kept[name], after[name]))
  const added = (after.formerEmails ?? []).filter(one => !before.formerEmails?.includes(one))
  return {
    ...kept,
    ...Object.fromEntries(unchanged.map(name => [name, before[name]])),
    formerEmails: kept.formerEmails.filter(one => !added.includes(one)),
  }
}

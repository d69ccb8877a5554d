import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import { lockRecords } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { RestartTransaction } from '../../../db/base/postgres-errors.ts'
import {
  type CustomerFields,
  type CustomerRow,
  findCustomer,
  participationsOf,
} from '../../../db/scheduling/customers.ts'
import {
  blankCustomer,
  countBehind,
  insertMerge,
  lockCustomersById,
  type MergeRow,
  moveEntries,
  moveMerges,
  movePlaces,
  sharedAppointments,
  waitForTheSame,
  writeCustomer,
} from '../../../db/scheduling/merges.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { customer } from '../../../entities/customer.ts'
import { pick } from '../../../entities/entity.ts'
import { invalidField, Refusal } from '../../../errors.ts'
import { omitUndefined } from '../../../lib/objects.ts'
import { mergeNotes, mergeValue } from '../../../rules/people/merge-values.ts'
import type { StoredAnswers } from '../../../rules/questions/define.ts'
import { formerReference, recordEvents } from '../../record-events.ts'
import { rollbackIfUnchanged } from '../../rollback-if-unchanged.ts'
import { readDetails } from './customer-details.ts'
import { missingCustomer, mobileKeyIn } from './customers.ts'

/** Fields that a merge may change. */
type Changeable = Partial<Omit<CustomerFields, 'reference'>>

type MergeRequest = {
  /** The reference of the Customer that is left. */
  kept: string
  merged: string
  /** Values that the Customer gets instead of the usual ones. */
  chosen: Changeable
  /** Returns the result without saving it. */
  dryRun: boolean
}

type Merged = { customer: CustomerRow; merge: MergeRow }

/**
 * Merges one Customer into another: bookings with their answers and emails, series and waiting list entries move;
 * blank fields are filled in; notes are joined. The former reference keeps leading to the Customer that is left.
 */
export async function mergeCustomers(
  { service, actor, provider }: ProviderContext,
  { kept: keptReference, merged: mergedReference, chosen, dryRun }: MergeRequest,
): Promise<Merged> {
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    const [kept, merged] = await lockBoth(tx, provider, keptReference, mergedReference)
    await refuseConflicts(tx, kept, merged)
    const participations = await movePlaces(tx, merged.id, kept.id)
    const counts = await countBehind(
      tx,
      participations.map(one => one.id),
    )
    const entries = await moveEntries(tx, merged.id, kept.id)
    const merges = await moveMerges(tx, merged.id, kept.id)
    await blankCustomer(tx, merged.id)
    const known = { ...merged.fields, ...kept.fields } as StoredAnswers
    const after = mergeRows(provider, kept, merged, await readDetails(tx, provider, chosen, known))
    const changed = (Object.keys(after) as (keyof CustomerRow)[]).filter(
      name => !isDeepStrictEqual(after[name], kept[name]),
    )
    if (changed.length > 0) await writeCustomer(tx, after)
    const merge = await insertMerge(tx, merged, kept.id, {
      merged,
      before: pick(kept, changed),
      after: pick(after, changed),
      participations: participations.map(one => one.uuid),
      entries: entries.map(one => one.uuid),
      merges,
      ...counts,
    })
    const extra = { uuid: kept.uuid, mergedUuid: merged.uuid, ...formerReference(service, merged.reference) }
    const events = {
      'customer.merged': [{ subject: kept.id, extra }],
      'customer.changed': changed.length > 0 ? [kept.id] : [],
      'appointment.changed': [...new Set(participations.map(one => one.appointmentId))],
      'waiting.changed': entries.map(one => one.id),
    }
    await recordEvents(tx, service, { actor, provider, events })
    const result = { customer: (await findCustomer(tx, provider.id, kept.reference))!, merge }
    return dryRun ? same(result) : result
  })
}

/** Lock order: Resources before Customers, as booking and erasing do. */
export async function lockBoth(
  tx: Queryable,
  provider: Pick<ProviderRow, 'id'>,
  kept: string,
  merged: string,
): Promise<[CustomerRow, CustomerRow]> {
  const seen = await Promise.all(
    [kept, merged].map(async reference => {
      const found = await findCustomer(tx, provider.id, reference)
      if (!found) throw await missingCustomer(tx, provider, reference)
      return found
    }),
  )
  if (seen[0]!.id === seen[1]!.id) throw invalidField('customerReference', 'itself:merge')
  const inside = (await Promise.all(seen.map(one => participationsOf(tx, one)))).flat()
  await lockRecords(tx, inside)
  const locked = await lockCustomersById(
    tx,
    seen.map(one => one.id),
  )
  const pair = seen.map(({ id }) => locked.find(one => one.id === id)) as [CustomerRow, CustomerRow]
  // Erased, merged or renamed while the locks were awaited, or booked at a Resource that is not locked.
  if (pair.some((one, index) => one?.reference !== seen[index]!.reference)) throw new RestartTransaction()
  const now = (await Promise.all(pair.map(one => participationsOf(tx, one)))).flat()
  if (now.some(id => !inside.includes(id))) throw new RestartTransaction()
  return pair
}

async function refuseConflicts(tx: Queryable, kept: CustomerRow, merged: CustomerRow) {
  const shared = await sharedAppointments(tx, kept.id, merged.id)
  if (shared.length > 0) {
    const names = shared.slice(0, 3).join(', ')
    throw new Refusal('merge-conflict', { rule: 'appointments', field: 'appointments', names })
  }
  if (await waitForTheSame(tx, kept.id, merged.id))
    throw new Refusal('merge-conflict', { rule: 'waiting-list', field: 'waitingList' })
}

function mergeRows(
  provider: ProviderRow,
  kept: CustomerRow,
  merged: CustomerRow,
  chosen: Awaited<ReturnType<typeof readDetails<Changeable>>>,
): CustomerRow {
  const names = Object.keys(customer.inputs).filter(
    name => name !== 'reference' && name !== 'note',
  ) as (keyof CustomerRow)[]
  const note = chosen.note === undefined ? mergeNotes(kept.note, merged.note) : chosen.note
  if (note !== null && note.length > maxNote)
    throw invalidField('note', 'maxLength:notes', { limit: maxNote })
  const values = Object.fromEntries(names.map(name => [name, mergeValue(kept[name], merged[name])]))
  const email = chosen.email === undefined ? (kept.email ?? merged.email) : chosen.email
  const addresses = [
    ...kept.formerEmails,
    ...merged.formerEmails,
    ...[kept.email, merged.email].flatMap(one => one?.toLowerCase() ?? []),
  ]
  const takesNumber = kept.mobile === null
  return {
    ...kept,
    ...values,
    note,
    ...(takesNumber && { mobileKey: merged.mobileKey, unconfirmed: merged.unconfirmed }),
    ...omitUndefined(chosen),
    ...(chosen.mobile !== undefined && { mobileKey: mobileKeyIn(provider, chosen.mobile), unconfirmed: [] }),
    formerEmails: [...new Set(addresses)].filter(one => one !== email?.toLowerCase()),
    userId: kept.userId ?? merged.userId,
    // Staff or the CRM know this person.
    invited: true,
  }
}

const maxNote = 1023

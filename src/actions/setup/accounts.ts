import { isDeepStrictEqual } from 'node:util'
import type { CrmCaller } from '../../callers.ts'
import {
  type AccountFields,
  type AccountRow,
  accountsById,
  findAccount,
  insertAccount,
  lockAccount,
  providersOfAccount,
  deleteAccount as remove,
  updateAccount,
} from '../../db/setup/accounts.ts'
import { lockUserForUse } from '../../db/setup/users.ts'
import { inUse, invalidReference, noOwner, notFound, unknownBranch } from '../../errors.ts'
import { omitUndefined } from '../../lib/objects.ts'
import { branches, isBranch, isPlatformReference } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

/** A known reference returns the existing Account unchanged and ignores all other fields. */
export async function createAccount(
  service: Service,
  { crm, actor }: CrmCaller,
  fields: Omit<AccountFields, 'branch'> & { branch: string },
): Promise<{ account: AccountRow; created: boolean }> {
  return service.db.transaction(async tx => {
    const known = await findAccount(tx, crm.id, fields.accountReference)
    if (known) return { account: known, created: false }
    if (!isPlatformReference(fields.accountReference)) throw invalidReference(fields.accountReference)
    if (!isBranch(fields.branch)) throw unknownBranch(fields.branch, branches)
    const owner = await lockUserForUse(tx, crm.id, fields.ownerReference)
    if (!owner) throw noOwner()
    const created = await insertAccount(tx, crm.id, owner.id, { ...fields, branch: fields.branch })
    const account = (await findAccount(tx, crm.id, fields.accountReference))!
    if (created)
      await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'account.created': [account.id] } })
    return { account, created }
  })
}

type AccountChange = Partial<Omit<AccountFields, 'accountReference' | 'branch'> & { branch: string }>

/** Changes only the fields sent. The reference stays. */
export async function changeAccount(
  service: Service,
  { crm, actor }: CrmCaller,
  reference: string,
  change: AccountChange,
): Promise<AccountRow> {
  return service.db.transaction(async tx => {
    const known = await lockAccount(tx, crm.id, reference)
    if (!known) throw notFound('Account', reference)
    const { ownerReference = known.ownerReference, branch } = change
    if (branch !== undefined && !isBranch(branch)) throw unknownBranch(branch, branches)
    const owner = await lockUserForUse(tx, crm.id, ownerReference)
    if (!owner) throw noOwner()
    const changed = { ...known, ...omitUndefined(change), ownerReference } as AccountRow
    if (isDeepStrictEqual(changed, known)) return known
    await updateAccount(tx, changed, owner.id)
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'account.changed': [known.id] } })
    // Read afterwards, because a trigger sets the time of the change.
    return (await accountsById(tx, [known.id]))[0]!
  })
}

/** Refused while Providers belong to it. */
export async function deleteAccount(service: Service, { crm, actor }: CrmCaller, reference: string) {
  await service.db.transaction(async tx => {
    const known = await lockAccount(tx, crm.id, reference)
    if (!known) throw notFound('Account', reference)
    const providers = await providersOfAccount(tx, known.id)
    if (providers.length > 0)
      throw inUse(
        'Account',
        providers.map(one => `Provider ${one}`),
      )
    await remove(tx, known.id)
    const events = { 'account.deleted': [{ subject: known.id, detail: reference }] }
    await recordEvents(tx, service, { actor, crmId: crm.id, events })
  })
}

import { isDeepStrictEqual } from 'node:util'
import type { CrmCaller } from '../../callers.ts'
import {
  type AccountFields,
  type AccountRow,
  accountsById,
  lockAccount,
  providersOfAccount,
  deleteAccount as remove,
  updateAccount,
} from '../../db/setup/accounts.ts'
import { lockUserForUse } from '../../db/setup/users.ts'
import { inUse, noOwner, notFound, unknownBranch } from '../../errors.ts'
import { omitUndefined } from '../../lib/objects.ts'
import { branches, isBranch } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

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

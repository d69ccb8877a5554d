import type { CrmCaller } from '../../callers.ts'
import { type AccountFields, type AccountRow, findAccount, insertAccount } from '../../db/setup/accounts.ts'
import { lockUserForUse } from '../../db/setup/users.ts'
import { invalidReference, noOwner, unknownBranch } from '../../errors.ts'
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

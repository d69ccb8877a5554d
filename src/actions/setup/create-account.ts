import type { CrmCaller } from '../../callers.ts'
import { recordAudit } from '../../db/audit.ts'
import { type AccountFields, type AccountRow, findAccount, insertAccount } from '../../db/setup/accounts.ts'
import { findUser } from '../../db/setup/users.ts'
import { invalidReference, noOwner, unknownBranch } from '../../errors.ts'
import { branches, isBranch, isPlatformReference } from '../../rules/references.ts'
import type { Service } from '../../service.ts'

/** A known reference answers the existing Account as it is; nothing else that was sent matters then. */
export async function createAccount(
  { db }: Service,
  { crm, actor }: CrmCaller,
  fields: AccountFields & { ownerReference: string },
): Promise<{ account: AccountRow; created: boolean }> {
  return db.transaction(async tx => {
    const known = await findAccount(tx, crm.id, fields.accountReference)
    if (known) return { account: known, created: false }
    if (!isPlatformReference(fields.accountReference)) throw invalidReference(fields.accountReference)
    if (!isBranch(fields.branch)) throw unknownBranch(fields.branch, branches)
    const owner = await findUser(tx, crm.id, fields.ownerReference)
    if (!owner) throw noOwner()
    const created = await insertAccount(tx, crm.id, owner.id, fields)
    if (created)
      await recordAudit(tx, {
        actor,
        crmId: crm.id,
        action: 'account.create',
        reference: fields.accountReference,
      })
    return { account: (await findAccount(tx, crm.id, fields.accountReference))!, created }
  })
}

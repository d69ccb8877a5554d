import { type Actor, recordAudit } from '../../db/audit.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { attachStaff, detachStaff } from '../../db/setup/staff.ts'
import { findUser, type UserRow } from '../../db/setup/users.ts'
import { notFound, ownerStays } from '../../errors.ts'
import type { Service } from '../../service.ts'

export async function addStaff(
  { db }: Service,
  actor: Actor,
  provider: ProviderRow,
  userReference: string,
): Promise<{ user: UserRow; attached: boolean }> {
  return db.transaction(async tx => {
    const user = await findUser(tx, provider.crm_id, userReference)
    if (!user) throw notFound('User', userReference, 'userReference')
    const attached = await attachStaff(tx, provider.id, user.id)
    if (attached) await recordAudit(tx, entry(actor, provider, 'staff.add', userReference))
    return { user, attached }
  })
}

export async function removeStaff(
  { db }: Service,
  actor: Actor,
  provider: ProviderRow,
  userReference: string,
) {
  await db.transaction(async tx => {
    const user = await findUser(tx, provider.crm_id, userReference)
    if (!user) throw notFound('Staff member', userReference)
    if (user.id === provider.owner_id) throw ownerStays()
    if (!(await detachStaff(tx, provider.id, user.id))) throw notFound('Staff member', userReference)
    await recordAudit(tx, entry(actor, provider, 'staff.remove', userReference))
  })
}

const entry = (actor: Actor, provider: ProviderRow, action: string, reference: string) => ({
  actor,
  crmId: provider.crm_id,
  providerId: provider.id,
  action,
  reference,
})

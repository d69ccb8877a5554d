import { endStaffLogin } from '../../db/setup/console-users.ts'
import { lockProvider, type ProviderRow } from '../../db/setup/providers.ts'
import { attachStaff, detachStaff } from '../../db/setup/staff.ts'
import { findUser, type UserRow } from '../../db/setup/users.ts'
import { notFound, ownerStays } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'

export async function addStaff(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  userReference: string,
): Promise<{ user: UserRow; attached: boolean }> {
  return service.db.transaction(async tx => {
    const user = await findUser(tx, provider.crmId, userReference)
    if (!user) throw notFound('User', userReference, 'userReference')
    const attached = await attachStaff(tx, provider.id, user.id)
    if (attached) await happened(tx, service, { actor, provider, news: { 'staff.added': [user.id] } })
    return { user, attached }
  })
}

export async function removeStaff(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  userReference: string,
) {
  await service.db.transaction(async tx => {
    const user = await findUser(tx, provider.crmId, userReference)
    if (!user) throw notFound('Staff member', userReference)
    // Who owns it once nobody can hand it over any more.
    const { ownerId } = await lockProvider(tx, provider.id)
    if (user.id === ownerId) throw ownerStays()
    if (!(await detachStaff(tx, provider.id, user.id))) throw notFound('Staff member', userReference)
    await endStaffLogin(tx, user.id)
    await happened(tx, service, { actor, provider, news: { 'staff.removed': [user.id] } })
  })
}

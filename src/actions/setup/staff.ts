import type { ProviderContext } from '../../callers.ts'
import { endStaffLogin } from '../../db/setup/console-users.ts'
import { endInvitationsOf } from '../../db/setup/invitations.ts'
import { lockProvider } from '../../db/setup/providers.ts'
import { attachStaff, detachStaff, isStaff, type Membership, setStaffRole } from '../../db/setup/staff.ts'
import { endFeedsOf, endKeysOf } from '../../db/setup/staff-departure.ts'
import { findUser, lockUserForUse, type UserRow } from '../../db/setup/users.ts'
import { notFound, ownerCannotLeave, ownerHasNoRole } from '../../errors.ts'
import { recordEvents } from '../record-events.ts'

export async function addStaff(
  { service, actor, provider }: ProviderContext,
  userReference: string,
  membership?: Membership,
): Promise<{ user: UserRow; attached: boolean }> {
  return service.db.transaction(async tx => {
    const user = await lockUserForUse(tx, provider.crmId, userReference)
    if (!user) throw notFound('User', userReference, 'userReference')
    const attached = await attachStaff(tx, provider.id, user.id, membership)
    if (attached) {
      const added = [{ subject: user.id, detail: membership?.role ?? 'staff' }]
      await recordEvents(tx, service, { actor, provider, events: { 'staff.added': added } })
    }
    return { user, attached }
  })
}

/** The owner has no other role; transfer the ownership first. */
export async function changeRole(
  { service, actor, provider }: ProviderContext,
  user: Pick<UserRow, 'id' | 'uuid'>,
  membership: Membership,
) {
  await service.db.transaction(async tx => {
    const { ownerId } = await lockProvider(tx, provider.id)
    if (user.id === ownerId) throw ownerHasNoRole()
    if (!(await isStaff(tx, provider.id, user.id))) throw notFound('Staff member', user.uuid)
    if (!(await setStaffRole(tx, provider.id, user.id, membership))) return
    await recordEvents(tx, service, {
      actor,
      provider,
      events: { 'staff.changed': [{ subject: user.id, detail: membership.role }] },
    })
  })
}

export async function removeStaff({ service, actor, provider }: ProviderContext, userReference: string) {
  await service.db.transaction(async tx => {
    const user = await findUser(tx, provider.crmId, userReference)
    if (!user) throw notFound('Staff member', userReference)
    // Under the lock, the owner cannot change.
    const { ownerId } = await lockProvider(tx, provider.id)
    if (user.id === ownerId) throw ownerCannotLeave()
    if (!(await detachStaff(tx, provider.id, user.id))) throw notFound('Staff member', userReference)
    await endStaffLogin(tx, user.id)
    await endInvitationsOf(tx, user.id)
    const feeds = await endFeedsOf(tx, provider.id, user.id)
    const keys = await endKeysOf(tx, user.id)
    await recordEvents(tx, service, {
      actor,
      provider,
      events: {
        'staff.removed': [user.id],
        'key.revoked': keys,
        'settings.changed': feeds > 0 ? [{ detail: 'calendar' }] : [],
      },
    })
  })
}

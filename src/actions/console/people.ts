import { randomUUID } from 'node:crypto'
import type { ProviderContext } from '../../callers.ts'
import { nestedDb } from '../../db/base/transactions.ts'
import type { Crm } from '../../db/setup/crms.ts'
import { findInvitedUser } from '../../db/setup/invitations.ts'
import { lockProvider, type ProviderRow, setOwner } from '../../db/setup/providers.ts'
import { isStaff, type Membership } from '../../db/setup/staff.ts'
import { findUser, findUserByEmail, isUsernameOfAnother, type UserRow } from '../../db/setup/users.ts'
import { notFound } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { addStaff } from '../setup/staff.ts'
import { createUser } from '../setup/users.ts'
import { openLogin, staffLogin } from './login.ts'
import { type Invitation, mailInvitation, type Opened } from './login-links.ts'

type Wanted =
  | { userReference: string }
  | { email: string; lastName: string; firstName?: string | null; language: Language }

/**
 * Adds a person to the Provider: a User, on its staff, with a login and an invitation by email. All or
 * nothing.
 */
export function invitePerson(
  service: Service,
  { crm, actor }: { crm: Crm; actor: Actor },
  provider: ProviderRow,
  invited: Wanted,
  membership: Membership,
): Promise<Invited> {
  return service.db.transaction(async tx => {
    const inside = { ...service, db: nestedDb(service.db, tx) }
    const user =
      'userReference' in invited
        ? await findUser(tx, crm.id, invited.userReference)
        : await userFor(inside, { crm, actor }, invited)
    if (!user) throw notFound('User', 'userReference' in invited ? invited.userReference : invited.email)
    await addStaff({ service: inside, actor, provider }, user.reference!, membership)
    const email = 'email' in invited ? invited.email : user.email
    return invite({ service: inside, actor, provider }, { ...user, email })
  })
}

/**
 * The User of this CRM who has the address, or a new one. If another CRM has a User with it, the new User gets a variant of the
 * address; the login has the address itself.
 */
async function userFor(
  service: Service,
  who: Parameters<typeof createUser>[1],
  invited: Extract<Wanted, { email: string }>,
): Promise<UserRow> {
  const { email, firstName, lastName, language } = invited
  const known =
    (await findUserByEmail(service.db, who.crm.id, email)) ??
    (await findInvitedUser(service.db, who.crm.id, email))
  if (known) return known
  const reference = `${randomUUID()}@console`
  const isTaken = await isUsernameOfAnother(service.db, email, null)
  const fields = {
    reference,
    email,
    username: isTaken ? reference : email,
    lastName,
    firstName: firstName ?? null,
  }
  return (await createUser(service, who, fields, language)).user
}

export type Invited = { opened: Opened; invitation: Invitation }

/** Emails a login link to a member of staff. */
export async function invite({ service, actor, provider }: ProviderContext, user: UserRow): Promise<Invited> {
  if (!user.email) throw notFound('email of the User', user.reference ?? user.uuid)
  return service.db.transaction(async tx => {
    const opened = await openLogin(tx, service, actor, staffLogin(provider.crmId, user))
    return { opened, invitation: await mailInvitation(service, tx, opened, provider.name) }
  })
}

/** Makes another member of staff the owner; the previous owner stays on the staff. */
export async function transferOwnership({ service, actor, provider }: ProviderContext, user: UserRow) {
  await service.db.transaction(async tx => {
    await lockProvider(tx, provider.id)
    if (!(await isStaff(tx, provider.id, user.id))) throw notFound('Staff member', user.uuid)
    await setOwner(tx, provider.id, user.id)
    await recordEvents(tx, service, { actor, provider, events: { 'provider.changed': [provider.id] } })
  })
}

import { randomUUID } from 'node:crypto'
import { within } from '../../db/base/within.ts'
import type { Crm } from '../../db/setup/crms.ts'
import { lockProvider, type ProviderRow, setOwner } from '../../db/setup/providers.ts'
import { isStaff } from '../../db/setup/staff.ts'
import { findUser, findUserByEmail, isEmailOfReferencedUser, type UserRow } from '../../db/setup/users.ts'
import { emailExists, notFound } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { createUser } from '../setup/create-user.ts'
import { addStaff } from '../setup/staff.ts'
import { mailInvitation, openLogin, staffLogin } from './login.ts'

type Invited =
  | { userReference: string }
  | { email: string; lastName: string; firstName?: string | null; language: Language }

/** Somebody new at the Provider: a User, on its staff, with a login, and a mail that says so. All of it or nothing. */
export function invitePerson(
  service: Service,
  { crm, actor }: { crm: Crm; actor: Actor },
  provider: ProviderRow,
  invited: Invited,
): Promise<UserRow> {
  return service.db.transaction(async tx => {
    const inside = { ...service, db: within(service.db, tx) }
    const user =
      'userReference' in invited
        ? await findUser(tx, crm.id, invited.userReference)
        : await userFor(inside, { crm, actor }, invited)
    if (!user) throw notFound('User', 'userReference' in invited ? invited.userReference : invited.email)
    await addStaff(inside, actor, provider, user.reference!)
    await invite(inside, actor, provider, user)
    return user
  })
}

/** The User of this CRM who has the address, or a new one. */
async function userFor(
  service: Service,
  who: Parameters<typeof createUser>[1],
  invited: Extract<Invited, { email: string }>,
): Promise<UserRow> {
  const { email, firstName, lastName, language } = invited
  const known = await findUserByEmail(service.db, who.crm.id, email)
  if (known) return known
  // Of another CRM: a numbered variant would be a login that nobody can guess.
  if (await isEmailOfReferencedUser(service.db, email)) throw emailExists()
  const fields = {
    reference: `${randomUUID()}@console`,
    email,
    username: email,
    lastName,
    firstName: firstName ?? null,
  }
  return (await createUser(service, who, fields, language)).user
}

/** A mail with a link, for whoever is on the staff. */
export async function invite(service: Service, actor: Actor, provider: ProviderRow, user: UserRow) {
  if (!user.email) throw notFound('email of the User', user.reference ?? user.uuid)
  await service.db.transaction(async tx => {
    const opened = await openLogin(tx, service, actor, staffLogin(provider.crmId, user))
    await mailInvitation(service, tx, opened, provider.name)
  })
}

/** Somebody else of the staff owns it from now on; whoever did stays on the staff. */
export async function handOver(service: Service, actor: Actor, provider: ProviderRow, user: UserRow) {
  await service.db.transaction(async tx => {
    await lockProvider(tx, provider.id)
    if (!(await isStaff(tx, provider.id, user.id))) throw notFound('Staff member', user.uuid)
    await setOwner(tx, provider.id, user.id)
    await happened(tx, service, { actor, provider, news: { 'provider.changed': [provider.id] } })
  })
}

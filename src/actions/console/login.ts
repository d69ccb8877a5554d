import type { Queryable } from '../../db/base/pool.ts'
import {
  endLoginLinks,
  findLoginOfLink,
  type LoginMethod,
  useLoginLink,
} from '../../db/setup/console-sessions.ts'
import { ensureConsoleUser, findConsoleUserByEmail, lockConsoleUser } from '../../db/setup/console-users.ts'
import { findCrm } from '../../db/setup/crms.ts'
import { deleteInvitationOf, findLoginEmail } from '../../db/setup/invitations.ts'
import { findUser, type UserRow } from '../../db/setup/users.ts'
import { cannotBeInvited, loginFailed, notFound } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { isPassword } from '../../lib/password.ts'
import { type Actor, commandLineActor } from '../../rules/messages/events.ts'
import { fullName } from '../../rules/people/contacts.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { type Asker, countPasswordTry, countSecretTry } from '../setup/login-tries.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { invitationLink, type NewLogin, type Opened } from './login-links.ts'
import { lockLogin, openSession } from './open-session.ts'
import { useCode } from './second-factor.ts'

/** Creates an operator's login, and a link that opens the console once. */
export function inviteOperator(service: Service, email: string, name = email): Promise<string> {
  return invite(service, operator(service, email, name))
}

export function operator({ config: { language } }: Service, email: string, name: string): NewLogin {
  return { email, name, role: 'operator', language, crmId: null, userId: null }
}

/** The same for an administrator of all Providers of one CRM. */
export async function inviteAdministrator(
  service: Service,
  crmName: string,
  email: string,
  name = email,
): Promise<string> {
  return invite(service, await administrator(service, crmName, email, name))
}

export async function administrator(
  { db, config }: Service,
  crmName: string,
  email: string,
  name: string,
): Promise<NewLogin> {
  const crm = await findCrm(db, crmName)
  if (!crm) throw notFound('CRM', crmName)
  const language = crm.language ?? config.language
  return { email, name, role: 'administrator', language, crmId: crm.id, userId: null }
}

/** Access to a CRM is one of its settings. */
export const recordLoginChange = (tx: Queryable, service: Service, actor: Actor, crmId: number) =>
  recordEvents(tx, service, { actor, crmId, events: { 'settings.changed': [{ detail: 'logins' }] } })

/** The same for a User of a CRM, who sees the Providers they are attached to. */
export async function inviteStaff(service: Service, crmName: string, userReference: string): Promise<string> {
  const { db } = service
  const crm = await findCrm(db, crmName)
  if (!crm) throw notFound('CRM', crmName)
  const user = await findUser(db, crm.id, userReference)
  if (!user?.email) throw notFound('User', userReference)
  return invite(service, staffLogin(crm.id, user))
}

export function staffLogin(crmId: number, user: UserRow): NewLogin {
  const { id: userId, email, language } = user
  return { email: email!, name: fullName(user), role: 'staff', language, crmId, userId }
}

/** Printed on the command line instead of being emailed. */
const invite = (service: Service, login: NewLogin) =>
  service.db.transaction(async tx =>
    invitationLink(service, tx, await openLogin(tx, service, commandLineActor, login)),
  )

/**
 * One email, one login. A CRM chooses the emails of its Users: its invitation must not open the login of an operator or of
 * another CRM. Where there is one, the invitation waits beside it, and the inviter sees no difference.
 */
export async function openLogin(
  tx: Queryable,
  service: Service,
  actor: Actor,
  wanted: NewLogin,
): Promise<Opened> {
  const known = wanted.userId === null ? null : await findLoginEmail(tx, wanted.userId)
  const login = known === null ? wanted : { ...wanted, email: known }
  const opened = await ensureConsoleUser(tx, login)
  const isTheirs = opened.role === login.role && opened.crmId === login.crmId
  const isElsewhere = login.crmId !== null && opened.crmId !== login.crmId
  if (!isTheirs && !isElsewhere) throw cannotBeInvited()
  if (login.crmId === null) return { ...login, login: opened }
  await recordLoginChange(tx, service, actor, login.crmId)
  if (isTheirs) await deleteInvitationOf(tx, login.crmId, login.email)
  return { ...login, login: isTheirs ? opened : null }
}

/**
 * Uses up the link and opens a session; null if it is unknown, used or expired. A mailbox alone is not enough
 * for a login with a second factor: without the right code the link stays unused.
 */
export async function logInByLink(
  service: Service,
  linkToken: string,
  agent: string | null = null,
  code: string | null = null,
): Promise<string | null> {
  const { db } = service
  const hash = sha256(linkToken)
  const login = await findLoginOfLink(db, hash)
  if (!login) return acceptInvitation(service, hash, agent)
  if (login.hasTotp && code) await countSecretTry(service, login.id)
  return db.transaction(async tx => {
    const consoleUserId = await useLoginLink(tx, hash)
    if (consoleUserId === null) return null
    const now = await lockLogin(tx, consoleUserId)
    if (now.totpSecret) await useCode(service, tx, consoleUserId, code)
    await endLoginLinks(tx, consoleUserId)
    return openSession(service, tx, consoleUserId, 'link', agent)
  })
}

type Given = { email: string; password: string; code?: string | null }

/** Opens a session for email and password, plus a code if a second factor is set up. */
export async function logInByPassword(
  service: Service,
  given: Given,
  asker: Asker,
  agent: string | null,
): Promise<string> {
  const user = await findConsoleUserByEmail(service.db, given.email)
  const tries = await countPasswordTry(service, given.email, user?.uuid ?? null, asker)
  const isRight = await isPassword(service, asker.line, given.password, user?.passwordHash ?? null)
  if (!isRight || !user) throw loginFailed()
  await tries.forgive()
  if (user.totpSecret && given.code) await countSecretTry(service, user.id)
  return service.db.transaction(async tx => {
    // The password or the second factor may have changed while this password was checked.
    const now = await lockConsoleUser(tx, user.id)
    if (!now || now.passwordHash !== user.passwordHash) throw loginFailed()
    if (now.totpSecret) await useCode(service, tx, user.id, given.code ?? null)
    return openSession(service, tx, user.id, 'password', agent)
  })
}

/** Opens a session for an email that an identity provider vouches for; null if no login has it. */
export async function logInByEmail(
  service: Service,
  email: string,
  way: LoginMethod,
  agent: string | null,
): Promise<string | null> {
  const user = await findConsoleUserByEmail(service.db, email)
  if (!user) return null
  return service.db.transaction(async tx =>
    (await lockConsoleUser(tx, user.id)) ? openSession(service, tx, user.id, way, agent) : null,
  )
}

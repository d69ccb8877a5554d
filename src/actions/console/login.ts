import { randomBytes } from 'node:crypto'
import type { Queryable } from '../../db/base/pool.ts'
import { countHits } from '../../db/base/rates.ts'
import { insertMails } from '../../db/mails.ts'
import {
  endLoginLinks,
  insertLoginLink,
  insertSession,
  useLoginLink,
  type Way,
} from '../../db/setup/console-sessions.ts'
import {
  type ConsoleUser,
  ensureConsoleUser,
  findConsoleUserByEmail,
  type Login,
  lockConsoleUser,
} from '../../db/setup/console-users.ts'
import { findCrm } from '../../db/setup/crms.ts'
import { findUser, type UserRow } from '../../db/setup/users.ts'
import { loginFailed, notFound, Refusal, tooManyRequests } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { isPassword } from '../../lib/password.ts'
import { pseudonym } from '../../lib/pseudonym.ts'
import { loginLetter } from '../../mail/letters.ts'
import { type Actor, theCommandLine } from '../../rules/news/events.ts'
import { mailboxOf } from '../../rules/people/clients.ts'
import { fullName } from '../../rules/people/contacts.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { useCode } from './second-factor.ts'

const invitationMinutes = 24 * 60
const linkMinutes = 15
const sessionDays = 14

type NewLogin = Parameters<typeof ensureConsoleUser>[1]

/** A login for somebody who runs this service, and a link that opens the console once. */
export function inviteOperator(service: Service, email: string, name = email): Promise<string> {
  return invite(service, operator(service, email, name))
}

export function operator({ config: { language } }: Service, email: string, name: string): NewLogin {
  return { email, name, role: 'operator', language, crmId: null, userId: null }
}

/** The same for somebody who looks after all Providers of one CRM. */
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

/** Who may log in to a CRM is one of its settings. */
export const tellOfLogins = (tx: Queryable, service: Service, actor: Actor, crmId: number) =>
  happened(tx, service, { actor, crmId, news: { 'settings.changed': [{ detail: 'logins' }] } })

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

/** Told on the command line, and not by mail. */
const invite = (service: Service, login: NewLogin) =>
  service.db.transaction(async tx => {
    const { id } = await openLogin(tx, service, theCommandLine, login)
    return invitationLink(service, tx, id)
  })

/**
 * One email, one login. A CRM chooses the emails of its Users: an invitation of one must not open an operator's, nor that
 * of another CRM.
 */
export async function openLogin(
  tx: Queryable,
  service: Service,
  actor: Actor,
  login: NewLogin,
): Promise<Login> {
  const opened = await ensureConsoleUser(tx, login)
  if (opened.role !== login.role || opened.crmId !== login.crmId)
    throw new Refusal('email-exists', `${login.email} has another login already, as ${opened.role}.`, {
      field: 'email',
    })
  if (login.crmId !== null) await tellOfLogins(tx, service, actor, login.crmId)
  return opened
}

/** Under the lock of the login. Ends the links before it: whoever found one of those in an old mail gets nowhere. */
async function invitationLink(service: Service, tx: Queryable, consoleUserId: number): Promise<string> {
  await endLoginLinks(tx, consoleUserId)
  return newLink(service, tx, consoleUserId, invitationMinutes)
}

async function newLink({ baseUrl }: Service, tx: Queryable, consoleUserId: number, minutes: number) {
  const token = randomBytes(24).toString('base64url')
  await insertLoginLink(tx, sha256(token), consoleUserId, minutes)
  return `${baseUrl}/console/login/${token}`
}

const mailsAnHour = 5
const triesInAWindow = 10
const windowSeconds = 900

/** Mails a link to whoever has a login under this address. Nobody else learns whether there is one. */
export async function mailLoginLink(service: Service, email: string) {
  const { db, signer, config } = service
  const name = `login-mail:${pseudonym(signer.key('client'), mailboxOf(email))}`
  const { hits } = await countHits(db, { name, windowSeconds: 3600 })
  const user = await findConsoleUserByEmail(db, email)
  if (!user || (config.rateLimitPublic > 0 && hits > mailsAnHour)) return
  await db.transaction(async tx => {
    if (!(await lockConsoleUser(tx, user.id))) return
    const link = await newLink(service, tx, user.id, linkMinutes)
    await insertMails(tx, [loginLetter(service, 'login', user, link, null)])
  })
}

/** Tells somebody that they have a login now, with a link that opens it. Under the lock of the login. */
export async function mailInvitation(
  service: Service,
  tx: Queryable,
  user: Pick<ConsoleUser, 'id' | 'email' | 'name' | 'language' | 'crmId'>,
  place: string | null,
) {
  const link = await invitationLink(service, tx, user.id)
  await insertMails(tx, [loginLetter(service, 'invitation', user, link, place)])
}

/** Uses the link up and opens a session; null when it is unknown, used or expired. */
export async function logInByLink(
  { db }: Service,
  linkToken: string,
  agent: string | null = null,
): Promise<string | null> {
  return db.transaction(async tx => {
    const consoleUserId = await useLoginLink(tx, sha256(linkToken))
    if (consoleUserId === null) return null
    await endLoginLinks(tx, consoleUserId)
    return openSession(tx, consoleUserId, 'link', agent)
  })
}

type Given = { email: string; password: string; code?: string | null }

/** Opens a session for email and password, and for a code where they have set that up. */
export async function logInByPassword(service: Service, given: Given, agent: string | null): Promise<string> {
  await countTry(service, given.email)
  const user = await findConsoleUserByEmail(service.db, given.email)
  const isRight = await isPassword(given.password, user?.passwordHash ?? null, service.passwordCost)
  if (!isRight || !user) throw loginFailed()
  return service.db.transaction(async tx => {
    // While this password was looked at, another one may have been set, or a code beside it.
    const now = await lockConsoleUser(tx, user.id)
    if (!now || now.passwordHash !== user.passwordHash) throw loginFailed()
    if (now.totpSecret) await useCode(service, tx, user.id, given.code ?? null)
    return openSession(tx, user.id, 'password', agent)
  })
}

/** Whoever tries passwords is slowed down, from however many addresses they do it. The link by mail still works. */
async function countTry({ db, signer, config }: Service, email: string) {
  if (config.rateLimitPublic === 0) return
  const name = `password:${pseudonym(signer.key('client'), email.trim().toLowerCase())}`
  const { hits, windowAge } = await countHits(db, { name, windowSeconds })
  if (hits > triesInAWindow) throw tooManyRequests(Math.max(1, Math.ceil(windowSeconds - windowAge)))
}

/** Opens a session for whom somebody else vouches for by email; null: nobody has a login under it. */
export async function logInByEmail(
  { db }: Service,
  email: string,
  way: Way,
  agent: string | null,
): Promise<string | null> {
  const user = await findConsoleUserByEmail(db, email)
  if (!user) return null
  return db.transaction(async tx =>
    (await lockConsoleUser(tx, user.id)) ? openSession(tx, user.id, way, agent) : null,
  )
}

async function openSession(tx: Queryable, consoleUserId: number, way: Way, agent: string | null) {
  const session = randomBytes(32).toString('base64url')
  const kept = agent?.slice(0, 300) ?? null
  await insertSession(tx, { hash: sha256(session), consoleUserId, days: sessionDays, way, agent: kept })
  return session
}

import { randomBytes } from 'node:crypto'
import {
  ensureConsoleUser,
  findConsoleUserByEmail,
  insertLoginLink,
  insertSession,
  useLoginLink,
} from '../../db/setup/console-users.ts'
import { findCrm } from '../../db/setup/crms.ts'
import { findUser } from '../../db/setup/users.ts'
import { notFound, Refusal } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { fullName } from '../../rules/contacts.ts'
import type { Service } from '../../service.ts'

const linkHours = 24
const sessionDays = 14

/** A login for somebody who runs this service, and a link that opens the console once. */
export async function inviteOperator(service: Service, email: string, name = email): Promise<string> {
  const { config } = service
  const user = {
    email,
    name,
    role: 'operator',
    language: config.language,
    crmId: null,
    userId: null,
  } as const
  return loginLink(service, await ensureLogin(service, user))
}

/** The same for somebody who looks after all Providers of one CRM. */
export async function inviteAdministrator(service: Service, crmName: string, email: string): Promise<string> {
  const crm = await findCrm(service.db, crmName)
  if (!crm) throw notFound('CRM', crmName)
  const { language } = service.config
  const user = { email, name: email, role: 'administrator', language, crmId: crm.id, userId: null } as const
  return loginLink(service, await ensureLogin(service, user))
}

/** The same for a User of a CRM, who sees the Providers they are attached to. */
export async function inviteStaff(service: Service, crmName: string, userReference: string): Promise<string> {
  const { db } = service
  const crm = await findCrm(db, crmName)
  if (!crm) throw notFound('CRM', crmName)
  const user = await findUser(db, crm.id, userReference)
  if (!user?.email) throw notFound('User', userReference)
  const { id: userId, email, language } = user
  const login = { email, name: fullName(user), role: 'staff', language, crmId: crm.id, userId } as const
  return loginLink(service, await ensureLogin(service, login))
}

/** One email, one login. A CRM chooses the emails of its Users: an invitation of one must not open an operator's. */
async function ensureLogin({ db }: Service, login: Parameters<typeof ensureConsoleUser>[1]) {
  const known = await findConsoleUserByEmail(db, login.email)
  if (known && known.role !== login.role)
    throw new Refusal('email-exists', `${login.email} has another login already, as ${known.role}.`, {
      field: 'email',
    })
  return ensureConsoleUser(db, login)
}

async function loginLink({ db, baseUrl }: Service, consoleUserId: number): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await insertLoginLink(db, sha256(token), consoleUserId, linkHours)
  return `${baseUrl}/console/login/${token}`
}

/** Uses the link up and opens a session; null when it is unknown, used or expired. */
export async function logInByLink({ db }: Service, linkToken: string): Promise<string | null> {
  const session = randomBytes(32).toString('base64url')
  return db.transaction(async tx => {
    const consoleUserId = await useLoginLink(tx, sha256(linkToken))
    if (consoleUserId === null) return null
    await insertSession(tx, sha256(session), consoleUserId, sessionDays)
    return session
  })
}

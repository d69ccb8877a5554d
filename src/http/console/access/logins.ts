import Type from 'typebox'
import { inviteLogin, logOutEverywhere, removeLogin } from '../../../actions/console/logins.ts'
import { resetTotp } from '../../../actions/console/second-factor.ts'
import type { ConsoleCaller } from '../../../callers.ts'
import { type LoginRow, listLogins } from '../../../db/setup/console-users.ts'
import { findCrm } from '../../../db/setup/crms.ts'
import { invalidField, missingField, notFound } from '../../../errors.ts'
import { hasRight } from '../../../rules/access.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { Choice, Email, EmailText, Moment, Optional, Text, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { loginInPath } from '../subjects.ts'
import { InvitationRecord, linkToPassOn } from './invitation.ts'

// Logins: operators see all, administrators those of their CRM.

const LoginRecord = Type.Object(
  {
    uuid: Uuid,
    email: EmailText,
    name: Type.String(),
    role: Choice(['operator', 'administrator', 'staff']),
    crm: Nullable(Type.String()),
    hasPassword: Type.Boolean(),
    hasTotp: Type.Boolean(),
    sessions: Type.Integer({ description: 'Number of open sessions.' }),
    lastLoginAt: Nullable(Moment),
  },
  { title: 'Login' },
)

const LoginsReply = Type.Object({ logins: Type.Array(LoginRecord) }, { title: 'Logins' })
const InvitedReply = Type.Object(
  { logins: Type.Array(LoginRecord), invitation: Nullable(InvitationRecord) },
  { title: 'InvitedLogin' },
)
export const getLogins = consoleRoute({
  method: 'GET',
  path: '/console/api/logins',
  operationId: 'listLogins',
  access: { right: 'crm', whose: 'login' },
  summary: 'List logins',
  description: 'Operators see all logins, administrators those of their CRM. Returns up to 1,000.',
  replies: { 200: LoginsReply },
  handle: ({ caller, service }) => loginsFor(service, caller),
})

export const postLogin = consoleRoute({
  method: 'POST',
  path: '/console/api/logins',
  operationId: 'inviteLogin',
  access: { right: 'crm', whose: 'login' },
  summary: 'Invite an operator or administrator',
  description:
    'Emails a link that opens the console. Operators can invite operators and administrators; administrators can invite administrators of their own CRM. Invite staff at their Provider. Without a mail server, `invitation` contains the link for you to pass on.',
  body: Type.Object(
    {
      email: Email,
      name: Optional(Text(200)),
      role: Choice(['operator', 'administrator']),
      crm: Optional(Type.String({ maxLength: 255, description: 'For an administrator only.' })),
    },
    { title: 'LoginInput' },
  ),
  replies: { 201: InvitedReply },
  errors: ['not-found', 'email-exists'],
  async handle({ body, caller, service }) {
    const { email, role } = body
    const name = body.name ?? email
    if (role === 'operator' && !hasRight(caller.role, 'service')) throw invalidField('role', 'operator-only')
    if (role === 'administrator' && !body.crm) throw missingField('crm')
    const wanted =
      role === 'operator'
        ? { email, name, role }
        : { email, name, role, crm: await crmOf(service, caller, body.crm!) }
    const invitation = linkToPassOn(service, await inviteLogin(service, caller.actor, wanted))
    return { ...(await loginsFor(service, caller)), invitation }
  },
})

export const logOutLogin = consoleRoute({
  method: 'POST',
  path: '/console/api/logins/:loginUuid/logout',
  operationId: 'logOutLogin',
  access: { right: 'crm', whose: loginInPath },
  summary: 'End all sessions of a login',
  description: 'Also revokes unused links. The person can log in again.',
  replies: { 200: Type.Object({ ended: Type.Integer() }) },
  handle: async ({ service, found: login }) => ({ ended: await logOutEverywhere(service, login) }),
})

export const deleteLogin = consoleRoute({
  method: 'DELETE',
  path: '/console/api/logins/:loginUuid',
  operationId: 'removeLogin',
  access: { right: 'crm', whose: loginInPath },
  summary: 'Remove a login',
  description:
    'Ends all sessions of the login. Staff members remain on the staff. Returns 409 for the last operator.',
  replies: { 204: null },
  errors: ['owner'],
  handle: ({ caller, service, found }) => removeLogin(service, caller.actor, found),
})

export const resetLoginFactor = consoleRoute({
  method: 'DELETE',
  path: '/console/api/logins/:loginUuid/totp',
  operationId: 'resetSecondFactor',
  access: { right: 'service', whose: loginInPath },
  summary: 'Reset a lost second factor',
  description:
    'For operators. The person then logs in without a code and receives an email about it. Returns 404 if they have no second factor.',
  replies: { 204: null },
  async handle({ params, caller, service, found: { id } }) {
    if (id === null) throw notFound('second factor of', params.loginUuid)
    await resetTotp(service, caller.actor, id)
  },
})

async function loginsFor({ db }: Service, caller: ConsoleCaller) {
  const rows = await listLogins(db, caller.crmId)
  return { logins: rows.map(loginRecord) }
}

/** The name of a CRM that the caller manages. */
async function crmOf({ db }: Service, { crmId }: ConsoleCaller, name: string) {
  const crm = await findCrm(db, name)
  if (!crm || (crmId !== null && crmId !== crm.id)) throw notFound('CRM', name)
  return name
}

const loginRecord = (row: LoginRow): Type.Static<typeof LoginRecord> => ({
  uuid: row.uuid,
  email: row.email,
  name: row.name,
  role: row.role,
  crm: row.crm,
  hasPassword: row.hasPassword,
  hasTotp: row.hasTotp,
  sessions: row.sessions,
  lastLoginAt: row.lastLoginAt === null ? null : toUtcText(row.lastLoginAt),
})

import Type from 'typebox'
import { inviteLogin, logOutEverywhere, removeLogin } from '../../../actions/console/logins.ts'
import { resetTotp } from '../../../actions/console/second-factor.ts'
import type { ConsoleCaller } from '../../../callers.ts'
import { findConsoleUser, type LoginRow, listLogins } from '../../../db/setup/console-users.ts'
import { findInvitation } from '../../../db/setup/invitations.ts'
import { invalidField, missingField, notFound } from '../../../errors.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { Choice, Email, EmailText, isUuid, Moment, Optional, Text, Uuid } from '../../wire/fields.ts'
import { answer, consoleRoute, noContent } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { crmOf } from '../crm.ts'
import { InvitationRecord, linkToPassOn } from './invitation.ts'

// Logins: operators see all, administrators those of their CRM; others get 404.

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
const about = { tag: 'Console' } as const

export const getLogins = consoleRoute({
  ...about,
  method: 'GET',
  path: '/console/api/logins',
  operationId: 'listLogins',
  summary: 'List logins',
  description: 'Operators see all logins, administrators those of their CRM. Returns up to 1,000.',
  replies: { 200: LoginsReply },
  errors: ['not-found'],
  async handle({ caller, service }) {
    return answer(200, await loginsFor(service, caller))
  },
})

export const postLogin = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/logins',
  operationId: 'inviteLogin',
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
    refuseStaff(caller)
    const { email, role } = body
    const name = body.name ?? email
    if (role === 'operator' && caller.role !== 'operator')
      throw invalidField('role', 'Only an operator can invite an operator.')
    if (role === 'administrator' && !body.crm) throw missingField('crm')
    const wanted =
      role === 'operator'
        ? { email, name, role }
        : { email, name, role, crm: (await crmOf(service, caller, body.crm!)).name }
    const invitation = linkToPassOn(service, await inviteLogin(service, caller.actor, wanted))
    return answer(201, { ...(await loginsFor(service, caller)), invitation })
  },
})

export const logOutLogin = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/logins/:loginUuid/logout',
  operationId: 'logOutLogin',
  summary: 'End all sessions of a login',
  description: 'Also revokes unused links. The person can log in again.',
  replies: { 200: Type.Object({ ended: Type.Integer() }) },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const login = await loginOf(service, caller, params.loginUuid)
    return answer(200, { ended: await logOutEverywhere(service, login) })
  },
})

export const deleteLogin = consoleRoute({
  ...about,
  method: 'DELETE',
  path: '/console/api/logins/:loginUuid',
  operationId: 'removeLogin',
  summary: 'Remove a login',
  description:
    'Ends all sessions of the login. Staff members remain on the staff. Returns 409 for the last operator.',
  replies: { 204: null },
  errors: ['not-found', 'owner'],
  async handle({ params, caller, service }) {
    await removeLogin(service, caller.actor, await loginOf(service, caller, params.loginUuid))
    return noContent()
  },
})

export const resetLoginFactor = consoleRoute({
  ...about,
  method: 'DELETE',
  path: '/console/api/logins/:loginUuid/totp',
  operationId: 'resetSecondFactor',
  summary: 'Reset a lost second factor',
  description:
    'For operators. The person then logs in without a code and receives an email about it. Returns 404 if they have no second factor.',
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    if (caller.role !== 'operator') throw notFound('login', params.loginUuid)
    const { id } = await loginOf(service, caller, params.loginUuid)
    if (id === null) throw notFound('second factor of', params.loginUuid)
    await resetTotp(service, caller.actor, id)
    return noContent()
  },
})

function refuseStaff({ role }: ConsoleCaller) {
  if (role === 'staff') throw notFound('login', 'of others')
}

async function loginsFor({ db }: Service, caller: ConsoleCaller) {
  refuseStaff(caller)
  const rows = await listLogins(db, caller.role === 'operator' ? null : caller.crmId)
  return { logins: rows.map(loginRecord) }
}

async function loginOf({ db }: Service, caller: ConsoleCaller, uuid: string) {
  refuseStaff(caller)
  const login = isUuid(uuid) ? ((await findConsoleUser(db, uuid)) ?? (await pendingLogin(db, uuid))) : null
  if (!login || (caller.role !== 'operator' && login.crmId !== caller.crmId)) throw notFound('login', uuid)
  return login
}

async function pendingLogin(db: Service['db'], uuid: string) {
  const invited = await findInvitation(db, uuid)
  return invited && { ...invited, id: null }
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

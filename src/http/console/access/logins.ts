import Type from 'typebox'
import { inviteLogin, logOutEverywhere, removeLogin } from '../../../actions/console/logins.ts'
import type { ConsoleCaller } from '../../../callers.ts'
import { findConsoleUser, type LoginRow, listLogins } from '../../../db/setup/console-users.ts'
import { invalidField, missingField, notFound } from '../../../errors.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { Choice, Email, EmailText, isUuid, Moment, Optional, Text, Uuid } from '../../wire/fields.ts'
import { answer, consoleRoute, noContent } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { crmOf } from '../crm.ts'

// Who has a login: operators see all, administrators those of their CRM, and for others there is nothing here.

const LoginRecord = Type.Object(
  {
    uuid: Uuid,
    email: EmailText,
    name: Type.String(),
    role: Choice(['operator', 'administrator', 'staff']),
    crm: Nullable(Type.String()),
    hasPassword: Type.Boolean(),
    hasTotp: Type.Boolean(),
    sessions: Type.Integer({ description: 'How many are open.' }),
    lastLoginAt: Nullable(Moment),
  },
  { title: 'Login' },
)

const LoginsReply = Type.Object({ logins: Type.Array(LoginRecord) }, { title: 'Logins' })
const about = { tag: 'Console' } as const

export const getLogins = consoleRoute({
  ...about,
  method: 'GET',
  path: '/console/api/logins',
  operationId: 'listLogins',
  summary: 'Who has a login',
  description:
    'All of the service for an operator, all of the CRM for an administrator; a thousand at the most.',
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
    'They get a mail with a link that opens the console. Operators are invited by operators; administrators of a CRM by those of the same CRM, too. Staff are invited at their Provider.',
  body: Type.Object(
    {
      email: Email,
      name: Optional(Text(200)),
      role: Choice(['operator', 'administrator']),
      crm: Optional(Type.String({ maxLength: 255, description: 'Of an administrator.' })),
    },
    { title: 'LoginInput' },
  ),
  replies: { 201: LoginsReply },
  errors: ['not-found', 'email-exists'],
  async handle({ body, caller, service }) {
    refuseStaff(caller)
    const { email, role } = body
    const name = body.name ?? email
    if (role === 'operator') {
      if (caller.role !== 'operator') throw invalidField('role', 'Only an operator can invite an operator.')
      await inviteLogin(service, caller.actor, { email, name, role })
    } else {
      if (!body.crm) throw missingField('crm')
      const { name: crm } = await crmOf(service, caller, body.crm)
      await inviteLogin(service, caller.actor, { email, name, role, crm })
    }
    return answer(201, await loginsFor(service, caller))
  },
})

export const logOutLogin = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/logins/:loginUuid/logout',
  operationId: 'logOutLogin',
  summary: 'End all sessions of somebody',
  description: 'And the links that they have not used. They can log in again.',
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
  description: 'All their sessions end. Staff stay on the staff. The last operator cannot be removed: 409.',
  replies: { 204: null },
  errors: ['not-found', 'owner'],
  async handle({ params, caller, service }) {
    await removeLogin(service, caller.actor, await loginOf(service, caller, params.loginUuid))
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
  const login = isUuid(uuid) ? await findConsoleUser(db, uuid) : null
  if (!login || (caller.role !== 'operator' && login.crmId !== caller.crmId)) throw notFound('login', uuid)
  return login
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

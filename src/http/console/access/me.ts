import Type from 'typebox'
import {
  changeMyLogin,
  checkPassword,
  endMySession,
  endOtherSessions,
  setPassword,
} from '../../../actions/console/my-login.ts'
import { beginTotp, confirmTotp, endTotp } from '../../../actions/console/second-factor.ts'
import type { ConsoleCaller } from '../../../callers.ts'
import { listSessions } from '../../../db/setup/console-sessions.ts'
import { findConsoleUser } from '../../../db/setup/console-users.ts'
import { notFound } from '../../../errors.ts'
import { languages } from '../../../languages.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import { sessionHash } from '../../wire/callers/session-cookie.ts'
import { Choice, Moment, ruleText, Text, Uuid } from '../../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../../wire/if-match.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { editable, SessionAnswer, sessionOf } from './session.ts'

// The caller's own login. Tokens and keys have none and get 404.

function loginOf({ loginId }: ConsoleCaller): number {
  if (loginId === null) throw notFound('login', 'token')
  return loginId
}

export const patchMe = consoleRoute({
  method: 'PATCH',
  path: '/console/api/session',
  operationId: 'updateMyLogin',
  access: { right: 'own-login', whose: 'login' },
  summary: 'Change your name or language',
  description: 'Changes only the fields that are sent. The language applies to emails sent to you.',
  headers: IfMatch,
  body: Type.Partial(Type.Object({ name: Text(200), language: Choice([...languages]) }), {
    title: 'MyLoginChange',
  }),
  replies: { 200: SessionAnswer },
  errors: ['not-found'],
  async handle({ body, caller, service, request, reply }) {
    await changeMyLogin(service, loginOf(caller), body, ifUnchanged(request, editable))
    const session = await sessionOf(service, caller)
    withEtag(reply, editable(session.me))
    return session
  },
})

const Password = Type.String({ minLength: 12, maxLength: 200, ...ruleText('have at least 12 characters') })

export const putPassword = consoleRoute({
  method: 'PUT',
  path: '/console/api/session/password',
  operationId: 'setMyPassword',
  access: { right: 'own-login', whose: 'login' },
  secretField: 'current',
  summary: 'Set your password',
  description:
    'Requires the current password, unless none is set or you logged in with an email link in the last 30 minutes. Ends your other sessions.',
  body: Type.Object(
    { password: Password, current: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))) },
    { title: 'PasswordInput' },
  ),
  replies: { 204: null },
  errors: ['not-found', 'too-many-requests'],
  prepare: ({ body, caller, service }) => checkPassword(service, loginOf(caller), body),
  handle: ({ body, caller, service, request, prepared }) =>
    setPassword(service, loginOf(caller), sessionHash(service, request)!, body, prepared),
})

export const postTotp = consoleRoute({
  method: 'POST',
  path: '/console/api/session/totp',
  operationId: 'beginSecondFactor',
  access: { right: 'own-login', whose: 'login' },
  summary: 'Set up a second factor',
  description:
    'Returns a secret for an authenticator app. It takes effect once it is confirmed with a code from the app.',
  replies: {
    200: Type.Object(
      {
        secret: Type.String(),
        uri: Type.String({ description: 'The same secret for a QR code: otpauth://...' }),
      },
      { title: 'SecondFactor' },
    ),
  },
  errors: ['not-found', 'code-required'],
  async handle({ caller, service }) {
    const login = (await findConsoleUser(service.db, loginOf(caller)))!
    return beginTotp(service, login)
  },
})

const Code = Type.Object({ code: Text(100) }, { title: 'SecondFactorCode' })

export const confirmTotpRoute = consoleRoute({
  method: 'POST',
  path: '/console/api/session/totp/confirm',
  operationId: 'confirmSecondFactor',
  access: { right: 'own-login', whose: 'login' },
  secretField: 'code',
  summary: 'Confirm the second factor',
  description:
    'From then on, every login with a password or an email link also requires a code. The recovery codes are shown only once.',
  body: Code,
  replies: { 200: Type.Object({ recoveryCodes: Type.Array(Type.String()) }) },
  errors: ['not-found', 'login-failed', 'code-required', 'too-many-requests'],
  handle: async ({ body, caller, service }) => ({
    recoveryCodes: await confirmTotp(service, loginOf(caller), body.code),
  }),
})

export const endTotpRoute = consoleRoute({
  method: 'POST',
  path: '/console/api/session/totp/end',
  operationId: 'endSecondFactor',
  access: { right: 'own-login', whose: 'login' },
  secretField: 'code',
  summary: 'Remove your second factor',
  description: 'Requires a code from the app, or a recovery code.',
  body: Code,
  replies: { 204: null },
  errors: ['not-found', 'login-failed', 'too-many-requests'],
  handle: ({ body, caller, service }) => endTotp(service, loginOf(caller), body.code),
})

const SessionRecord = Type.Object(
  {
    uuid: Uuid,
    isThis: Type.Boolean({ description: 'Whether this is the session that sent the request.' }),
    way: Choice(['link', 'password', 'oidc'], { description: 'How the session was opened.' }),
    agent: Nullable(Type.String({ description: 'The browser, as it describes itself.' })),
    createdAt: Moment,
    seenAt: Moment,
  },
  { title: 'LoginSession' },
)

export const getSessions = consoleRoute({
  method: 'GET',
  path: '/console/api/sessions',
  operationId: 'listMySessions',
  access: { right: 'own-login', whose: 'login' },
  summary: 'List your sessions',
  description: 'All open sessions, most recently used first.',
  replies: { 200: Type.Object({ sessions: Type.Array(SessionRecord) }) },
  async handle({ caller, service, request }) {
    const rows = caller.loginId === null ? [] : await listSessions(service.db, caller.loginId)
    const mine = sessionHash(service, request)
    return {
      sessions: rows.map(({ hash, uuid, way, agent, createdAt, seenAt }) => ({
        uuid,
        isThis: isSame(hash, mine),
        way,
        agent,
        createdAt: toUtcText(createdAt),
        seenAt: toUtcText(seenAt),
      })),
    }
  },
})

const isSame = (hash: Buffer, mine: Buffer | null) => mine !== null && hash.equals(mine)

export const deleteSessions = consoleRoute({
  method: 'DELETE',
  path: '/console/api/sessions',
  operationId: 'endMyOtherSessions',
  access: { right: 'own-login', whose: 'login' },
  summary: 'Log out everywhere else',
  description: 'Ends all your sessions except the one that sent the request.',
  replies: { 204: null },
  async handle({ caller, service, request }) {
    if (caller.loginId !== null)
      await endOtherSessions(service, caller.loginId, sessionHash(service, request))
  },
})

export const deleteOneSession = consoleRoute({
  method: 'DELETE',
  path: '/console/api/sessions/:sessionUuid',
  operationId: 'endMySession',
  access: { right: 'own-login', whose: 'login' },
  summary: 'End one of your sessions',
  description: 'The device that uses the session has to log in again.',
  replies: { 204: null },
  errors: ['not-found'],
  handle: ({ params, caller, service }) => endMySession(service, loginOf(caller), params.sessionUuid),
})

import Type from 'typebox'
import {
  changeMyLogin,
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
import { Choice, Moment, must, Text, Uuid } from '../../wire/fields.ts'
import { answer, consoleRoute, noContent } from '../../wire/route.ts'
import { IfMatch, ifUnchanged, tagged } from '../../wire/unchanged.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { editable, SessionAnswer, sessionOf } from './session.ts'

// My own login. A token or a key has none: for them there is nothing here.

const about = { tag: 'Console' } as const

function loginOf({ loginId }: ConsoleCaller): number {
  if (loginId === null) throw notFound('login', 'token')
  return loginId
}

export const patchMe = consoleRoute({
  ...about,
  method: 'PATCH',
  path: '/console/api/session',
  operationId: 'updateMyLogin',
  summary: 'Change my name or language',
  description: 'Only the fields sent change. The language is that of the mails to me.',
  headers: IfMatch,
  body: Type.Partial(Type.Object({ name: Text(200), language: Choice([...languages]) }), {
    title: 'MyLoginChange',
  }),
  replies: { 200: SessionAnswer },
  errors: ['not-found', 'changed'],
  async handle({ body, caller, service, request, reply }) {
    await changeMyLogin(service, loginOf(caller), body, ifUnchanged(request, editable))
    const session = await sessionOf(service, caller)
    tagged(reply, editable(session.me))
    return answer(200, session)
  },
})

const Password = Type.String({ minLength: 12, maxLength: 200, ...must('have at least 12 characters') })

export const putPassword = consoleRoute({
  ...about,
  method: 'PUT',
  path: '/console/api/session/password',
  operationId: 'setMyPassword',
  summary: 'Set my password',
  description:
    'Needs the current one, unless there is none or I came in by a link from my mailbox within the last half hour. All other sessions of mine end.',
  body: Type.Object(
    { password: Password, current: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))) },
    { title: 'PasswordInput' },
  ),
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ body, caller, service, request }) {
    await setPassword(service, loginOf(caller), sessionHash(request)!, body)
    return noContent()
  },
})

export const postTotp = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/session/totp',
  operationId: 'beginSecondFactor',
  summary: 'Set up a second factor',
  description: 'A secret for an authenticator app. It counts from when a code of the app has confirmed it.',
  replies: {
    200: Type.Object(
      { secret: Type.String(), uri: Type.String({ description: 'The same for a QR code: otpauth://...' }) },
      { title: 'SecondFactor' },
    ),
  },
  errors: ['not-found'],
  async handle({ caller, service }) {
    const login = (await findConsoleUser(service.db, loginOf(caller)))!
    return answer(200, await beginTotp(service, login))
  },
})

const Code = Type.Object({ code: Text(100) }, { title: 'SecondFactorCode' })

export const confirmTotpRoute = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/session/totp/confirm',
  operationId: 'confirmSecondFactor',
  summary: 'Confirm the second factor',
  description:
    'From now on a login with the password asks for a code, too. The codes for a lost device are told this once.',
  body: Code,
  replies: { 200: Type.Object({ recoveryCodes: Type.Array(Type.String()) }) },
  errors: ['not-found', 'login-failed'],
  async handle({ body, caller, service }) {
    return answer(200, { recoveryCodes: await confirmTotp(service, loginOf(caller), body.code) })
  },
})

export const endTotpRoute = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/session/totp/end',
  operationId: 'endSecondFactor',
  summary: 'Go without a second factor',
  description: 'Needs a code of the app, or one of those for a lost device.',
  body: Code,
  replies: { 204: null },
  errors: ['not-found', 'login-failed'],
  async handle({ body, caller, service }) {
    await endTotp(service, loginOf(caller), body.code)
    return noContent()
  },
})

const SessionRecord = Type.Object(
  {
    uuid: Uuid,
    isThis: Type.Boolean({ description: 'The one that asks.' }),
    way: Choice(['link', 'password', 'oidc'], { description: 'How it was opened.' }),
    agent: Nullable(Type.String({ description: 'What the browser says it is.' })),
    createdAt: Moment,
    seenAt: Moment,
  },
  { title: 'LoginSession' },
)

export const getSessions = consoleRoute({
  ...about,
  method: 'GET',
  path: '/console/api/sessions',
  operationId: 'listMySessions',
  summary: 'Where I am logged in',
  description: 'All that are open, the one used last first.',
  replies: { 200: Type.Object({ sessions: Type.Array(SessionRecord) }) },
  async handle({ caller, service, request }) {
    const rows = caller.loginId === null ? [] : await listSessions(service.db, caller.loginId)
    const mine = sessionHash(request)
    return answer(200, {
      sessions: rows.map(({ hash, uuid, way, agent, createdAt, seenAt }) => ({
        uuid,
        isThis: isSame(hash, mine),
        way,
        agent,
        createdAt: toUtcText(createdAt),
        seenAt: toUtcText(seenAt),
      })),
    })
  },
})

const isSame = (hash: Buffer, mine: Buffer | null) => mine !== null && hash.equals(mine)

export const deleteSessions = consoleRoute({
  ...about,
  method: 'DELETE',
  path: '/console/api/sessions',
  operationId: 'endMyOtherSessions',
  summary: 'Log me out everywhere else',
  description: 'Ends all sessions of mine but the one that asks.',
  replies: { 204: null },
  async handle({ caller, service, request }) {
    if (caller.loginId !== null) await endOtherSessions(service, caller.loginId, sessionHash(request))
    return noContent()
  },
})

export const deleteOneSession = consoleRoute({
  ...about,
  method: 'DELETE',
  path: '/console/api/sessions/:sessionUuid',
  operationId: 'endMySession',
  summary: 'End one of my sessions',
  description: 'Whoever uses it has to log in again.',
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    await endMySession(service, loginOf(caller), params.sessionUuid)
    return noContent()
  },
})

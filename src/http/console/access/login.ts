import Type from 'typebox'
import { logInByPassword, mailLoginLink } from '../../../actions/console/login.ts'
import { endSession } from '../../../actions/console/my-login.ts'
import { refuseForeignOrigin } from '../../wire/callers/auth.ts'
import { agentOf, clearSession, sessionHash, setSession } from '../../wire/callers/session-cookie.ts'
import { Email, OptionalText } from '../../wire/fields.ts'
import { answer, noContent, publicRoute } from '../../wire/route.ts'

// The ways in and out. They need no login, so that each of them looks itself at where the call comes from.

const about = { tag: 'Console' } as const

export const getWaysIn = publicRoute({
  ...about,
  method: 'GET',
  path: '/console/api/session/ways',
  operationId: 'getWaysIn',
  summary: 'How can one log in?',
  description:
    'By a link that comes by mail and by a password, always; with an OpenID Connect provider where one is set.',
  replies: {
    200: Type.Object(
      { oidc: Type.Boolean({ description: 'True: /console/login/oidc leads to the provider.' }) },
      { title: 'WaysIn' },
    ),
  },
  async handle({ service }) {
    return answer(200, { oidc: service.config.oidcIssuer !== null })
  },
})

export const sendLoginLink = publicRoute({
  ...about,
  method: 'POST',
  path: '/console/api/session/link',
  operationId: 'sendLoginLink',
  summary: 'Send me a link',
  description:
    'Mails a link that opens the console once, within 15 minutes, if there is a login under this address. The answer is the same if there is none.',
  limit: 'login',
  body: Type.Object({ email: Email }, { title: 'LoginLinkInput' }),
  replies: { 202: Type.Object({ minutes: Type.Integer({ description: 'How long the link works.' }) }) },
  errors: ['login-required', 'too-many-requests'],
  async handle({ body, service, request, reply }) {
    refuseForeignOrigin(service, request)
    reply.header('cache-control', 'no-store')
    await mailLoginLink(service, body.email)
    return answer(202, { minutes: 15 })
  },
})

export const logIn = publicRoute({
  ...about,
  method: 'POST',
  path: '/console/api/session/password',
  operationId: 'logIn',
  setsCookie: true,
  summary: 'Log in with a password',
  description:
    'Sets the cookie of the session. `code-required`: this login has a second factor; send the code of the app, or one of those for a lost device, along.',
  limit: 'login',
  body: Type.Object(
    { email: Email, password: Type.String({ minLength: 1, maxLength: 1000 }), code: OptionalText(100) },
    { title: 'PasswordLogin' },
  ),
  replies: { 204: null },
  errors: ['login-required', 'login-failed', 'code-required', 'too-many-requests'],
  async handle({ body, service, request, reply }) {
    refuseForeignOrigin(service, request)
    reply.header('cache-control', 'no-store')
    setSession(service, reply, await logInByPassword(service, body, agentOf(request)))
    return noContent()
  },
})

export const logOut = publicRoute({
  ...about,
  method: 'POST',
  path: '/console/api/session/logout',
  operationId: 'logOut',
  setsCookie: true,
  summary: 'Log out',
  description: 'Ends the session of the cookie. Without one there is nothing to do.',
  replies: { 204: null },
  errors: ['login-required'],
  async handle({ service, request, reply }) {
    refuseForeignOrigin(service, request)
    const hash = sessionHash(request)
    if (hash) await endSession(service, hash)
    clearSession(reply)
    return noContent()
  },
})

import Type from 'typebox'
import { logInByPassword } from '../../../actions/console/login.ts'
import { mailLoginLink, promisedMinutes } from '../../../actions/console/login-links.ts'
import { endSession } from '../../../actions/console/my-login.ts'
import { refuseForeignOrigin } from '../../wire/callers/auth.ts'
import { askerOf, setLoginCookies } from '../../wire/callers/device.ts'
import { agentOf, clearSession, sessionHash } from '../../wire/callers/session-cookie.ts'
import { Email, OptionalText } from '../../wire/fields.ts'
import { publicRoutes } from '../../wire/route.ts'

// Login and logout. They need no session, so each checks the origin of the request itself.

const publicRoute = publicRoutes('Console')

export const getWaysIn = publicRoute({
  method: 'GET',
  path: '/console/api/session/ways',
  operationId: 'getWaysIn',
  summary: 'List the ways to log in',
  description:
    'A password always works, an emailed link with a mail server, and OpenID Connect if a provider is configured.',
  replies: {
    200: Type.Object(
      {
        oidc: Type.Boolean({ description: 'If true, /console/login/oidc redirects to the provider.' }),
        link: Type.Boolean({ description: 'If false, there is no mail server: links are not emailed.' }),
      },
      { title: 'WaysIn' },
    ),
  },
  handle: async ({ service }) => ({ oidc: service.config.oidcIssuer !== null, link: service.sendsEmails }),
})

export const sendLoginLink = publicRoute({
  method: 'POST',
  path: '/console/api/session/link',
  operationId: 'sendLoginLink',
  summary: 'Email a login link',
  description:
    'Emails a link that opens the console once, within 15 minutes, if this address has a login. Repeating the request sends the same link while it is valid. The response is the same if there is no login.',
  limit: 'login',
  body: Type.Object({ email: Email }, { title: 'LoginLinkInput' }),
  replies: {
    202: Type.Object({ minutes: Type.Integer({ description: 'Minutes for which the link is valid.' }) }),
  },
  errors: ['login-required', 'too-many-requests'],
  async handle({ body, service, request, reply }) {
    refuseForeignOrigin(service, request)
    reply.header('cache-control', 'no-store')
    // Not awaited: the response time must not reveal whether the address has a login.
    mailLoginLink(service, body.email).catch(error =>
      request.log.error({ err: error }, 'A login link could not be sent.'),
    )
    return { minutes: promisedMinutes }
  },
})

export const logIn = publicRoute({
  method: 'POST',
  path: '/console/api/session/password',
  operationId: 'logIn',
  setsCookie: true,
  summary: 'Log in with a password',
  description:
    'Sets the session cookie. Returns `code-required` if the login has a second factor: send the code from the app, or a recovery code.',
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
    const session = await logInByPassword(service, body, askerOf(service, request), agentOf(request))
    await setLoginCookies(service, request, reply, session)
  },
})

export const logOut = publicRoute({
  method: 'POST',
  path: '/console/api/session/logout',
  operationId: 'logOut',
  setsCookie: true,
  summary: 'Log out',
  description: 'Ends the session of the cookie. Does nothing without one.',
  replies: { 204: null },
  errors: ['login-required'],
  async handle({ service, request, reply }) {
    refuseForeignOrigin(service, request)
    const hash = sessionHash(service, request)
    if (hash) await endSession(service, hash)
    clearSession(service, reply)
  },
})

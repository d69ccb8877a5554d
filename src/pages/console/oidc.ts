import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { logInByEmail } from '../../actions/console/login.ts'
import { beginOidc, endOidc } from '../../actions/console/oidc.ts'
import { setLoginCookies } from '../../http/wire/callers/device.ts'
import { limitRate } from '../../http/wire/callers/overload.ts'
import { agentOf } from '../../http/wire/callers/session-cookie.ts'
import { pickLanguage } from '../../languages.ts'
import { html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'

const cookie = 'holdfast_oidc'
const path = '/console/login/oidc'

/** Redirects to the organisation's identity provider and back. */
export function addOidcPages(app: FastifyInstance, service: Service) {
  if (service.config.oidcIssuer === null) return

  app.get(path, async (request, reply) => {
    await limitRate(service, request, reply, 'login')
    try {
      const { address, kept } = await beginOidc(service)
      const secure = service.baseUrl.startsWith('https:')
      reply.setCookie(cookie, kept, { path, httpOnly: true, sameSite: 'lax', secure, maxAge: 600 })
      return reply.header('cache-control', 'no-store').redirect(address, 303)
    } catch (error) {
      request.log.warn({ err: error }, 'The OpenID Connect provider cannot be reached.')
      return sendSorry(service, request, reply, 'failed')
    }
  })

  app.get(`${path}/callback`, async (request, reply) => {
    await limitRate(service, request, reply, 'login')
    const kept = request.cookies[cookie] ?? ''
    reply.clearCookie(cookie, { path })
    const search = request.url.slice(request.url.indexOf('?'))
    try {
      const email = await endOidc(service, kept, search)
      const session = email && (await logInByEmail(service, email, 'oidc', agentOf(request)))
      if (!session) return sendSorry(service, request, reply, 'no-login')
      await setLoginCookies(service, request, reply, session)
      return reply.header('cache-control', 'no-store').redirect('/console', 303)
    } catch (error) {
      request.log.warn({ reason: (error as Error).message }, 'A login with OpenID Connect failed.')
      return sendSorry(service, request, reply, 'failed')
    }
  })
}

function sendSorry(
  { config }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  why: 'no-login' | 'failed',
) {
  const language = pickLanguage(request.headers['accept-language'], config.language)
  const texts = pageTexts[language]
  const [title, text] =
    why === 'no-login' ? [texts.noLoginTitle, texts.noLogin] : [texts.oidcTitle, texts.oidcFailed]
  const content = html`<p>${text}</p><p><a href="/console">${texts.loginTitle}</a></p>`
  return sendPage(reply, why === 'no-login' ? 403 : 400, language, title, content)
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { logInByLink } from '../../actions/console/login.ts'
import { findLoginOfLink } from '../../db/setup/console-sessions.ts'
import { hasInvitation } from '../../db/setup/invitations.ts'
import { Refusal } from '../../errors.ts'
import { refuseForeignOrigin } from '../../http/wire/callers/auth.ts'
import { setLoginCookies } from '../../http/wire/callers/device.ts'
import { limitRate } from '../../http/wire/callers/overload.ts'
import { agentOf } from '../../http/wire/callers/session-cookie.ts'
import { pickLanguage } from '../../languages.ts'
import { typedText } from '../../lib/clean-text.ts'
import { sha256 } from '../../lib/hash.ts'
import { html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { sendUnreadable } from '../links/invalid.ts'
import { pageTexts } from '../texts.ts'
import { addConsoleApp } from './app.ts'
import { addCustomerList, addCustomerRecord, addMailPreview, addMailView } from './mail.ts'
import { addOidcPages } from './oidc.ts'

type TokenRequest = FastifyRequest<{ Params: { token: string }; Body: { code?: unknown } | null }>

/** Login and logout; the rest of the console is a single-page app. */
export function addConsolePages(app: FastifyInstance, service: Service) {
  addLogin(app, service)
  addOidcPages(app, service)
  addMailView(app, service)
  addMailPreview(app, service)
  addCustomerList(app, service)
  addCustomerRecord(app, service)
  addConsoleApp(app, service)
}

function addLogin(app: FastifyInstance, service: Service) {
  app.get('/console/login/:token', async (request: TokenRequest, reply) => {
    const hash = sha256(request.params.token)
    const login = await findLoginOfLink(service.db, hash)
    if (!login && !(await hasInvitation(service.db, hash))) return sendUnreadable(service, request, reply)
    return sendLoginForm(service, request, reply, { needsCode: login?.hasTotp ?? false, isWrong: false })
  })

  app.post('/console/login/:token', async (request: TokenRequest, reply) => {
    refuseForeignOrigin(service, request)
    await limitRate(service, request, reply, 'login')
    const code = typedText(request.body?.code)
    try {
      const session = await logInByLink(service, request.params.token, agentOf(request), code)
      if (!session) return sendUnreadable(service, request, reply)
      await setLoginCookies(service, request, reply, session)
      return reply.redirect('/console', 303)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'email-exists') return sendTaken(service, request, reply)
      if (error.field !== 'code') throw error
      return sendLoginForm(service, request, reply, { needsCode: true, isWrong: code !== null })
    }
  })
}

/** Shown to the person who opened the link, in place of the login that they cannot have under this address. */
function sendTaken({ config }: Service, request: FastifyRequest, reply: FastifyReply) {
  const language = pickLanguage(request.headers['accept-language'], config.language)
  const texts = pageTexts[language]
  return sendPage(reply, 409, language, texts.noLoginTitle, html`<p>${texts.invitationTaken}</p>`)
}

type Asked = { needsCode: boolean; isWrong: boolean }

function sendLoginForm(
  { config }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { needsCode, isWrong }: Asked,
) {
  const language = pickLanguage(request.headers['accept-language'], config.language)
  const texts = pageTexts[language]
  const field = html`<p><label for="code">${texts.codeLabel}</label><input id="code" name="code" maxlength="100" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" autofocus required${isWrong && html` aria-invalid="true" aria-describedby="wrong"`}></p>
    ${isWrong && html`<p id="wrong" role="alert" class="bad">${texts.wrongCode}</p>`}`
  const content = html`<p>${texts.loginQuestion}</p><form method="post">${needsCode && field}<button>${texts.loginButton}</button></form>`
  return sendPage(reply, isWrong ? 401 : 200, language, texts.loginTitle, content)
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { logInByLink } from '../../actions/console/login.ts'
import { isLoginLinkValid } from '../../db/setup/console-sessions.ts'
import { refuseForeignOrigin } from '../../http/wire/callers/auth.ts'
import { limitRate } from '../../http/wire/callers/limits.ts'
import { agentOf, setSession } from '../../http/wire/callers/session-cookie.ts'
import { pickLanguage } from '../../languages.ts'
import { sha256 } from '../../lib/hash.ts'
import { html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { sendInvalid } from '../links/verify.ts'
import { pageTexts } from '../texts.ts'
import { addConsoleApp } from './app.ts'
import { addMailView } from './mail.ts'
import { addOidcPages } from './oidc.ts'

type TokenRequest = FastifyRequest<{ Params: { token: string } }>

/** The way in; the rest of the console is a program of its own. */
export function addConsolePages(app: FastifyInstance, service: Service) {
  addLogin(app, service)
  addOidcPages(app, service)
  addMailView(app, service)
  addConsoleApp(app, service)
}

function addLogin(app: FastifyInstance, service: Service) {
  app.get('/console/login/:token', async (request: TokenRequest, reply) => {
    if (!(await isLoginLinkValid(service.db, sha256(request.params.token))))
      return sendInvalid(service, request, reply)
    const language = pickLanguage(request.headers['accept-language'], service.config.language)
    const texts = pageTexts[language]
    const content = html`<p>${texts.loginQuestion}</p><form method="post"><button>${texts.loginButton}</button></form>`
    return sendPage(reply, 200, language, texts.loginTitle, content)
  })

  app.post('/console/login/:token', async (request: TokenRequest, reply) => {
    refuseForeignOrigin(service, request)
    await limitRate(service, request, reply, 'login')
    const session = await logInByLink(service, request.params.token, agentOf(request))
    if (!session) return sendInvalid(service, request, reply)
    setSession(service, reply, session)
    return reply.redirect('/console', 303)
  })
}

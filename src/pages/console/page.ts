import type { FastifyInstance, FastifyRequest } from 'fastify'
import { logInByLink } from '../../actions/console/login.ts'
import { findRequests } from '../../db/booking/bookings.ts'
import { findMail, listMails, type MailRow } from '../../db/mails.ts'
import { deleteSession, isLoginLinkValid } from '../../db/setup/console-users.ts'
import { listProviders } from '../../db/setup/providers.ts'
import { authenticateConsole, sessionCookie } from '../../http/wire/auth.ts'
import { limitRate } from '../../http/wire/limits.ts'
import { pickLanguage } from '../../languages.ts'
import { sha256 } from '../../lib/hash.ts'
import { type Html, html } from '../../lib/html.ts'
import { renderMail } from '../../mail/deliver.ts'
import { isUuid } from '../../rules/references.ts'
import { toUtcText } from '../../rules/time.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { sendInvalid } from '../links/verify.ts'
import { pageTexts } from '../texts.ts'
import { requestList } from './requests.ts'

type TokenRequest = FastifyRequest<{ Params: { token: string } }>
type MailRequest = FastifyRequest<{ Params: { uuid: string } }>

const mostRequests = 100

/** The way in, requests that wait, and the mailbox: without an SMTP server this is where mails are read. */
export function addConsolePages(app: FastifyInstance, service: Service) {
  addLogin(app, service)
  addMailbox(app, service)
}

function addLogin(app: FastifyInstance, service: Service) {
  const schema = { hide: true }
  app.get('/console/login/:token', { schema }, async (request: TokenRequest, reply) => {
    if (!(await isLoginLinkValid(service.db, sha256(request.params.token))))
      return sendInvalid(service, request, reply)
    const language = pickLanguage(request.headers['accept-language'], service.config.language)
    const texts = pageTexts[language]
    const content = html`<p>${texts.loginQuestion}</p><form method="post"><button>${texts.loginButton}</button></form>`
    return sendPage(reply, 200, language, texts.loginTitle, content)
  })

  app.post('/console/login/:token', { schema }, async (request: TokenRequest, reply) => {
    await limitRate(service, request, 'login')
    const session = await logInByLink(service, request.params.token)
    if (!session) return sendInvalid(service, request, reply)
    const secure = service.baseUrl.startsWith('https:')
    reply.setCookie(sessionCookie, session, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: 14 * 86_400,
    })
    return reply.redirect('/console', 303)
  })

  app.post('/console/logout', { schema }, async (request, reply) => {
    const session = request.cookies[sessionCookie]
    if (session) await deleteSession(service.db, sha256(session))
    reply.clearCookie(sessionCookie, { path: '/' })
    return sendPage(reply, 200, 'en', 'Logged out', html`<p>You can close this window.</p>`)
  })
}

function addMailbox(app: FastifyInstance, service: Service) {
  const schema = { hide: true }
  app.get('/console', { schema }, async (request, reply) => {
    const caller = await authenticateConsole(service, request).catch(() => null)
    if (!caller) return sendLoginNeeded(reply)
    const { providerIds } = caller
    const [providers, mails, requests] = await Promise.all([
      listProviders(service.db, providerIds),
      listMails(service.db, { providerIds, limit: 100 }),
      findRequests(service.db, providerIds, mostRequests + 1),
    ])
    const content = html`
      <p class="soft">Providers: ${providers.map(one => one.name).join(', ') || 'none yet'}</p>
      ${requestList(service, requests.slice(0, mostRequests), requests.length > mostRequests)}
      <h2>Mails</h2>
      ${mails.length === 0 ? html`<p>No mail has been written yet. The first booking will change that.</p>` : mailList(mails)}
      <form method="post" action="/console/logout"><button>Log out</button></form>`
    return sendPage(reply, 200, 'en', 'Console', content)
  })

  app.get('/console/mails/:uuid', { schema }, async (request: MailRequest, reply) => {
    const caller = await authenticateConsole(service, request).catch(() => null)
    if (!caller) return sendLoginNeeded(reply)
    const { uuid } = request.params
    const mail = isUuid(uuid) ? await findMail(service.db, uuid, caller.providerIds) : null
    if (!mail?.recipient)
      return sendPage(reply, 404, 'en', 'No such mail', html`<p><a href="/console">Back</a></p>`)
    const { subject, text } = renderMail(mail)
    const content = html`<p class="soft">To ${mail.recipient} · ${mail.kind} · ${mail.state}</p><pre>${text}</pre>
      <p><a href="/console">Back to the mails</a></p>`
    return sendPage(reply, 200, mail.language, subject, content)
  })
}

function mailList(mails: MailRow[]): Html {
  const rows = mails.map(mail => {
    const subject = mail.recipient === null ? 'erased' : renderMail(mail).subject
    return html`<li><a href="/console/mails/${mail.uuid}">${subject}</a><br>
      <span class="soft">${mail.recipient ?? ''} · ${mail.state} · ${toUtcText(mail.created_at).slice(0, 16).replace('T', ' ')} UTC</span></li>`
  })
  return html`<ul>${rows}</ul>`
}

function sendLoginNeeded(reply: Parameters<typeof sendPage>[0]) {
  const content = html`<p>Open the link that you were given. A new one comes from <code>npx holdfast user invite</code>.</p>`
  return sendPage(reply, 401, 'en', 'Please log in', content)
}

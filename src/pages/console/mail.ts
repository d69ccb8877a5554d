import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findMail } from '../../db/mails.ts'
import { notFound } from '../../errors.ts'
import { authenticateConsole } from '../../http/wire/callers/auth.ts'
import { ofProvider, permit } from '../../http/wire/callers/permit.ts'
import { renderMail } from '../../mail/deliver.ts'
import { withoutLinksFor } from '../../mail/hide-links.ts'
import type { Service } from '../../service.ts'

type MailRequest = FastifyRequest<{ Params: { uuid: string } }>

/** An email is a document with inline styles: it may load nothing else, and only the console may frame it. */
const policy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' https: data:",
  "frame-ancestors 'self'",
].join('; ')

const access = { kind: 'console', right: 'mails', whose: ofProvider('Mail', findMail) } as const

export function addMailView(app: FastifyInstance, service: Service) {
  app.get('/console/mail-view/:uuid', { config: { access } }, async (request: MailRequest, reply) => {
    const caller = await authenticateConsole(service, request)
    const { found: mail } = await permit(service.db, access, caller, request.params)
    if (!mail.recipient) throw notFound('Mail', mail.uuid)
    return reply
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(renderMail(withoutLinksFor(service, caller, mail)).html)
  })
}

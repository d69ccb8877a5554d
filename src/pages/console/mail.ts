import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { printList } from '../../actions/scheduling/customers/customer-list.ts'
import { previewOf } from '../../actions/setup/email-texts.ts'
import { findMail } from '../../db/mails.ts'
import { isBookedAt } from '../../db/scheduling/customer-search.ts'
import { type CustomerRow, findCustomerByUuid } from '../../db/scheduling/customers.ts'
import { findProviderById, findProviderByUuid, type ProviderRow } from '../../db/setup/providers.ts'
import { notFound } from '../../errors.ts'
import { authenticateConsole } from '../../http/wire/callers/auth.ts'
import { ofProvider, permit, type Subject } from '../../http/wire/callers/permit.ts'
import { pickLanguage } from '../../languages.ts'
import { clockNow } from '../../lib/clock.ts'
import { inScheme } from '../../messages/preview.ts'
import { renderMessage, withoutLinksFor } from '../../messages/render.ts'
import { maxEmailText, textKinds } from '../../rules/messages/messages.ts'
import type { Service } from '../../service.ts'
import { recordPdf } from '../record/record.ts'

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
    return sendDocument(reply, policy, renderMessage(withoutLinksFor(service, caller, mail)).html)
  })
}

type PreviewRequest = FastifyRequest<{ Params: { uuid: string }; Body: Record<string, unknown> | null }>

const providerOfPreview: Subject<ProviderRow> = {
  noun: 'Provider',
  find: findProviderByUuid,
  tenantOf: ({ id }) => ({ providerId: id }),
}
const previewAccess = { kind: 'console', right: 'manage', whose: providerOfPreview } as const

/** An email with a text that is being written. The console posts it into a frame, whose styles its own policy would forbid. */
export function addMailPreview(app: FastifyInstance, service: Service) {
  const config = { access: previewAccess }
  app.post('/console/mail-preview/:uuid', { config }, async (request: PreviewRequest, reply) => {
    const caller = await authenticateConsole(service, request)
    const { found: provider } = await permit(service.db, previewAccess, caller, request.params)
    const { kind, language, text, scheme } = request.body ?? {}
    const wanted = {
      kind: textKinds.find(one => one === kind) ?? 'booked',
      language: pickLanguage(String(language), provider.language),
      text: String(text ?? '').slice(0, maxEmailText) || null,
    }
    const { html } = await previewOf(service, provider, wanted)
    return sendDocument(reply, policy, inScheme(html, scheme === 'dark' ? 'dark' : 'light'))
  })
}

/** Practitioners print what is booked with them. */
const customerOfList: Subject<CustomerRow> = {
  ...ofProvider('Customer', findCustomerByUuid),
  isAt: (db, { id }, resources) => isBookedAt(db, id, resources),
}
const listAccess = { kind: 'console', right: 'see-calendar', whose: customerOfList } as const

/** Framed by the console itself, which prints it: the content is ours, and scripts are forbidden. */
const listPolicy = policy.replace('sandbox', 'sandbox allow-same-origin allow-modals')

/** A customer's coming appointments, to print. */
export function addCustomerList(app: FastifyInstance, service: Service) {
  const config = { access: listAccess }
  app.get('/console/customer-list/:uuid', { config }, async (request: MailRequest, reply) => {
    const caller = await authenticateConsole(service, request)
    const { found: customer, only } = await permit(service.db, listAccess, caller, request.params)
    const html = await printList(service, customer, only)
    if (!html) throw notFound('Appointment', customer.uuid)
    return sendDocument(reply, listPolicy, html)
  })
}

const recordAccess = {
  kind: 'console',
  right: 'manage',
  whose: ofProvider('Customer', findCustomerByUuid),
} as const

/** All that is kept about a customer as a PDF, in the customer's language. */
export function addCustomerRecord(app: FastifyInstance, service: Service) {
  const config = { access: recordAccess }
  app.get('/console/customer-record/:uuid', { config }, async (request: MailRequest, reply) => {
    const caller = await authenticateConsole(service, request)
    const { found: customer } = await permit(service.db, recordAccess, caller, request.params)
    const provider = (await findProviderById(service.db, customer.providerId))!
    const language = pickLanguage(customer.language, provider.language)
    return reply
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', `attachment; filename="${customer.uuid}.pdf"`)
      .type('application/pdf')
      .send(await recordPdf(service, provider, customer, language, clockNow()))
  })
}

const sendDocument = (reply: FastifyReply, policy: string, html: string) =>
  reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html)

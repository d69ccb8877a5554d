import type { FastifyInstance } from 'fastify'
import type { Created, Participation } from '../../../web/shared/api-types.ts'
import { check, type FieldName, type Fields, fieldNames, noFields } from '../../../web/shared/fields.ts'
import { type Html, html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { consumerApi, type Reply } from '../consumer-api.ts'
import { placeOf, refOf, zoneOf } from './data.ts'
import { bookForm, type Chosen } from './form.ts'
import { type BookPage, type BookRequest, openPage, sendBookPage } from './open-page.ts'
import { bookLink, standIn } from './slots.ts'
import type { Words } from './texts.ts'

type ErrorBody = { errors?: { errorCode: string; field?: string }[] }

// The way through a booking without JavaScript: choose a slot, fill in the form, done. Each step posts a form.

export function addBookingSteps(app: FastifyInstance, service: Service) {
  app.post('/book/:ref/reserve', async (request: BookRequest, reply) => {
    const page = await openPage(app, service, request, reply)
    if (!page) return reply
    const [start, end, ...ids] = bodyText(request, 'slot').split(' ')
    const [timeslot = '', appointment = '', product = '', resource = ''] = ids
    const times = { start: Number(start), end: Number(end) }
    const chosen: Chosen = { ...times, timeslot, appointment, product, resource, placeholder: '' }
    const there = at(page, chosen)
    const held = await hold(app, request, there, chosen)
    if (held.status !== 200) return sendRefused(page, held)
    const { participation } = held.body
    chosen.timeslot = participation.timeslot_uuid
    chosen.appointment = participation.appointment_uuid
    chosen.product = participation.product_uuid
    chosen.placeholder = participation.customer_uuid
    const form = bookForm(there, chosen, noFields, {}, Date.parse(participation.expiresAt))
    return sendBookPage(there, 200, form)
  })

  app.post('/book/:ref/complete', async (request: BookRequest, reply) => {
    const page = await openPage(app, service, request, reply)
    if (!page) return reply
    const chosen = chosenOf(request)
    // No form of ours has no time.
    if (![chosen.start, chosen.end].every(ms => ms > 0 && instant(ms)))
      return sendRefused(page, { status: 400, body: {} })
    const there = at(page, chosen)
    const fields = Object.fromEntries(
      fieldNames.map(name => [name, bodyText(request, name).trim().replaceAll('\r\n', '\n')]),
    ) as Fields
    const errors = check(fields)
    const mustAgree = there.data.place.provider.termsRequired && bodyText(request, 'agreed') === ''
    if (Object.keys(errors).length > 0 || mustAgree)
      return sendBookPage(there, 400, bookForm(there, chosen, fields, errors, null, mustAgree))
    const done = await complete(app, request, there, chosen, fields)
    if (done.status === 201)
      // An address of its own: loading it again books nothing, and shows the same.
      return reply.redirect(new URL(done.body.createdAppointment.confirmationLink).pathname, 303)
    const field = done.body.errors?.[0]?.field as FieldName
    if (done.body.errors?.[0]?.errorCode === '202') return sendTwice(there, chosen, fields.email)
    if (done.status !== 400 || !fieldNames.includes(field)) return sendRefused(page, done)
    const wrong = { [field]: field === 'email' ? 'invalidEmail' : 'invalidField' } as const
    return sendBookPage(there, 400, bookForm(there, chosen, fields, wrong, null))
  })

  /** For whoever has the appointment already, and has lost the mail with its links. */
  app.post('/book/:ref/links', async (request: BookRequest, reply) => {
    const page = await openPage(app, service, request, reply)
    if (!page) return reply
    const email = bodyText(request, 'email')
    const body = { appointment_uuid: bodyText(request, 'appointment'), email }
    const sent = await consumerApi(app, request)<ErrorBody>('POST', '/bookings/links', {}, body)
    if (sent.status !== 202) return sendRefused(page, sent)
    return sendList(
      page,
      200,
      html`<p role="status"><strong>${page.words.texts.linksSent(email)}</strong></p>`,
    )
  })
}

/** They have it: when it is, and the way to another time that only their mailbox gets. */
function sendTwice(page: BookPage, { start, appointment }: Chosen, email: string) {
  const { texts, format } = page.words
  const notice = html`<div role="alert"><p class="bad"><strong>${texts.twice}</strong> ${format.when(start, zoneOf(page.data))}</p>
<form method="post" action="${bookLink(page.data, {}, '/links')}"><input type="hidden" name="appointment" value="${appointment}">
<input type="hidden" name="email" value="${email}"><p><button class="quiet">${texts.sendLinks}</button></p></form></div>`
  return sendList(page, 412, notice)
}

/** From here on it is about the Resource of the chosen time alone. */
const at = (page: BookPage, { resource }: Chosen): BookPage => ({
  ...page,
  data: { ...page.data, place: placeOf(page.data, resource), isAny: false },
})

function hold(app: FastifyInstance, request: BookRequest, { data }: BookPage, chosen: Chosen) {
  const path = `/rest/1/resources/${encodeURIComponent(refOf(data))}/reserve_appointment`
  const { channelKey } = data.query
  return consumerApi(app, request)<{ participation: Participation } & ErrorBody>(
    'POST',
    path,
    { channelKey },
    {
      timeslot_uuid: chosen.timeslot,
      ...(chosen.appointment ? { appointment_uuid: chosen.appointment } : {}),
      product_uuid: chosen.product || (data.product?.uuid ?? ''),
      from: instant(chosen.start),
      to: instant(chosen.end),
    },
  )
}

function complete(
  app: FastifyInstance,
  request: BookRequest,
  page: BookPage,
  chosen: Chosen,
  fields: Fields,
) {
  const { data, words } = page
  const path = `/resources/${encodeURIComponent(refOf(data))}/create_appointment_with_consumer`
  return consumerApi(app, request)<{ createdAppointment: Created } & ErrorBody>(
    'POST',
    path,
    {},
    {
      start: instant(chosen.start),
      end: instant(chosen.end),
      timeslot_uuid: chosen.timeslot,
      product_uuid: chosen.product,
      placeholder_id: chosen.placeholder || undefined,
      ...fields,
      mobile: fields.mobile || undefined,
      message: fields.message || undefined,
      agbs: bodyText(request, 'agreed') !== '',
      locale: words.format.tag,
      channelKey: data.query.channelKey,
    },
  )
}

function chosenOf(request: BookRequest): Chosen {
  const text = (name: string) => bodyText(request, name)
  return {
    start: Number(text('start')),
    end: Number(text('end')),
    timeslot: text('timeslot'),
    appointment: text('appointment'),
    product: text('product'),
    resource: text('resource'),
    placeholder: text('placeholder'),
  }
}

function bodyText(request: BookRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

const instant = (ms: number) => (Math.abs(ms) < 8e15 ? new Date(ms).toISOString() : '')

/** The list again, with what went wrong on top. */
function sendRefused(page: BookPage, { status, body }: Reply<ErrorBody>) {
  const why = sentence(status, body.errors?.[0]?.errorCode ?? '', page.words)
  const notice = html`<p class="bad" role="alert"><strong>${why}</strong></p>`
  return sendList(page, status, notice)
}

const sendList = (page: BookPage, status: number, notice: Html) =>
  sendBookPage(page, status, html`<div class="stand-in">${standIn(page.data, page.words, notice)}</div>`)

function sentence(status: number, code: string, { texts }: Words): string {
  if (code === 'not-invited') return texts.notInvited
  if (code === 'channel-hidden') return texts.hidden
  if (status === 429) return texts.busy
  return status === 412 || status === 404 ? texts.lost : texts.broken
}

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Created, Participation } from '../../../web/shared/api-types.ts'
import { check, type FieldName, type Fields, fieldNames } from '../../../web/shared/fields.ts'
import { consumerApi, type Reply } from '../../http/wire/consumer-api.ts'
import { clockNow } from '../../lib/clock.ts'
import { type Html, html } from '../../lib/html.ts'
import { maskEmail } from '../../rules/people/contacts.ts'
import { checkAnswers } from '../../rules/questions/questions.ts'
import type { Service } from '../../service.ts'
import { answerErrorsOf, errorTexts, type GivenAnswers, readAnswers } from '../questions.ts'
import { placeOf, refOf, zoneOf } from './data.ts'
import { bookForm, type Chosen, formOf, needsPhone, type PlacesTyped } from './form.ts'
import { type BookPage, type BookRequest, openPage, sendBookPage } from './open-page.ts'
import { forgetHold, rememberedHold, rememberHold } from './own-hold.ts'
import { bookLink, widgetPlaceholder } from './slots.ts'
import { type Typed, typedIn } from './typed.ts'

type ErrorBody = { errors?: { errorCode: string; field?: string; message?: string }[] }

// Booking without JavaScript: choose a slot, fill in the form, done. Each step posts a form and redirects to
// a page that survives a reload and the back button. Once something was typed, it responds with the page
// itself, because what was typed is in no address; a reload then posts the same again.

export function addBookingSteps(app: FastifyInstance, service: Service) {
  app.post('/book/:ref/reserve', async (request: BookRequest, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const typed = typedIn(request.body)
    const [start, end, ...ids] = bodyText(request, 'slot').split(' ')
    const [timeslot = '', appointment = '', product = '', resource = ''] = ids
    const times = { start: Number(start), end: Number(end) }
    const chosen: Chosen = { ...times, timeslot, appointment, product, resource, placeholder: '' }
    const toForm = (held: string) =>
      typed.length > 0
        ? sendForm(page, request, 200, readHeld(held))
        : reply.redirect(withQuery(bookLink(page.data, {}, '/form'), { held }), 303)
    const own = rememberedHold(request)
    if (isHoldOf(own, chosen)) return toForm(own)
    const there = at(page, chosen)
    const answer = await hold(app, request, there, chosen)
    if (answer.status !== 200) return refuse(page, answer, typed)
    const { participation } = answer.body
    chosen.timeslot = participation.timeslot_uuid
    chosen.appointment = participation.appointment_uuid
    chosen.product = participation.product_uuid
    chosen.placeholder = participation.customer_uuid
    const until = Date.parse(participation.expiresAt)
    const held = [...Object.values(chosen), until].join(' ')
    rememberHold(service, request, reply, held, until)
    return toForm(held)
  })

  app.get('/book/:ref/form', async (request: BookRequest, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const { chosen, until } = readHeld(request.query.held)
    if (!isTime(chosen)) return refuse(page, { status: 412, body: {} })
    return sendForm(page, request, 200, { chosen, until })
  })

  /** The times again, with the reason why the chosen one was refused. */
  app.get('/book/:ref/times', async (request: BookRequest, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const { texts } = page.words
    const { notice, to } = request.query
    if (notice === 'links')
      return sendList(page, html`<p role="status"><strong>${texts.linksSent(String(to ?? ''))}</strong></p>`)
    return sendList(page, noticeOf(page, isNotice(notice) ? notice : 'error'))
  })

  /** Back from the form, and on to other times. */
  app.post('/book/:ref/times', async (request: BookRequest, reply) => {
    await release(app, request, reply)
    const page = await openPage(service, request, reply)
    if (!page) return reply
    return sendList(withTyped(page, typedIn(request.body)), null)
  })

  app.post('/book/:ref/complete', async (request: BookRequest, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const chosen = chosenOf(request)
    // Our own forms always send a time.
    if (!isTime(chosen)) return refuse(page, { status: 400, body: {} })
    const there = at(page, chosen)
    const fields = fieldsOf(request)
    const errors = check(fields, needsPhone(there.data))
    const mustAgree = there.data.place.provider.termsRequired && bodyText(request, 'agreed') === ''
    const form = formOf(there, chosen)
    const given = readAnswers(form, request.body)
    const sendWrong = (more: Partial<FormView>) => sendForm(page, request, 400, { chosen, ...more })
    // Whether answers alone are valid, the API decides: it knows the questions as they were when the slot was held.
    if (Object.keys(errors).length > 0 || mustAgree) {
      const { problems } = checkAnswers(form, given)
      return sendWrong({ errors, mustAgree, answerErrors: errorTexts(form, problems, there.words.language) })
    }
    const answers = form.length > 0 ? given : undefined
    const places = placesOf(request)
    const done = await complete(app, request, there, chosen, fields, answers)
    if (done.status === 201) {
      forgetHold(request, reply)
      // A separate page: reloading it books nothing and shows the same content.
      return reply.redirect(new URL(done.body.createdAppointment.confirmationLink).pathname, 303)
    }
    const typed = typedIn(request.body)
    const field = done.body.errors?.[0]?.field as FieldName
    if (done.body.errors?.[0]?.errorCode === '202')
      return sendTwice(withTyped(there, typed), chosen, fields.email)
    const answerErrors = answerErrorsOf(form, done.body)
    if (done.status === 400 && answerErrors.size > 0) return sendWrong({ answerErrors })
    // The hold keeps its one place: the form stays, to choose fewer.
    if (done.status === 412 && places && places.count > 1)
      return sendWrong({ places: { ...places, error: 'tooFew' } })
    if (done.status === 400 && `${field}`.startsWith('place_names'))
      return sendWrong({ places: { ...places!, error: 'names' } })
    if (done.status !== 400 || !fieldNames.includes(field)) return refuse(page, done, typed)
    return sendWrong({ errors: { [field]: field === 'email' ? 'invalidEmail' : 'invalidField' } })
  })

  /** For visitors who already have the appointment and have lost the email with its links. */
  app.post('/book/:ref/links', async (request: BookRequest, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const email = bodyText(request, 'email')
    const body = { appointment_uuid: bodyText(request, 'appointment'), email }
    const sent = await consumerApi(app, request)<ErrorBody>('POST', '/bookings/links', {}, body)
    if (sent.status !== 202) return refuse(page, sent)
    const noticeParams = { notice: 'links', to: maskEmail(email) }
    return reply.redirect(withQuery(bookLink(page.data, {}, '/times'), noticeParams), 303)
  })
}

/**
 * The visitor already has this appointment: shows its time, and offers the link to reschedule, which is sent
 * by email only.
 */
function sendTwice(page: BookPage, { start, appointment }: Chosen, email: string) {
  const { texts, format } = page.words
  const form =
    page.data.place.provider.emails === 'sent' &&
    html`<form method="post" action="${bookLink(page.data, {}, '/links')}"><input type="hidden" name="appointment" value="${appointment}">
<input type="hidden" name="email" value="${email}"><p><button class="quiet">${texts.sendLinks}</button></p></form>`
  const notice = html`<div role="alert"><p class="bad"><strong>${texts.alreadyBooked}</strong> ${format.when(start, zoneOf(page.data))}</p>${form}</div>`
  return sendList(page, notice, 412)
}

/** From here on, the page is about the Resource of the chosen time only. */
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

/** Otherwise visitors would miss the time that they held themselves. */
async function release(app: FastifyInstance, request: BookRequest, reply: FastifyReply) {
  const placeholder = bodyText(request, 'placeholder')
  if (!placeholder) return
  forgetHold(request, reply)
  const path = `/resources/${encodeURIComponent(bodyText(request, 'resource'))}/revoke_reservation`
  const body = { placeholder_id: placeholder, appointment_id: bodyText(request, 'appointment') }
  await consumerApi(app, request)('POST', path, {}, body)
}

function complete(
  app: FastifyInstance,
  request: BookRequest,
  page: BookPage,
  chosen: Chosen,
  fields: Fields,
  answers: GivenAnswers | undefined,
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
      answers,
      ...placesAsSent(request),
    },
  )
}

/** Null if the form has none. */
function placesOf(request: BookRequest): PlacesTyped | null {
  const count = Number(bodyText(request, 'place_count'))
  return Number.isInteger(count) && count > 0 ? { count, names: bodyText(request, 'place_names') } : null
}

function placesAsSent(request: BookRequest) {
  const places = placesOf(request)
  if (!places) return {}
  const names = places.names.split('\n').map(one => one.trim().slice(0, 255))
  return { place_count: places.count, place_names: names.filter(Boolean).slice(0, places.count) }
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

const fieldsOf = (request: BookRequest) =>
  Object.fromEntries(
    fieldNames.map(name => [name, bodyText(request, name).trim().replaceAll('\r\n', '\n')]),
  ) as Fields

function bodyText(request: BookRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

const instant = (ms: number) => (Math.abs(ms) < 8e15 ? new Date(ms).toISOString() : '')

const isTime = ({ start, end }: Chosen) => [start, end].every(ms => ms > 0 && instant(ms))

const withQuery = (link: string, more: Record<string, string>) =>
  `${link}${link.includes('?') ? '&' : '?'}${new URLSearchParams(more)}`

/** Reads the hold from the redirect to the form. */
function readHeld(value: unknown): { chosen: Chosen; until: number | null } {
  const [start, end, ...ids] = String(value ?? '').split(' ')
  const [timeslot = '', appointment = '', product = '', resource = '', placeholder = '', until] = ids
  const times = { start: Number(start), end: Number(end) }
  return {
    chosen: { ...times, timeslot, appointment, product, resource, placeholder },
    until: Number(until) > 0 && instant(Number(until)) ? Number(until) : null,
  }
}

/** Whether the visitor holds this time in another tab. */
function isHoldOf(held: string, { start, end, product, resource }: Chosen): boolean {
  const { chosen, until } = readHeld(held)
  const isSame =
    chosen.start === start &&
    chosen.end === end &&
    chosen.resource === resource &&
    (!product || chosen.product === product)
  return isSame && until !== null && until > clockNow()
}

type FormView = Omit<Parameters<typeof bookForm>[1], 'fields' | 'given' | 'hasAgreed'>

/** The form, filled in as it was posted. The browser keeps it with what is typed, for its back button. */
function sendForm(page: BookPage, request: BookRequest, status: number, view: FormView) {
  const there = at(page, view.chosen)
  const form = bookForm(there, {
    ...view,
    fields: fieldsOf(request),
    given: readAnswers(formOf(there, view.chosen), request.body),
    places: view.places ?? placesOf(request) ?? { count: 1, names: '' },
    hasAgreed: bodyText(request, 'agreed') !== '',
  })
  const title = `${page.words.texts.yourDetails} – ${there.data.place.provider.name}`
  return sendBookPage(there, status, form, { title, isKept: true })
}

const withTyped = (page: BookPage, typed: Typed): BookPage => ({ ...page, data: { ...page.data, typed } })

/** By the value of `notice` in the address. */
const noticeTexts = {
  taken: 'timeTaken',
  busy: 'tooMany',
  closed: 'bookingClosed',
  invited: 'invitedOnly',
  error: 'serverError',
} as const
type Notice = keyof typeof noticeTexts
const isNotice = (value: unknown): value is Notice => Object.hasOwn(noticeTexts, String(value))

/** The list with the reason. Redirects unless something was typed, so that a reload does not send the form again. */
function refuse(page: BookPage, { status, body }: Reply<ErrorBody>, typed: Typed = []) {
  const notice = reasonOf(status, body.errors?.[0]?.errorCode ?? '')
  if (typed.length > 0) return sendList(withTyped(page, typed), noticeOf(page, notice, true), status)
  return page.reply.redirect(withQuery(bookLink(page.data, {}, '/times'), { notice }), 303)
}

function noticeOf({ words: { texts, pageTexts } }: BookPage, notice: Notice, isTyped = false): Html {
  const kept = isTyped && html` ${pageTexts.detailsKept}`
  return html`<p role="alert"><strong class="bad">${texts[noticeTexts[notice]]}</strong>${kept}</p>`
}

const sendList = (page: BookPage, notice: Html | null, status = 200) =>
  sendBookPage(
    page,
    status,
    html`<div class="stand-in">${widgetPlaceholder(page.data, page.words, notice)}</div>`,
    {
      isKept: true,
    },
  )

function reasonOf(status: number, code: string): Notice {
  if (code === 'not-invited') return 'invited'
  if (code === 'channel-hidden') return 'closed'
  if (status === 429) return 'busy'
  return status === 412 || status === 404 ? 'taken' : 'error'
}

import type { FastifyInstance } from 'fastify'
import type { Created, Participation } from '../../../web/shared/api-types.ts'
import { check, type FieldName, type Fields, fieldNames, noFields } from '../../../web/shared/fields.ts'
import { type Html, html } from '../../lib/html.ts'
import { maskEmail } from '../../rules/people/masks.ts'
import { checkAnswers, type FormQuestion } from '../../rules/questions/questions.ts'
import type { Service } from '../../service.ts'
import { consumerApi, type Reply } from '../consumer-api.ts'
import { errorTexts, type GivenAnswers, readAnswers } from '../questions.ts'
import { placeOf, refOf, zoneOf } from './data.ts'
import { bookForm, type Chosen, formOf } from './form.ts'
import { type BookPage, type BookRequest, openPage, sendBookPage } from './open-page.ts'
import { forgetHold, rememberedHold, rememberHold } from './own-hold.ts'
import { bookLink, widgetPlaceholder } from './slots.ts'

type ErrorBody = { errors?: { errorCode: string; field?: string; message?: string }[] }

// Booking without JavaScript: choose a slot, fill in the form, done. Each step posts a form and redirects to
// a page that survives a reload and the back button.

export function addBookingSteps(app: FastifyInstance, service: Service) {
  app.post('/book/:ref/reserve', async (request: BookRequest, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const [start, end, ...ids] = bodyText(request, 'slot').split(' ')
    const [timeslot = '', appointment = '', product = '', resource = ''] = ids
    const times = { start: Number(start), end: Number(end) }
    const chosen: Chosen = { ...times, timeslot, appointment, product, resource, placeholder: '' }
    const toForm = (held: string) =>
      reply.redirect(withQuery(bookLink(page.data, {}, '/form'), { held }), 303)
    const own = rememberedHold(request)
    if (isHoldOf(own, chosen)) return toForm(own)
    const there = at(page, chosen)
    const answer = await hold(app, request, there, chosen)
    if (answer.status !== 200) return refuse(page, answer)
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
    const there = at(page, chosen)
    return sendBookPage(there, 200, bookForm(there, chosen, noFields, {}, until), formTitle(there))
  })

  /** The times again, with the reason why the chosen one was refused. */
  app.get('/book/:ref/times', async (request: BookRequest, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const { texts } = page.words
    const { notice, to } = request.query
    if (notice === 'links')
      return sendList(page, html`<p role="status"><strong>${texts.linksSent(String(to ?? ''))}</strong></p>`)
    const text = texts[noticeTexts[isNotice(notice) ? notice : 'error']]
    return sendList(page, html`<p class="bad" role="alert"><strong>${text}</strong></p>`)
  })

  app.post('/book/:ref/complete', async (request: BookRequest, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const chosen = chosenOf(request)
    // Our own forms always send a time.
    if (!isTime(chosen)) return refuse(page, { status: 400, body: {} })
    const there = at(page, chosen)
    const fields = Object.fromEntries(
      fieldNames.map(name => [name, bodyText(request, name).trim().replaceAll('\r\n', '\n')]),
    ) as Fields
    const errors = check(fields)
    const mustAgree = there.data.place.provider.termsRequired && bodyText(request, 'agreed') === ''
    const form = formOf(there, chosen)
    const given = readAnswers(form, request.body)
    // Whether answers alone are valid, the API decides: it knows the questions as they were when the slot was held.
    if (Object.keys(errors).length > 0 || mustAgree) {
      const { problems } = checkAnswers(form, given)
      const answerErrors = errorTexts(form, problems, there.words.language)
      const more = { mustAgree, given, answerErrors }
      return sendBookPage(there, 400, bookForm(there, chosen, fields, errors, null, more), wrongForm(there))
    }
    const answers = form.length > 0 ? given : undefined
    const done = await complete(app, request, there, chosen, fields, answers)
    if (done.status === 201) {
      forgetHold(request, reply)
      // A separate page: reloading it books nothing and shows the same content.
      return reply.redirect(new URL(done.body.createdAppointment.confirmationLink).pathname, 303)
    }
    const field = done.body.errors?.[0]?.field as FieldName
    if (done.body.errors?.[0]?.errorCode === '202') return sendTwice(there, chosen, fields.email)
    const answerErrors = answerErrorsOf(form, done.body)
    if (done.status === 400 && answerErrors.size > 0)
      return sendBookPage(
        there,
        400,
        bookForm(there, chosen, fields, {}, null, { given, answerErrors }),
        wrongForm(there),
      )
    if (done.status !== 400 || !fieldNames.includes(field)) return refuse(page, done)
    const wrong = { [field]: field === 'email' ? 'invalidEmail' : 'invalidField' } as const
    return sendBookPage(there, 400, bookForm(there, chosen, fields, wrong, null, { given }), wrongForm(there))
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
  const notice = html`<div role="alert"><p class="bad"><strong>${texts.alreadyBooked}</strong> ${format.when(start, zoneOf(page.data))}</p>
<form method="post" action="${bookLink(page.data, {}, '/links')}"><input type="hidden" name="appointment" value="${appointment}">
<input type="hidden" name="email" value="${email}"><p><button class="quiet">${texts.sendLinks}</button></p></form></div>`
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
    },
  )
}

/** The API names the question before the text; here it stands beside it. */
function answerErrorsOf(form: FormQuestion[], { errors = [] }: ErrorBody): Map<string, string> {
  const found = errors.flatMap(({ field = '', message = '' }): [string, string][] => {
    const question = form.find(one => field === `answers.${one.key}`)
    return question ? [[question.key, message.replace(`${question.label}: `, '')]] : []
  })
  return new Map(found)
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
  return isSame && until !== null && until > Date.now()
}

const formTitle = ({ data, words }: BookPage) => ({
  title: `${words.texts.yourDetails} – ${data.place.provider.name}`,
})

/** The form's input is too long for a URL, so the browser keeps this page for its back button. */
const wrongForm = (page: BookPage) => ({ ...formTitle(page), isKept: true })

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

/** Redirects to the list, so that a reload or the back button does not send the form again. */
function refuse({ data, reply }: BookPage, { status, body }: Reply<ErrorBody>) {
  const notice = noticeOf(status, body.errors?.[0]?.errorCode ?? '')
  return reply.redirect(withQuery(bookLink(data, {}, '/times'), { notice }), 303)
}

const sendList = (page: BookPage, notice: Html, status = 200) =>
  sendBookPage(
    page,
    status,
    html`<div class="stand-in">${widgetPlaceholder(page.data, page.words, notice)}</div>`,
    {
      isKept: true,
    },
  )

function noticeOf(status: number, code: string): Notice {
  if (code === 'not-invited') return 'invited'
  if (code === 'channel-hidden') return 'closed'
  if (status === 429) return 'busy'
  return status === 412 || status === 404 ? 'taken' : 'error'
}

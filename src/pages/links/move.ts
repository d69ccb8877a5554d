import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Created, Participation } from '../../../web/shared/api-types.ts'
import { confirmationHint } from '../../../web/shared/email-texts.ts'
import { bookingOfToken, bookingToChange } from '../../actions/booking/consumer-cancel.ts'
import { consumerForm } from '../../actions/booking/save-answers.ts'
import { waitForEarlier } from '../../actions/booking/waiting/join.ts'
import { type Booking, requestBeside } from '../../db/booking/bookings.ts'
import { Refusal } from '../../errors.ts'
import { publicAnswers } from '../../http/booking/public-data.ts'
import { actingHeader, actingStaff } from '../../http/wire/callers/acting-staff.ts'
import { queueKeyOf } from '../../http/wire/callers/clients.ts'
import { consumerApi } from '../../http/wire/consumer-api.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { waitingLink } from '../../links.ts'
import { timeOf } from '../../messages/booking-data.ts'
import { zoneOfConsumer } from '../../messages/content/times-in-both-zones.ts'
import { textsIn } from '../../messages/texts/index.ts'
import { emailDelivery } from '../../rules/messages/email-delivery.ts'
import type { Actor } from '../../rules/messages/events.ts'
import { readChannelKey } from '../../rules/offers/channels.ts'
import { additionalQuestions } from '../../rules/questions/additional.ts'
import { inLanguage } from '../../rules/questions/define.ts'
import type { FormQuestion } from '../../rules/questions/questions.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { answersTexts } from '../answers-texts.ts'
import { type BookData, loadBookData } from '../book/data.ts'
import { providerHead } from '../book/provider-head.ts'
import { seedScript } from '../book/seed.ts'
import { attribute, bookingInfo, roomForMonth, slotForm } from '../book/slots.ts'
import { type Words, wordsIn } from '../book/texts.ts'
import { typedForm, typedIn, typedLink } from '../book/typed.ts'
import { sendPage } from '../layout.ts'
import {
  type AnswerRefusals,
  answerErrorsOf,
  errorSummary,
  questionFields,
  readAnswers,
  summaryOf,
} from '../questions.ts'
import { pageTexts } from '../texts.ts'
import { waitingPageTexts } from '../waiting/texts.ts'
import { widgetScripts } from '../widget-files.ts'
import { bookingSummary, lookOf } from './booking-summary.ts'
import { sendClosed } from './invalid.ts'
import { moveTexts } from './move-texts.ts'
import { isTooLate, sendTooLate, untilWhen } from './too-late.ts'

type Request = FastifyRequest<{
  Params: { token: string }
  Querystring: Partial<Record<'date' | 'slot' | 'held' | 'until' | 'notice', unknown>>
  Body: Partial<Record<'slot' | 'old' | 'held' | 'back', unknown>> | undefined
}>

type Page = {
  request: Request
  reply: FastifyReply
  booking: Booking
  /** The requested new time, while the provider has not answered. */
  moveRequest: Booking | null
  /** Set when staff act for the customer, in their own browser. */
  staff: Actor | null
  words: Words
  address: string
}

/**
 * Target of the move link. GET and HEAD only show the times. POST holds the chosen time and asks for
 * confirmation; POST with a hold moves the booking. A client of the consumer API like the booking page,
 * except that the booking itself does not block its own times.
 */
export function addMovePage(app: FastifyInstance, service: Service) {
  app.get('/move/:token', async (request: Request, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const { query } = request
    const slot = readSlot(query.slot)
    const until = Number(query.until)
    if (slot && typeof query.held === 'string')
      return sendQuestion(service, page, slot, query.held, { until })
    const text = page.words.texts[query.notice === 'busy' ? 'tooMany' : 'timeTaken']
    // The widget knows nothing of a login: what staff do in their own browser must be recorded as theirs.
    return sendTimes(service, page, 200, query.notice ? lost(text) : null, !query.notice && !page.staff)
  })

  app.post('/move/:token/earlier', async (request: Request, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const entry = await waitForEarlier(service, request.params.token).catch(asClosed)
    if (!entry) return sendTimes(service, page, 403, lost(waitingPageTexts[page.words.language].closed))
    return reply.redirect(new URL(waitingLink(service, entry)).pathname, 303)
  })

  app.post('/move/:token', async (request: Request, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const slot = readSlot(request.body?.slot)
    if (!slot || request.body?.back !== undefined) return sendTimes(service, page)
    return request.body?.held === undefined ? ask(app, service, page, slot) : move(app, service, page, slot)
  })
}

/** The page may have been open while the waiting list was closed. */
function asClosed(error: unknown): null {
  if (error instanceof Refusal && error.code === 'channel-hidden') return null
  throw error
}

/** "Earlier than mine": the waiting list for a better time. Only a confirmed booking can be replaced. */
function earlierForm({ booking, moveRequest, words, address }: Page): Html | false {
  if (booking.state !== 'BOOKED' || moveRequest || booking.customerUuid === null) return false
  const texts = waitingPageTexts[words.language]
  return html`<h2>${texts.earlierTitle}</h2><p class="soft">${texts.earlierHint}</p>
<form method="post" action="${address}/earlier"><p><button class="quiet">${texts.earlierButton}</button></p></form>`
}

/** Null if there is nothing to move; the error page has then been sent. */
async function openPage(service: Service, request: Request, reply: FastifyReply): Promise<Page | null> {
  const { token } = request.params
  const booking = await bookingToChange(service, token, 'move')
  if (!booking) {
    const known = await bookingOfToken(service, token, 'move')
    await sendClosed(service, request, reply, known, 'cannotMoveTitle')
  } else if (isTooLate(booking)) await sendTooLate(reply, booking)
  else {
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const words = wordsIn(language, booking.locale ?? request.headers['accept-language'])
    const moveRequest = await requestBeside(service.db, booking)
    const staff = await actingStaff(service, request, booking)
    return {
      request,
      reply,
      booking,
      moveRequest,
      staff,
      words,
      address: `/move/${encodeURIComponent(token)}`,
    }
  }
  return null
}

/** The current time, and the requested one. */
const currentPlaces = ({ booking, moveRequest }: Page, language: Language) => html`
<h2>${pageTexts[language].moveNow}</h2>${bookingSummary(booking, language)}
${moveRequest && html`<h2>${pageTexts[language].moveRequestedTitle}</h2>${bookingSummary(moveRequest, language)}`}`

const send = ({ reply, booking, words }: Page, status: number, title: string, content: Html) =>
  sendPage(reply, status, words.language, title, content, lookOf(booking))

/** The current time, and the available times for the same Product at the same Resource. */
async function sendTimes(
  service: Service,
  page: Page,
  status = 200,
  notice: Html | null = null,
  mayBeWidget = false,
) {
  const { request, booking, words, address } = page
  const texts = pageTexts[words.language]
  const date = typeof request.query.date === 'string' ? request.query.date : undefined
  const channelKey = booking.channelKey ?? undefined
  const query = { channelKey, product: booking.productUuid, date }
  const leaving = service.signer.open('move', request.params.token) ?? undefined
  const visitor = { service, line: queueKeyOf(request), leaving }
  const data = await loadBookData(visitor, [booking.resourceUuid], query)
  // The current time can be chosen only if another one has been requested.
  const { startAt } = page.moveRequest ?? booking
  const others = data?.slots.filter(one => one.start !== startAt) ?? []
  const typed = typedIn(request.body)
  const on = (day: string | undefined, name: string) => {
    const link = day ? `${address}?date=${day}` : address
    return typedLink(typed, { link, post: link }, html`${name}`)
  }
  // The same zone as for the booking's current time.
  const zone = zoneOf(booking)
  const times =
    data?.product && !data.isClosed
      ? slotForm({ ...data, slots: others, zone, typed }, words, { action: address, on })
      : html`<p>${words.texts.noTimes}</p>`
  const scripts = widgetScripts(words.language)
  if (mayBeWidget && scripts.length > 0 && data?.product && !data.isClosed)
    return sendWidget(page, { ...data, slots: others, zone }, times, scripts)
  const isRequest = data?.place.channel.bookingProcess === 'REQUESTED' || booking.state === 'REQUESTED'
  const content = html`${typedForm(typed, address)}${notice}${currentPlaces(page, words.language)}
${isRequest && html`<p class="hint">${confirmationHint(words, { name: booking.providerName, emails: emailDelivery(service, booking.crm) })}</p>`}<p class="soft">${texts.unchangedUntilConfirmed}</p>${untilWhen(booking, words.language)}
<h2>${texts.moveQuestion}</h2>${times}${data?.place.channel.waitingList != null && earlierForm(page)}`
  return send(page, status, texts.moveTitle, content)
}

/** The calendar of the booking page. The list stays inside for visitors without JavaScript. */
function sendWidget(page: Page, data: BookData, times: Html, scripts: string[]) {
  const { request, reply, booking, words } = page
  const { language } = words
  const texts = pageTexts[language]
  const { channelKey, date } = data.query
  const content = html`<holdfast-booking resource="${booking.resourceUuid}" move-token="${request.params.token}" lang="${language}" time-zone="${data.zone}"${attribute('channel-key', channelKey)}${attribute('date', date)}>
<div class="stand-in">${bookingInfo(data, words)}${roomForMonth(data)}
<noscript><h2>${texts.moveTitle}</h2>${currentPlaces(page, language)}<p class="soft">${texts.unchangedUntilConfirmed}</p>${untilWhen(booking, language)}</noscript>
${times}</div>${seedScript(data)}</holdfast-booking>
${data.place.channel.waitingList !== null && html`<div class="below">${earlierForm(page)}</div>`}`
  // Tells several bookings under one address apart, such as those of siblings.
  const { labels, colon } = textsIn(language)
  const whose = booking.name && html`<p>${labels.name}${colon} <strong>${booking.name}</strong></p>`
  const look = { ...lookOf(booking), brand: '', isWide: true, isBare: true, isPrivate: true, scripts }
  const title = `${texts.moveTitle} – ${booking.providerName}`
  return sendPage(reply, 200, language, title, html`${providerHead(data)}${whose}${content}`, look)
}

/**
 * The provider has to confirm the new time on request channels, and if the booking itself is still a request.
 */
async function asksForRequest(service: Service, { booking }: Page): Promise<boolean> {
  if (booking.state === 'REQUESTED') return true
  const channelKey = readChannelKey(booking.channelKey)
  const { about } = await publicAnswers(service, { ref: [booking.resourceUuid], channelKey })
  return about.places[0]?.channel.bookingProcess === 'REQUESTED'
}

type Slot = {
  value: string
  start: number
  end: number
  timeslot: string
  appointment: string
  product: string
}

/** Parses the value of a button in the list. */
function readSlot(value: unknown): Slot | null {
  if (typeof value !== 'string') return null
  const [start, end, timeslot = '', appointment = '', product = ''] = value.split(' ')
  const times = { start: Number(start), end: Number(end) }
  const isTime = times.start > 0 && times.end > times.start && times.end < 8e15
  return isTime ? { value, ...times, timeslot, appointment, product } : null
}

const instant = (ms: number) => new Date(ms).toISOString()

/** The time zone of all times on this page. */
const zoneOf = (booking: Booking) => zoneOfConsumer({ timeZone: booking.timeZone, ...timeOf(booking) })

const tokenOf = ({ request, staff }: Page) => ({
  'x-signed-app-customer': request.params.token,
  ...actingHeader(staff),
})

const apiOf = (app: FastifyInstance, page: Page) => consumerApi(app, page.request, tokenOf(page))

/** Holds the place while the visitor confirms. */
async function ask(app: FastifyInstance, service: Service, page: Page, slot: Slot) {
  const { booking } = page
  const held = await apiOf(app, page)<{ participation: Participation }>(
    'POST',
    `/rest/1/resources/${booking.resourceUuid}/reserve_appointment`,
    { channelKey: booking.channelKey ?? undefined },
    {
      timeslot_uuid: slot.timeslot,
      ...(slot.appointment ? { appointment_uuid: slot.appointment } : {}),
      product_uuid: slot.product || booking.productUuid,
      from: instant(slot.start),
      to: instant(slot.end),
    },
  )
  if (held.status !== 200) return refuse(service, page, held.status)
  const { customer_uuid, expiresAt } = held.body.participation
  const until = Date.parse(expiresAt)
  if (typedIn(page.request.body).length > 0)
    return sendQuestion(service, page, slot, customer_uuid, { until })
  const query = new URLSearchParams({
    slot: slot.value,
    held: customer_uuid,
    until: String(until),
  })
  return page.reply.redirect(`${page.address}?${query}`, 303)
}

/** The times again, with the reason at the top. */
function refuse(service: Service, page: Page, status: number) {
  const notice = status === 429 ? 'busy' : 'taken'
  if (typedIn(page.request.body).length === 0)
    return page.reply.redirect(`${page.address}?notice=${notice}`, 303)
  const { texts, pageTexts } = page.words
  const text = texts[notice === 'busy' ? 'tooMany' : 'timeTaken']
  return sendTimes(service, page, status, lost(`${text} ${pageTexts.detailsKept}`))
}

/** What the booking has no answer to, in the language of the page. */
function formOf({ booking, moveRequest, words }: Page): FormQuestion[] {
  const current = moveRequest ?? booking
  const asked = additionalQuestions(consumerForm(current), current, null)
  return asked.map(one => inLanguage(one, words.language, booking.providerLanguage))
}

type QuestionView = { until?: number; errors?: Map<string, string> }

/** Whether to move here, with the questions that have no answer yet. */
async function sendQuestion(
  service: Service,
  page: Page,
  { value, start, end }: Slot,
  held: string,
  { until = 0, errors = new Map() }: QuestionView,
) {
  const { request, reply, booking, moveRequest, words, address } = page
  const isRequest = await asksForRequest(service, page)
  const { language } = words
  const texts = pageTexts[language]
  const moved = { ...booking, startAt: start, endAt: end }
  const old = (moveRequest ?? booking).startAt
  const form = formOf(page)
  const given = readAnswers(form, request.body)
  const other =
    form.length > 0
      ? html`<button class="link" name="back" value="1">${texts.chooseAnotherTime}</button>`
      : html`<a href="${address}">${texts.chooseAnotherTime}</a>`
  const content = html`${currentPlaces(page, language)}
<h2>${texts.moveTo}</h2>${bookingSummary(moved, language)}
${until > 0 && html`<p>${words.pageTexts.heldUntil(words.format.time(until, zoneOf(booking)))}</p>`}
${isRequest && html`<p class="hint">${confirmationHint(words, { name: booking.providerName, emails: emailDelivery(service, booking.crm) })}</p>`}
<form method="post" action="${address}" novalidate><input type="hidden" name="slot" value="${value}">
<input type="hidden" name="old" value="${String(old)}"><input type="hidden" name="held" value="${held}">
${errors.size > 0 && errorSummary(answersTexts[language].check, summaryOf(form, errors))}
${questionFields({ form, given, errors, language }, words.texts.optional)}
<p class="row"><button>${isRequest ? moveTexts[language].requestButton : texts.moveButton}</button> ${other}</p></form>`
  const options = { ...lookOf(booking), isKept: form.length > 0 }
  return sendPage(reply, errors.size > 0 ? 400 : 200, language, texts.moveTitle, content, options)
}

async function move(app: FastifyInstance, service: Service, page: Page, slot: Slot) {
  const { request, booking } = page
  const form = formOf(page)
  const path = `/resources/${booking.resourceUuid}/move_appointment`
  const body = {
    timeslot_uuid: slot.appointment || slot.timeslot,
    product_uuid: slot.product || booking.productUuid,
    start: instant(slot.start),
    end: instant(slot.end),
    placeholder_id: readHeld(request.body?.held),
    old_start: readOld(request.body?.old),
    answers: form.length > 0 ? readAnswers(form, request.body) : undefined,
    locale: page.words.language,
  }
  const done = await apiOf(app, page)<{ createdAppointment: Created } & AnswerRefusals>(
    'POST',
    path,
    {},
    body,
  )
  if (done.status === 409) return sendChanged(service, page)
  const errors = answerErrorsOf(form, done.body)
  if (done.status === 400 && errors.size > 0)
    return sendQuestion(service, page, slot, String(request.body?.held), { errors })
  if (done.status !== 200) return refuse(service, page, done.status)
  // Redirects, so that a reload or the back button does not move again.
  const { pathname } = new URL(done.body.createdAppointment.confirmationLink)
  const { startAt, endAt } = booking
  return page.reply.redirect(`${pathname}?was=${startAt}-${endAt}`, 303)
}

/**
 * The booking was changed in the meantime, by the same link or by the provider: shows its current state with
 * a notice.
 */
async function sendChanged(service: Service, { request, reply, words }: Page) {
  const page = await openPage(service, request, reply)
  return page ? sendTimes(service, page, 409, lost(pageTexts[words.language].sinceRescheduled)) : reply
}

const lost = (text: string) => html`<p class="bad" role="alert"><strong>${text}</strong></p>`

const readHeld = (value: unknown) => (typeof value === 'string' && isUuid(value) ? value : null)

/** Sent by our form; a link from elsewhere may lack it. */
const readOld = (value: unknown) =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? new Date(Number(value)).toISOString() : null

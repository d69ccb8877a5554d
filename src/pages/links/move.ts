import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Created, Participation } from '../../../web/shared/api-types.ts'
import { bookingOfToken, bookingToChange } from '../../actions/booking/consumer-cancel.ts'
import { type Booking, findBookingsByUuid, requestBeside } from '../../db/booking/bookings.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { timeOf } from '../../mail/booking-data.ts'
import { zoneOfConsumer } from '../../mail/both-times.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { loadBookData } from '../book/data.ts'
import { slotForm } from '../book/slots.ts'
import { type Words, wordsIn } from '../book/texts.ts'
import { consumerApi, lookingApi } from '../consumer-api.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { bookAgain, bookingLinks, whyOver } from './booking-links.ts'
import { bookingSummary, lookOf } from './booking-summary.ts'
import { isTooLate, sendTooLate, untilWhen } from './too-late.ts'
import { sendInvalid } from './verify.ts'

type Request = FastifyRequest<{
  Params: { token: string }
  Querystring: { date?: unknown }
  Body: Partial<Record<'slot' | 'old' | 'held', unknown>> | undefined
}>

type Page = {
  request: Request
  reply: FastifyReply
  booking: Booking
  /** What they have asked for instead, while the provider has not answered. */
  asked: Booking | null
  words: Words
  address: string
}

/**
 * Where the move link leads. GET and HEAD only show the times. POST holds the chosen one and asks; POST with what was held
 * moves. A client of the consumer API like the booking page, which the booking itself does not stand in the way of.
 */
export function addMovePage(app: FastifyInstance, service: Service) {
  app.get('/move/:token', async (request: Request, reply) => {
    const page = await openPage(service, request, reply)
    return page ? sendTimes(app, page) : reply
  })

  app.post('/move/:token', async (request: Request, reply) => {
    const page = await openPage(service, request, reply)
    if (!page) return reply
    const slot = readSlot(request.body?.slot)
    if (!slot) return sendTimes(app, page)
    return request.body?.held === undefined ? ask(app, page, slot) : move(app, service, page, slot)
  })
}

/** Null where there is nothing to move: then the page that says so has been sent. */
async function openPage(service: Service, request: Request, reply: FastifyReply): Promise<Page | null> {
  const { token } = request.params
  const booking = await bookingToChange(service, token, 'move')
  if (!booking) await sendOver(service, request, reply)
  else if (isTooLate(booking)) await sendTooLate(reply, booking)
  else {
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const words = wordsIn(language, booking.locale ?? request.headers['accept-language'])
    const asked = await requestBeside(service.db, booking)
    return { request, reply, booking, asked, words, address: `/move/${encodeURIComponent(token)}` }
  }
  return null
}

/** When it is now, and what they have asked for instead. */
const standingOf = ({ booking, asked }: Page, language: Language) => html`
<h2>${pageTexts[language].moveFrom}</h2>${bookingSummary(booking, language)}
${asked && html`<h2>${pageTexts[language].askedTitle}</h2>${bookingSummary(asked, language)}`}`

/** A link of ours whose time has passed is 410; anything else is not a link of ours: 404. */
async function sendOver(service: Service, request: Request, reply: FastifyReply) {
  const booking = await bookingOfToken(service, request.params.token, 'move')
  if (!booking) return sendInvalid(service, request, reply)
  const language = pickLanguage(booking.language, booking.providerLanguage)
  const { moveOverTitle } = pageTexts[language]
  const content = html`<p>${whyOver(booking, language)}</p>${bookingSummary(booking, language)}${bookAgain(booking, language)}`
  return sendPage(reply, 410, language, moveOverTitle, content, lookOf(booking))
}

const send = ({ reply, booking, words }: Page, status: number, title: string, content: Html) =>
  sendPage(reply, status, words.language, title, content, lookOf(booking))

/** The old time, and the times on offer for the same thing at the same place. */
async function sendTimes(app: FastifyInstance, page: Page, status = 200, notice: Html | null = null) {
  const { request, booking, words, address } = page
  const texts = pageTexts[words.language]
  const date = typeof request.query.date === 'string' ? request.query.date : undefined
  const channelKey = booking.channelKey ?? undefined
  const wish = { channelKey, product: booking.productUuid, date }
  const data = await loadBookData(lookingApi(app, request, tokenOf(page)), [booking.resourceUuid], wish)
  // What they have is a choice only while they have asked for something else.
  const { startAt } = page.asked ?? booking
  const others = data?.bookables.filter(one => Date.parse(one.start) !== startAt) ?? []
  const on = (day: string | undefined) => (day ? `${address}?date=${day}` : address)
  // As they see the time that they have.
  const zone = zoneOf(booking)
  const times =
    data?.product && !data.isClosed
      ? slotForm({ ...data, bookables: others, zone }, words, { action: address, on })
      : html`<p>${words.texts.nothingFree}</p>`
  const content = html`${notice}${standingOf(page, words.language)}
<p class="soft">${texts.moveKeeps}</p>${untilWhen(booking, words.language)}
<h2>${texts.moveQuestion}</h2>${times}`
  return send(page, status, texts.moveTitle, content)
}

type Slot = {
  value: string
  start: number
  end: number
  timeslot: string
  appointment: string
  product: string
}

/** As the buttons of the list say it. */
function readSlot(value: unknown): Slot | null {
  if (typeof value !== 'string') return null
  const [start, end, timeslot = '', appointment = '', product = ''] = value.split(' ')
  const times = { start: Number(start), end: Number(end) }
  const isTime = times.start > 0 && times.end > times.start && times.end < 8e15
  return isTime ? { value, ...times, timeslot, appointment, product } : null
}

const instant = (ms: number) => new Date(ms).toISOString()

/** In which they see all times here. */
const zoneOf = (booking: Booking) => zoneOfConsumer({ timeZone: booking.timeZone, ...timeOf(booking) })

const tokenOf = ({ request }: Page) => ({ 'x-signed-app-customer': request.params.token })

const apiOf = (app: FastifyInstance, page: Page) => consumerApi(app, page.request, tokenOf(page))

/** Holds the place while they decide. */
async function ask(app: FastifyInstance, page: Page, slot: Slot) {
  const { booking, words } = page
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
  if (held.status !== 200) return sendTimes(app, page, held.status, lost(whyNot(held.status, words)))
  return sendQuestion(page, slot, held.body.participation)
}

const whyNot = (status: number, { texts }: Words) => (status === 429 ? texts.busy : texts.lost)

function sendQuestion(page: Page, { value, start, end }: Slot, held: Participation) {
  const { booking, asked, words, address } = page
  const { language } = words
  const texts = pageTexts[language]
  const moved = { ...booking, startAt: start, endAt: end }
  const old = (asked ?? booking).startAt
  const content = html`${standingOf(page, language)}
<h2>${texts.moveTo}</h2>${bookingSummary(moved, language)}
<p>${words.more.heldUntil(words.format.time(Date.parse(held.expiresAt), zoneOf(booking)))}</p>
<form method="post" action="${address}"><input type="hidden" name="slot" value="${value}">
<input type="hidden" name="old" value="${String(old)}"><input type="hidden" name="held" value="${held.customer_uuid}">
<p class="row"><button>${texts.moveButton}</button> <a href="${address}">${texts.moveOther}</a></p></form>`
  return send(page, 200, texts.moveTitle, content)
}

async function move(app: FastifyInstance, service: Service, page: Page, slot: Slot) {
  const { request, booking, words } = page
  const { language } = words
  const path = `/resources/${booking.resourceUuid}/move_appointment`
  const body = {
    timeslot_uuid: slot.appointment || slot.timeslot,
    product_uuid: slot.product || booking.productUuid,
    start: instant(slot.start),
    end: instant(slot.end),
    placeholder_id: readHeld(request.body?.held),
    old_start: readOld(request.body?.old),
  }
  const done = await apiOf(app, page)<{ createdAppointment: Created }>('POST', path, {}, body)
  if (done.status === 409) return sendChanged(app, service, page)
  if (done.status !== 200) return sendTimes(app, page, done.status, lost(whyNot(done.status, words)))
  const texts = pageTexts[language]
  const [now] = await findBookingsByUuid(service.db, booking.participationUuid)
  const isDone = done.body.createdAppointment.state === 'BOOKED'
  const shown = { ...booking, startAt: slot.start, endAt: slot.end }
  const content = html`<p>${isDone ? texts.moved : texts.asked}</p>${bookingSummary(shown, language)}${now && bookingLinks(service, now, language)}`
  return send(page, 200, isDone ? texts.movedTitle : texts.askedTitle, content)
}

/** Somebody else with the same link, or the provider, was faster: as it is now, with a word on top. */
async function sendChanged(app: FastifyInstance, service: Service, { request, reply, words }: Page) {
  const page = await openPage(service, request, reply)
  return page ? sendTimes(app, page, 409, lost(pageTexts[words.language].moveChanged)) : reply
}

const lost = (text: string) => html`<p class="bad" role="alert"><strong>${text}</strong></p>`

const readHeld = (value: unknown) => (typeof value === 'string' && isUuid(value) ? value : null)

/** As the form says it; a link from elsewhere need not. */
const readOld = (value: unknown) =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? new Date(Number(value)).toISOString() : null

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmation, type Fact } from '../../../web/shared/confirmation.ts'
import { noEmails, noEmailTexts } from '../../../web/shared/email-texts.ts'
import { check, type FieldErrors, limits, noFields } from '../../../web/shared/fields.ts'
import type { Texts } from '../../../web/shared/texts/index.ts'
import { mayCorrect } from '../../actions/booking/correct-email.ts'
import {
  type Booking,
  findBookingsById,
  findBookingsByUuid,
  requestBeside,
} from '../../db/booking/bookings.ts'
import { actingHeader, actingStaff } from '../../http/wire/callers/acting-staff.ts'
import { consumerApi } from '../../http/wire/consumer-api.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { clockNow } from '../../lib/clock.ts'
import { element, type Html, html } from '../../lib/html.ts'
import { answersLink, confirmationLink, shortCancelLink } from '../../links.ts'
import { bookingData } from '../../messages/booking-data.ts'
import { calendarPart } from '../../messages/email/ics.ts'
import { textsIn } from '../../messages/texts/index.ts'
import { emailDelivery } from '../../rules/messages/email-delivery.ts'
import { formatAddress } from '../../rules/people/addresses.ts'
import { maskEmail } from '../../rules/people/contacts.ts'
import type { Service } from '../../service.ts'
import { answersTexts } from '../answers-texts.ts'
import { wordsIn } from '../book/texts.ts'
import { headingOf, sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { bookingLinks, calendarOf, statusOf } from './booking-links.ts'
import { bookingSummary, factsOf, lookOf } from './booking-summary.ts'
import { type CalendarEntry, onlineCalendars } from './calendar-links.ts'
import { sendInvalid } from './invalid.ts'
import { moveTexts } from './move-texts.ts'

type Request = FastifyRequest<{
  Params: { token: string }
  Querystring: { was?: unknown; withdrawn?: unknown; cancelled?: unknown; changed?: unknown }
}>

/**
 * The confirmation, at an address that can be reloaded, bookmarked and printed. It always shows the current
 * state.
 */
export function addConfirmationPage(app: FastifyInstance, service: Service) {
  app.get('/booked/:token', async (request: Request, reply) => show(service, request, reply))

  app.get('/booked.js', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('text/javascript; charset=utf-8').send(script),
  )

  /** Without JavaScript only; the widget calls the API. */
  app.post('/booked/:token/email', async (request: Request, reply) => {
    const { token } = request.params
    const email = String((request.body as { email?: unknown } | undefined)?.email ?? '').trim()
    const wrong = check({ ...noFields, email }).email
    if (wrong) return show(service, request, reply, { status: 400, text: wrong })
    const booking = await bookingOf(service, token)
    const staff = booking && (await actingStaff(service, request, booking))
    const headers = { 'x-signed-app-customer': token, ...actingHeader(staff) }
    const { status } = await consumerApi(app, request, headers)('POST', '/bookings/email', {}, { email })
    if (status === 200) return reply.redirect(`/booked/${token}`, 303)
    const text = { 400: 'invalidEmail', 412: 'alreadyBooked', 429: 'tooMany' } as const
    return show(service, request, reply, { status, text: text[status as 400] ?? 'addressFinal' })
  })

  app.get('/booked/:token/appointment.ics', async (request: Request, reply) => {
    const booking = await bookingOf(service, request.params.token)
    if (!booking || statusOf(booking) !== 'confirmed') return sendInvalid(service, request, reply)
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const entry = calendarPart('REQUEST', language, bookingData(service, booking, null, clockNow()))
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="appointment.ics"')
      .type('text/calendar; charset=utf-8')
      .send(entry)
  })

  for (const [name, linkTo] of Object.entries(onlineCalendars))
    app.get(`/booked/:token/${name}`, async (request: Request, reply) => {
      const booking = await bookingOf(service, request.params.token)
      if (!booking || statusOf(booking) !== 'confirmed') return sendInvalid(service, request, reply)
      return reply.header('cache-control', 'no-store').redirect(linkTo(entryOf(service, booking)))
    })
}

function entryOf(service: Service, booking: Booking): CalendarEntry {
  const { texts } = wordsIn(pickLanguage(booking.language, booking.providerLanguage), undefined)
  return {
    start: booking.startAt,
    end: booking.endAt,
    title: `${booking.productName}, ${booking.providerName}`,
    place: formatAddress(booking.appointmentAddress as Parameters<typeof formatAddress>[0]) ?? '',
    details: `${texts.cancelBooking}${texts.colon} ${shortCancelLink(service, booking)}`,
  }
}

/**
 * The widget pushes this address into the history of its own page. Going back from here must load that page
 * again.
 */
const script = `addEventListener('popstate', () => location.reload())
document.querySelector('input[readonly]')?.addEventListener('focus', event => event.target.select())
`

type Trouble = {
  status: number
  text: 'addressFinal' | 'alreadyBooked' | 'tooMany' | NonNullable<FieldErrors['email']>
}

async function show(service: Service, request: Request, reply: FastifyReply, trouble?: Trouble) {
  const { token } = request.params
  const booking = await bookingOf(service, token)
  if (!booking) return sendInvalid(service, request, reply)
  const language = pickLanguage(booking.language, booking.providerLanguage)
  const { texts } = wordsIn(language, undefined)
  const status = statusOf(booking)
  const message = await saidOf(service, request, booking, language)
  const unsent = status === 'cancelled' ? null : noEmails(language, emailDelivery(service, booking.crm))
  const correction = !unsent && (await mayCorrect(service, booking)) && correctionForm(token, texts, trouble)
  const refused = !correction && trouble && html`<p class="bad" role="alert">${texts[trouble.text]}</p>`
  const { heading, standing } = message
  const isOver = status === 'cancelled'
  const said = confirmation(element, {
    status: statusOf(standing),
    heading: headingOf(heading),
    hint: unsent ? [message.stands, unsent].filter(Boolean).join(' ') : message.hint,
    contact: [unsent && linkToKeep(confirmationLink(service, booking), language), correction || refused],
    facts: message.facts,
    notes: [message.more, !isOver && hints(booking), !isOver && missingAnswers(service, booking, language)],
    calendar: calendarOf(service, standing, language),
    actions: bookingLinks(service, standing, language),
  })
  return sendPage(reply, trouble?.status ?? 200, language, heading, html`<div class="done">${said}</div>`, {
    ...lookOf(booking),
    isBare: true,
    // Only the widget pushes the address without a query into its history.
    scripts: Object.keys(request.query).length === 0 ? ['/booked.js'] : [],
  })
}

type SaidOf = {
  heading: string
  hint: string
  /** Said instead of the hint if no email is sent. */
  stands?: string
  facts: Fact<Html>[]
  more?: Html | null
  standing: Booking
}

/** A booking, a request, or a request to move a booking, which stays until it is answered. */
async function saidOf(
  service: Service,
  { query }: Request,
  booking: Booking,
  language: Language,
): Promise<SaidOf> {
  const { texts } = wordsIn(language, undefined)
  const page = pageTexts[language]
  const move = moveTexts[language]
  const email = maskEmail(booking.email)
  const facts = (before?: readonly [label: string, Booking]) =>
    factsOf(booking, language, 'consumer', statusOf(booking) !== 'cancelled', before)
  const was = readWas(query.was)
  const standing = booking
  switch (statusOf(booking)) {
    case 'requested': {
      const { kept } = booking
      if (!kept)
        return {
          heading: texts.requested,
          hint: texts.requestedHint(email),
          stands: noEmailTexts[language].notConfirmed,
          facts: facts(),
          standing,
        }
      return {
        heading: move.sentTitle,
        hint: page.moveRequested,
        stands: `${noEmailTexts[language].notConfirmed} ${move.unchanged}`,
        facts: facts([page.moveNow, at(booking, kept)]),
        standing,
      }
    }
    case 'confirmed': {
      if (was)
        return {
          heading: page.movedTitle,
          hint: page.moved,
          facts: facts([page.moveFrom, at(booking, was)]),
          standing,
        }
      const moveRequest = await requestBeside(service.db, booking)
      return {
        // Some of several places were cancelled.
        heading: query.changed ? textsIn(language).mails.changed.heading : texts.confirmed,
        hint: texts.confirmedHint(email),
        facts: facts(),
        more:
          moveRequest && html`<h2>${page.moveRequestedTitle}</h2>${bookingSummary(moveRequest, language)}`,
        standing,
      }
    }
    default: {
      const kept = await keptBeside(service, booking)
      if (kept) {
        const heading = query.withdrawn ? move.withdrawnTitle : move.notMovedTitle
        return { heading, hint: move.unchanged, facts: factsOf(kept, language), standing: kept }
      }
      if (query.cancelled)
        return {
          heading: page.cancelledTitle,
          hint: page.cancelled(booking.providerName),
          facts: facts(),
          standing,
        }
      const heading = query.withdrawn ? texts.withdrawn : texts.cancelled
      return { heading, hint: texts.cancelledHint, facts: facts(), standing }
    }
  }
}

const at = (booking: Booking, { start, end }: { start: number; end: number }): Booking => ({
  ...booking,
  startAt: start,
  endAt: end,
})

/** The booking that a refused or withdrawn request to move has left unchanged. */
async function keptBeside({ db }: Service, { replaces }: Booking): Promise<Booking | null> {
  const [kept] = replaces === null ? [] : await findBookingsById(db, [replaces])
  return kept?.state === 'BOOKED' ? kept : null
}

/** The time before a move, from the query of our own redirect. */
function readWas(value: unknown): { start: number; end: number } | null {
  const [_match, start, end] = typeof value === 'string' ? (/^(\d{1,14})-(\d{1,14})$/.exec(value) ?? []) : []
  return start && end ? { start: Number(start), end: Number(end) } : null
}

/** For visitors who get no email. It is also the address of the page. */
const linkToKeep = (link: string, language: Language): Html =>
  html`<p><input readonly value="${link}" aria-label="${noEmailTexts[language].bookingLink}"></p>`

/** Collapsed, since few visitors need it. */
function correctionForm(token: string, texts: Texts, trouble: Trouble | undefined): Html {
  const wrong = trouble && html` aria-invalid="true" aria-describedby="email-error"`
  return html`<details${trouble && html` open`}><summary>${texts.wrongAddress}</summary>
<form method="post" action="/booked/${encodeURIComponent(token)}/email" novalidate>
<p><label for="email">${texts.email}</label><input id="email" name="email" type="email" autocomplete="email" maxlength="${limits.email}" required${wrong}>
${trouble && html`<span class="bad" id="email-error">${texts[trouble.text]}</span>`}</p>
<p><button>${texts.sendAgain}</button></p></form></details>`
}

async function bookingOf({ signer, db, suspensions }: Service, token: string): Promise<Booking | null> {
  const uuid = signer.open('booked', token)
  const [booking] = uuid ? await findBookingsByUuid(db, uuid) : []
  suspensions.refuseProvider(booking?.providerId)
  return booking ?? null
}

/** The way to the questions that were not answered when booking. */
function missingAnswers(service: Service, booking: Booking, language: Language): Html | false {
  if (!booking.answersMissing || !booking.isToCome) return false
  const texts = answersTexts[language]
  return html`<p class="hint">${texts.missing} <a href="${answersLink(service, booking)}">${textsIn(language).buttons.answers}</a></p>`
}

/** What to bring, and other notes of the Product. */
function hints({ appointmentDescription, productDescription }: Booking): Html | false {
  const text = appointmentDescription ?? productDescription
  return text ? html`<p class="typed">${text}</p>` : false
}

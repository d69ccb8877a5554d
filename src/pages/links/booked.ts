import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { moveLink, shortCancelLink } from '../../links.ts'
import { bookingData } from '../../mail/booking-data.ts'
import { calendarPart } from '../../mail/ics.ts'
import { maskEmail } from '../../rules/masks.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { bookingSummary, lookOf } from './booking-summary.ts'
import { isTooLate, untilWhen } from './too-late.ts'
import { sendInvalid } from './verify.ts'

type Request = FastifyRequest<{ Params: { token: string } }>

/** The confirmation, at an address that can be loaded again, kept and printed. It shows what is so now. */
export function addConfirmationPage(app: FastifyInstance, service: Service) {
  app.get('/booked/:token', async (request: Request, reply) => {
    const booking = await bookingOf(service, request.params.token)
    if (!booking) return sendInvalid(service, request, reply)
    const language = pickLanguage(booking.language, booking.provider_language)
    const { texts } = wordsIn(language, undefined)
    const status = statusOf(booking)
    const hint = {
      confirmed: texts.confirmedHint(maskEmail(booking.email)),
      requested: texts.requestedHint(maskEmail(booking.email)),
      cancelled: texts.cancelledHint,
    }[status]
    const content = html`<p>${hint}</p>${bookingSummary(booking, language)}
${status !== 'cancelled' && hints(booking)}${links(service, booking, request.params.token, status, language)}`
    return sendPage(reply, 200, language, texts[status], content, lookOf(booking))
  })

  app.get('/booked/:token/appointment.ics', async (request: Request, reply) => {
    const booking = await bookingOf(service, request.params.token)
    if (!booking || statusOf(booking) !== 'confirmed') return sendInvalid(service, request, reply)
    const language = pickLanguage(booking.language, booking.provider_language)
    const entry = calendarPart('REQUEST', language, bookingData(service, booking, null, Date.now()))
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="appointment.ics"')
      .type('text/calendar; charset=utf-8')
      .send(entry)
  })
}

async function bookingOf({ signer, db }: Service, token: string): Promise<Booking | null> {
  const uuid = signer.open('booked', token)
  const [booking] = uuid ? await findBookingsByUuid(db, uuid) : []
  return booking ?? null
}

function statusOf({ state }: Booking) {
  if (state === 'REQUESTED') return 'requested'
  return state === 'BOOKED' ? 'confirmed' : 'cancelled'
}

/** What to bring, and whatever else the Product says. */
function hints({ appointment_description, product_description }: Booking): Html | false {
  const text = appointment_description ?? product_description
  return text ? html`<p class="typed">${text}</p>` : false
}

function links(
  service: Service,
  booking: Booking,
  token: string,
  status: ReturnType<typeof statusOf>,
  language: Language,
): Html {
  const { texts } = wordsIn(language, undefined)
  const again = html`<a href="/book/${booking.resource_uuid}">${texts.bookAnother}</a>`
  if (status === 'cancelled' || !booking.is_to_come) return html`<p class="row links">${again}</p>`
  return html`<p class="row links">${status === 'confirmed' && html`<a class="button" href="/booked/${token}/appointment.ics">${texts.addToCalendar}</a>`}
${!isTooLate(booking) && html`<a href="${moveLink(service, booking)}">${pageTexts[language].moveTitle}</a> <a href="${shortCancelLink(service, booking)}">${texts.cancelBooking}</a> `}${again}</p>${untilWhen(booking, language)}`
}

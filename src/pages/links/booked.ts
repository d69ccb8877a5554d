import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { check, type FieldErrors, limits, noFields } from '../../../web/shared/fields.ts'
import type { Texts } from '../../../web/shared/texts/index.ts'
import { mayCorrect } from '../../actions/booking/correct-email.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { pickLanguage } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { bookingData } from '../../mail/booking-data.ts'
import { calendarPart } from '../../mail/ics.ts'
import { maskEmail } from '../../rules/people/masks.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { consumerApi } from '../consumer-api.ts'
import { sendPage } from '../layout.ts'
import { bookingLinks, statusOf } from './booking-links.ts'
import { bookingSummary, lookOf } from './booking-summary.ts'
import { sendInvalid } from './verify.ts'

type Request = FastifyRequest<{ Params: { token: string } }>

/** The confirmation, at an address that can be loaded again, kept and printed. It shows what is so now. */
export function addConfirmationPage(app: FastifyInstance, service: Service) {
  app.get('/booked/:token', async (request: Request, reply) => show(service, request, reply))

  /** Without JavaScript; the widget asks the API itself. */
  app.post('/booked/:token/email', async (request: Request, reply) => {
    const { token } = request.params
    const email = String((request.body as { email?: unknown } | undefined)?.email ?? '').trim()
    const wrong = check({ ...noFields, email }).email
    if (wrong) return show(service, request, reply, { status: 400, text: wrong })
    const headers = { 'x-signed-app-customer': token }
    const { status } = await consumerApi(app, request, headers)('POST', '/bookings/email', {}, { email })
    if (status === 200) return reply.redirect(`/booked/${token}`, 303)
    const text = { 400: 'invalidEmail', 412: 'twice', 429: 'busy' } as const
    return show(service, request, reply, { status, text: text[status as 400] ?? 'addressStays' })
  })

  app.get('/booked/:token/appointment.ics', async (request: Request, reply) => {
    const booking = await bookingOf(service, request.params.token)
    if (!booking || statusOf(booking) !== 'confirmed') return sendInvalid(service, request, reply)
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const entry = calendarPart('REQUEST', language, bookingData(service, booking, null, Date.now()))
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="appointment.ics"')
      .type('text/calendar; charset=utf-8')
      .send(entry)
  })
}

type Trouble = { status: number; text: 'addressStays' | 'twice' | 'busy' | NonNullable<FieldErrors['email']> }

async function show(service: Service, request: Request, reply: FastifyReply, trouble?: Trouble) {
  const { token } = request.params
  const booking = await bookingOf(service, token)
  if (!booking) return sendInvalid(service, request, reply)
  const language = pickLanguage(booking.language, booking.providerLanguage)
  const { texts } = wordsIn(language, undefined)
  const status = statusOf(booking)
  const hint = {
    confirmed: texts.confirmedHint(maskEmail(booking.email)),
    requested: texts.requestedHint(maskEmail(booking.email)),
    cancelled: texts.cancelledHint,
  }[status]
  const correction = (await mayCorrect(service, booking)) && correctionForm(token, texts, trouble)
  const refused = !correction && trouble && html`<p class="bad" role="alert">${texts[trouble.text]}</p>`
  const content = html`<p>${hint}</p>${correction || refused}${bookingSummary(booking, language)}
${status !== 'cancelled' && hints(booking)}${bookingLinks(service, booking, language)}`
  return sendPage(reply, trouble?.status ?? 200, language, texts[status], content, lookOf(booking))
}

/** Behind a word, since hardly anybody needs it. */
function correctionForm(token: string, texts: Texts, trouble: Trouble | undefined): Html {
  const wrong = trouble && html` aria-invalid="true" aria-describedby="email-error"`
  return html`<details${trouble && html` open`}><summary>${texts.wrongAddress}</summary>
<form method="post" action="/booked/${encodeURIComponent(token)}/email" novalidate>
<p><label for="email">${texts.email}</label><input id="email" name="email" type="email" autocomplete="email" maxlength="${limits.email}" required${wrong}>
${trouble && html`<span class="bad" id="email-error">${texts[trouble.text]}</span>`}</p>
<p><button>${texts.sendAgain}</button></p></form></details>`
}

async function bookingOf({ signer, db }: Service, token: string): Promise<Booking | null> {
  const uuid = signer.open('booked', token)
  const [booking] = uuid ? await findBookingsByUuid(db, uuid) : []
  return booking ?? null
}

/** What to bring, and whatever else the Product says. */
function hints({ appointmentDescription, productDescription }: Booking): Html | false {
  const text = appointmentDescription ?? productDescription
  return text ? html`<p class="typed">${text}</p>` : false
}

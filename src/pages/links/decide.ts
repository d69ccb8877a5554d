import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { updateParticipation } from '../../actions/scheduling/participations.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { findProviderByUuid } from '../../db/setup/providers.ts'
import { Refusal } from '../../errors.ts'
import { html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { bookingSummary, lookOf } from './booking-summary.ts'
import { typedText } from './typed.ts'
import { sendInvalid } from './verify.ts'

type Request = FastifyRequest<{ Params: { token: string }; Body: { message?: string } | undefined }>

const answers = {
  accept: {
    state: 'BOOKED',
    other: 'decline',
    look: null,
    title: 'acceptTitle',
    question: 'acceptQuestion',
    button: 'acceptButton',
    doneTitle: 'acceptedTitle',
    done: 'accepted',
  },
  decline: {
    state: 'CANCELED',
    other: 'accept',
    look: 'bad',
    title: 'declineTitle',
    question: 'declineQuestion',
    button: 'declineButton',
    doneTitle: 'declinedTitle',
    done: 'declined',
  },
} as const

/** The links of the request mail: GET shows, POST accepts or declines. */
export function addDecisionPages(app: FastifyInstance, service: Service) {
  for (const answer of ['accept', 'decline'] as const) addDecisionPage(app, service, answer)
}

function addDecisionPage(app: FastifyInstance, service: Service, answer: keyof typeof answers) {
  const { state, other, look, title, question, button, doneTitle, done } = answers[answer]

  app.get(`/${answer}/:token`, async (request: Request, reply) => {
    const { token } = request.params
    const booking = await requestOf(service, token)
    if (!booking) return sendInvalid(service, request, reply)
    const language = booking.providerLanguage
    const texts = pageTexts[language]
    if (booking.state !== 'REQUESTED') return sendDecided(reply, booking)
    const content = html`<p>${texts[question]}</p>${bookingSummary(booking, language, 'provider')}
      <p>${texts.from}: ${booking.name}</p>${booking.note && html`<p class="typed">${booking.note}</p>`}
      <form method="post">
        <p><label for="message">${texts.messageLabel}</label><textarea id="message" name="message" rows="3" maxlength="1024"></textarea></p>
        <div class="row"><button${look && html` class="${look}"`}>${texts[button]}</button> <a href="../${other}/${token}">${texts[answers[other].title]}</a></div>
      </form>`
    return sendPage(reply, 200, language, texts[title], content, lookOf(booking))
  })

  app.post(`/${answer}/:token`, async (request: Request, reply) => {
    const booking = await requestOf(service, request.params.token)
    if (!booking) return sendInvalid(service, request, reply)
    const language = booking.providerLanguage
    const texts = pageTexts[language]
    const message = typedText(request.body?.message)
    const decided = booking.state === 'REQUESTED' && (await decide(service, booking, state, message))
    if (!decided) return sendDecided(reply, booking)
    const content = html`<p>${texts[done]}</p>${bookingSummary(booking, language, 'provider')}`
    return sendPage(reply, 200, language, texts[doneTitle], content, lookOf(booking))
  })
}

/** Which request it was, and that nothing is left to do about it. */
function sendDecided(reply: FastifyReply, booking: Booking) {
  const language = booking.providerLanguage
  const { decided, decidedTitle } = pageTexts[language]
  const content = html`<p>${decided}</p>${bookingSummary(booking, language, 'provider')}`
  return sendPage(reply, 410, language, decidedTitle, content, lookOf(booking))
}

async function requestOf({ signer, db }: Service, token: string): Promise<Booking | null> {
  const uuid = signer.open('decide', token)
  if (uuid === null) return null
  const [booking] = await findBookingsByUuid(db, uuid)
  return booking ?? null
}

/** False when somebody else was faster, or the Appointment is gone. */
async function decide(
  service: Service,
  booking: Booking,
  state: 'BOOKED' | 'CANCELED',
  message: string | null,
) {
  const provider = (await findProviderByUuid(service.db, booking.providerUuid))!
  const context = { service, actor: { kind: 'console' as const, name: 'link' }, provider }
  try {
    await updateParticipation(
      context,
      booking.participationReference,
      { state, message, from: 'REQUESTED' },
      { sendMails: true },
    )
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

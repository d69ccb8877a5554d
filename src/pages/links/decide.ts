import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { updateParticipation } from '../../actions/scheduling/participations.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { findProviderByUuid } from '../../db/setup/providers.ts'
import { Refusal } from '../../errors.ts'
import { html } from '../../lib/html.ts'
import { textsIn } from '../../mail/texts/index.ts'
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
      <p>${texts.from}${textsIn(language).colon} ${booking.name}</p>${booking.note && html`<p class="typed">${booking.note}</p>`}
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
    const refusal = booking.state === 'REQUESTED' && (await decide(service, booking, state, message))
    if (refusal === 'conflict') return sendConflict(reply, booking, request.params.token)
    if (refusal !== null)
      return sendDecided(reply, (await requestOf(service, request.params.token)) ?? booking)
    const content = html`<p>${texts[done]}</p>${bookingSummary(booking, language, 'provider')}`
    return sendPage(reply, 200, language, texts[doneTitle], content, lookOf(booking))
  })
}

/** Which request it was, and that nothing is left to do about it. */
function sendDecided(reply: FastifyReply, booking: Booking) {
  const language = booking.providerLanguage
  const { decidedAccepted, decidedDeclined, decidedTitle } = pageTexts[language]
  const decided = booking.state === 'BOOKED' ? decidedAccepted : decidedDeclined
  const content = html`<p>${decided}</p>${bookingSummary(booking, language, 'provider')}`
  return sendPage(reply, 410, language, decidedTitle, content, lookOf(booking))
}

/** It waits for an answer still: what stands in the way, and the other answer. */
function sendConflict(reply: FastifyReply, booking: Booking, token: string) {
  const language = booking.providerLanguage
  const { conflict, conflictTitle, declineTitle } = pageTexts[language]
  const content = html`<p>${conflict}</p>${bookingSummary(booking, language, 'provider')}
    <p class="row"><a href="../decline/${token}">${declineTitle}</a></p>`
  return sendPage(reply, 409, language, conflictTitle, content, lookOf(booking))
}

async function requestOf({ signer, db }: Service, token: string): Promise<Booking | null> {
  const uuid = signer.open('decide', token)
  if (uuid === null) return null
  const [booking] = await findBookingsByUuid(db, uuid)
  return booking ?? null
}

/** Null when it is done; else why not: somebody else was faster, the Appointment is gone, or others are in the way. */
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
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

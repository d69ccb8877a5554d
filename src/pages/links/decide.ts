import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noEmailTexts } from '../../../web/shared/email-texts.ts'
import { updateParticipation } from '../../actions/scheduling/appointments/participations.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { findProviderByUuid } from '../../db/setup/providers.ts'
import { Refusal } from '../../errors.ts'
import { actingStaff } from '../../http/wire/callers/acting-staff.ts'
import type { Language } from '../../languages.ts'
import { typedText } from '../../lib/clean-text.ts'
import { html } from '../../lib/html.ts'
import { textsIn } from '../../messages/texts/index.ts'
import { emailDelivery } from '../../rules/messages/email-delivery.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { bookingSummary, lookOf, summaryWithKept } from './booking-summary.ts'
import { sendUnreadable } from './invalid.ts'
import { moveTexts } from './move-texts.ts'

type Request = FastifyRequest<{
  Params: { token: string }
  Querystring: { done?: unknown }
  Body: { message?: string } | undefined
}>

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

/** Targets of the links in the request email: GET shows the request, POST accepts or declines it. */
export function addDecisionPages(app: FastifyInstance, service: Service) {
  for (const answer of ['accept', 'decline'] as const) addDecisionPage(app, service, answer)
}

function addDecisionPage(app: FastifyInstance, service: Service, answer: keyof typeof answers) {
  const { state, other, look, title, question, button, doneTitle, done } = answers[answer]

  app.get(`/${answer}/:token`, async (request: Request, reply) => {
    const { token } = request.params
    const booking = await requestOf(service, token)
    if (!booking) return sendUnreadable(service, request, reply)
    const language = booking.providerLanguage
    const texts = textsOf(booking, language)
    const emails = emailDelivery(service, booking.crm)
    if (request.query.done && booking.state === state)
      return sendPage(
        reply,
        200,
        language,
        texts[doneTitle],
        html`<p>${emails === 'sent' ? texts[done] : emails === 'demo' ? noEmailTexts[language].emailsDemo : texts.tellCustomer}</p>${summaryWithKept(booking, language, 'provider')}`,
        lookOf(booking),
      )
    if (booking.state !== 'REQUESTED') return sendDecided(reply, booking)
    const content = html`<p>${texts[question]}</p>${summaryWithKept(booking, language, 'provider')}
      <p>${texts.from}${textsIn(language).colon} ${booking.name}</p>${booking.note && html`<p class="typed">${booking.note}</p>`}
      <form method="post">
        <p><label for="message">${texts.messageLabel}</label><textarea id="message" name="message" rows="3" maxlength="1024"></textarea></p>
        <div class="row"><button${look && html` class="${look}"`}>${texts[button]}</button> <a href="../${other}/${token}">${texts[answers[other].title]}</a></div>
      </form>`
    return sendPage(reply, 200, language, texts[title], content, lookOf(booking))
  })

  app.post(`/${answer}/:token`, async (request: Request, reply) => {
    const booking = await requestOf(service, request.params.token)
    if (!booking) return sendUnreadable(service, request, reply)
    const message = typedText(request.body?.message)
    const refusal =
      booking.state === 'REQUESTED' &&
      (await decide(service, await whoDecides(service, request, booking), booking, state, message))
    if (refusal === 'conflict') return sendConflict(reply, booking, request.params.token)
    if (refusal !== null)
      return sendDecided(reply, (await requestOf(service, request.params.token)) ?? booking)
    // Redirects, so that a reload or the back button does not decide again.
    return reply.redirect(`/${answer}/${encodeURIComponent(request.params.token)}?done=1`, 303)
  })
}

/** Requests to move have texts of their own. */
const textsOf = ({ replaces }: Booking, language: Language) =>
  replaces === null ? pageTexts[language] : { ...pageTexts[language], ...moveTexts[language] }

/** Which request it was, and that no action is needed. */
function sendDecided(reply: FastifyReply, booking: Booking) {
  const language = booking.providerLanguage
  const { alreadyAccepted, alreadyDeclined, alreadyAnsweredTitle } = pageTexts[language]
  const decided = booking.state === 'BOOKED' ? alreadyAccepted : alreadyDeclined
  const content = html`<p>${decided}</p>${bookingSummary(booking, language, 'provider')}`
  return sendPage(reply, 410, language, alreadyAnsweredTitle, content, lookOf(booking))
}

/** The request is still open: shows the conflict and offers the other answer. */
function sendConflict(reply: FastifyReply, booking: Booking, token: string) {
  const language = booking.providerLanguage
  const { cannotAccept, cannotAcceptTitle, declineTitle } = pageTexts[language]
  const content = html`<p>${cannotAccept}</p>${bookingSummary(booking, language, 'provider')}
    <p class="row"><a href="../decline/${token}">${declineTitle}</a></p>`
  return sendPage(reply, 409, language, cannotAcceptTitle, content, lookOf(booking))
}

async function requestOf({ signer, db, suspensions }: Service, token: string): Promise<Booking | null> {
  const uuid = signer.open('decide', token)
  if (uuid === null) return null
  const [booking] = await findBookingsByUuid(db, uuid)
  suspensions.refuseProvider(booking?.providerId)
  return booking ?? null
}

/** The console login in this browser, or the holder of the link. */
async function whoDecides(service: Service, request: FastifyRequest, booking: Booking): Promise<Actor> {
  return (await actingStaff(service, request, booking)) ?? { kind: 'console', name: 'link' }
}

/** Null on success, otherwise the reason: already decided, the Appointment is gone, or a conflict. */
async function decide(
  service: Service,
  actor: Actor,
  booking: Booking,
  state: 'BOOKED' | 'CANCELED',
  message: string | null,
) {
  const provider = (await findProviderByUuid(service.db, booking.providerUuid))!
  const context = { service, actor, provider }
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

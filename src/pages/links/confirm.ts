import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  confirmProposal,
  declineProposal,
  isProposed,
  proposalForm,
  proposalOfToken,
} from '../../actions/booking/propose.ts'
import { findBookingsById } from '../../db/booking/bookings.ts'
import type { Held } from '../../db/booking/held.ts'
import { findProviderById } from '../../db/setup/providers.ts'
import { Refusal } from '../../errors.ts'
import { pickLanguage } from '../../languages.ts'
import { html } from '../../lib/html.ts'
import { confirmationLink } from '../../links.ts'
import { checkAnswers } from '../../rules/questions/questions.ts'
import type { Service } from '../../service.ts'
import { answersTexts } from '../answers-texts.ts'
import { wordsIn } from '../book/texts.ts'
import { sendPage } from '../layout.ts'
import {
  errorSummary,
  errorTexts,
  type GivenAnswers,
  questionFields,
  readAnswers,
  summaryOf,
} from '../questions.ts'
import { termsField, untilOf } from '../waiting/offer.ts'
import { waitingPageTexts } from '../waiting/texts.ts'
import { formText } from '../waiting/wish-form.ts'
import { bookingSummary, lookOf } from './booking-summary.ts'
import { confirmTexts } from './confirm-texts.ts'
import { sendInvalid } from './invalid.ts'

type Request = FastifyRequest<{ Params: { token: string }; Body: Record<string, unknown> | undefined }>

/**
 * Target of the link in the email about an agent's proposal. GET and HEAD only show; POST books or releases the time. The person sees
 * everything that the agent entered, corrects the answers, and gives consents and accepts terms themselves.
 */
export function addConfirmPage(app: FastifyInstance, service: Service) {
  app.get('/confirm/:token', async (request: Request, reply) => {
    const own = await proposalOfToken(service, request.params.token)
    if (!own) return sendInvalid(service, request, reply)
    if (own.state !== 'RESERVED') return toBooking(service, reply, own)
    if (!isProposed(own)) return sendOver(reply, own, 'lapsed')
    return show(service, reply, request.params.token, own, own.proposal.answers)
  })

  app.post('/confirm/:token', async (request: Request, reply) => {
    const { token } = request.params
    const own = await proposalOfToken(service, token)
    if (!own) return sendInvalid(service, request, reply)
    if (own.state !== 'RESERVED') return toBooking(service, reply, own)
    if (!isProposed(own)) return sendOver(reply, own, 'lapsed')
    if (formText(request.body, 'answer') === 'decline') {
      await declineProposal(service, token)
      return sendOver(reply, own, 'declined', 200)
    }
    const form = proposalForm(own, languageOf(own))
    const answers = readAnswers(form, request.body)
    const hasAgreed = formText(request.body, 'agreed') !== ''
    const errors = errorTexts(form, checkAnswers(form, answers).problems, languageOf(own))
    if (errors.size > 0 || (own.termsRequired && !hasAgreed))
      return show(service, reply, token, own, answers, { errors, hasAgreed })
    try {
      const { confirmationLink: link } = await confirmProposal(service, token, { answers, hasAgreed })
      return reply.redirect(new URL(link).pathname, 303)
    } catch (error) {
      return sendRefused(service, reply, token, error, own)
    }
  })
}

const languageOf = (own: Held) => pickLanguage(own.language, own.providerLanguage)

/** Booked already: the confirmation, or what became of it. */
const toBooking = (service: Service, reply: FastifyReply, own: Held) =>
  reply.redirect(new URL(confirmationLink(service, own)).pathname, 303)

type Entered = { errors: Map<string, string>; hasAgreed: boolean }

async function show(
  service: Service,
  reply: FastifyReply,
  token: string,
  own: Held,
  given: GivenAnswers,
  entered?: Entered,
) {
  const language = languageOf(own)
  const texts = confirmTexts[language]
  const { texts: words } = wordsIn(language, undefined)
  const provider = (await findProviderById(service.db, own.providerId))!
  const [booking] = await findBookingsById(service.db, [own.participationId])
  const form = proposalForm(own, language)
  const { errors, hasAgreed } = entered ?? { errors: new Map<string, string>(), hasAgreed: true }
  const channel = own.channels.find(one => one.key === own.channelKey)
  const button = channel?.bookingProcess === 'REQUESTED' ? texts.request : texts.confirm
  const until = texts.until(untilOf(own, own.expiresAt!, language))
  const content = html`<p>${texts.lead}</p>${bookingSummary(booking ?? own, language)}
${own.note && html`<p><strong>${texts.message}</strong><br><span class="typed">${own.note}</span></p>`}<p class="hint">${until}</p>
${errors.size > 0 && errorSummary(answersTexts[language].check, summaryOf(form, errors))}
<form method="post" action="/confirm/${encodeURIComponent(token)}" novalidate>
${questionFields({ form, given, errors, language }, words.optional)}${termsField(provider, language, !hasAgreed)}
<div class="row"><button name="answer" value="confirm">${button}</button> <button class="quiet" name="answer" value="decline" formnovalidate>${texts.decline}</button></div></form>`
  return sendPage(reply, entered ? 400 : 200, language, texts.title, content, {
    ...lookOf(own),
    isKept: entered !== undefined,
  })
}

/** The time has lapsed, or the same click came twice. */
async function sendRefused(service: Service, reply: FastifyReply, token: string, error: unknown, own: Held) {
  if (!(error instanceof Refusal) || error.code === 'suspended' || error.code === 'moved') throw error
  const now = await proposalOfToken(service, token)
  if (now && now.state !== 'RESERVED') return toBooking(service, reply, now)
  if (error.code === '202') return sendOver(reply, own, 'alreadyBooked')
  if (error.code === 'not-invited') return sendOver(reply, own, 'notInvited')
  // The questions have changed since the page was shown.
  if (error.code === 'missing-answer' || error.code === 'invalid-field')
    return reply.redirect(`/confirm/${encodeURIComponent(token)}`, 303)
  return sendOver(reply, own, 'lapsed')
}

function sendOver(
  reply: FastifyReply,
  own: Held,
  said: 'lapsed' | 'declined' | 'alreadyBooked' | 'notInvited',
  status = 410,
) {
  const language = languageOf(own)
  const texts = confirmTexts[language]
  const content = html`<p>${texts[said]}</p>
<p class="row"><a class="button" href="/book/${own.resourceUuid}">${waitingPageTexts[language].seeTimes}</a></p>`
  return sendPage(reply, status, language, texts.overTitle, content, lookOf(own))
}

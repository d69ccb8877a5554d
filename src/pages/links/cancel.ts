import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bookingOfToken, bookingToChange, cancelByConsumer } from '../../actions/booking/consumer-cancel.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import { Refusal } from '../../errors.ts'
import { actingStaff } from '../../http/wire/callers/acting-staff.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { html } from '../../lib/html.ts'
import { confirmationLink } from '../../links.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { closedPage } from './booking-links.ts'
import { bookingSummary, bothSummaries, lookOf } from './booking-summary.ts'
import { typedText } from './form-text.ts'
import { moveTexts } from './move-texts.ts'
import { isTooLate, sendTooLate, untilWhen } from './too-late.ts'
import { sendInvalid } from './verify.ts'

type Request = FastifyRequest<{ Params: { token: string }; Body: { reason?: string } | undefined }>

/**
 * Target of the cancel link. GET and HEAD change nothing, since mail scanners open every link; POST cancels.
 */
export function addCancelPage(app: FastifyInstance, service: Service) {
  app.get('/cancel/:token', async (request: Request, reply) => {
    const booking = await bookingToChange(service, request.params.token)
    if (!booking) return sendOver(request, reply)
    if (isTooLate(booking)) return sendTooLate(reply, booking)
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const question = questionOf(booking, language)
    const summary = booking.kept
      ? bothSummaries(booking, booking.kept, language)
      : bookingSummary(booking, language)
    const content = html`<p>${question.question}</p>${summary}${untilWhen(booking, language)}
      <form method="post" action="/cancel/${encodeURIComponent(request.params.token)}">
        <p><label for="reason">${pageTexts[language].reasonLabel}</label><textarea id="reason" name="reason" rows="3" maxlength="1024"></textarea></p>
        <div class="row"><button class="bad">${question.button}</button> <a href="${confirmationLink(service, booking)}">${wordsIn(language, undefined).texts.cancelNo}</a></div>
      </form>`
    return sendPage(reply, 200, language, question.title, content, lookOf(booking))
  })

  app.post('/cancel/:token', async (request: Request, reply) => {
    try {
      const reason = typedText(request.body?.reason)
      const { token } = request.params
      const known = await bookingOfToken(service, token)
      const staff = known && (await actingStaff(service, request, known))
      const booking = await cancelByConsumer(service, token, reason, staff ?? undefined)
      // Redirects, so that a reload or the back button does not cancel again.
      const { pathname } = new URL(confirmationLink(service, booking))
      return reply.redirect(
        booking.state === 'REQUESTED' ? `${pathname}?withdrawn=1` : `${pathname}?cancelled=1`,
        303,
      )
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid-token') return sendOver(request, reply)
      if (error instanceof Refusal && error.code === 'change-notice')
        return sendTooLate(reply, (await bookingOfToken(service, request.params.token))!)
      throw error
    }
  })

  /** 410 for an expired link of ours; 404 for anything else. */
  async function sendOver(request: Request, reply: Parameters<typeof sendPage>[0]) {
    const booking = await bookingOfToken(service, request.params.token)
    if (!booking) return sendInvalid(service, request, reply)
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const { title, content } = closedPage(booking, language, pageTexts[language].cannotCancelTitle)
    return sendPage(reply, 410, language, title, content, lookOf(booking))
  }
}

/** What would be cancelled: an appointment, a request for one, or only the request to move it. */
function questionOf({ state, kept }: Booking, language: Language) {
  const { cancelTitle, cancelQuestion, cancelButton } = pageTexts[language]
  const { texts } = wordsIn(language, undefined)
  const { withdrawTitle, withdrawQuestion } = moveTexts[language]
  if (kept) return { title: withdrawTitle, question: withdrawQuestion, button: texts.withdraw }
  if (state === 'REQUESTED')
    return { title: texts.withdraw, question: texts.withdrawQuestion, button: texts.withdraw }
  return { title: cancelTitle, question: cancelQuestion, button: cancelButton }
}

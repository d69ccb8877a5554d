import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bookingOfToken, bookingToChange, cancelByConsumer } from '../../actions/booking/consumer-cancel.ts'
import { Refusal } from '../../errors.ts'
import { pickLanguage } from '../../languages.ts'
import { html } from '../../lib/html.ts'
import { confirmationLink } from '../../links.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { bookAgain, whyOver } from './booking-links.ts'
import { bookingSummary, lookOf } from './booking-summary.ts'
import { isTooLate, sendTooLate, untilWhen } from './too-late.ts'
import { typedText } from './typed.ts'
import { sendInvalid } from './verify.ts'

type Request = FastifyRequest<{ Params: { token: string }; Body: { reason?: string } | undefined }>

/** Where the cancel link leads. GET and HEAD only show, since mail scanners open every link; POST cancels. */
export function addCancelPage(app: FastifyInstance, service: Service) {
  app.get('/cancel/:token', async (request: Request, reply) => {
    const booking = await bookingToChange(service, request.params.token)
    if (!booking) return sendOver(request, reply)
    if (isTooLate(booking)) return sendTooLate(reply, booking)
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const texts = pageTexts[language]
    const content = html`<p>${texts.cancelQuestion}</p>${bookingSummary(booking, language)}${untilWhen(booking, language)}
      <form method="post" action="/cancel/${encodeURIComponent(request.params.token)}">
        <p><label for="reason">${texts.reasonLabel}</label><textarea id="reason" name="reason" rows="3" maxlength="1024"></textarea></p>
        <div class="row"><button class="bad">${texts.cancelButton}</button> <a href="${confirmationLink(service, booking)}">${wordsIn(language, undefined).texts.cancelNo}</a></div>
      </form>`
    return sendPage(reply, 200, language, texts.cancelTitle, content, lookOf(booking))
  })

  app.post('/cancel/:token', async (request: Request, reply) => {
    try {
      const reason = typedText(request.body?.reason)
      const booking = await cancelByConsumer(service, request.params.token, reason)
      const language = pickLanguage(booking.language, booking.providerLanguage)
      const texts = pageTexts[language]
      const content = html`<p>${texts.cancelled}</p>${bookingSummary(booking, language)}${bookAgain(booking, language)}`
      return await sendPage(reply, 200, language, texts.cancelledTitle, content, lookOf(booking))
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid-token') return sendOver(request, reply)
      if (error instanceof Refusal && error.code === 'change-notice')
        return sendTooLate(reply, (await bookingOfToken(service, request.params.token))!)
      throw error
    }
  })

  /** A link of ours whose time has passed is 410; anything else is not a link of ours: 404. */
  async function sendOver(request: Request, reply: Parameters<typeof sendPage>[0]) {
    const booking = await bookingOfToken(service, request.params.token)
    if (!booking) return sendInvalid(service, request, reply)
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const { overTitle } = pageTexts[language]
    const content = html`<p>${whyOver(booking, language)}</p>${bookingSummary(booking, language)}${bookAgain(booking, language)}`
    return sendPage(reply, 410, language, overTitle, content, lookOf(booking))
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wholeMoment } from '../../../web/shared/whole-date.ts'
import { offerOfToken, takeOffer } from '../../actions/booking/waiting/take-offer.ts'
import { declineOffer } from '../../actions/scheduling/waiting/entries.ts'
import { type Booking, findBookingsById } from '../../db/booking/bookings.ts'
import { findEntry } from '../../db/scheduling/waiting-entries.ts'
import type { LiveOffer } from '../../db/scheduling/waiting-line.ts'
import { findProviderById, type ProviderRow } from '../../db/setup/providers.ts'
import { Refusal } from '../../errors.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { waitingLink } from '../../links.ts'
import { timeOf } from '../../messages/booking-data.ts'
import { bothTimes } from '../../messages/content/times-in-both-zones.ts'
import { consumerActor } from '../../rules/messages/events.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { sendPage } from '../layout.ts'
import { lookOf, lookOfProvider, summaryWithKept } from '../links/booking-summary.ts'
import { sendInvalid } from '../links/invalid.ts'
import { waitingPageTexts } from './texts.ts'
import { formText } from './wish-form.ts'

type Request = FastifyRequest<{ Params: { token: string }; Body: Record<string, unknown> | undefined }>

/** Target of the link in the offer email. GET and HEAD only show; POST takes or declines. */
export function addOfferPage(app: FastifyInstance, service: Service) {
  app.get('/offer/:token', async (request: Request, reply) => {
    const offer = await offerOfToken(service, request.params.token)
    if (!offer) return sendInvalid(service, request, reply)
    return offer.isLive ? show(service, reply, offer, request.params.token) : sendOver(service, reply, offer)
  })

  app.post('/offer/:token', async (request: Request, reply) => {
    const { token } = request.params
    const offer = await offerOfToken(service, token)
    if (!offer) return sendInvalid(service, request, reply)
    const provider = (await findProviderById(service.db, offer.providerId))!
    if (formText(request.body, 'answer') === 'decline') {
      const isDeclined = await declineOffer({ service, actor: consumerActor, provider }, offer)
      if (!isDeclined) return sendOver(service, reply, offer)
      return reply.redirect(`${await entryPath(service, offer)}?declined=1`, 303)
    }
    if (provider.termsRequired && offer.isLive && formText(request.body, 'agreed') === '')
      return show(service, reply, offer, token, 400)
    try {
      const { confirmationLink } = await takeOffer(service, token, true)
      return reply.redirect(new URL(confirmationLink).pathname, 303)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'suspended' || error.code === 'moved') throw error
      return sendOver(service, reply, (await offerOfToken(service, token)) ?? offer)
    }
  })
}

async function entryPath(service: Service, { entryUuid }: LiveOffer) {
  const entry = await findEntry(service.db, entryUuid)
  return new URL(waitingLink(service, entry!)).pathname
}

async function show(service: Service, reply: FastifyReply, offer: LiveOffer, token: string, status = 200) {
  const [booking] = await findBookingsById(service.db, [offer.participationId!])
  const provider = (await findProviderById(service.db, offer.providerId))!
  const language = pickLanguage(booking!.language, booking!.providerLanguage)
  const texts = waitingPageTexts[language]
  const content = html`${summaryWithKept(booking!, language)}<p class="hint">${texts.offerUntil(untilOf(booking!, offer.expiresAt, language))}${booking!.kept && html` ${texts.offerReplaces}`}</p>
<form method="post" action="/offer/${encodeURIComponent(token)}">${termsField(provider, language, status === 400)}
<div class="row"><button name="answer" value="take">${texts.take}</button> <button class="quiet" name="answer" value="decline" formnovalidate>${texts.decline}</button></div></form>`
  return sendPage(reply, status, language, texts.offerTitle, content, lookOf(booking!))
}

/** A box to accept the Provider's terms, where it requires that. */
export function termsField(
  { terms, termsRequired }: ProviderRow,
  language: Language,
  isMissing: boolean,
): Html | false {
  if (!termsRequired) return false
  const { texts } = wordsIn(language, undefined)
  return html`${terms && html`<details><summary>${texts.terms}</summary><p class="typed">${terms}</p></details>`}
<p><label><input type="checkbox" name="agreed" required${isMissing && html` aria-invalid="true"`}> ${texts.acceptTerms}</label>${isMissing && html`<span class="bad">${texts.mustAccept}</span>`}</p>`
}

export function untilOf(booking: Booking, expiresAt: number, language: Language) {
  const at = toUtcText(expiresAt)
  const span = { start: at, end: at, timeZone: booking.timeZone }
  return wholeMoment(bothTimes({ ...span, ...timeOf(booking) }, language, 'consumer').brief)
}

/** 410, with what became of it and the way on. */
async function sendOver(service: Service, reply: FastifyReply, offer: LiveOffer) {
  const provider = (await findProviderById(service.db, offer.providerId))!
  const language = pickLanguage(offer.language, provider.language)
  const texts = waitingPageTexts[language]
  const said = { TAKEN: texts.offerTaken, DECLINED: texts.offerDeclined }
  const content = html`<p>${said[offer.outcome as 'TAKEN'] ?? texts.offerLapsed}</p>
<p class="row"><a class="button" href="/book/${offer.resourceUuid}">${texts.seeTimes}</a> <a href="${await entryPath(service, offer)}">${texts.toEntry}</a></p>`
  return sendPage(reply, 410, language, texts.offerOverTitle, content, lookOfProvider(provider))
}

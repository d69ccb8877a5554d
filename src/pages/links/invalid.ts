import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { findEntry } from '../../db/scheduling/waiting-entries.ts'
import { findOffer } from '../../db/scheduling/waiting-line.ts'
import { findOnlyProvider, findProviderById, type ProviderRow } from '../../db/setup/providers.ts'
import { acceptedLanguage, type Language, pickLanguage } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { type PageOptions, sendPage } from '../layout.ts'
import { myTexts } from '../my/texts.ts'
import { pageTexts } from '../texts.ts'
import { bookAgain, ownPageLink, statusOf } from './booking-links.ts'
import { bookingSummary, lookOf, lookOfProvider } from './booking-summary.ts'

type Request = Pick<FastifyRequest, 'headers' | 'params'>

/**
 * 410 for an expired link of ours, with the business it was about. Anything else gets a 404 without a reason, so that a
 * stranger learns nothing; customers are led to the business if the installation has only one.
 */
export async function sendInvalid(service: Service, request: Request, reply: FastifyReply) {
  const { token } = request.params as { token?: string }
  const expired = token ? await expiredLink(service, token) : null
  if (expired) {
    const { language, actions, look } = expired
    const content = html`<p>${pageTexts[language].linkExpired}</p>${actions}`
    return sendPage(reply, 410, language, myTexts[language].expiredTitle, content, look)
  }
  const provider = await findOnlyProvider(service.db)
  if (!provider) return sendUnreadable(service, request, reply, true)
  service.suspensions.refuseProvider(provider.id)
  const language = languageOf(request) ?? pickLanguage(provider.language, service.config.language)
  const { linkInvalidTitle, linkInvalid } = pageTexts[language]
  const content = html`<p>${linkInvalid}</p>${bookAt(provider, language)}`
  return sendPage(reply, 404, language, linkInvalidTitle, content, lookOfProvider(provider))
}

/** For links of staff, too, who have nothing to book. */
export function sendUnreadable(
  { config }: Service,
  request: Request,
  reply: FastifyReply,
  isCustomer = false,
) {
  const language = languageOf(request) ?? config.language
  const { linkInvalidTitle, linkInvalid, linkInvalidHelp } = pageTexts[language]
  const content = html`<p>${linkInvalid}</p>${isCustomer && html`<p>${linkInvalidHelp}</p>`}`
  return sendPage(reply, 404, language, linkInvalidTitle, content)
}

const languageOf = ({ headers }: Request) => acceptedLanguage(headers['accept-language'])

const bookAt = ({ uuid }: ProviderRow, language: Language): Html =>
  html`<p class="row links"><a class="button" href="/book/${uuid}">${wordsIn(language, undefined).texts.title}</a> ${ownPageLink(uuid, language)}</p>`

/**
 * For a link whose booking can no longer be changed: 410 for an expired link of ours, 404 for anything else. A
 * cancelled booking needs no other reason.
 */
export function sendClosed(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  booking: Booking | null | undefined,
  title: 'cannotCancelTitle' | 'cannotMoveTitle' | 'tooLateTitle',
) {
  if (!booking) return sendInvalid(service, request, reply)
  const language = pickLanguage(booking.language, booking.providerLanguage)
  const texts = pageTexts[language]
  const isCancelled = statusOf(booking) === 'cancelled'
  const reason = !isCancelled && html`<p>${texts.alreadyStarted}</p>`
  const content = html`${reason}${bookingSummary(booking, language)}${bookAgain(booking, language)}`
  const shown = isCancelled ? texts.alreadyCancelledTitle : texts[title]
  return sendPage(reply, 410, language, shown, content, lookOf(booking))
}

type Expired = { language: Language; actions: Html; look: PageOptions }

async function expiredLink(service: Service, token: string): Promise<Expired | null> {
  const { db, signer } = service
  const find = async <T>(purposes: LinkPurpose[], by: (uuid: string) => Promise<T>) => {
    const over = purposes.filter(one => signer.open(one, token) === null)
    const uuid = over.map(one => signer.open(one, token, 0)).find(one => one !== null)
    return uuid ? by(uuid) : null
  }
  const [booking] = (await find(bookingLinks, uuid => findBookingsByUuid(db, uuid))) ?? []
  if (booking) {
    service.suspensions.refuseProvider(booking.providerId)
    const language = pickLanguage(booking.language, booking.providerLanguage)
    return { language, actions: bookAgain(booking, language), look: lookOf(booking) }
  }
  const waiting =
    (await find(['waiting', 'leave'], uuid => findEntry(db, uuid))) ??
    (await find(['offer'], uuid => findOffer(db, uuid)))
  const provider = waiting && (await findProviderById(db, waiting.providerId))
  if (!provider) return null
  service.suspensions.refuseProvider(provider.id)
  const language = pickLanguage(waiting.language, provider.language)
  return { language, actions: bookAt(provider, language), look: lookOfProvider(provider) }
}

type LinkPurpose = Parameters<Service['signer']['open']>[0]

/** Those of customers: who decides on a request has nothing to book. */
const bookingLinks: LinkPurpose[] = ['booked', 'cancel', 'move', 'answers', 'confirm']

import {
  dateLine,
  type Fact,
  factList,
  whatLines,
  whenLines,
  whereLines,
} from '../../../web/shared/confirmation.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import type { Language } from '../../languages.ts'
import { element, type Html, html } from '../../lib/html.ts'
import { contactOf, timeOf } from '../../messages/booking-data.ts'
import { bothTimes } from '../../messages/content/times-in-both-zones.ts'
import { textsIn } from '../../messages/texts/index.ts'
import { formatAddress } from '../../rules/people/addresses.ts'
import { themeOf } from '../../rules/theme.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { wordsIn } from '../book/texts.ts'
import type { PageOptions } from '../layout.ts'
import { pageTexts } from '../texts.ts'

/**
 * What, when and where, on every page about a booking, for the consumer or for the provider's contact. With the price
 * if it has just been booked.
 */
export function bookingSummary(
  booking: Booking,
  language: Language,
  reader: 'consumer' | 'provider' = 'consumer',
  isBooked = false,
): Html {
  return factList(element, factsOf(booking, language, reader, isBooked))
}

/** For `confirmation`, too. With the time before a move. */
export function factsOf(
  booking: Booking,
  language: Language,
  reader: 'consumer' | 'provider' = 'consumer',
  isBooked = false,
  before?: readonly [label: string, Booking],
): Fact<Html>[] {
  const { texts } = wordsIn(language, undefined)
  const price = isBooked && reader === 'consumer' && booking.agreedPrice
  return [
    [texts.what, whatLines(element, booking.productName, booking.resourceName, booking.providerName)],
    [texts.when, whenOf(booking, language, reader)],
    [before?.[0] ?? '', before && unbroken(timesOf(before[1], language, reader).sentence)],
    ...furtherFacts(booking, language, reader, price),
  ]
}

/** The same in a box, with whom, and whose booking it is. */
export function briefNote(booking: Booking, language: Language): Html {
  const { texts } = wordsIn(language, undefined)
  const name = otherContact(booking)
  return html`<p class="note">${briefSummary(booking, language)}${name && html`<br>${texts.with}${texts.colon} ${name}`}${booking.name && html`<br>${booking.name}`}</p>`
}

/** Whom to expect, unless the business itself is the contact. */
function otherContact(booking: Booking): string | null {
  const { name } = contactOf(booking)
  return name === booking.providerName ? null : name
}

/** What `briefSummary` leaves out. */
export const restOfSummary = (booking: Booking, language: Language): Html =>
  factList(element, furtherFacts(booking, language, 'consumer', null))

function furtherFacts(
  booking: Booking,
  language: Language,
  reader: 'consumer' | 'provider',
  price: string | null | false,
): Fact<Html>[] {
  const place = formatAddress(booking.appointmentAddress as Parameters<typeof formatAddress>[0])
  const { texts } = wordsIn(language, undefined)
  const { labels } = textsIn(language)
  const isConsumer = reader === 'consumer'
  const names = booking.placeNames && html` (${booking.placeNames.join(', ')})`
  return [
    [
      texts.where,
      whereLines(element, place, { ...texts, showOnMap: timeOf(booking).isVisit && texts.showOnMap }),
    ],
    // The provider's contact knows who they are.
    [texts.with, isConsumer && otherContact(booking)],
    // Distinguishes several bookings under one address, such as those of siblings.
    [labels.name, isConsumer && booking.name],
    [texts.price, price],
    [labels.places, booking.places > 1 && html`${booking.places}${names}`],
  ]
}

/** On few lines, where something else matters more. */
export function briefSummary(booking: Booking, language: Language): Html {
  const { sentence, zone, other } = timesOf(booking, language, 'consumer')
  return html`<strong>${dateLine(element, unbroken(sentence))}</strong> <span class="soft whole">${zone}</span>${other && html`<br><span class="soft">${unbroken(other)}</span>`}<br>${booking.productName}, ${booking.resourceName}`
}

/** For a booking that was moved or is to be: both times, each under its own heading. */
export function bothSummaries(
  booking: Booking,
  other: { start: number; end: number },
  language: Language,
  reader: 'consumer' | 'provider' = 'consumer',
): Html {
  const { moveNow, moveFrom, moveTo } = pageTexts[language]
  const before = { ...booking, startAt: other.start, endAt: other.end }
  return html`<h2>${other === booking.kept ? moveNow : moveFrom}</h2><p class="when">${whenOf(before, language, reader)}</p><h2>${moveTo}</h2>${bookingSummary(booking, language, reader)}`
}

/** Shows both times while the booking still has the old one. */
export const summaryWithKept = (booking: Booking, language: Language, reader?: 'consumer' | 'provider') =>
  booking.kept
    ? bothSummaries(booking, booking.kept, language, reader)
    : bookingSummary(booking, language, reader)

function whenOf(booking: Booking, language: Language, reader: 'consumer' | 'provider') {
  const { lines, zone, other } = timesOf(booking, language, reader)
  return whenLines(element, lines, zone, other && unbroken(other))
}

function timesOf(booking: Booking, language: Language, reader: 'consumer' | 'provider') {
  const span = {
    start: toUtcText(booking.startAt),
    end: toUtcText(booking.endAt),
    timeZone: booking.timeZone,
  }
  return bothTimes({ ...span, ...timeOf(booking) }, language, reader)
}

/**
 * Keeps start and end on one line. A line may break after a dash, whatever space follows, unless a word
 * joiner does.
 */
const unbroken = (text: string) => text.replace(/\s–\s/g, '\u00a0–\u2060\u00a0')

/** Pages about a booking have the Provider's branding and legal notice. */
export const lookOf = (booking: Booking): PageOptions => ofProvider(booking, booking.providerName)

export const lookOfProvider = (provider: ProviderRow): PageOptions => ofProvider(provider, provider.name)

const ofProvider = (look: Parameters<typeof themeOf>[0] & { impressum: string | null }, brand: string) => ({
  theme: themeOf(look),
  brand,
  footer: look.impressum ? html`${look.impressum}` : null,
})

import { mapLink } from '../../../web/shared/map-link.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import type { Language } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { contactOf, timeOf } from '../../messages/booking-data.ts'
import { bothTimes } from '../../messages/content/times-in-both-zones.ts'
import { textsIn } from '../../messages/texts/index.ts'
import { formatAddress } from '../../rules/people/addresses.ts'
import { themeOf } from '../../rules/theme.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { wordsIn } from '../book/texts.ts'
import { dateLine, type PageOptions } from '../layout.ts'
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
  const { texts } = wordsIn(language, undefined)
  const price = isBooked && reader === 'consumer' && booking.agreedPrice
  return html`<dl class="facts">${[
    fact(texts.what, html`${booking.productName}, ${booking.resourceName}<br>${booking.providerName}`),
    fact(texts.when, whenOf(booking, language, reader)),
    ...furtherFacts(booking, language, reader, price),
  ]}</dl>`
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
  html`<dl class="facts">${furtherFacts(booking, language, 'consumer', null)}</dl>`

function furtherFacts(
  booking: Booking,
  language: Language,
  reader: 'consumer' | 'provider',
  price: string | null | false,
) {
  const place = formatAddress(booking.appointmentAddress as Parameters<typeof formatAddress>[0])
  const { texts } = wordsIn(language, undefined)
  const { labels } = textsIn(language)
  const isConsumer = reader === 'consumer'
  const names = booking.placeNames && html` (${booking.placeNames.join(', ')})`
  // Only an address to visit is on a map; a text may be a link to a call.
  const map =
    timeOf(booking).isVisit &&
    place &&
    html`<br><a class="map" href="${mapLink(place)}" target="_blank" rel="noopener noreferrer">${texts.showOnMap}</a>`
  return [
    fact(texts.where, place && html`${place}${map}`),
    // The provider's contact knows who they are.
    fact(texts.with, isConsumer && otherContact(booking)),
    // Distinguishes several bookings under one address, such as those of siblings.
    fact(labels.name, isConsumer && booking.name),
    fact(texts.price, price),
    fact(labels.places, booking.places > 1 && html`${booking.places}${names}`),
  ]
}

/** On few lines, where something else matters more. */
export function briefSummary(booking: Booking, language: Language): Html {
  const { sentence, zone, other } = timesOf(booking, language, 'consumer')
  return html`<strong>${dateLine(unbroken(sentence))}</strong> <span class="soft whole">${zone}</span>${other && html`<br><span class="soft">${unbroken(other)}</span>`}<br>${booking.productName}, ${booking.resourceName}`
}

const fact = (name: string, value: Html | string | null | false): Html | false =>
  Boolean(value) && html`<div><dt>${name}</dt><dd>${value}</dd></div>`

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

function whenOf(booking: Booking, language: Language, reader: 'consumer' | 'provider'): Html {
  const { lines, zone, other } = timesOf(booking, language, reader)
  return html`<strong>${dateLine(lines[0])}<br>${dateLine(lines[1])}</strong><br><span class="soft">${zone}${other && html`<br>${unbroken(other)}`}</span>`
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

import type { Booking } from '../../db/booking/bookings.ts'
import type { Language } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { contactOf, timeOf } from '../../mail/booking-data.ts'
import { textsIn } from '../../mail/texts/index.ts'
import { bothTimes } from '../../mail/times-in-both-zones.ts'
import { formatAddress } from '../../rules/people/address.ts'
import { themeOf } from '../../rules/theme.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { wordsIn } from '../book/texts.ts'
import type { PageOptions } from '../layout.ts'
import { pageTexts } from '../texts.ts'

/** What, when and where, on every page about a booking, for the consumer or for the provider's contact. */
export function bookingSummary(
  booking: Booking,
  language: Language,
  reader: 'consumer' | 'provider' = 'consumer',
): Html {
  const place = formatAddress(booking.appointmentAddress as Parameters<typeof formatAddress>[0])
  const { texts } = wordsIn(language, undefined)
  const { colon, labels } = textsIn(language)
  const { name } = contactOf(booking)
  // The provider's contact knows who they are.
  const who =
    reader === 'consumer' && name !== booking.providerName && html`<br>${texts.with}${colon} ${name}`
  // The name distinguishes several bookings under one address, such as those of siblings.
  const whose = reader === 'consumer' && booking.name && html`<br>${labels.name}${colon} ${booking.name}`
  const names = booking.placeNames && html` (${booking.placeNames.join(', ')})`
  const many = booking.places > 1 && html`<br>${labels.places}${colon} ${booking.places}${names}`
  return html`<p><strong>${booking.productName}</strong><br>${booking.resourceName}<br>${booking.providerName}${who}${whose}${many}</p>
    ${whenOf(booking, language, reader)}${place && html`<p class="soft">${place}</p>`}`
}

/** For a booking that was moved or is to be: both times, each under its own heading. */
export function bothSummaries(
  booking: Booking,
  { start, end }: { start: number; end: number },
  language: Language,
  reader: 'consumer' | 'provider' = 'consumer',
): Html {
  const { moveFrom, moveTo } = pageTexts[language]
  const before = { ...booking, startAt: start, endAt: end }
  return html`<h2>${moveFrom}</h2>${whenOf(before, language, reader)}<h2>${moveTo}</h2>${bookingSummary(booking, language, reader)}`
}

function whenOf(booking: Booking, language: Language, reader: 'consumer' | 'provider'): Html {
  const { lines, zone, other } = timesOf(booking, language, reader)
  return html`<p>${lines[0]}<br>${lines[1]}<br><span class="soft">${zone}${other && html`<br>${unbroken(other)}`}</span></p>`
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
export function lookOf(booking: Booking): PageOptions {
  return { theme: themeOf(booking), footer: booking.impressum ? html`${booking.impressum}` : null }
}

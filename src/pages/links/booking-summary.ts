import type { Booking } from '../../db/booking/bookings.ts'
import type { Language } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { contactOf, timeOf } from '../../mail/booking-data.ts'
import { bothTimes } from '../../mail/both-times.ts'
import { textsIn } from '../../mail/texts/index.ts'
import { formatAddress } from '../../rules/people/address.ts'
import { themeOf } from '../../rules/theme.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { wordsIn } from '../book/texts.ts'
import type { PageOptions } from '../layout.ts'

/** What, when and where, as every page about a booking shows it to the consumer or to the provider's contact. */
export function bookingSummary(
  booking: Booking,
  language: Language,
  reader: 'consumer' | 'provider' = 'consumer',
): Html {
  const span = {
    start: toUtcText(booking.startAt),
    end: toUtcText(booking.endAt),
    timeZone: booking.timeZone,
  }
  const { lines, zone, other } = bothTimes({ ...span, ...timeOf(booking) }, language, reader)
  const place = formatAddress(booking.appointmentAddress as Parameters<typeof formatAddress>[0])
  const { texts } = wordsIn(language, undefined)
  const { colon, labels } = textsIn(language)
  const { name } = contactOf(booking)
  // Whoever decides knows who they are.
  const who = reader === 'consumer' && name !== booking.providerName && html`<br>${texts.who}${colon} ${name}`
  // Of several bookings under one address, as for one's children, the name tells which it is.
  const whose = reader === 'consumer' && booking.name && html`<br>${labels.name}${colon} ${booking.name}`
  return html`<p><strong>${booking.productName}</strong><br>${booking.resourceName}<br>${booking.providerName}${who}${whose}</p>
    <p>${lines[0]}<br>${lines[1]}<br><span class="soft">${zone}${other && html`<br>${unbroken(other)}`}</span></p>${place && html`<p class="soft">${place}</p>`}`
}

/** From and to stay on one line. After a dash a line may end, whatever space follows, unless a joiner does. */
const unbroken = (text: string) => text.replace(/\s–\s/g, '\u00a0–\u2060\u00a0')

/** Pages about a booking look like its Provider and carry its legal notice. */
export function lookOf(booking: Booking): PageOptions {
  return { theme: themeOf(booking), footer: booking.impressum ? html`${booking.impressum}` : null }
}

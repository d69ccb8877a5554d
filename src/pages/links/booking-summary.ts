import type { Booking } from '../../db/booking/bookings.ts'
import type { Language } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { formatAddress } from '../../mail/address.ts'
import { whenOf } from '../../mail/when.ts'
import { themeOf } from '../../rules/theme.ts'
import { toUtcText } from '../../rules/time.ts'
import type { PageOptions } from '../layout.ts'

/** What, when and where, as every page about a booking shows it. */
export function bookingSummary(booking: Booking, language: Language): Html {
  const when = whenOf(
    { start: toUtcText(booking.start_at), end: toUtcText(booking.end_at), timeZone: booking.time_zone },
    language,
  )
  const place = formatAddress(booking.appointment_address as Parameters<typeof formatAddress>[0])
  return html`<p><strong>${booking.product_name}</strong><br>${booking.resource_name}<br>${booking.provider_name}</p>
    <p>${when.lines[0]}<br>${when.lines[1]}<br><span class="soft">${when.zone}</span></p>${place && html`<p class="soft">${place}</p>`}`
}

/** Pages about a booking look like its Provider and carry its legal notice. */
export function lookOf(booking: Booking): PageOptions {
  return { theme: themeOf(booking), footer: booking.impressum ? html`${booking.impressum}` : null }
}

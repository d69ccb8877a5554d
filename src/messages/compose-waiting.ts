import type { Booking } from '../db/booking/bookings.ts'
import type { NewMessage } from '../db/mails.ts'
import type { EntryRecord } from '../db/scheduling/waiting-entries.ts'
import type { ProviderRow } from '../db/setup/providers.ts'
import { pickLanguage } from '../languages.ts'
import { myLink, offerLink, proposalLink, waitingLink } from '../links.ts'
import type { OfferData, WaitingData, WaitingKind } from '../rules/messages/messages.ts'
import { logoAddress } from '../rules/theme.ts'
import { toUtcText } from '../rules/time/time.ts'
import type { Service } from '../service.ts'
import { bookingData } from './booking-data.ts'

/** Tells a person on the waiting list that a time is held for them. `booking` is the hold. */
export const offerEmail = (
  service: Service,
  booking: Booking,
  offer: { uuid: string; expiresAt: number },
  now: number,
): NewMessage[] =>
  heldEmail(service, 'offer', booking, { link: offerLink(service, offer), expiresAt: offer.expiresAt }, now)

/**
 * Asks a person to confirm what an agent proposes. `booking` is the hold. Once a mail server has accepted it, nothing is kept of an
 * address that only the agent has entered.
 */
export const proposalEmail = (
  service: Service,
  booking: Booking,
  expiresAt: number,
  now: number,
): NewMessage[] =>
  heldEmail(service, 'proposal', booking, { link: proposalLink(service, booking), expiresAt }, now).map(
    mail => ({ ...mail, eraseWhenDone: service.config.smtpUrl !== null }),
  )

/** A time is held for a person, who takes it on the page behind the link. */
function heldEmail(
  service: Service,
  kind: 'offer' | 'proposal',
  booking: Booking,
  { link, expiresAt }: { link: string; expiresAt: number },
  now: number,
): NewMessage[] {
  if (!booking.email) return []
  const { kept } = booking
  const data: OfferData = {
    ...bookingData(service, booking, null, now),
    // The links of a booking would do nothing for a hold.
    cancelLink: null,
    moveLink: null,
    // A hold ends; the Customer stays.
    ...(kind === 'offer' &&
      booking.customerUuid && {
        myLink: myLink(service, booking, {
          kind: 'customer',
          uuid: booking.customerUuid,
          email: booking.email,
        }),
      }),
    previous: kept && { start: toUtcText(kept.start), end: toUtcText(kept.end) },
    offerLink: link,
    offerUntil: toUtcText(expiresAt),
  }
  return [
    {
      kind,
      to: booking.email,
      data,
      crmId: booking.crmId,
      providerId: booking.providerId,
      participationId: booking.participationId,
      language: pickLanguage(booking.language, booking.providerLanguage),
    },
  ]
}

export const confirmEmail = (service: Service, provider: ProviderRow, entry: EntryRecord) =>
  email(service, 'waiting-confirm', provider, entry, waitingLink(service, entry))

/** The button leads to the times that are free. */
export function endedEmail(service: Service, provider: ProviderRow, entry: EntryRecord): NewMessage[] {
  const resource = entry.resources?.[0]?.uuid
  const link = resource ? `${service.baseUrl}/book/${resource}` : waitingLink(service, entry)
  return email(service, 'waiting-ended', provider, entry, link)
}

function email(
  service: Service,
  kind: WaitingKind,
  provider: ProviderRow,
  entry: EntryRecord,
  link: string,
): NewMessage[] {
  if (!entry.customerEmail) return []
  const { fromDate, toDate, weekdays, fromMinute, toMinute } = entry
  const data: WaitingData = {
    entry: entry.uuid,
    name: entry.customerName,
    provider: {
      name: provider.name,
      email: provider.email,
      impressum: provider.impressum,
      accentColor: provider.accentColor,
      logoUrl: logoAddress(service.baseUrl, provider.logoUrl),
    },
    productName: entry.productName,
    wish: { fromDate, toDate, weekdays, fromMinute, toMinute },
    because: entry.endedBecause,
    link,
    myLink: myLink(
      service,
      { providerUuid: provider.uuid },
      { kind: 'customer', uuid: entry.customerUuid, email: entry.customerEmail },
    ),
  }
  const language = pickLanguage(entry.language, provider.language)
  const { crmId, id: providerId } = provider
  return [{ kind, to: entry.customerEmail, data, crmId, providerId, language }]
}

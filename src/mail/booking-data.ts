import type { Booking } from '../db/booking/bookings.ts'
import { decisionLink, moveLink, shortCancelLink } from '../links.ts'
import { formatAddress } from '../rules/address.ts'
import { noticeRecipient, shownContact } from '../rules/contacts.ts'
import type { BookingData } from '../rules/mails.ts'
import { toUtcText } from '../rules/time.ts'
import type { Service } from '../service.ts'
import { senderOf } from './envelope.ts'

/** What a mail about this Participation is made from. A snapshot: the mail stays as it was written. */
export function bookingData(service: Service, booking: Booking, message: string | null, now: number) {
  const decision = (verb: 'accept' | 'decline') =>
    booking.state === 'REQUESTED' ? decisionLink(service, verb, booking) : null
  return {
    consumer: { name: booking.name ?? '', email: booking.email, mobile: booking.mobile },
    provider: {
      name: booking.provider_name,
      email: booking.provider_email,
      impressum: booking.impressum,
      accentColor: booking.accent_color,
      logoUrl: booking.logo_url,
    },
    resourceName: booking.resource_name,
    productName: booking.product_name,
    description: booking.appointment_description ?? booking.product_description,
    start: toUtcText(booking.start_at),
    end: toUtcText(booking.end_at),
    timeZone: booking.time_zone,
    ...timeOf(booking),
    place: formatAddress(booking.appointment_address as Parameters<typeof formatAddress>[0]),
    contact: contactOf(booking),
    message,
    note: booking.note,
    cancelLink: isTooLate(booking) ? null : shortCancelLink(service, booking),
    moveLink: isTooLate(booking) ? null : moveLink(service, booking),
    changeUntil: changeUntil(booking),
    acceptLink: decision('accept'),
    declineLink: decision('decline'),
    uid: `${booking.calendar_uuid}@${new URL(service.baseUrl).hostname}`,
    sequence: Math.max(0, booking.ics_sequence - 1),
    organizerEmail: contactOfNotices(booking)?.email ?? senderOf(service.config.mailFrom).address,
    stamp: toUtcText(now),
  } satisfies BookingData
}

/** Links that would only say no are left out. Requests can be taken back until the start. */
const isTooLate = ({ state, is_to_come, is_changeable }: Booking) =>
  state === 'BOOKED' && is_to_come && !is_changeable

export const changeUntil = ({ change_notice_minutes, start_at }: Booking) =>
  change_notice_minutes > 0 ? toUtcText(start_at - change_notice_minutes * 60_000) : null

/** How the consumer wished to see the time. An address is a place to go to; a text may be a link to a call. */
export const timeOf = ({ consumer_zone, locale, appointment_address }: Booking) => ({
  consumerZone: consumer_zone,
  locale,
  isVisit: typeof appointment_address === 'object' && appointment_address !== null,
})

/** Whom consumers may turn to. */
export const contactOf = (booking: Booking) => shownContact(booking.contact, providerOf(booking))

/** Whom notices to the provider go to. */
export const contactOfNotices = (booking: Booking) =>
  noticeRecipient(booking.contact, providerOf(booking), booking.owner)

function providerOf(booking: Booking) {
  return {
    name: booking.provider_name,
    email: booking.provider_email,
    phone: booking.provider_phone,
    mobile: booking.provider_mobile,
    language: booking.provider_language,
  }
}

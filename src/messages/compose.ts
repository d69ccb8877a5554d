import type { Booking } from '../db/booking/bookings.ts'
import type { NewMessage } from '../db/mails.ts'
import type { UserRow } from '../db/setup/users.ts'
import { type Language, pickLanguage } from '../languages.ts'
import { verificationLink } from '../links.ts'
import {
  addressesFor,
  type BookingKind,
  type CalendarData,
  type LoginKind,
  type MessageData,
  messages,
  type WebhookData,
} from '../rules/messages/messages.ts'
import { confirmedOnly, fullName } from '../rules/people/contacts.ts'
import type { Service } from '../service.ts'
import { type bookingData, noticeContact } from './booking-data.ts'

/** A booking and the data for its emails. */
export type BookingWithData = { booking: Booking; data: ReturnType<typeof bookingData> }

/** The messages of this kind about the booking, ready to be queued; none without an address. */
export function messagesAbout(
  kind: BookingKind,
  { booking, data }: BookingWithData,
  eraseWhenDone = false,
): NewMessage[] {
  const reader = messages[kind].to === 'consumer' ? consumerOf(booking) : noticeContact(booking)
  if (!reader) return []
  // Messages about a cancellation show no answers, so none are stored.
  const shown = messages[kind].over && data.answers ? { ...data, answers: null } : data
  return addressesFor(kind, reader).map(address => ({
    kind,
    ...address,
    data: shown,
    eraseWhenDone,
    crmId: booking.crmId,
    providerId: booking.providerId,
    participationId: booking.participationId,
    language: reader.language,
  }))
}

const consumerOf = ({ email, mobile, language, providerLanguage }: Booking) => ({
  email,
  mobile,
  language: pickLanguage(language, providerLanguage),
})

/** Asks a User to confirm their address. */
export function verificationEmail(service: Service, crmId: number, user: UserRow): NewMessage {
  const link = verificationLink(service, { uuid: user.uuid, nonce: user.verificationNonce })
  const data: MessageData['verification'] = { name: fullName(confirmedOnly(user)), link }
  return {
    kind: 'verification',
    to: user.email!,
    data,
    crmId,
    userId: user.id,
    language: user.language,
  }
}

/** For people who can fix a webhook that was disabled. */
export function webhookEmail(crmId: number, reader: Reader, data: Omit<WebhookData, 'name'>): NewMessage {
  const { email, name, language } = reader
  return { kind: 'webhook-off', to: email, data: { ...data, name }, crmId, language }
}

/** For the contact of a Resource whose external calendar cannot be read. */
export const calendarEmail = (
  place: { crmId: number; providerId: number },
  { email, name, language }: Reader,
  data: Omit<CalendarData, 'name'>,
): NewMessage => ({ kind: 'calendar-stale', to: email, data: { ...data, name }, ...place, language })

type Reader = { email: string; name: string; language: Language }

/**
 * A link that opens the console. Once a mail server has accepted it, nothing is stored that would let anyone
 * log in.
 */
export function loginEmail(
  { config }: Service,
  kind: LoginKind,
  { email, name, language, crmId }: Reader & { crmId: number | null },
  link: string,
  place: string | null,
): NewMessage {
  const data: MessageData['login'] = { name: name === email ? '' : name, link, place }
  return { kind, to: email, data, crmId, language, eraseWhenDone: config.smtpUrl !== null }
}

import type { Booking } from '../db/booking/bookings.ts'
import type { NewMail } from '../db/mails.ts'
import type { UserRow } from '../db/setup/users.ts'
import { type Language, pickLanguage } from '../languages.ts'
import { verificationLink } from '../links.ts'
import { type BookingKind, type MailData, mails, type WebhookData } from '../rules/news/mails.ts'
import { confirmedOnly, fullName } from '../rules/people/contacts.ts'
import type { Service } from '../service.ts'
import { type bookingData, contactOfNotices } from './booking-data.ts'

/** A booking and what is told about it. */
export type Told = { booking: Booking; data: ReturnType<typeof bookingData> }

/** The mail of this kind about the booking, ready to be queued. Whoever has no address gets none. */
export function letterAbout(kind: BookingKind, { booking, data }: Told, eraseWhenDone = false): NewMail[] {
  const reader = mails[kind].to === 'consumer' ? consumerOf(booking) : contactOfNotices(booking)
  if (!reader?.email) return []
  return [
    {
      kind,
      to: reader.email,
      data,
      eraseWhenDone,
      crmId: booking.crmId,
      providerId: booking.providerId,
      participationId: booking.participationId,
      language: reader.language,
    },
  ]
}

const consumerOf = ({ email, language, providerLanguage }: Booking) => ({
  email,
  language: pickLanguage(language, providerLanguage),
})

/** Asks a User to confirm their address. */
export function verificationLetter(service: Service, crmId: number, user: UserRow): NewMail {
  const link = verificationLink(service, { uuid: user.uuid, nonce: user.verificationNonce })
  const data: MailData['verification'] = { name: fullName(confirmedOnly(user)), link }
  return {
    kind: 'verification',
    to: user.email!,
    data,
    crmId,
    userId: user.id,
    language: user.language,
  }
}

/** To somebody who can do something about a webhook that was switched off. */
export function webhookLetter(crmId: number, reader: Reader, data: Omit<WebhookData, 'name'>): NewMail {
  const { email, name, language } = reader
  return { kind: 'webhook-off', to: email, data: { ...data, name }, crmId, language }
}

type Reader = { email: string; name: string; language: Language }

/** A link that opens the console. Once it has been handed to a mail server, we keep nothing that would let anybody in. */
export function loginLetter(
  { config }: Service,
  kind: 'login' | 'invitation',
  { email, name, language, crmId }: Reader & { crmId: number | null },
  link: string,
  place: string | null,
): NewMail {
  const data: MailData['login'] = { name: name === email ? '' : name, link, place }
  return { kind, to: email, data, crmId, language, eraseWhenDone: config.smtpUrl !== null }
}

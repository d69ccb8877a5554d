import { mailLink, oneLine } from '../lib/clean-text.ts'
import type { BookingData, MailData, MailKind } from '../rules/messages/emails.ts'
import { mails } from '../rules/messages/emails.ts'
import { providerName } from './details.ts'

/** The sender name, the reply address and the thread of an email. */
export type Envelope = { fromName: string | null; replyTo: string | null; thread: string | null }

export function envelopeOf<K extends MailKind>(kind: K, data: MailData[K]): Envelope {
  if (mails[kind].data !== 'booking') return { fromName: null, replyTo: null, thread: null }
  const booking = data as BookingData
  const answersTo = mails[kind].to === 'consumer' ? booking.organizerEmail : booking.consumer.email
  const replyTo = oneLine(answersTo)
  return {
    fromName: providerName(booking),
    // Anything but a plain address would be parsed as a list, or prevent sending.
    replyTo: mailLink(replyTo) ? replyTo : null,
    // No email has this Message-ID: all emails of a booking refer to it, so they form one thread in any
    // order.
    thread: `<booking.${oneLine(booking.uid)}>`,
  }
}

export type Sender = { name: string; address: string }

/** Splits `Holdfast <no-reply@example.org>` into name and address. */
export function senderOf(mailFrom: string): Sender {
  const [, name = '', address = mailFrom] = mailFrom.match(/^([^<]*)<([^>]+)>$/) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}

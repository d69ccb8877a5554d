import { mailLink, oneLine } from '../lib/clean.ts'
import type { BookingData, MailData, MailKind } from '../rules/news/mails.ts'
import { mails } from '../rules/news/mails.ts'
import { providerName } from './details.ts'

/** Who a mail is from, where an answer to it goes, and which conversation it belongs to. */
export type Envelope = { fromName: string | null; replyTo: string | null; thread: string | null }

export function envelopeOf<K extends MailKind>(kind: K, data: MailData[K]): Envelope {
  if (mails[kind].data !== 'booking') return { fromName: null, replyTo: null, thread: null }
  const booking = data as BookingData
  const answersTo = mails[kind].to === 'consumer' ? booking.organizerEmail : booking.consumer.email
  const replyTo = oneLine(answersTo)
  return {
    fromName: providerName(booking),
    // What is no plain address would be read as a list, or stop the mail.
    replyTo: mailLink(replyTo) ? replyTo : null,
    // No mail has this name: all of a booking's mails answer to it, whichever comes first.
    thread: `<booking.${oneLine(booking.uid)}>`,
  }
}

export type Sender = { name: string; address: string }

/** `Holdfast <no-reply@example.org>` in its two parts. */
export function senderOf(mailFrom: string): Sender {
  const [, name = '', address = mailFrom] = mailFrom.match(/^([^<]*)<([^>]+)>$/) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}

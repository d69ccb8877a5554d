import { mailLink, oneLine } from '../../lib/clean-text.ts'
import type { BookingData, MessageData, MessageKind } from '../../rules/messages/messages.ts'
import { messages } from '../../rules/messages/messages.ts'
import { providerName } from '../content/details.ts'

/** The sender name, the reply address and the thread of an email. */
export type Envelope = { fromName: string | null; replyTo: string | null; thread: string | null }

export function envelopeOf<K extends MessageKind>(kind: K, data: MessageData[K]): Envelope {
  if (messages[kind].data !== 'booking') return { fromName: null, replyTo: null, thread: null }
  const booking = data as BookingData
  const answersTo = messages[kind].to === 'consumer' ? booking.organizerEmail : booking.consumer.email
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

export type MailFrom = { name: string; address: string }

/** Splits `Holdfast <no-reply@example.org>` into name and address. */
export function senderOf(mailFrom: string): MailFrom {
  const [_match, name = '', address = mailFrom] = mailFrom.match(/^([^<]*)<([^>]+)>$/) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}

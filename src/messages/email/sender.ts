import type { MailRow } from '../../db/mails.ts'
import type { MessageData } from '../../rules/messages/messages.ts'
import type { Sender } from '../channel.ts'
import { renderMessage } from '../render.ts'
import { envelopeOf } from './envelope.ts'
import type { Email, Transport } from './transport.ts'

export const emailSender = (transport: Transport, host: string, watch: Sender['watch']): Sender => ({
  send: (mail, to) => transport.send(toEmail(mail, to, host)),
  isPermanentRefusal,
  watch,
})

/** An email that is sent twice has the same Message-ID, so that mail programs show it once. */
function toEmail(mail: MailRow, to: string, host: string): Email {
  const { kind, data, uuid } = mail
  const envelope = envelopeOf(kind, data as MessageData[typeof kind])
  return { to, kind, messageId: `<${uuid}@${host}>`, envelope, ...renderMessage(mail) }
}

/** The error details of the mail library. */
type Failure = { responseCode?: number; command?: string; response?: string }

// Policy errors (5.7.x) are about the sender, not this email: a missing login or DNS record can be fixed.
const aboutUs = /^\d{3}[ -]5\.7\./

const isAboutThisMail = ({ command }: Failure) => command === 'RCPT TO' || command === 'DATA'

/** The recipient or this email is refused, and a retry will not change that. */
export function isPermanentRefusal(error: unknown): boolean {
  const failure = error as Failure
  const code = failure.responseCode ?? 0
  if (!isAboutThisMail(failure) || aboutUs.test(failure.response ?? '')) return false
  return code >= 550 && code <= 556
}

/** The server accepts no email at all: it is unreachable, full, or rejects our login. */
export const isMailOutage = (error: unknown): boolean =>
  !isAboutThisMail(error as Failure) || ((error as Failure).responseCode ?? 421) === 421

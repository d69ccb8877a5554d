import nodemailer from 'nodemailer'
import type { Config } from '../config.ts'
import { readDkim } from './dkim.ts'
import { type Envelope, type Sender, senderOf } from './envelope.ts'

export type Letter = {
  to: string
  messageId: string
  kind: string
  subject: string
  text: string
  html: string
  ics: { method: string; content: string } | null
  envelope: Envelope
}

export type Transport = {
  send(letter: Letter): Promise<void>
  /** Can the server be reached, and does it take our login? */
  verify(): Promise<void>
  close(): void
}

// A server that accepts the connection and then says nothing must not hold a job for long. One that closes it is not
// asked again at once: it may have taken the mail. The job tries again, and counts, and pauses longer each time.
const patience = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  maxRequeues: 0,
}

export function openTransport(smtpUrl: string, config: Config): Transport {
  const sender = senderOf(config.mailFrom)
  const dkim = readDkim(config) ?? undefined
  const mailer = nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 4,
    dkim,
    ...patience,
  })
  return {
    async send(letter) {
      await mailer.sendMail({ ...addresses(letter.envelope, sender), ...message(letter) })
    },
    async verify() {
      await mailer.verify()
    },
    close: () => mailer.close(),
  }
}

/** The address is ours, as the servers that check senders want it; the name is whose mail it is. */
function addresses({ fromName, replyTo, thread }: Envelope, sender: Sender) {
  return {
    from: { name: fromName ?? sender.name, address: sender.address },
    ...(replyTo && replyTo !== sender.address ? { replyTo: { name: '', address: replyTo } } : {}),
    ...(thread ? { inReplyTo: thread, references: thread } : {}),
  }
}

function message({ to, messageId, kind, subject, text, html, ics }: Letter) {
  return {
    // Not as text, which would be read as a list with names, comments and groups.
    to: { name: '', address: to },
    messageId,
    subject,
    text,
    html,
    headers: { 'X-Holdfast-Mail': kind, 'Auto-Submitted': 'auto-generated' },
    ...(ics ? { icalEvent: { method: ics.method, content: ics.content, filename: 'invite.ics' } } : {}),
  }
}

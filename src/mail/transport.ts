import nodemailer from 'nodemailer'

export type Letter = {
  to: string
  messageId: string
  kind: string
  subject: string
  text: string
  html: string
  ics: { method: string; content: string } | null
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

export function openTransport(smtpUrl: string, from: string): Transport {
  const mailer = nodemailer.createTransport({ url: smtpUrl, pool: true, maxConnections: 4, ...patience })
  return {
    async send(letter) {
      await mailer.sendMail({ from, ...message(letter) })
    },
    async verify() {
      await mailer.verify()
    },
    close: () => mailer.close(),
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

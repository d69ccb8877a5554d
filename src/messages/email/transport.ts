import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import nodemailer from 'nodemailer'
import type { Config } from '../../config.ts'
import { assertNoConnectionHeld } from '../../lib/held-connection-check.ts'
import { StartError } from '../../lib/start-error.ts'
import { type Envelope, type MailFrom, senderOf } from './envelope.ts'

export type Email = {
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
  send(email: Email): Promise<void>
  /** Whether the server is reachable and accepts our login. */
  verify(): Promise<void>
  close(): void
}

// A server that accepts the connection and stays silent must not occupy a job for long. If it closes the
// connection, the email is not sent again at once, because it may have been accepted: the job retries with a
// longer pause each time.
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  maxRequeues: 0,
}

/** For one email in total: a server that responds slowly is never silent. */
const overallMs = 60_000

export function openTransport(smtpUrl: string, config: Config, limitMs = overallMs): Transport {
  const sender = senderOf(config.mailFrom)
  const dkim = readDkim(config) ?? undefined
  const open = () =>
    nodemailer.createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: config.smtpConnections,
      dkim,
      ...timeouts,
    })
  let mailer = open()

  async function inTime(work: () => Promise<unknown>) {
    assertNoConnectionHeld('an email')
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      // These connections lead to a server that does not finish; new ones may work.
      mailer.close()
      mailer = open()
      const seconds = limitMs / 1000
      reject(Object.assign(new Error(`Not accepted within ${seconds} seconds.`), { code: 'ETIMEDOUT' }))
    }, limitMs)
    try {
      await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    send: email => inTime(() => mailer.sendMail({ ...addresses(email.envelope, sender), ...message(email) })),
    verify: () => inTime(() => mailer.verify()),
    close: () => mailer.close(),
  }
}

/** The address is ours, so that sender checks pass; the name is the Provider's. */
function addresses({ fromName, replyTo, thread }: Envelope, sender: MailFrom) {
  return {
    from: { name: fromName ?? sender.name, address: sender.address },
    ...(replyTo && replyTo !== sender.address ? { replyTo: { name: '', address: replyTo } } : {}),
    ...(thread ? { inReplyTo: thread, references: thread } : {}),
  }
}

function message({ to, messageId, kind, subject, text, html, ics }: Email) {
  return {
    // An object, because a text would be parsed as a list with names, comments and groups.
    to: { name: '', address: to },
    messageId,
    subject,
    text,
    html,
    headers: { 'X-Holdfast-Mail': kind, 'Auto-Submitted': 'auto-generated' },
    ...(ics ? { icalEvent: { method: ics.method, content: ics.content, filename: 'invite.ics' } } : {}),
  }
}

type Dkim = { domainName: string; keySelector: string; privateKey: string }

/** Null if emails are not signed. An unusable key fails at startup, not with the first email. */
function readDkim({ dkimDomain, dkimSelector, dkimKeyFile }: Config): Dkim | null {
  if (!dkimDomain || !dkimSelector || !dkimKeyFile) return null
  return { domainName: dkimDomain, keySelector: dkimSelector, privateKey: readKey(dkimKeyFile) }
}

function readKey(path: string): string {
  try {
    const key = readFileSync(path, 'utf8')
    createPrivateKey(key)
    return key
  } catch (error) {
    throw new StartError(
      `DKIM_KEY_FILE is invalid: ${path} holds no private key that can be read (${(error as Error).message}). Make one with \`openssl genrsa -out ${path} 2048\`.`,
    )
  }
}

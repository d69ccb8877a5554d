import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import type { Letter } from '../mail/transport.ts'
import { isEmail } from '../rules/people/emails.ts'
import { type Command, say } from './command.ts'

export const mailTestCommand: Command = {
  name: 'mail test',
  summary: 'Sends a short mail through SMTP_URL at once and tells what the server said.',
  words: ['<address>'],
  async run({ words: [address = ''], config }) {
    if (!isEmail(address)) throw new StartError(`${address} is not an email address.`)
    const { smtpUrl } = config
    if (!smtpUrl)
      throw new StartError(
        'SMTP_URL is not set: mails are not sent, but kept for the mailbox in the console.',
      )
    const { openTransport } = await import('../mail/transport.ts')
    const transport = openTransport(smtpUrl, config)
    try {
      await transport.send(letterTo(address, config))
    } catch (error) {
      throw new StartError(
        `${new URL(smtpUrl).host} did not take the mail: ${(error as Error).message}. Check SMTP_URL and MAIL_FROM.`,
      )
    } finally {
      transport.close()
    }
    say(`${new URL(smtpUrl).host} took the mail to ${address}.`)
  },
}

function letterTo(to: string, { baseUrl, port }: Config): Letter {
  const origin = baseUrl ?? `http://localhost:${port}`
  const text = `Mails of ${origin} arrive here.`
  return {
    to,
    messageId: `<${randomUUID()}@${new URL(origin).hostname}>`,
    kind: 'test',
    subject: 'Holdfast: a test',
    text,
    html: `<p>${text}</p>`,
    ics: null,
    envelope: { fromName: null, replyTo: null, thread: null },
  }
}

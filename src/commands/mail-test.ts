import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import type { Email } from '../messages/email/transport.ts'
import { isEmail } from '../rules/people/addresses.ts'
import { type Command, print } from './command.ts'

export const mailTestCommand: Command = {
  name: 'mail test',
  summary: "Sends a short email through SMTP_URL immediately and prints the server's reply.",
  words: ['<address>'],
  async run({ words: [address = ''], config }) {
    if (!isEmail(address)) throw new StartError(`${address} is not an email address.`)
    const { smtpUrl } = config
    if (!smtpUrl)
      throw new StartError(
        'SMTP_URL is not set: emails are not sent. They are kept and shown in the console.',
      )
    const { openTransport } = await import('../messages/email/transport.ts')
    const transport = openTransport(smtpUrl, config)
    try {
      await transport.send(testEmail(address, config))
    } catch (error) {
      throw new StartError(
        `${new URL(smtpUrl).host} did not accept the email: ${(error as Error).message}. Check SMTP_URL and MAIL_FROM.`,
      )
    } finally {
      transport.close()
    }
    print(`${new URL(smtpUrl).host} accepted the email to ${address}.`)
  },
}

function testEmail(to: string, { baseUrl, port }: Config): Email {
  const origin = baseUrl ?? `http://localhost:${port}`
  const text = `Emails from ${origin} arrive here.`
  return {
    to,
    messageId: `<${randomUUID()}@${new URL(origin).hostname}>`,
    kind: 'test',
    subject: 'Holdfast test email',
    text,
    html: `<p>${text}</p>`,
    ics: null,
    envelope: { fromName: null, replyTo: null, thread: null },
  }
}

import type { ConsoleCaller } from '../callers.ts'
import type { MailRow } from '../db/mails.ts'
import { hasRight } from '../rules/access.ts'
import type { Service } from '../service.ts'

// Staff can read sent emails in the console, but the links in them belong to the recipient.

/** The end of a signed link: subject, expiry and signature. */
const signed = /[\w-]{8,}\.[0-9a-z]{4,9}\.[\w-]{27}/g
const loginToken = /(\/console\/login\/)[\w-]{20,}/g

const hidden = 'hidden'

function withoutLinks<M extends Pick<MailRow, 'data'>>(mail: M): M {
  const text = JSON.stringify(mail.data).replace(signed, hidden).replace(loginToken, `$1${hidden}`)
  return { ...mail, data: JSON.parse(text) }
}

/** Without a mail server, the console is the inbox that operators use to try things out. */
export const withoutLinksFor = <M extends Pick<MailRow, 'data'>>(
  { config }: Pick<Service, 'config'>,
  { role }: Pick<ConsoleCaller, 'role'>,
  mail: M,
): M => (hasRight(role, 'service') && config.smtpUrl === null ? mail : withoutLinks(mail))

import type { ConsoleCaller } from '../callers.ts'
import type { MailRow } from '../db/mails.ts'
import { hasRight } from '../rules/access.ts'
import type { Channel, MessageData } from '../rules/messages/messages.ts'
import type { Service } from '../service.ts'
import type { Rendered, Renderer } from './channel.ts'
import { contentOf } from './content/content-of.ts'
import { renderEmail } from './email/render.ts'

const renderers: Record<Channel, Renderer> = { email: renderEmail }

type Stored = Pick<MailRow, 'kind' | 'channel' | 'language' | 'data' | 'ownText'>

/** The message as it is or was sent. */
export const renderMessage = ({ kind, channel, language, data, ownText }: Stored): Rendered =>
  renderers[channel](kind, language, data as MessageData[typeof kind], ownText)

/** Only the subject, for lists: rendering the whole message takes many times as long. */
export const subjectOf = ({ kind, language, data }: Pick<MailRow, 'kind' | 'language' | 'data'>): string =>
  contentOf(kind, language, data as MessageData[typeof kind]).subject

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

import type { Language } from '../languages.ts'
import type {
  BookingData,
  BookingKind,
  IcsMethod,
  LoginData,
  MailData,
  MailKind,
  VerificationData,
  WebhookData,
} from '../rules/news/mails.ts'
import { mails } from '../rules/news/mails.ts'
import { bookingContent, loginContent, verificationContent, webhookContent } from './content.ts'
import { calendarPart } from './ics.ts'
import { printHtml } from './layout.ts'
import { printText } from './text.ts'

type Rendered = {
  subject: string
  text: string
  html: string
  ics: { method: IcsMethod; content: string } | null
}

/** Writes a mail. The same input gives the same bytes: no clock, no chance, no database. */
export function render<K extends MailKind>(kind: K, language: Language, data: MailData[K]): Rendered {
  const content = contentOf(kind, language, data)
  return {
    subject: content.subject,
    text: printText(content),
    html: printHtml(content),
    ics: icsOf(kind, language, data),
  }
}

/** Alone, for lists: writing all of a mail takes many times as long. */
export const renderSubject = <K extends MailKind>(kind: K, language: Language, data: MailData[K]): string =>
  contentOf(kind, language, data).subject

// The list of mails ties each kind to its data; inside a generic function the compiler cannot follow that tie.
function contentOf(kind: MailKind, language: Language, data: MailData[MailKind]) {
  if (mails[kind].data === 'verification') return verificationContent(language, data as VerificationData)
  if (kind === 'login' || kind === 'invitation') return loginContent(kind, language, data as LoginData)
  if (mails[kind].data === 'webhook') return webhookContent(language, data as WebhookData)
  return bookingContent(kind as BookingKind, language, data as BookingData)
}

function icsOf(kind: MailKind, language: Language, data: MailData[MailKind]): Rendered['ics'] {
  const method = mails[kind].ics
  return method && { method, content: calendarPart(method, language, data as BookingData) }
}

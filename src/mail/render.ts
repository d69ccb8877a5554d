import type { Language } from '../languages.ts'
import { textKinds } from '../rules/messages/email-texts.ts'
import type {
  BookingData,
  BookingKind,
  CalendarData,
  IcsMethod,
  LoginData,
  LoginKind,
  MailData,
  MailKind,
  OfferData,
  OwnPageData,
  OwnPageKind,
  VerificationData,
  WaitingData,
  WaitingKind,
  WebhookData,
} from '../rules/messages/emails.ts'
import { mails } from '../rules/messages/emails.ts'
import {
  bookingContent,
  calendarContent,
  loginContent,
  verificationContent,
  webhookContent,
} from './content.ts'
import type { OwnBlock } from './content-parts.ts'
import { calendarPart } from './ics.ts'
import { printHtml } from './layout.ts'
import { ownPageContent } from './own-page.ts'
import { readOwnText } from './own-text.ts'
import { seriesContent } from './series-content.ts'
import { printText } from './text.ts'
import type { SeriesKind } from './texts/series.ts'
import { offerContent, waitingContent } from './waiting-content.ts'

type Rendered = {
  subject: string
  text: string
  html: string
  ics: { method: IcsMethod; content: string } | null
}

/** Renders an email. Pure: the same input gives the same bytes. */
export function render<K extends MailKind>(
  kind: K,
  language: Language,
  data: MailData[K],
  /** What the business adds, in Markdown. */
  ownText: string | null = null,
): Rendered {
  const content = { ...contentOf(kind, language, data), own: ownBlocks(kind, language, data, ownText) }
  return {
    subject: content.subject,
    text: printText(content),
    html: printHtml(content),
    ics: icsOf(kind, language, data),
  }
}

/** A withdrawn request is sent as a declined one, but must not be explained like one. */
function ownBlocks(
  kind: MailKind,
  language: Language,
  data: MailData[MailKind],
  text: string | null,
): OwnBlock[] {
  if (!text || !textKinds.includes(kind) || (data as BookingData).withdrawn) return []
  return readOwnText(text, language, data as BookingData)
}

/** Only the subject, for lists: rendering the whole email takes many times as long. */
export const renderSubject = <K extends MailKind>(kind: K, language: Language, data: MailData[K]): string =>
  contentOf(kind, language, data).subject

// Each kind has its own data type; inside a generic function the compiler cannot follow that.
function contentOf(kind: MailKind, language: Language, data: MailData[MailKind]) {
  if (mails[kind].data === 'verification') return verificationContent(language, data as VerificationData)
  if (mails[kind].data === 'login') return loginContent(kind as LoginKind, language, data as LoginData)
  if (mails[kind].data === 'webhook') return webhookContent(language, data as WebhookData)
  if (mails[kind].data === 'calendar') return calendarContent(language, data as CalendarData)
  if (mails[kind].data === 'offer')
    return offerContent(kind as 'offer' | 'proposal', language, data as OfferData)
  if (mails[kind].data === 'waiting')
    return waitingContent(kind as WaitingKind, language, data as WaitingData)
  if (mails[kind].data === 'own-page')
    return ownPageContent(kind as OwnPageKind, language, data as OwnPageData)
  if ((data as BookingData).dates) return seriesContent(kind as SeriesKind, language, data as BookingData)
  return bookingContent(kind as BookingKind, language, data as BookingData)
}

function icsOf(kind: MailKind, language: Language, data: MailData[MailKind]): Rendered['ics'] {
  const method = mails[kind].ics
  return method && { method, content: calendarPart(method, language, data as BookingData) }
}

import type { Language } from '../../languages.ts'
import type {
  BookingData,
  BookingKind,
  CalendarData,
  LoginData,
  LoginKind,
  MessageData,
  MessageKind,
  OfferData,
  OwnPageData,
  OwnPageKind,
  VerificationData,
  WaitingData,
  WaitingKind,
  WebhookData,
} from '../../rules/messages/messages.ts'
import { messages } from '../../rules/messages/messages.ts'
import type { SeriesKind } from '../texts/series.ts'
import {
  bookingContent,
  calendarContent,
  loginContent,
  verificationContent,
  webhookContent,
} from './content.ts'
import { ownPageContent } from './own-page.ts'
import type { Content } from './parts.ts'
import { seriesContent } from './series.ts'
import { offerContent, waitingContent } from './waiting.ts'

/** What a message says, in the reader's language; each channel prints it in its own form. */
export function contentOf(kind: MessageKind, language: Language, data: MessageData[MessageKind]): Content {
  // Each kind has its own data type, which the compiler cannot follow here.
  if (messages[kind].data === 'verification') return verificationContent(language, data as VerificationData)
  if (messages[kind].data === 'login') return loginContent(kind as LoginKind, language, data as LoginData)
  if (messages[kind].data === 'webhook') return webhookContent(language, data as WebhookData)
  if (messages[kind].data === 'calendar') return calendarContent(language, data as CalendarData)
  if (messages[kind].data === 'offer')
    return offerContent(kind as 'offer' | 'proposal', language, data as OfferData)
  if (messages[kind].data === 'waiting')
    return waitingContent(kind as WaitingKind, language, data as WaitingData)
  if (messages[kind].data === 'own-page')
    return ownPageContent(kind as OwnPageKind, language, data as OwnPageData)
  if ((data as BookingData).dates) return seriesContent(kind as SeriesKind, language, data as BookingData)
  return bookingContent(kind as BookingKind, language, data as BookingData)
}

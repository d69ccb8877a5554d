import type { PublicData } from '#shared/api-types.ts'
import { noEmails, noEmailTexts } from '#shared/email-texts.ts'
import type { State } from './state.ts'
import type { Words } from './words.ts'

/** Replaces the texts that promise emails. Loaded only for a service without a mail server. */
export function withoutEmails(words: Words, { provider }: PublicData, { moving }: State): string {
  const { language } = words
  const { confirmsRequests, notConfirmed, bookingLink } = noEmailTexts[language]
  const unsent = noEmails(language, provider.emails)!
  words.texts = {
    ...words.texts,
    needsConfirmation: confirmsRequests,
    confirmedHint: () => unsent,
    requestedHint: () => [notConfirmed, moving?.stays, unsent].filter(Boolean).join(' '),
  }
  return bookingLink
}

import type { Queryable } from '../../db/base/pool.ts'
import { listEmailTexts, saveEmailText } from '../../db/email-texts.ts'
import { lockProvider, type ProviderRow } from '../../db/setup/providers.ts'
import { type Language, languages } from '../../languages.ts'
import { manyLines } from '../../lib/clean-text.ts'
import { checkOwnText } from '../../mail/own-text.ts'
import type { MailKind } from '../../rules/messages/emails.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

/** What the business adds to one kind of email, by language. */
export type TextsOfKind = Record<Language, string | null>

export async function emailTextsOf(db: Queryable, providerId: number, kind: MailKind): Promise<TextsOfKind> {
  const texts = (await listEmailTexts(db, providerId)).filter(one => one.kind === kind)
  const textIn = (language: Language) => texts.find(one => one.language === language)?.text ?? null
  return Object.fromEntries(languages.map(one => [one, textIn(one)])) as TextsOfKind
}

/** Only the languages sent; null or an empty text removes one. Emails that are already queued keep theirs. */
export async function changeEmailTexts(
  service: Service,
  actor: Actor,
  { id, crmId }: ProviderRow,
  kind: MailKind,
  change: Partial<TextsOfKind>,
  check: (current: TextsOfKind) => void,
): Promise<TextsOfKind> {
  const wanted = languages
    .filter(language => change[language] !== undefined)
    .map(language => ({ kind, language, text: manyLines(change[language]) || null }))
  for (const { language, text } of wanted) if (text) checkOwnText(language, text)
  return service.db.transaction(async tx => {
    await lockProvider(tx, id)
    const known = await emailTextsOf(tx, id, kind)
    check(known)
    const changed = wanted.filter(({ language, text }) => known[language] !== text)
    if (changed.length === 0) return known
    for (const one of changed) await saveEmailText(tx, id, one)
    const events = { 'settings.changed': [{ detail: 'email-texts' }] }
    await recordEvents(tx, service, { actor, provider: { id, crmId }, events })
    return emailTextsOf(tx, id, kind)
  })
}

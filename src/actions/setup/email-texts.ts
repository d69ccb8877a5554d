import type { ProviderContext } from '../../callers.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { listEmailTexts, saveEmailText } from '../../db/email-texts.ts'
import { listProducts } from '../../db/setup/products.ts'
import { lockProvider, type ProviderRow } from '../../db/setup/providers.ts'
import { listResources } from '../../db/setup/resources.ts'
import { type Language, languages } from '../../languages.ts'
import { manyLines } from '../../lib/clean-text.ts'
import { checkOwnText } from '../../messages/content/own-text.ts'
import { previewEmail } from '../../messages/preview.ts'
import type { MessageKind } from '../../rules/messages/messages.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

/** What the business adds to one kind of email, by language. */
export type TextsOfKind = Record<Language, string | null>

export async function emailTextsOf(
  db: Queryable,
  providerId: number,
  kind: MessageKind,
): Promise<TextsOfKind> {
  const texts = (await listEmailTexts(db, providerId)).filter(one => one.kind === kind)
  const textIn = (language: Language) => texts.find(one => one.language === language)?.text ?? null
  return Object.fromEntries(languages.map(one => [one, textIn(one)])) as TextsOfKind
}

/** Only the languages sent; null or an empty text removes one. Emails that are already queued keep theirs. */
export async function changeEmailTexts(
  { service, actor, provider: { id, crmId } }: ProviderContext,
  kind: MessageKind,
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

type Wanted = { kind: MessageKind; language: Language; text: string | null }

/** With the first service and Resource of the business. */
export async function previewOf({ db, baseUrl }: Service, provider: ProviderRow, wanted: Wanted) {
  if (wanted.text) checkOwnText('text', wanted.text)
  const first = { after: null, limit: 1 }
  const [[product], [resource]] = await Promise.all([
    listProducts(db, provider.id, first),
    listResources(db, provider.id, first),
  ])
  const offer = {
    ...(product && { service: product.name }),
    ...(resource && { person: resource.publicName }),
  }
  return previewEmail(baseUrl, provider, offer, wanted)
}

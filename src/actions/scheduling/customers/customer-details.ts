import type { Queryable } from '../../../db/base/pool.ts'
import type { CustomerFields } from '../../../db/scheduling/customers.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { customerQuestions } from '../../../db/setup/questions.ts'
import { invalidField, type Refusal, throwRefusals } from '../../../errors.ts'
import type { Language } from '../../../languages.ts'
import { clockNow } from '../../../lib/clock.ts'
import { fromStored, type Question, type StoredAnswers } from '../../../rules/questions/define.ts'
import { checkAnswers, isDate } from '../../../rules/questions/questions.ts'
import { problemRefusal, stored } from '../../../rules/questions/sent.ts'

/** The details as they are stored; `known` are the values of own fields that the Customer has. */
export async function readDetails<T extends Partial<CustomerFields>>(
  tx: Queryable,
  provider: ProviderRow,
  sent: T,
  known: StoredAnswers = {},
): Promise<Omit<T, 'fields' | 'tags'> & { fields?: StoredAnswers; tags?: string[] }> {
  const { tags, fields, ...rest } = sent
  const { birthDate, address } = rest
  if (birthDate && !isDate(birthDate)) throw invalidField('birthDate', 'date', { example: '1990-02-28' })
  return {
    ...rest,
    ...(address !== undefined && { address: addressOf(address) }),
    ...(tags !== undefined && { tags: tagsOf(tags ?? []) }),
    ...(fields !== undefined && { fields: fields ? await readFields(tx, provider, fields, known) : {} }),
  }
}

/** Without empty parts; null if nothing is left. */
function addressOf(address: CustomerFields['address']): CustomerFields['address'] {
  const parts = Object.entries(address ?? {}).flatMap(([name, text]) =>
    text?.trim() ? [[name, text.trim()] as const] : [],
  )
  return parts.length > 0 ? Object.fromEntries(parts) : null
}

/** Trimmed, each once: case makes no other tag. */
function tagsOf(tags: string[]): string[] {
  const trimmed = tags.map(tag => tag.trim().replace(/\s+/g, ' '))
  const keys = trimmed.map(tag => tag.toLowerCase())
  return trimmed.filter((_, index) => keys.indexOf(keys[index]!) === index)
}

/** Nothing is required: staff fill in what they know. Values of questions that were deleted stay. */
async function readFields(
  tx: Queryable,
  provider: ProviderRow,
  sent: Record<string, unknown>,
  known: StoredAnswers,
): Promise<StoredAnswers> {
  const questions = (await customerQuestions(tx, provider.id)).map(one => ({ ...one, required: false }))
  const isAsked = (key: string) => questions.some(one => one.key === key)
  const kept = Object.fromEntries(Object.entries(known).filter(([key]) => !isAsked(key)))
  const { answers, problems } = checkAnswers(questions, { ...fromStored(known), ...sent })
  const language = provider.language as Language
  throwRefusals([
    ...Object.keys(sent)
      .filter(key => !isAsked(key) && !(sent[key] === null && key in kept))
      .map(unknownField),
    ...problems
      .filter(one => Object.hasOwn(sent, one.key))
      .map(one => problemRefusal(questions, one, `fields.${one.key}`, language)),
  ])
  for (const key of Object.keys(sent)) delete kept[key]
  const now = stored(questions, answers, { language, providerLanguage: language }, clockNow()) ?? {}
  return { ...kept, ...now, ...unchangedConsents(questions, known, now) }
}

/** A consent keeps its wording and moment until it is withdrawn. */
const unchangedConsents = (questions: Question[], known: StoredAnswers, now: StoredAnswers): StoredAnswers =>
  Object.fromEntries(
    questions
      .filter(({ key, type }) => type === 'consent' && known[key] && now[key])
      .map(({ key }) => [key, known[key]!]),
  )

const unknownField = (name: string): Refusal => {
  const key = name.slice(0, 50)
  return invalidField(`fields.${key}`, 'known-name:subject', { key })
}

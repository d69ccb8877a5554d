import type { Language } from '../../languages.ts'
import type { Answers, AnswerValue, Asked, FormQuestion } from './questions.ts'

/** The database sorts languages, so `''` names the one that was given first. */
export type TextsByLanguage = Partial<Record<Language | '', string>>

export const audiences = ['consumer', 'staff'] as const

/** Asked with each booking, or a field of the Customer that only staff fill in. */
export const subjects = ['booking', 'customer'] as const

export type Option = { key: string; label: TextsByLanguage }

/** A question as its Provider has set it up. */
export type Question = Omit<Asked, 'options'> & {
  uuid: string
  label: TextsByLanguage
  help: TextsByLanguage | null
  options: Option[]
  /** Options that were removed: earlier answers stay readable. */
  formerOptions: Option[]
  subject: (typeof subjects)[number]
  audience: (typeof audiences)[number]
  /** Emails to the consumer show the answer. */
  inEmails: boolean
  /** Days after the Appointment when the answer is removed; null to keep it. */
  keepDays: number | null
}

/** A question, and its position on the form; null if the Product no longer asks it. */
export type PlacedQuestion = Question & { position: number | null }

export const keyPattern = '^[a-z][a-z0-9_-]{0,49}$'

/** The fields of a completion, and a name that every object has. */
export const reservedKeys = [
  'start',
  'end',
  'product_uuid',
  'timeslot_uuid',
  'placeholder_id',
  'appointment_uuid',
  'customer_id',
  'firstname',
  'lastname',
  'email',
  'mobile',
  'message',
  'agbs',
  'locale',
  'answers',
  'place_count',
  'place_names',
  'constructor',
]

/** In the wanted language, else in the Provider's, else in the first one given. */
export function textIn(texts: TextsByLanguage | null, wanted: Language | null, provider: Language): string {
  if (!texts) return ''
  const first = texts[texts[''] as Language] || Object.values(texts).find(Boolean) || ''
  return (wanted && texts[wanted]) || texts[provider] || first
}

/** Without empty texts. */
export function readTexts(given: Record<string, string | null | undefined>): TextsByLanguage {
  const entries = Object.entries(given).flatMap(([language, text]) =>
    text?.trim() ? [[language, text.trim()] as const] : [],
  )
  const first = entries[0]?.[0]
  return Object.fromEntries(entries.length > 1 ? [...entries, ['', first]] : entries)
}

/** The first one given comes first. */
export function shownTexts({ '': first, ...texts }: TextsByLanguage): Record<string, string> {
  const sorted = Object.entries(texts).toSorted(([one], [other]) =>
    one === first ? -1 : other === first ? 1 : one < other ? -1 : 1,
  )
  return Object.fromEntries(sorted)
}

/** The questions that a consumer is asked, in order. */
export const forConsumer = <Q extends Question>(questions: Q[]): Q[] =>
  questions.filter(one => one.audience === 'consumer')

/** On the form of the Product now, in order. */
export const onForm = (questions: PlacedQuestion[]): PlacedQuestion[] =>
  questions.filter(one => one.position !== null).toSorted((one, other) => one.position! - other.position!)

export const inLanguage = (
  question: Question,
  wanted: Language | null,
  provider: Language,
): FormQuestion => ({
  key: question.key,
  type: question.type,
  label: textIn(question.label, wanted, provider),
  help: textIn(question.help, wanted, provider) || null,
  required: question.required,
  options: question.options.map(option => ({
    key: option.key,
    label: textIn(option.label, wanted, provider),
  })),
  min: question.min,
  max: question.max,
  maxLength: question.maxLength,
  showIf: question.showIf,
})

/** What a person has agreed to: the exact wording, and when. */
export type Consent = { given: true; text: string; at: string }

export type StoredAnswers = Record<string, AnswerValue | Consent>

export function toStored(
  questions: Question[],
  answers: Answers,
  language: (question: Question) => string,
  at: string,
): StoredAnswers {
  const byKey = new Map(questions.map(one => [one.key, one]))
  const stored = Object.entries(answers).map(([key, value]) => {
    const question = byKey.get(key)!
    const isConsent = question.type === 'consent' && value === true
    return [key, isConsent ? { given: true, text: language(question), at } : value]
  })
  return Object.fromEntries(stored)
}

export const isConsent = (value: unknown): value is Consent =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values as a form takes them. */
export const fromStored = (stored: StoredAnswers | null): Answers =>
  Object.fromEntries(
    Object.entries(stored ?? {}).map(([key, value]) => [
      key,
      typeof value === 'object' && !Array.isArray(value) ? value.given : value,
    ]),
  )

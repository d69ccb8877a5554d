import type { Language } from '../../languages.ts'
import { type Consent, type Question, type StoredAnswers, textIn } from './define.ts'
import type { AnswerValue } from './questions.ts'
import { questionWords } from './words.ts'

export type ReadableAnswer = { key: string; label: string; text: string; inEmails: boolean }

/** The answers as text, in the order of the questions. */
export function readableAnswers(
  questions: Question[],
  answers: StoredAnswers,
  language: Language,
  providerLanguage: Language,
): ReadableAnswer[] {
  return questions
    .filter(one => Object.hasOwn(answers, one.key))
    .map(question => ({
      key: question.key,
      label: textIn(question.label, language, providerLanguage),
      text: answerText(question, answers[question.key]!, language, providerLanguage),
      inEmails: question.inEmails,
    }))
}

function answerText(
  question: Question,
  value: AnswerValue | Consent,
  language: Language,
  providerLanguage: Language,
): string {
  const words = questionWords[language]
  const option = (key: string) => {
    const known = [...question.options, ...question.formerOptions].find(one => one.key === key)
    return known ? textIn(known.label, language, providerLanguage) : key
  }
  if (Array.isArray(value)) return value.map(option).join(', ')
  if (typeof value === 'object') return words.yes
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (question.type === 'choice') return option(String(value))
  if (question.type === 'date') return dateText(String(value), language)
  return String(value)
}

/** One for each language: making one costs more than using it a hundred times. */
const dateFormats = new Map<Language, Intl.DateTimeFormat>()

function dateText(date: string, language: Language): string {
  const known = dateFormats.get(language)
  const format = known ?? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  dateFormats.set(language, format)
  return format.format(new Date(`${date}T00:00Z`))
}

import type { Language } from '#shared/texts/index.ts'
import { inLanguage, type Question } from '../../../../../src/rules/questions/define.ts'
import type { FormQuestion } from '../../../../../src/rules/questions/questions.ts'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { locale } from '../../words.ts'

export type QuestionRecord = Schemas['ConsoleQuestion']

/** All questions of the Provider, deleted ones too: earlier answers refer to them. */
export function useQuestions(isNeeded = true) {
  const { uuid } = useProvider()
  return useLoad(isNeeded ? `questions-${uuid}` : null, signal =>
    api.get(`/providers/${uuid}/questions`, { signal }),
  )
}

/** In the reader's language, or in the first one there is. */
export const labelOf = (texts: Record<string, string>): string =>
  texts[locale.language] ?? Object.values(texts)[0] ?? ''

/** As a form in one language; `fallback` is the Provider's. */
export const asForm = (
  question: QuestionRecord,
  language: Language = locale.language,
  fallback: Language = language,
): FormQuestion => inLanguage(question as unknown as Question, language, fallback)

/** Fields of Customers that the business has defined, in order. */
export const customerFields = (questions: QuestionRecord[]): QuestionRecord[] =>
  questions.filter(one => one.subject === 'customer' && !one.archived)

/** The questions that a Product asks, in order. */
export const formOf = (questions: QuestionRecord[], keys: string[]): QuestionRecord[] =>
  keys.flatMap(key => questions.find(one => one.key === key && !one.archived) ?? [])

import { common } from '../../common-words.ts'
import type { Person } from '../../records.ts'
import { locale } from '../../words.ts'
import { briefTexts as texts } from './brief-words.ts'
import { labelOf, type QuestionRecord } from './questions.ts'

export type AnswerLine = { key: string; label: string; text: string }

/** The answers as text, in the order of the questions. */
export function answerLines(questions: QuestionRecord[], answers: Person['answers']): AnswerLine[] {
  return questions
    .filter(one => Object.hasOwn(answers, one.key))
    .map(one => ({ key: one.key, label: labelOf(one.label), text: answerText(one, answers[one.key]) }))
}

function answerText(question: QuestionRecord, value: unknown): string {
  const option = (key: unknown) => {
    const known = [...question.options, ...question.formerOptions].find(one => one.key === key)
    return known ? labelOf(known.label) : String(key)
  }
  if (Array.isArray(value)) return value.map(option).join(', ')
  if (typeof value === 'boolean') return value ? common.yes : common.no
  if (typeof value === 'object' && value !== null)
    return texts.agreed(dateText((value as { at: string }).at, 'medium'))
  if (question.type === 'choice') return option(value)
  return question.type === 'date' ? dateText(`${value}T12:00`, 'long') : String(value)
}

const dateText = (at: string, dateStyle: 'medium' | 'long') =>
  new Intl.DateTimeFormat(locale.tag, { dateStyle }).format(new Date(at))

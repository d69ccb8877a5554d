import { combineRefusals, invalidField, Refusal } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import { inLanguage, type Question, type StoredAnswers, textIn, toStored } from './define.ts'
import { checkAnswers, ownValue, type Problem } from './questions.ts'
// Reads the answers of a booking request.

/** `fields`: the whole body, because widgets send answers beside the other fields. */
export type SentAnswers = {
  answers: Record<string, unknown> | null
  fields: Record<string, unknown>
  /** The person was not asked yet: the confirmation asks for the answers. */
  isAskedLater?: boolean
}

export type BookingForm = {
  /** The consumer's questions, as they are now. */
  now: Question[]
  /** The same when the slot was held; null without a hold. */
  held: Question[] | null
  answersRequired: boolean
  language: Language | null
  providerLanguage: Language
}

export type TakenAnswers = { answers: StoredAnswers | null; answersMissing: boolean }

/** Throws one refusal for each question with a wrong answer. */
export function takeAnswers(sent: SentAnswers, form: BookingForm, at: number): TakenAnswers {
  const versions = form.held ? [form.held, form.now] : [form.now]
  const keys = new Set(versions.flat().map(one => one.key))
  const unknown = Object.keys(sent.answers ?? {}).filter(key => !keys.has(key))
  const given = givenAnswers(versions.flat(), sent)
  const isAware = sent.answers !== null || Object.keys(given).length > 0
  const isAcceptedWithout = !isAware && (sent.isAskedLater || !form.answersRequired)
  const checked = seenBy(given, versions).map(questions => ({ questions, ...checkAnswers(questions, given) }))
  // Of two versions, the one that the visitor most likely saw.
  const best = checked.toSorted((one, other) => one.problems.length - other.problems.length)[0]!
  const problems = isAcceptedWithout ? [] : best.problems
  const refusals = [
    ...unknown.map(unknownQuestion),
    ...problems.map(problem => refusalOf(best.questions, problem, sent, form)),
  ]
  if (refusals.length > 0) throw combineRefusals(refusals as [Refusal, ...Refusal[]])
  const now = best.questions === form.now ? best : checkAnswers(form.now, given)
  return {
    answers: stored(best.questions, best.answers, form, at),
    answersMissing: now.problems.some(one => one.problem === 'missing'),
  }
}

/** The versions that ask everything that was answered; an answer to a later question must not be lost. */
function seenBy(given: Record<string, unknown>, versions: Question[][]): Question[][] {
  const asksAll = (questions: Question[]) =>
    Object.keys(given).every(key => questions.some(one => one.key === key))
  const asking = versions.filter(asksAll)
  return asking.length > 0 ? asking : versions
}

export function stored(
  questions: Question[],
  answers: Parameters<typeof toStored>[1],
  { language, providerLanguage }: Pick<BookingForm, 'language' | 'providerLanguage'>,
  at: number,
): StoredAnswers | null {
  if (Object.keys(answers).length === 0) return null
  const wording = (one: Question) => textIn(one.label, language, providerLanguage)
  return toStored(questions, answers, wording, new Date(at).toISOString())
}

/** From `answers`, or else from the top level, where several choices are `key.option: true`. */
function givenAnswers(questions: Question[], { answers, fields }: SentAnswers): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const question of questions) {
    const { key, type } = question
    const inAnswers = answers ? ownValue(answers, key) : undefined
    const value = inAnswers ?? ownValue(fields, key)
    if (value !== undefined) given[key] = value
    else if (type === 'choices') {
      const sent = question.options.filter(one => Object.hasOwn(fields, `${key}.${one.key}`))
      const isChosen = (value: unknown) => value === true || value === 'true' || value === 'on'
      if (sent.length > 0)
        given[key] = sent.filter(one => isChosen(fields[`${key}.${one.key}`])).map(one => one.key)
    }
  }
  return given
}

const unknownQuestion = (key: string): Refusal =>
  invalidField(`answers.${key}`, 'known-name:form', { key: key.slice(0, 50) })

function refusalOf(
  questions: Question[],
  problem: Problem,
  sent: SentAnswers,
  { language, providerLanguage }: BookingForm,
): Refusal {
  const isTop = !Object.hasOwn(sent.answers ?? {}, problem.key) && Object.hasOwn(sent.fields, problem.key)
  const field = isTop ? problem.key : `answers.${problem.key}`
  return problemRefusal(questions, problem, field, language, providerLanguage)
}

export function problemRefusal(
  questions: Question[],
  problem: Problem,
  field: string,
  language: Language | null,
  providerLanguage: Language = language!,
): Refusal {
  const question = questions.find(one => one.key === problem.key)!
  const spoken = language ?? providerLanguage
  const { label } = inLanguage(question, language, providerLanguage)
  const wrong = { label, asked: question, problem, language: spoken }
  if (problem.problem === 'missing') return new Refusal('missing-answer', { field, ...wrong })
  const rule = (['min', 'max', 'maxLength'] as const).find(one => one === problem.problem)
  const broken = rule && typeof problem.limit === 'number' ? { as: rule, limit: problem.limit } : {}
  return invalidField(field, ':answer', { ...wrong, ...broken })
}

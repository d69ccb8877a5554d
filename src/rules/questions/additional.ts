import type { StoredAnswers } from './define.ts'
import { fromStored, type Question } from './define.ts'
import { checkAnswers } from './questions.ts'

type Answered = { answers: StoredAnswers | null; answersMissing: boolean }

/**
 * What a move asks: the questions of the new Product that the booking has no answer to. An optional one that
 * was left empty before is not asked again. `before` is null if the Product stays the same.
 */
export function additionalQuestions<Q extends Question>(
  form: Q[],
  { answers, answersMissing }: Answered,
  before: Question[] | null,
): Q[] {
  if (!before && !answersMissing) return []
  const kept = checkAnswers(form, fromStored(answers))
  const isAnswered = (key: string) =>
    Object.hasOwn(kept.answers, key) && !kept.problems.some(one => one.key === key)
  const isOpen = ({ key, required }: Q) =>
    !isAnswered(key) && (required || answersMissing || !before!.some(one => one.key === key))
  const asked: Q[] = []
  const isAsked = (key: string) => asked.some(one => one.key === key)
  /** The nearest condition that still depends on an answer: the others are met by answers from before. */
  const openCondition = ({ showIf }: Question): Question['showIf'] => {
    if (!showIf || isAsked(showIf.key)) return showIf
    const above = form.find(one => one.key === showIf.key)
    return above ? openCondition(above) : null
  }
  for (const question of form.filter(isOpen)) {
    if (question.showIf && isAsked(question.showIf.key)) asked.push(question)
    else if (kept.visible.includes(question)) asked.push({ ...question, showIf: openCondition(question) })
  }
  return asked
}

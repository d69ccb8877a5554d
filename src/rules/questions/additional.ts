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
  for (const question of form.filter(isOpen)) {
    const { showIf } = question
    if (asked.some(one => one.key === showIf?.key)) asked.push(question)
    // What it depends on is already answered.
    else if (kept.visible.includes(question)) asked.push({ ...question, showIf: null })
  }
  return asked
}

import { invalidField, missingField, type Refusal } from '../../errors.ts'
import type { Question } from './define.ts'
import { isDate, isTick, type QuestionType } from './questions.ts'

export const maxQuestions = 200
export const maxOnForm = 50
const maxLengths: Partial<Record<QuestionType, number>> = { text: 1000, textarea: 5000, phone: 100 }

type Definition = Omit<Question, 'uuid'>
type Other = Pick<Question, 'key' | 'type' | 'options' | 'subject' | 'audience'>

/** Everything that is wrong with a question, given the others of its Provider. */
export function definitionErrors(question: Definition, others: Other[]) {
  return [
    ...labelErrors(question),
    ...optionErrors(question),
    ...limitErrors(question),
    ...lengthErrors(question),
    ...conditionErrors(question, others),
    ...subjectErrors(question),
  ]
}

const labelErrors = ({ label }: Definition): Refusal[] =>
  Object.values(label).some(Boolean) ? [] : [missingField('label', 'label')]

function optionErrors({ type, options }: Definition): Refusal[] {
  const isChoice = type === 'choice' || type === 'choices'
  if (!isChoice && options.length > 0) return [invalidField('options', 'options-unused')]
  if (isChoice && options.length === 0) return [missingField('options', 'options')]
  const keys = options.map(one => one.key)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) return [invalidField('options', 'duplicate:option', { key: twice })]
  const blank = options.findIndex(one => !Object.values(one.label).some(Boolean))
  return blank < 0 ? [] : [missingField(`options[${blank}].label`)]
}

function limitErrors({ type, min, max }: Definition): Refusal[] {
  const wrong = (['min', 'max'] as const).filter(name => {
    const limit = { min, max }[name]
    if (limit === null) return false
    if (type === 'number') return typeof limit !== 'number'
    return type !== 'date' || typeof limit !== 'string' || !isDate(limit)
  })
  if (wrong.length > 0) return wrong.map(name => invalidField(name, 'limit-type'))
  return min !== null && max !== null && min > max ? [invalidField('min', 'above-max')] : []
}

function lengthErrors({ type, maxLength }: Definition): Refusal[] {
  if (maxLength === null) return []
  const most = maxLengths[type]
  if (most === undefined) return [invalidField('maxLength', 'no-max-length', { type })]
  return maxLength <= most ? [] : [invalidField('maxLength', 'max:question', { limit: most, type })]
}

const subjectErrors = ({ subject, audience }: Definition): Refusal[] =>
  subject === 'customer' && audience === 'consumer' ? [invalidField('audience', 'staff-only')] : []

function conditionErrors({ key, showIf, subject, audience }: Definition, others: Other[]): Refusal[] {
  if (!showIf) return []
  const asked = others.find(one => one.key === showIf.key && one.key !== key && one.subject === subject)
  if (!asked) return [invalidField('showIf', 'known-name:other', { key: showIf.key })]
  if (audience === 'consumer' && asked.audience === 'staff')
    return [invalidField('showIf', 'staff-only:condition', { key: showIf.key })]
  return fits(asked, showIf.is)
    ? []
    : [invalidField('showIf', 'no-answer', { key: showIf.key, value: String(showIf.is) })]
}

function fits({ type, options }: Pick<Question, 'type' | 'options'>, is: string | number | boolean): boolean {
  if (isTick({ type })) return typeof is === 'boolean'
  if (type === 'number') return typeof is === 'number'
  if (type === 'choice' || type === 'choices') return options.some(one => one.key === is)
  return typeof is === 'string'
}

/** The first question of the form whose condition is not an earlier question; null if the order works. */
export function outOfOrder(
  form: Pick<Question, 'key' | 'showIf'>[],
): Pick<Question, 'key' | 'showIf'> | null {
  const seen = new Set<string>()
  for (const one of form) {
    if (one.showIf && !seen.has(one.showIf.key)) return one
    seen.add(one.key)
  }
  return null
}

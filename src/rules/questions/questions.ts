// Questions on the booking form: which are visible, and which answers are valid. The server and the browser
// run this same file, so it imports nothing but types.

export const questionTypes = [
  'text',
  'textarea',
  'number',
  'date',
  'phone',
  'choice',
  'choices',
  'checkbox',
  'consent',
] as const

export type QuestionType = (typeof questionTypes)[number]

export type AnswerValue = string | number | boolean | string[]
export type Answers = Record<string, AnswerValue>

/** What decides whether a question is visible and an answer valid. */
export type Asked = {
  key: string
  type: QuestionType
  required: boolean
  options: { key: string }[]
  /** A number, or a date such as 2027-03-04. */
  min: number | string | null
  max: number | string | null
  maxLength: number | null
  /** Visible only while the answer to an earlier question is this one. */
  showIf: { key: string; is: string | number | boolean } | null
}

/** A question in one language, as a form shows it. */
export type FormQuestion = Omit<Asked, 'options'> & {
  label: string
  help: string | null
  options: { key: string; label: string }[]
}

export type Problem = {
  key: string
  problem: 'missing' | 'invalid' | 'number' | 'date' | 'phone' | 'option' | 'min' | 'max' | 'maxLength'
  limit?: number | string
}

export const defaultLength = { text: 255, textarea: 2000 }

export const lengthOf = ({ type, maxLength }: Pick<Asked, 'type' | 'maxLength'>) =>
  maxLength ?? (type === 'textarea' ? defaultLength.textarea : defaultLength.text)

/** Own fields only: `constructor` is no answer. */
export const ownValue = (values: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined

export const isTick = ({ type }: Pick<Asked, 'type'>) => type === 'checkbox' || type === 'consent'

type Checked<Q extends Asked> = { visible: Q[]; answers: Answers; problems: Problem[] }

/**
 * Goes through the questions in order. Answers to hidden questions are ignored; everything wrong is reported
 * at once, at most one problem for each question.
 */
export function checkAnswers<Q extends Asked>(questions: Q[], given: Record<string, unknown>): Checked<Q> {
  const visible: Q[] = []
  const answers: Answers = Object.create(null)
  const problems: Problem[] = []
  for (const question of questions) {
    if (!isShown(question, visible, answers)) continue
    visible.push(question)
    const read = readAnswer(question, ownValue(given, question.key))
    if (read !== null && typeof read === 'object' && 'problem' in read)
      problems.push({ key: question.key, ...read })
    else if (read !== null) answers[question.key] = read
    if (isUnanswered(question, read)) problems.push({ key: question.key, problem: 'missing' })
  }
  return { visible, answers: { ...answers }, problems }
}

/** A box that must be ticked has no answer until it is. */
const isUnanswered = (question: Asked, read: Read) =>
  question.required && (read === null || (read === false && isTick(question)))

function isShown({ showIf }: Asked, earlier: Asked[], answers: Answers): boolean {
  if (!showIf) return true
  const asked = earlier.find(one => one.key === showIf.key)
  if (!asked) return false
  const answer = answers[showIf.key] ?? (isTick(asked) ? false : null)
  return Array.isArray(answer) ? answer.includes(String(showIf.is)) : answer === showIf.is
}

type Read = AnswerValue | Omit<Problem, 'key'> | null

/** The answer in its stored form; null if the question was left empty. */
function readAnswer(question: Asked, given: unknown): Read {
  if (given === undefined || given === null) return null
  if (isTick(question)) return readTick(given)
  if (question.type === 'choices') return readChoices(question, given)
  if (question.type === 'number') return readNumber(question, given)
  if (typeof given !== 'string') return { problem: 'invalid' }
  const text = given.trim()
  return text === '' ? null : readText(question, text)
}

/** Forms without JavaScript send `on` for a ticked box. */
function readTick(given: unknown): Read {
  if (given === true || given === 'true' || given === 'on') return true
  if (given === false || given === 'false') return false
  return given === '' ? null : { problem: 'invalid' }
}

function readChoices({ options }: Asked, given: unknown): Read {
  const list = typeof given === 'string' && given !== '' ? [given] : given
  if (list === '') return null
  if (!Array.isArray(list) || list.some(one => typeof one !== 'string')) return { problem: 'invalid' }
  if (list.some(one => !options.some(option => option.key === one))) return { problem: 'option' }
  const chosen = options.filter(option => list.includes(option.key)).map(option => option.key)
  return chosen.length > 0 ? chosen : null
}

function readNumber(question: Asked, given: unknown): Read {
  if (typeof given === 'string' && given.trim() === '') return null
  const value =
    typeof given === 'string' && /^\s*[+-]?\d{1,15}([.,]\d{1,10})?\s*$/.test(given)
      ? Number(given.replace(',', '.'))
      : given
  if (typeof value !== 'number' || !Number.isFinite(value)) return { problem: 'number' }
  return bounded(question, value) ?? value
}

function readText(question: Asked, text: string): Read {
  const { type, options } = question
  if (type === 'choice') return options.some(one => one.key === text) ? text : { problem: 'option' }
  if (type === 'date') return isDate(text) ? (bounded(question, text) ?? text) : { problem: 'date' }
  const limit = lengthOf(question)
  if (text.length > limit) return { problem: 'maxLength', limit }
  if (type === 'phone' && !isPhone(text)) return { problem: 'phone' }
  return unstorable.test(text) ? { problem: 'invalid' } : text
}

/** NUL, or half of a character. */
const unstorable = /[\0\p{Surrogate}]/u

function bounded({ min, max }: Asked, value: number | string): Omit<Problem, 'key'> | null {
  if (min !== null && value < min) return { problem: 'min', limit: min }
  return max !== null && value > max ? { problem: 'max', limit: max } : null
}

/** A day of the calendar, from 1900 to 2199. */
export function isDate(text: string): boolean {
  const parts = /^((?:19|20|21)\d\d)-(\d\d)-(\d\d)$/.exec(text)
  if (!parts) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** Not checked further: a number that looks odd here may be right somewhere. */
const isPhone = (text: string) =>
  /^\+?[\d\s()./-]+$/.test(text) &&
  text.replace(/\D/g, '').length >= 5 &&
  text.replace(/\D/g, '').length <= 15

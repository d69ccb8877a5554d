import type { Language } from '../../languages.ts'
import { inLanguage, type Question } from '../../rules/questions/define.ts'
import { type FormQuestion, lengthOf } from '../../rules/questions/questions.ts'
import { conditionText, leadOf } from '../../rules/questions/words.ts'

// The booking form in the shape that other widgets read. Their own fields have the indexes 0 (first name) to
// 4 (message) and 5 (consent); ours stand between the last two.

type Field = {
  index: number
  title: string
  type: 'text' | 'textarea' | 'checkbox' | 'select'
  format?: string
  limit?: number
  options?: { title: string; key: string }[]
}

/** The longest text that these widgets accept. */
const longestText = 1024

export function formFields(questions: Question[], language: Language | null, providerLanguage: Language) {
  const form = questions.map(one => inLanguage(one, language, providerLanguage))
  const fields = form.flatMap(one => fieldsOf(one, titleOf(one, form, language ?? providerLanguage)))
  const step = 0.8 / Math.max(1, fields.length)
  return Object.fromEntries(
    fields.map(([key, field], at): [string, Field] => [
      key,
      { index: Number((4.1 + at * step).toFixed(4)), ...field },
    ]),
  )
}

/** These widgets know neither required fields nor conditions, so the title says both. */
function titleOf(question: FormQuestion, form: FormQuestion[], language: Language): string {
  const condition = conditionText(form, question, language)
  return [question.label, question.required && '*', condition && `(${condition})`].filter(Boolean).join(' ')
}

const formats: Partial<Record<FormQuestion['type'], string>> = {
  number: 'number',
  date: 'date',
  phone: 'tel',
}

function fieldsOf(question: FormQuestion, title: string): [string, Omit<Field, 'index'>][] {
  const { key, type, options } = question
  if (type === 'textarea')
    return [[key, { title, type: 'textarea', limit: Math.min(lengthOf(question), longestText) }]]
  if (type === 'checkbox' || type === 'consent') return [[key, { title, type: 'checkbox' }]]
  if (type === 'choice')
    return [
      [key, { title, type: 'select', options: options.map(one => ({ title: one.label, key: one.key })) }],
    ]
  if (type === 'choices')
    return options.map(one => [
      `${key}.${one.key}`,
      { title: `${leadOf(title)}${one.label}`, type: 'checkbox' },
    ])
  const format = formats[type]
  return [[key, { title, type: 'text', ...(format && { format }) }]]
}

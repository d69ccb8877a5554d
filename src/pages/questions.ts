import type { Language } from '../languages.ts'
import { type Html, html } from '../lib/html.ts'
import { type FormQuestion, isTick, lengthOf, type Problem } from '../rules/questions/questions.ts'
import { conditionText, leadOf, problemText } from '../rules/questions/words.ts'

// The questions of a booking form without JavaScript: every question is shown, with its condition.

export type GivenAnswers = Record<string, unknown>

const nameOf = ({ key }: FormQuestion) => `answers.${key}`
const idOf = ({ key }: FormQuestion) => `answer-${key}`

/** What a posted form says, by key. */
export function readAnswers(form: FormQuestion[], body: unknown): GivenAnswers {
  const sent = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const given = form.flatMap(question => {
    const value = Object.hasOwn(sent, nameOf(question)) ? sent[nameOf(question)] : undefined
    if (question.type === 'choices') return [[question.key, value === undefined ? [] : [value].flat()]]
    if (isTick(question)) return [[question.key, value !== undefined]]
    return [[question.key, typeof value === 'string' ? cleaned(value) : '']]
  })
  return Object.fromEntries(given)
}

/** Browsers send line breaks as two characters, and the database takes no NUL. */
const cleaned = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\0', '').toWellFormed()

type View = { form: FormQuestion[]; given: GivenAnswers; errors: Map<string, string>; language: Language }

/** The error texts by key. */
export const errorTexts = (form: FormQuestion[], problems: Problem[], language: Language) =>
  new Map(
    problems.map(problem => {
      const question = form.find(one => one.key === problem.key)!
      return [problem.key, problemText(question, problem, language)]
    }),
  )

export type AnswerRefusals = { errors?: { field?: string; message?: string }[] }

/** The API names the question before the text; here it stands beside it. */
export function answerErrorsOf(form: FormQuestion[], { errors = [] }: AnswerRefusals): Map<string, string> {
  const found = errors.flatMap(({ field = '', message = '' }): [string, string][] => {
    const question = form.find(one => field === `answers.${one.key}`)
    return question ? [[question.key, message.replace(leadOf(question.label), '')]] : []
  })
  return new Map(found)
}

export function questionFields(view: View, optional: string): Html {
  return html`${view.form.map(question => field(question, view, optional))}`
}

/** All errors at the top, each with a link to its field. */
export function errorSummary(lead: string, errors: { id: string; label: string; text: string }[]): Html {
  return html`<div class="bad" role="alert" tabindex="-1"><p><strong>${lead}</strong></p><ul>${errors.map(
    ({ id, label, text }) => html`<li><a class="bad" href="#${id}">${label}</a>: ${text}</li>`,
  )}</ul></div>`
}

export const summaryOf = (form: FormQuestion[], errors: Map<string, string>) =>
  form.flatMap(question => {
    const text = errors.get(question.key)
    return text ? [{ id: idOf(question), label: question.label, text }] : []
  })

function field(question: FormQuestion, view: View, optional: string): Html {
  const { form, given, errors, language } = view
  const id = idOf(question)
  const error = errors.get(question.key)
  const condition = conditionText(form, question, language)
  const notes = [question.help && `${id}-help`, condition && `${id}-if`, error && `${id}-error`].filter(
    Boolean,
  )
  const marks = html`${notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`}${error && html` aria-invalid="true"`}`
  const value = given[question.key]
  const mark = !question.required && !isTick(question) && ` (${optional})`
  const below = html`${question.help && html`<span class="soft typed-line" id="${id}-help">${question.help}</span>`}
${condition && html`<span class="soft" id="${id}-if">${condition}</span>`}
${error && html`<span class="bad" id="${id}-error">${error}</span>`}`
  if (isTick(question))
    return html`<p><label><input type="checkbox" id="${id}" name="${nameOf(question)}"${value === true && html` checked`}${marks}> ${question.label}</label>${below}</p>`
  if (question.type === 'choices') return boxes(question, value, marks, below, mark)
  return html`<p><label for="${id}">${question.label}${mark}</label>${control(question, String(value ?? ''), marks)}${below}</p>`
}

function boxes(question: FormQuestion, value: unknown, marks: Html, below: Html, mark: string | false): Html {
  const chosen = Array.isArray(value) ? value : []
  const box = ({ key, label }: { key: string; label: string }, index: number) =>
    html`<label><input type="checkbox" name="${nameOf(question)}" value="${key}"${index === 0 && html` id="${idOf(question)}"`}${chosen.includes(key) && html` checked`}> ${label}</label>`
  return html`<fieldset${marks}><legend>${question.label}${mark}</legend>${question.options.map(box)}${below}</fieldset>`
}

const inputs = { text: 'text', number: 'text', date: 'date', phone: 'tel' } as const

function control(question: FormQuestion, value: string, marks: Html): Html {
  const { type, options, min, max } = question
  const shared = html`id="${idOf(question)}" name="${nameOf(question)}"${marks}`
  if (type === 'textarea')
    return html`<textarea rows="3" maxlength="${lengthOf(question)}" ${shared}>${value}</textarea>`
  if (type === 'choice')
    return html`<select ${shared}><option value=""></option>${options.map(
      one => html`<option value="${one.key}"${one.key === value && html` selected`}>${one.label}</option>`,
    )}</select>`
  const kind = inputs[type as keyof typeof inputs]
  const limits =
    type === 'date'
      ? html`${min !== null && html` min="${min}"`}${max !== null && html` max="${max}"`}`
      : type === 'number'
        ? html` inputmode="decimal"`
        : html` maxlength="${lengthOf(question)}"`
  return html`<input type="${kind}" value="${value}"${limits} ${shared}>`
}

// The widget, the page without JavaScript and the server agree on which questions are visible and which answers
// are valid. All three run src/rules/questions; they differ in how they read what was entered.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswers } from '../../src/pages/questions.ts'
import { additionalQuestions } from '../../src/rules/questions/additional.ts'
import type { Question } from '../../src/rules/questions/define.ts'
import { checkAnswers, type FormQuestion, questionTypes } from '../../src/rules/questions/questions.ts'
import { takeAnswers } from '../../src/rules/questions/sent.ts'

const optionKeys = ['a', 'b', 'c']

const value = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'x', ' ', '5', '-1', '1e5', '2020-02-29', '2021-02-29', '+49 40 1234', 'on'),
  fc.string({ maxLength: 12 }).map(text => text.replaceAll('\0', '').replaceAll('\r\n', '\n').toWellFormed()),
  fc.constant('x'.repeat(300)),
)

/** What a person enters: text, ticks, or several choices. */
const entered = (type: string) => {
  if (type === 'checkbox' || type === 'consent') return fc.boolean()
  if (type === 'choices') return fc.subarray(optionKeys)
  return type === 'choice' ? fc.constantFrom('', ...optionKeys) : value
}

const question = (index: number) =>
  fc.record({
    type: fc.constantFrom(...questionTypes),
    required: fc.boolean(),
    dependsOn: fc.option(fc.nat(Math.max(0, index - 1))),
    is: fc.constantFrom<string | number | boolean>(true, false, 'a', 'b', 5, 'x'),
    limits: fc.boolean(),
  })

const form = fc
  .integer({ min: 1, max: 8 })
  .chain(count => fc.tuple(...Array.from({ length: count }, (_, index) => question(index))))
  .map(all =>
    all.map(({ type, required, dependsOn, is, limits }, index): Question => {
      const isChoice = type === 'choice' || type === 'choices'
      const [min, max] =
        type === 'number' ? [1, 9] : type === 'date' ? ['2000-01-01', '2030-01-01'] : [null, null]
      return {
        uuid: `q${index}`,
        key: `q${index}`,
        type,
        label: { en: `Q${index}` },
        help: null,
        required,
        options: isChoice ? optionKeys.map(key => ({ key, label: { en: key } })) : [],
        formerOptions: [],
        min: limits ? min! : null,
        max: limits ? max! : null,
        maxLength: null,
        showIf: dependsOn !== null && index > 0 ? { key: `q${dependsOn}`, is } : null,
        subject: 'booking',
        audience: 'consumer',
        inEmails: false,
        keepDays: null,
      }
    }),
  )

const filledForm = form.chain(questions =>
  fc
    .tuple(...questions.map(one => entered(one.type)))
    .map(values => ({ questions, values: values as (string | boolean | string[])[] })),
)

/** As a browser without JavaScript sends a form: no unticked boxes, and one text for each choice. */
function posted(questions: Question[], values: (string | boolean | string[])[]) {
  const body: Record<string, unknown> = {}
  for (const [index, { key, type }] of questions.entries()) {
    const entry = values[index]!
    if (type === 'checkbox' || type === 'consent') {
      if (entry === true) body[`answers.${key}`] = 'on'
    } else if (Array.isArray(entry)) {
      if (entry.length > 0) body[`answers.${key}`] = entry.length === 1 ? entry[0] : entry
    } else body[`answers.${key}`] = String(entry)
  }
  return body
}

test('the widget, the page without JavaScript and the server agree', () => {
  fc.assert(
    fc.property(filledForm, ({ questions, values }) => {
      const typed = Object.fromEntries(questions.map((one, index) => [one.key, values[index]]))
      const widget = checkAnswers(questions, typed)
      const page = checkAnswers(
        questions,
        readAnswers(questions as unknown as FormQuestion[], posted(questions, values)),
      )
      expect(page.visible).toEqual(widget.visible)
      expect(page.problems).toEqual(widget.problems)
      const server = () =>
        takeAnswers(
          { answers: widget.answers, fields: {} },
          { now: questions, held: null, answersRequired: true, language: 'en', providerLanguage: 'en' },
          0,
        )
      if (widget.problems.some(one => one.problem === 'missing')) expect(server).toThrow()
      if (widget.problems.length === 0) {
        const { answers } = server()
        expect(Object.keys(answers ?? {}).toSorted()).toEqual(Object.keys(widget.answers).toSorted())
        // What was accepted is accepted again, with the same questions visible.
        expect(checkAnswers(questions, widget.answers).visible).toEqual(widget.visible)
      }
      // Raw input is refused by the server exactly if the widget refuses it.
      const raw = () =>
        takeAnswers(
          { answers: typed, fields: {} },
          { now: questions, held: null, answersRequired: true, language: 'en', providerLanguage: 'en' },
          0,
        )
      if (widget.problems.length > 0) expect(raw).toThrow()
      else expect(raw).not.toThrow()
    }),
    { numRuns: 500 },
  )
})

test('a move asks exactly what the booking has no answer to', () => {
  const movedForm = filledForm.chain(({ questions, values }) =>
    fc.tuple(
      fc.constant({ questions, values }),
      fc.tuple(...questions.map(one => entered(one.type))),
      fc.tuple(...questions.map(() => fc.boolean())),
    ),
  )
  fc.assert(
    fc.property(movedForm, ([{ questions, values }, later, isStored]) => {
      const byKey = (all: unknown[], isIn = (_: number) => true) =>
        Object.fromEntries(
          questions.flatMap((one, index) => (isIn(index) ? [[one.key, all[index]]] : [])),
        ) as Record<string, unknown>
      const stored = checkAnswers(
        questions,
        byKey(values, index => isStored[index]!),
      ).answers
      const asked = additionalQuestions(questions, { answers: stored, answersMissing: true }, null)
      const typed = Object.fromEntries(asked.map(one => [one.key, byKey(later)[one.key]]))
      const inForm = checkAnswers(asked, typed)
      const kept = checkAnswers(questions, stored).answers
      const whole = checkAnswers(questions, { ...kept, ...typed })
      const keys = (all: { key: string }[]) => all.map(one => one.key)
      const isAsked = ({ key }: { key: string }) => asked.some(one => one.key === key)
      expect(keys(whole.visible.filter(isAsked))).toEqual(keys(inForm.visible))
      expect(whole.problems).toEqual(inForm.problems)
    }),
    { numRuns: 500 },
  )
})

test('nothing that is sent breaks the rules', () => {
  fc.assert(
    fc.property(
      form,
      fc.dictionary(fc.constantFrom('q0', 'q1', 'q2', 'constructor'), fc.anything()),
      (all, sent) => {
        const { answers, problems, visible } = checkAnswers(all, sent)
        expect(problems.length).toBeLessThanOrEqual(visible.length)
        expect(Object.keys(answers).every(key => visible.some(one => one.key === key))).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

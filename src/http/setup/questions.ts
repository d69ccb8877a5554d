import Type, { type Static } from 'typebox'
import { lockQuestionRecord } from '../../actions/setup/lock-records.ts'
import {
  changeQuestion,
  createQuestion as create,
  deleteQuestion as remove,
} from '../../actions/setup/questions.ts'
import { listQuestions } from '../../db/setup/questions.ts'
import { notFound } from '../../errors.ts'
import { languages } from '../../languages.ts'
import { omitUndefined } from '../../lib/objects.ts'
import {
  audiences,
  keyPattern,
  type Question,
  readTexts,
  shownTexts,
  subjects,
} from '../../rules/questions/define.ts'
import { questionTypes } from '../../rules/questions/questions.ts'
import { Choice, Optional, OptionalText, ruleText, Uuid } from '../wire/fields.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B1. Products', 'setup')

const TextsInput = (maxLength: number) =>
  Type.Object(Object.fromEntries(languages.map(language => [language, OptionalText(maxLength)])), {
    additionalProperties: false,
    description: 'Texts by language. Missing ones fall back to the Provider’s language, then to the first.',
  })

const Key = Type.String({
  pattern: keyPattern,
  ...ruleText('start with a small letter and have at most 50 small letters, digits, _ and -'),
})

const Limit = Nullable(Type.Union([Type.Number(), Type.String({ maxLength: 10 })]))

const ConditionValue = Type.Union([Type.String({ maxLength: 255 }), Type.Number(), Type.Boolean()])

const Condition = Type.Object({ key: Type.String({ maxLength: 50 }), is: ConditionValue })

const optional = {
  help: Optional(TextsInput(1000)),
  required: Optional(Type.Boolean()),
  options: Optional(Type.Array(Type.Object({ key: Key, label: TextsInput(255) }), { maxItems: 100 })),
  min: Type.Optional(Limit),
  max: Type.Optional(Limit),
  maxLength: Optional(Type.Integer({ minimum: 1, maximum: 5000 })),
  showIf: Optional(Condition),
  subject: Optional(
    Choice(subjects, {
      description:
        '`booking`: asked with each booking. `customer`: a field of the Customer that staff fill in. Cannot change.',
    }),
  ),
  audience: Optional(Choice(audiences)),
  inEmails: Optional(Type.Boolean()),
  keepDays: Optional(Type.Integer({ minimum: 0, maximum: 36_500 })),
}

export const QuestionInput = Type.Object(
  { key: Key, type: Choice(questionTypes), label: TextsInput(2000), ...optional },
  { title: 'QuestionInput' },
)

export const QuestionChangeInput = Type.Object(
  { type: Type.Optional(Choice(questionTypes)), label: Type.Optional(TextsInput(2000)), ...optional },
  { title: 'QuestionChange' },
)

const TextsRecord = Type.Record(Type.String(), Type.String())

export const QuestionRecord = Type.Object(
  {
    uuid: Uuid,
    key: Type.String(),
    type: Choice(questionTypes),
    label: TextsRecord,
    help: Nullable(TextsRecord),
    required: Type.Boolean(),
    options: Type.Array(Type.Object({ key: Type.String(), label: TextsRecord })),
    min: Limit,
    max: Limit,
    maxLength: Nullable(Type.Integer()),
    showIf: Nullable(Type.Object({ key: Type.String(), is: ConditionValue })),
    subject: Choice(subjects),
    audience: Choice(audiences),
    inEmails: Type.Boolean(),
    keepDays: Nullable(Type.Integer({ description: 'Days after the Appointment when answers are removed.' })),
  },
  { title: 'Question' },
)

const QuestionReply = Wrapped({ question: QuestionRecord })

export const getQuestions = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/questions',
  operationId: 'getQuestions',
  summary: 'Get questions',
  description: 'All questions for booking forms, without deleted ones.',
  replies: { 200: Type.Array(QuestionRecord) },
  handle: async ({ service, found: provider }) =>
    (await listQuestions(service.db, provider.id)).map(questionRecord),
})

export const getQuestion = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/questions/:questionKey',
  operationId: 'getQuestion',
  summary: 'Get question',
  description: 'One question for booking forms.',
  isRecord: true,
  replies: { 200: QuestionReply },
  async handle({ params, service, found: provider }) {
    const found = (await listQuestions(service.db, provider.id)).find(one => one.key === params.questionKey)
    if (!found) throw notFound('question', params.questionKey)
    return wrap({ question: questionRecord(found) })
  },
})

export const createQuestion = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/questions',
  operationId: 'createQuestion',
  summary: 'Create question',
  description:
    'Creates a question that Products can list in `questions`. If the key exists, updates the fields that are sent (200). A key keeps its type forever, even after the question was deleted (409 `reference-exists`).',
  body: QuestionInput,
  replies: { 200: QuestionReply, 201: QuestionReply },
  errors: ['reference-exists'],
  async handle({ body, context }) {
    const { question, created } = await create(context, readNewQuestion(body))
    return answer(created ? 201 : 200, wrap({ question: questionRecord(question) }))
  },
})

export const updateQuestion = crmRoute({
  method: 'PUT',
  path: '/crms/:crmId/provider/:providerRef/questions/:questionKey',
  operationId: 'updateQuestion',
  summary: 'Update question',
  description:
    'Changes the fields that are sent. A visitor who is filling in the form can still send answers that were valid when the slot was held.',
  body: QuestionChangeInput,
  ifMatch: { record: getQuestion, lock: lockQuestionRecord },
  replies: { 200: QuestionReply },
  async handle({ params, body, context }) {
    const question = await changeQuestion(context, params.questionKey, readQuestion(body))
    return wrap({ question: questionRecord(question) })
  },
})

export const deleteQuestion = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/questions/:questionKey',
  operationId: 'deleteQuestion',
  summary: 'Delete question',
  description:
    'The question is no longer asked and leaves all Products. Answers that were given stay. Refused while another question is shown depending on it.',
  ifMatch: { record: getQuestion, lock: lockQuestionRecord },
  replies: { 204: null },
  errors: ['question-in-use'],
  handle: ({ params, context }) => remove(context, params.questionKey),
})

/** Null restores the default. */
export function readQuestion(body: Static<typeof QuestionChangeInput>) {
  const { type, label, help, required, options, min, max, maxLength, showIf, audience, ...rest } = body
  const or = <T, D>(value: T | null | undefined, fallback: D) => (value === null ? fallback : value)
  return omitUndefined({
    type,
    label: label && readTexts(label),
    help: help && readTexts(help),
    required: or(required, false),
    options: or(options?.map(option => ({ key: option.key, label: readTexts(option.label) })) ?? options, []),
    min: min === '' ? null : min,
    max: max === '' ? null : max,
    maxLength,
    showIf: showIf && { key: showIf.key, is: showIf.is },
    subject: rest.subject ?? undefined,
    audience: or(audience, rest.subject === 'customer' ? ('staff' as const) : ('consumer' as const)),
    inEmails: or(rest.inEmails, false),
    keepDays: rest.keepDays,
  }) as Partial<Omit<Question, 'uuid' | 'key' | 'formerOptions'>>
}

export const readNewQuestion = ({ key, ...body }: Static<typeof QuestionInput>) => ({
  ...readQuestion(body),
  key,
  type: body.type,
  label: readTexts(body.label),
})

export function questionRecord(question: Question) {
  const { uuid, key, type, label, help, required, options, min, max, maxLength, showIf } = question
  const { subject, audience, inEmails, keepDays } = question
  return {
    uuid,
    key,
    type,
    label: shownTexts(label),
    help: help && shownTexts(help),
    required,
    options: options.map(option => ({ key: option.key, label: shownTexts(option.label) })),
    min,
    max,
    maxLength,
    showIf,
    subject,
    audience,
    inEmails,
    keepDays,
  }
}

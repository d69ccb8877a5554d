import Type from 'typebox'
import { answerAsStaff } from '../../../actions/booking/save-answers.ts'
import {
  changeQuestion,
  createQuestion,
  deleteQuestion,
  reorderQuestions,
} from '../../../actions/setup/questions.ts'
import { allQuestions, type QuestionRow } from '../../../db/setup/questions.ts'
import { AnswersRecord } from '../../../entities/appointment.ts'
import { maxQuestions } from '../../../rules/questions/check-definition.ts'
import { shownTexts } from '../../../rules/questions/define.ts'
import {
  QuestionChangeInput,
  QuestionInput,
  QuestionRecord,
  questionRecord,
  readNewQuestion,
  readQuestion,
} from '../../setup/questions.ts'
import { Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { participationInPath, providerInPath } from '../subjects.ts'

const ConsoleQuestion = Type.Object(
  {
    ...QuestionRecord.properties,
    formerOptions: Type.Array(
      Type.Object({ key: Type.String(), label: Type.Record(Type.String(), Type.String()) }),
      { description: 'Options that were removed, for earlier answers.' },
    ),
    archived: Type.Boolean({ description: 'Deleted; kept for earlier answers.' }),
  },
  { title: 'ConsoleQuestion' },
)

const QuestionList = Type.Object({ questions: Type.Array(ConsoleQuestion) }, { title: 'ConsoleQuestionList' })

export const listProviderQuestions = consoleRoute({
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true, scope: 'settings' },
  method: 'GET',
  path: '/console/api/providers/:uuid/questions',
  operationId: 'listProviderQuestions',
  summary: 'List the questions of booking forms',
  description: 'In order. Deleted ones are included, because earlier answers refer to them.',
  replies: { 200: QuestionList },
  async handle({ service, found: provider }) {
    const questions = await allQuestions(service.db, provider.id)
    return { questions: questions.map(consoleQuestion) }
  },
})

export const addQuestion = consoleRoute({
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  method: 'POST',
  path: '/console/api/providers/:uuid/questions',
  operationId: 'addQuestion',
  summary: 'Add a question',
  description: 'A known key changes that question; a key keeps its type forever.',
  body: QuestionInput,
  replies: { 201: ConsoleQuestion },
  errors: ['reference-exists'],
  async handle({ body, context }) {
    const { question } = await createQuestion(context, readNewQuestion(body))
    return consoleQuestion(question)
  },
})

export const patchQuestion = consoleRoute({
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  method: 'PATCH',
  path: '/console/api/providers/:uuid/questions/:questionKey',
  operationId: 'changeQuestion',
  summary: 'Change a question',
  description: 'Changes only the fields that are sent.',
  body: QuestionChangeInput,
  replies: { 200: ConsoleQuestion },
  handle: async ({ params, body, context }) =>
    consoleQuestion(await changeQuestion(context, params.questionKey, readQuestion(body))),
})

export const removeQuestion = consoleRoute({
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  method: 'DELETE',
  path: '/console/api/providers/:uuid/questions/:questionKey',
  operationId: 'removeQuestion',
  summary: 'Delete a question',
  description: 'It is no longer asked. Answers that were given stay.',
  replies: { 204: null },
  errors: ['question-in-use'],
  handle: ({ params, context }) => deleteQuestion(context, params.questionKey),
})

export const orderQuestions = consoleRoute({
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  method: 'PUT',
  path: '/console/api/providers/:uuid/question-order',
  operationId: 'orderQuestions',
  summary: 'Set the order of the questions',
  description:
    'The named questions come first, in this order; the others follow. The forms of all Products follow this order.',
  body: Type.Object(
    { keys: Type.Array(Type.String({ maxLength: 50 }), { maxItems: maxQuestions }) },
    { title: 'QuestionOrder' },
  ),
  replies: { 200: QuestionList },
  async handle({ body, service, found: provider, context }) {
    await reorderQuestions(context, body.keys)
    const questions = await allQuestions(service.db, provider.id)
    return { questions: questions.map(consoleQuestion) }
  },
})

export const putAnswers = consoleRoute({
  access: { right: 'book', whose: participationInPath },
  method: 'PUT',
  path: '/console/api/participations/:uuid/answers',
  operationId: 'saveAnswers',
  summary: 'Save the answers of a participant',
  description:
    'Replaces the answers to the questions that the Product asks, including those for staff only. Nothing is required; answers to other questions stay.',
  body: Type.Object({ answers: Type.Record(Type.String(), Type.Unknown()) }, { title: 'AnswersInput' }),
  replies: {
    200: Type.Object(
      { uuid: Uuid, answers: AnswersRecord, answersMissing: Type.Boolean() },
      { title: 'SavedAnswers' },
    ),
  },
  errors: ['transition-not-allowed'],
  async handle({ body, caller, service, found }) {
    const { uuid } = found
    const saved = await answerAsStaff(service, caller.actor, uuid, body.answers)
    return { uuid, answers: saved.answers ?? {}, answersMissing: saved.answersMissing }
  },
})

const consoleQuestion = (question: QuestionRow) => ({
  ...questionRecord(question),
  formerOptions: question.formerOptions.map(option => ({
    key: option.key,
    label: shownTexts(option.label),
  })),
  archived: question.archived,
})

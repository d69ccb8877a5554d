import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../db/base/pool.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import {
  archiveQuestion,
  askingProducts,
  findQuestion,
  insertQuestion,
  lockAskingProducts,
  lockListedQuestions,
  lockQuestions,
  orderQuestions,
  type QuestionRow,
  saveForms,
  setQuestionKeys,
  updateQuestion,
} from '../../db/setup/questions.ts'
import { bumpForProvider } from '../../db/setup/revisions.ts'
import {
  combineRefusals,
  invalidField,
  notFound,
  questionInUse,
  type Refusal,
  referenceExists,
} from '../../errors.ts'
import type { Actor } from '../../rules/messages/events.ts'
import {
  definitionErrors,
  maxOnForm,
  maxQuestions,
  outOfOrder,
} from '../../rules/questions/check-definition.ts'
import { type Question, reservedKeys } from '../../rules/questions/define.ts'
import type { Service } from '../../service.ts'
import { type EventsByKind, recordEvents } from '../record-events.ts'

export type QuestionChange = Partial<Omit<Question, 'uuid' | 'key' | 'formerOptions'>>
export type NewQuestion = QuestionChange & Pick<Question, 'key' | 'type' | 'label'>

type Context = { service: Service; actor: Actor; provider: ProviderRow }
type Outcome = { question: QuestionRow; created: boolean }

const blank = {
  help: null,
  required: false,
  options: [],
  formerOptions: [],
  min: null,
  max: null,
  maxLength: null,
  showIf: null,
  subject: 'booking',
  audience: 'consumer',
  inEmails: false,
  keepDays: null,
} as const

/** Only staff fill in fields of a Customer. */
const blankOf = (subject: Question['subject'] = 'booking') => ({
  ...blank,
  options: [],
  subject,
  audience: subject === 'customer' ? ('staff' as const) : blank.audience,
})

/** Answers belong to a booking, values of fields to a Customer: neither can become the other. */
function refuseOtherSubject(known: Question, { subject }: QuestionChange) {
  if (subject !== undefined && subject !== known.subject)
    throw invalidField('subject', 'The subject of a question cannot change. Add another question.')
}

/** A known key updates the fields sent; an archived question comes back, with the same type only. */
export async function createQuestion(context: Context, fields: NewQuestion): Promise<Outcome> {
  const { service, provider } = context
  if (reservedKeys.includes(fields.key))
    throw invalidField('key', `${fields.key} is the name of a field of the booking form. Choose another key.`)
  return service.db.transaction(async tx => {
    const all = await lockQuestions(tx, provider.id)
    const known = all.find(one => one.key === fields.key)
    if (known && known.type !== fields.type) throw referenceExists('question', fields.key, 'key')
    if (known) refuseOtherSubject(known, fields)
    if (known && !known.archived)
      return { question: await change(tx, context, all, known, fields), created: false }
    if (all.filter(one => !one.archived).length >= maxQuestions)
      throw invalidField('key', `A Provider can have at most ${maxQuestions} questions.`)
    if (known) return { question: await restore(tx, context, all, known, fields), created: true }
    const question = { ...blankOf(fields.subject), ...fields, formerOptions: [] }
    refuse(
      definitionErrors(
        question,
        all.filter(one => !one.archived),
      ),
    )
    const id = await insertQuestion(tx, provider.id, question)
    await record(tx, context, { 'question.created': [id] })
    return { question: (await findQuestion(tx, provider.id, fields.key))!, created: true }
  })
}

/** Changes the fields sent. */
export async function changeQuestion(
  context: Context,
  key: string,
  fields: QuestionChange,
): Promise<QuestionRow> {
  const { service, provider } = context
  return service.db.transaction(async tx => {
    const all = await lockQuestions(tx, provider.id)
    const known = all.find(one => one.key === key && !one.archived)
    if (!known) throw notFound('question', key)
    if (fields.type !== undefined && fields.type !== known.type)
      throw invalidField('type', 'The type of a question cannot change. Add another question.')
    refuseOtherSubject(known, fields)
    return change(tx, context, all, known, fields)
  })
}

async function change(
  tx: Queryable,
  context: Context,
  all: QuestionRow[],
  known: QuestionRow,
  fields: QuestionChange,
): Promise<QuestionRow> {
  const wanted = merged(known, fields)
  if (isDeepStrictEqual(wanted, known)) return known
  const now = all.filter(one => !one.archived).map(one => (one.id === known.id ? wanted : one))
  refuse(definitionErrors(wanted, now))
  refuseLostCondition(known, wanted, now)
  await refuseDisorder(tx, context.provider.id, now)
  await updateQuestion(tx, known.id, wanted)
  await record(tx, context, { 'question.changed': [known.id] })
  return wanted
}

/** Conditions of other questions may refer to an option that is gone, or to what consumers are no longer asked. */
function refuseLostCondition(known: QuestionRow, wanted: QuestionRow, now: QuestionRow[]) {
  for (const other of now.filter(one => one.showIf?.key === known.key)) {
    if (!definitionErrors(other, now).some(error => error.field === 'showIf')) continue
    throw wanted.audience !== known.audience
      ? invalidField('audience', `${other.key} is asked of consumers and shown depending on this question.`)
      : invalidField('options', `${other.key} is shown only for an option that would be removed.`)
  }
}

async function restore(
  tx: Queryable,
  context: Context,
  all: QuestionRow[],
  known: QuestionRow,
  fields: NewQuestion,
): Promise<QuestionRow> {
  const question = {
    ...merged(
      { ...known, ...blankOf(known.subject), options: known.options, formerOptions: known.formerOptions },
      fields,
    ),
    archived: false,
  }
  refuse(
    definitionErrors(
      question,
      all.filter(one => !one.archived),
    ),
  )
  await updateQuestion(tx, known.id, question)
  await record(tx, context, { 'question.created': [known.id] })
  return question
}

/** Options that disappear are kept for earlier answers. */
function merged(known: QuestionRow, fields: QuestionChange): QuestionRow {
  const wanted = { ...known, ...fields, type: known.type }
  const former = [...known.options, ...known.formerOptions].filter(
    (one, index, all) => all.findIndex(other => other.key === one.key) === index,
  )
  const isOption = (key: string) => wanted.options.some(one => one.key === key)
  return { ...wanted, formerOptions: former.filter(one => !isOption(one.key)) }
}

async function refuseDisorder(tx: Queryable, providerId: number, now: Question[]) {
  const byKey = new Map(now.map(one => [one.key, one]))
  for (const product of await askingProducts(tx, providerId)) {
    const wrong = outOfOrder(product.questionKeys.flatMap(key => byKey.get(key) ?? []))
    if (wrong)
      throw invalidField(
        'showIf',
        `On the form of ${product.name}, ${wrong.showIf!.key} must come before ${wrong.key}.`,
      )
  }
}

/** Archives it: it is no longer asked, and earlier answers stay readable. */
export async function deleteQuestion(context: Context, key: string) {
  const { service, provider } = context
  await service.db.transaction(async tx => {
    const all = await lockQuestions(tx, provider.id)
    const known = all.find(one => one.key === key && !one.archived)
    if (!known) throw notFound('question', key)
    const dependent = all.find(one => !one.archived && one.showIf?.key === key)
    if (dependent) throw questionInUse(key, dependent.key)
    const asking = (await askingProducts(tx, provider.id)).filter(one => one.questionKeys.includes(key))
    for (const product of asking)
      await setQuestionKeys(
        tx,
        product.id,
        product.questionKeys.filter(one => one !== key),
      )
    await archiveQuestion(tx, known.id)
    const events = { 'question.deleted': [known.id], 'product.changed': asking.map(one => one.id) }
    await record(tx, context, events)
  })
}

/** These come first, in this order. The forms of all Products follow it. */
export async function reorderQuestions(context: Context, named: string[]) {
  const { service, provider } = context
  await service.db.transaction(async tx => {
    const all = (await lockQuestions(tx, provider.id)).filter(one => !one.archived)
    const unknown = named.find(key => !all.some(one => one.key === key))
    if (unknown !== undefined) throw invalidField('keys', `There is no question ${unknown}.`)
    if (new Set(named).size !== named.length) throw invalidField('keys', 'A question is named twice.')
    const rest = all.filter(one => !named.includes(one.key))
    const keys = [...named, ...rest.map(one => one.key)]
    if (keys.join() === all.map(one => one.key).join()) return
    const wrong = outOfOrder(keys.map(key => all.find(one => one.key === key)!))
    if (wrong) throw invalidField('keys', `${wrong.showIf!.key} must come before ${wrong.key}.`)
    await orderQuestions(tx, provider.id, keys)
    const sorted = (await askingProducts(tx, provider.id)).map(product => ({
      ...product,
      wanted: product.questionKeys.toSorted((one, other) => keys.indexOf(one) - keys.indexOf(other)),
    }))
    const changed = sorted.filter(one => one.wanted.join() !== one.questionKeys.join())
    for (const { id, wanted } of changed) await setQuestionKeys(tx, id, wanted)
    const moved = all.filter((one, index) => keys[index] !== one.key)
    const events = {
      'question.changed': moved.map(one => one.id),
      'product.changed': changed.map(one => one.id),
    }
    await record(tx, context, events)
  })
}

/** Call it before the Product is locked: changes of questions lock the other way round. */
export async function checkQuestionKeys(
  tx: Queryable,
  providerId: number,
  keys: string[] | null | undefined,
) {
  if (!keys || keys.length === 0) return
  if (keys.length > maxOnForm)
    throw invalidField('questions', `A Product can ask at most ${maxOnForm} questions.`)
  if (new Set(keys).size !== keys.length) throw invalidField('questions', 'A question is listed twice.')
  const found = await lockListedQuestions(tx, providerId, keys)
  const unknown = keys.find(key => !found.some(one => one.key === key))
  if (unknown !== undefined) throw invalidField('questions', `There is no question ${unknown}.`)
  const wrong = outOfOrder(keys.map(key => found.find(one => one.key === key)!))
  if (wrong) throw invalidField('questions', `${wrong.showIf!.key} must come before ${wrong.key}.`)
}

function refuse(errors: Refusal[]) {
  if (errors.length > 0) throw combineRefusals(errors as [Refusal, ...Refusal[]])
}

/** Booking forms are part of what is kept about a Resource. */
async function record(tx: Queryable, { service, actor, provider }: Context, events: EventsByKind) {
  // Products are locked before Resources, as everywhere.
  await lockAskingProducts(tx, provider.id)
  await bumpForProvider(tx, provider.id)
  await saveForms(tx, provider.id)
  await recordEvents(tx, service, { actor, provider, events })
}

import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../callers.ts'
import type { Queryable } from '../../db/base/pool.ts'
import {
  archiveQuestion,
  askingProducts,
  findQuestion,
  insertQuestion,
  lockAskingProducts,
  lockFormOfBusiness,
  lockListedQuestions,
  lockQuestions,
  orderQuestions,
  type QuestionRow,
  saveForms,
  setFormOfBusiness,
  setQuestionKeys,
  updateQuestion,
} from '../../db/setup/questions.ts'
import { bumpForProvider } from '../../db/setup/revisions.ts'
import { invalidField, notFound, questionInUse, referenceExists, throwRefusals } from '../../errors.ts'
import {
  definitionErrors,
  maxOnForm,
  maxQuestions,
  outOfOrder,
} from '../../rules/questions/check-definition.ts'
import { type Question, reservedKeys } from '../../rules/questions/define.ts'
import { type EventsByKind, recordEvents } from '../record-events.ts'

type QuestionChange = Partial<Omit<Question, 'uuid' | 'key' | 'formerOptions'>>
type NewQuestion = QuestionChange & Pick<Question, 'key' | 'type' | 'label'>

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
  if (subject !== undefined && subject !== known.subject) throw invalidField('subject', 'fixed')
}

/** A known key updates the fields sent; an archived question comes back, with the same type only. */
export async function createQuestion(context: ProviderContext, fields: NewQuestion): Promise<Outcome> {
  const { service, provider } = context
  if (reservedKeys.includes(fields.key)) throw invalidField('key', 'reserved-key', { key: fields.key })
  return service.db.transaction(async tx => {
    const all = await lockQuestions(tx, provider.id)
    const known = all.find(one => one.key === fields.key)
    if (known && known.type !== fields.type) throw referenceExists('question', fields.key, 'key')
    if (known) refuseOtherSubject(known, fields)
    if (known && !known.archived)
      return { question: await change(tx, context, all, known, fields), created: false }
    if (all.filter(one => !one.archived).length >= maxQuestions)
      throw invalidField('key', 'max-count:questions', { limit: maxQuestions })
    if (known) return { question: await restore(tx, context, all, known, fields), created: true }
    const question = { ...blankOf(fields.subject), ...fields, formerOptions: [] }
    throwRefusals(
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
  context: ProviderContext,
  key: string,
  fields: QuestionChange,
): Promise<QuestionRow> {
  const { service, provider } = context
  return service.db.transaction(async tx => {
    const all = await lockQuestions(tx, provider.id)
    const known = all.find(one => one.key === key && !one.archived)
    if (!known) throw notFound('question', key)
    if (fields.type !== undefined && fields.type !== known.type) throw invalidField('type', 'fixed')
    refuseOtherSubject(known, fields)
    return change(tx, context, all, known, fields)
  })
}

async function change(
  tx: Queryable,
  context: ProviderContext,
  all: QuestionRow[],
  known: QuestionRow,
  fields: QuestionChange,
): Promise<QuestionRow> {
  const wanted = merged(known, fields)
  if (isDeepStrictEqual(wanted, known)) return known
  const now = all.filter(one => !one.archived).map(one => (one.id === known.id ? wanted : one))
  throwRefusals(definitionErrors(wanted, now))
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
      ? invalidField('audience', 'depends:audience', { key: other.key })
      : invalidField('options', 'depends:option', { key: other.key })
  }
}

async function restore(
  tx: Queryable,
  context: ProviderContext,
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
  throwRefusals(
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
  const business = { name: 'the business', questionKeys: await lockFormOfBusiness(tx, providerId) }
  for (const product of [business, ...(await askingProducts(tx, providerId))]) {
    const wrong = outOfOrder(product.questionKeys.flatMap(key => byKey.get(key) ?? []))
    if (wrong) throw invalidField('showIf', 'order:product', { ...orderOf(wrong), product: product.name })
  }
}

/** Archives it: it is no longer asked, and earlier answers stay readable. */
export async function deleteQuestion(context: ProviderContext, key: string) {
  const { service, provider } = context
  await service.db.transaction(async tx => {
    const all = await lockQuestions(tx, provider.id)
    const known = all.find(one => one.key === key && !one.archived)
    if (!known) throw notFound('question', key)
    const dependent = all.find(one => !one.archived && one.showIf?.key === key)
    if (dependent) throw questionInUse(key, dependent.key)
    const ofBusiness = await lockFormOfBusiness(tx, provider.id)
    if (ofBusiness.includes(key)) await setFormOfBusiness(tx, provider.id, without(ofBusiness, key))
    const asking = (await askingProducts(tx, provider.id)).filter(one => one.questionKeys.includes(key))
    for (const product of asking) await setQuestionKeys(tx, product.id, without(product.questionKeys, key))
    await archiveQuestion(tx, known.id)
    const events = { 'question.deleted': [known.id], 'product.changed': asking.map(one => one.id) }
    await record(tx, context, events)
  })
}

const without = (keys: string[], key: string) => keys.filter(one => one !== key)

/** These come first, in this order. The forms of all Products follow it. */
export async function reorderQuestions(context: ProviderContext, named: string[]) {
  const { service, provider } = context
  await service.db.transaction(async tx => {
    const all = (await lockQuestions(tx, provider.id)).filter(one => !one.archived)
    const unknown = named.find(key => !all.some(one => one.key === key))
    if (unknown !== undefined) throw invalidField('keys', 'known-name:question', { key: unknown })
    if (new Set(named).size !== named.length) throw invalidField('keys', 'duplicate:keys')
    const rest = all.filter(one => !named.includes(one.key))
    const keys = [...named, ...rest.map(one => one.key)]
    if (keys.join() === all.map(one => one.key).join()) return
    const wrong = outOfOrder(keys.map(key => all.find(one => one.key === key)!))
    if (wrong) throw invalidField('keys', 'order', orderOf(wrong))
    await orderQuestions(tx, provider.id, keys)
    const inOrder = (some: string[]) => some.toSorted((one, other) => keys.indexOf(one) - keys.indexOf(other))
    await setFormOfBusiness(tx, provider.id, inOrder(await lockFormOfBusiness(tx, provider.id)))
    const sorted = (await askingProducts(tx, provider.id)).map(product => ({
      ...product,
      wanted: inOrder(product.questionKeys),
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
  if (keys.length > maxOnForm) throw invalidField('questions', 'max-count:form', { limit: maxOnForm })
  if (new Set(keys).size !== keys.length) throw invalidField('questions', 'duplicate:questions')
  const found = await lockListedQuestions(tx, providerId, keys)
  const unknown = keys.find(key => !found.some(one => one.key === key))
  if (unknown !== undefined) throw invalidField('questions', 'known-name:question', { key: unknown })
  const wrong = outOfOrder(keys.map(key => found.find(one => one.key === key)!))
  if (wrong) throw invalidField('questions', 'order', orderOf(wrong))
}

const orderOf = ({ key, showIf }: Pick<Question, 'key' | 'showIf'>) => ({ key: showIf!.key, after: key })

/** Booking forms are part of what is kept about a Resource. */
async function record(tx: Queryable, { service, actor, provider }: ProviderContext, events: EventsByKind) {
  // Products are locked before Resources, as everywhere.
  await lockAskingProducts(tx, provider.id)
  await bumpForProvider(tx, provider.id)
  await saveForms(tx, provider.id)
  await recordEvents(tx, service, { actor, provider, events })
}

import sql, { type Sql } from 'sql-template-tag'
import type { PlacedQuestion, Question } from '../../rules/questions/define.ts'
import { hasAny } from '../base/conditions.ts'
import { json } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'

export type QuestionRow = Question & { id: number; providerId: number; archived: boolean }

/** The definition with the columns that are not part of it. */
const asQuestion = sql`
  question.definition || jsonb_build_object('id', question.id, 'providerId', question.provider_id, 'uuid', question.uuid,
    'key', question.key, 'type', question.type, 'subject', question.subject, 'archived', question.archived)
`

const read = (db: Queryable, rest: Sql) =>
  db.column<QuestionRow>(sql`select ${asQuestion} as question from question ${rest}`)

/** Without archived ones, in the order of the console. */
export const listQuestions = (db: Queryable, providerId: number): Promise<QuestionRow[]> =>
  read(db, sql`where provider_id = ${providerId} and not archived order by position, id`)

/** With archived ones, which earlier answers refer to. */
export const allQuestions = (db: Queryable, providerId: number): Promise<QuestionRow[]> =>
  read(db, sql`where provider_id = ${providerId} order by position, id`)

/** The fields of Customers that the Provider has defined, in order. */
export const customerQuestions = (db: Queryable, providerId: number): Promise<QuestionRow[]> =>
  read(
    db,
    sql`where provider_id = ${providerId} and subject = 'customer' and not archived order by position, id`,
  )

/** Includes archived ones. */
export async function findQuestion(
  db: Queryable,
  providerId: number,
  key: string,
): Promise<QuestionRow | null> {
  return (await read(db, sql`where provider_id = ${providerId} and key = ${key}`))[0] ?? null
}

export const questionsById = (db: Queryable, ids: number[]): Promise<QuestionRow[]> =>
  read(db, sql`where id = any (${ids}::bigint[])`)

/** Only one transaction at a time changes the questions of a Provider: they refer to each other. */
export async function lockQuestions(tx: Queryable, providerId: number): Promise<QuestionRow[]> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('questions', ${providerId}))`)
  return read(tx, sql`where provider_id = ${providerId} order by position, id`)
}

/** For a Product that is about to list them: they cannot be archived until the transaction ends. */
export async function lockListedQuestions(
  tx: Queryable,
  providerId: number,
  keys: string[],
): Promise<QuestionRow[]> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(hashtextextended('questions', ${providerId}))`)
  return read(
    tx,
    sql`where provider_id = ${providerId} and key = any (${keys}::text[]) and subject = 'booking' and not archived`,
  )
}

type Definition = Omit<Question, 'uuid' | 'key' | 'type' | 'subject'>

function definitionOf({
  label,
  help,
  required,
  options,
  formerOptions,
  min,
  max,
  maxLength,
  showIf,
  audience,
  inEmails,
  keepDays,
}: Question): Definition {
  const limits = { min, max, maxLength, showIf }
  return { label, help, required, options, formerOptions, ...limits, audience, inEmails, keepDays }
}

export async function insertQuestion(tx: Queryable, providerId: number, question: Omit<Question, 'uuid'>) {
  const definition = definitionOf({ uuid: '', ...question })
  return tx.value<number>(sql`
    insert into question (provider_id, key, type, subject, definition, position)
    values (${providerId}, ${question.key}, ${question.type}, ${question.subject}, ${json(definition)}::jsonb,
      (select coalesce(max(position), 0) + 1 from question where provider_id = ${providerId}))
    returning id
  `)
}

/** Also restores an archived question. */
export async function updateQuestion(tx: Queryable, id: number, question: Question) {
  await tx.query(sql`
    update question set definition = ${json(definitionOf(question))}::jsonb, archived = false where id = ${id}
  `)
}

export async function archiveQuestion(tx: Queryable, id: number) {
  await tx.query(sql`update question set archived = true where id = ${id}`)
}

export async function orderQuestions(tx: Queryable, providerId: number, keys: string[]) {
  await tx.query(sql`
    update question set position = array_position(${keys}::text[], key)
    where provider_id = ${providerId} and key = any (${keys}::text[])
  `)
}

type AskingProduct = {
  id: number
  uuid: string
  reference: string
  name: string
  questionKeys: string[]
}

/** The Products that ask something, without deleted ones. */
export const askingProducts = (db: Queryable, providerId: number): Promise<AskingProduct[]> =>
  db.query<AskingProduct>(sql`
    select id, uuid, reference, name, question_keys from product
    where provider_id = ${providerId} and deleted_at is null and question_keys <> '{}' order by id
  `)

/** Their forms are about to change. */
export async function lockAskingProducts(tx: Queryable, providerId: number) {
  await tx.query(sql`
    select from product where provider_id = ${providerId} and (question_keys <> '{}' or form is not null)
    order by id for no key update
  `)
}

export async function setQuestionKeys(tx: Queryable, productId: number, keys: string[]) {
  await tx.query(sql`update product set question_keys = ${keys}::text[] where id = ${productId}`)
}

/** The form of the business. Locks the Provider, so that no change to its form misses a new Product. */
export const formOfBusiness = (tx: Queryable, providerId: number) =>
  tx.value<string[]>(sql`select question_keys from provider where id = ${providerId} for share`)

/** The same, to be changed. */
export const lockFormOfBusiness = (tx: Queryable, providerId: number) =>
  tx.value<string[]>(sql`select question_keys from provider where id = ${providerId} for no key update`)

export async function setFormOfBusiness(tx: Queryable, providerId: number, keys: string[]) {
  await tx.query(sql`update provider set question_keys = ${keys}::text[] where id = ${providerId}`)
}

/** Gives the Products that follow the business its new form, and returns their ids. */
export async function passOnQuestions(
  tx: Queryable,
  providerId: number,
  before: string[],
  after: string[],
): Promise<number[]> {
  if (before.join() === after.join()) return []
  return tx.column<number>(sql`
    update product set question_keys = ${after}::text[], updated_at = app_clock()
    where id in (
      select id from product
      where provider_id = ${providerId} and deleted_at is null and not own_questions and question_keys = ${before}::text[]
      order by id for no key update
    )
    returning id
  `)
}

/** Each is looked up in its index, whatever the number of rows when the statement was planned. */
const lookedUp = sql`
  cross join lateral (
    select * from question where question.provider_id = product.provider_id and question.key = wanted.key offset 0
  ) as question
`

const listed = sql`unnest(product.question_keys) with ordinality as wanted (key, position)`

/** A question as part of a form, without the ids of this database. */
const asPlaced = sql`
  question.definition || jsonb_build_object('uuid', question.uuid, 'key', question.key, 'type', question.type)
`

const gatheredForm = sql`(
  select json_agg(${asPlaced} || jsonb_build_object('position', wanted.position) order by wanted.position)
  from ${listed} ${lookedUp} where not question.archived
)`

/** The questions of `product` as a JSON array, in order; null if it asks nothing. */
export const questionsOfProduct = sql`product.form`

/**
 * Writes the forms of the Provider's Products after a change of questions or Products. Holds get the form as it
 * was when they were made. Call it after the Resources are locked: no hold is missed then.
 */
export async function saveForms(tx: Queryable, providerId: number) {
  await tx.query(sql`
    with changed as materialized (
      select id, form, wanted from (
        select id, form, ${gatheredForm} as wanted from product
        where provider_id = ${providerId} and (question_keys <> '{}' or form is not null) offset 0
      ) as product
      where form::text is distinct from wanted::text
    ), kept as (
      update participation set held_questions = coalesce((select form from changed where id = hold.product_id)::jsonb, '[]')
      from (
        select hold.id, appointment.product_id
        from (
          select id, appointment_id, provider_id, held_questions from participation where state = 'RESERVED' offset 0
        ) as hold
        cross join lateral (select product_id from appointment where id = hold.appointment_id offset 0) as appointment
        where hold.provider_id = ${providerId} and held_questions is null and exists (select from changed)
      ) as hold
      where participation.id = hold.id and hold.product_id in (select id from changed)
    )
    update product set form = changed.wanted from changed where product.id = changed.id
  `)
}

/** The same, with the questions that `participation` has answered, even if they are no longer asked. */
export const questionsOfParticipation = sql`
  case
    when participation.answers is null or product.question_keys @> array (select jsonb_object_keys(participation.answers))
      then product.form
    else (
      select json_agg(${asPlaced} || jsonb_build_object('position', case when not question.archived then wanted.position end)
        order by wanted.position, question.position)
      from (
        select key, position from ${listed}
        union all
        select key, null from jsonb_object_keys(participation.answers) as given (key) where key <> all (product.question_keys)
      ) as wanted ${lookedUp}
    )
  end
`

/** Whether `product` requires an answer that is not in `answers`. Conditional questions do not count. */
export const lacksAnswers = (answers: Sql): Sql => sql`
  product.question_keys <> '{}' and ${hasAny(sql`
    select from ${listed} ${lookedUp}
    where not question.archived and (question.definition ->> 'required')::boolean
      and question.definition ->> 'audience' = 'consumer' and question.definition -> 'showIf' = 'null'
      and not coalesce(${answers} ? question.key, false)
  `)}
`

type ProductForm = { questions: PlacedQuestion[] | null; answersRequired: boolean }

export async function findProductForm(db: Queryable, productId: number): Promise<ProductForm> {
  const form = await db.first<ProductForm>(sql`
    select ${questionsOfProduct} as questions, answers_required from product where id = ${productId}
  `)
  return form ?? { questions: null, answersRequired: false }
}

import sql, { empty, join, type Sql } from 'sql-template-tag'
import { customer } from '../../entities/customer.ts'
import { numberBeginnings } from '../../rules/people/phones.ts'
import type { StoredAnswers } from '../../rules/questions/define.ts'
import { isUuid, uuidOfMadeUp } from '../../rules/references.ts'
import type { Attendance } from '../../rules/states/participations.ts'
import { columnsOf } from '../base/columns.ts'
import type { Queryable } from '../base/pool.ts'
import { type CustomerRow, hasTag, tagged } from './customers.ts'

/** With the next upcoming visit. */
type FoundCustomer = CustomerRow & { next: NextVisit | null }

type NextVisit = { appointmentUuid: string; start: number; productName: string; resourceName: string }

/** `only`: the Resources that a practitioner may see; null for all. */
type Only = string[] | null

const columns = (only: Only) => sql`${columnsOf(customer)}, (${nextVisit(only)}) as next`

const atResources = (only: string[]) =>
  sql`appointment.resource_id = any (array(select id from resource where uuid = any (${only}::uuid[])))`

/** Read once: the Customers with an Appointment at these Resources. */
const isVisible = (only: Only) =>
  only
    ? sql`and customer.id = any (array(
        select customer_id from appointment join participation on participation.appointment_id = appointment.id
        where ${atResources(only)}
      ))`
    : empty

export const isBookedAt = (db: Queryable, customerId: number, only: string[]) =>
  db.any(sql`
    select from (select * from participation where customer_id = ${customerId} offset 0) as own
    join appointment on appointment.id = own.appointment_id where ${atResources(only)} limit 1
  `)

export const customerOrders = ['name', '-name', 'email', 'next'] as const
type Order = (typeof customerOrders)[number] | null

/** Of few Customers; `next` looks up the visits of each. */
const orderOf = (order: Order, only: Only) =>
  ({
    name: sql`lower(name), id`,
    '-name': sql`lower(name) desc, id desc`,
    email: sql`lower(email), id`,
    next: sql`((${nextVisit(only)}) ->> 'start')::bigint, lower(name), id`,
  })[order ?? 'name']

/** The visit that a caller most likely asks about. */
function nextVisit(only: Only): Sql {
  return sql`
    select json_build_object('appointmentUuid', appointment.uuid,
      'start', (extract(epoch from appointment.start_at) * 1000)::bigint,
      'productName', coalesce(appointment.product_name, product.name), 'resourceName', resource.internal_name)
    from (
      select appointment_id from (select * from participation where customer_id = customer.id offset 0) as own
      where state in ('BOOKED', 'REQUESTED') offset 0
    ) as booking
    cross join lateral (
      select * from appointment where id = appointment_id and state = 'ACTIVE' and end_at > app_now() ${only ? sql`and ${atResources(only)}` : empty} offset 0
    ) as appointment
    join product on product.id = appointment.product_id
    join resource on resource.id = appointment.resource_id
    order by appointment.start_at limit 1
  `
}

/**
 * Searches by word prefixes of name, email, number and reference; without a search text, the most recent
 * visitors. Generated references are not indexed as words and match only as a whole.
 */
export async function searchCustomers(
  db: Queryable,
  providerId: number,
  text: string,
  limit: number,
  country: string | null,
  only: Only = null,
  tag: string | null = null,
  before: string | null = null,
  order: Order = null,
): Promise<FoundCustomer[]> {
  const words = wordsOf(text, country)
  if (words.length === 0) return allCustomers(db, { providerId, limit, only, tag }, before, order)
  const search = { text, words, limit, order }
  const first = words.length === 1 ? frequentMatches : matchesByName
  const found = only || tag ? null : await first(db, providerId, search)
  return found ?? indexedMatches(db, providerId, { ...search, only, tag })
}

type Search = { text: string; words: string[][]; limit: number; order: Order }

const firstName = sql`lower(name)`
const lastName = sql`regexp_replace(lower(name), '^.*[\\s,;]', '')`

/**
 * The index of words finds all matches before the first is shown: with a million Customers, a letter has
 * 100,000. Some of so many are found in the order of other indexes. Null if these have few.
 */
async function frequentMatches(
  db: Queryable,
  providerId: number,
  { text, words, limit, order }: Search,
): Promise<FoundCustomer[] | null> {
  const begun = text.toLowerCase().trim()
  const sources = [
    [firstName, begun],
    [lastName, begun],
    [sql`lower(email)`, begun],
    [sql`reference`, text.trim()],
    ...(isNumber(text.trim()) ? words.flat().map(digits => [sql`mobile_key`, `+${digits}`]) : []),
  ] as [Sql, string][]
  const parts = sources.map(([column, beginning]) => beginningWith(providerId, column, beginning, many))
  const ids = await idsOf(db, parts)
  return ids.length < many ? null : customersByIds(db, ids, limit, order)
}

/**
 * For several words: names that begin as typed, then some of those whose first or last name begins with the
 * longest word. Null if these are too few. Any will do if one of the words is a letter that thousands have.
 */
async function matchesByName(
  db: Queryable,
  providerId: number,
  { text, words, limit, order }: Search,
): Promise<FoundCustomer[] | null> {
  const typed = words.flat().toSorted((one, other) => other.length - one.length)
  const [longest, shortest] = [typed[0]!, typed.at(-1)!]
  const hasWord = (word: string) =>
    sql`' ' || translate(lower(name), ',;', '  ') like ${`% ${word.replace(/[\\%_]/g, '\\$&')}%`}`
  const hasAll = join(typed.map(hasWord), ' and ')
  const ids = await idsOf(db, [
    beginningWith(providerId, firstName, text.toLowerCase().trim(), many),
    beginningWith(providerId, firstName, longest, walked, hasAll),
    beginningWith(providerId, lastName, longest, walked, hasAll),
  ])
  const isEnough =
    ids.length >= limit || (ids.length > 0 && (await isFrequentLetter(db, providerId, shortest)))
  return isEnough ? customersByIds(db, ids, limit, order) : null
}

async function isFrequentLetter(db: Queryable, providerId: number, word: string): Promise<boolean> {
  if (word.length > 1) return false
  const isFrequent = await db.value<boolean | null>(sql`
    select starts_with(lower(name), ${word}) from customer
    where provider_id = ${providerId} and erased_at is null and lower(name) >= ${word}
    order by provider_id, lower(name) offset ${walked} limit 1
  `)
  return isFrequent ?? false
}

/** Texts are read from this one on, in the order of the database's collation. */
const beginningWith = (
  providerId: number,
  column: Sql,
  beginning: string,
  most: number,
  condition = sql`true`,
) => sql`
  (select id from (
    select id, name, ${column} as text from customer
    where provider_id = ${providerId} and erased_at is null and ${column} >= ${beginning}
    order by provider_id, ${column} limit ${most}
  ) as customer
  where starts_with(text, ${beginning}) and text not like '%@consumer' and ${condition})
`

const idsOf = (db: Queryable, parts: Sql[]) =>
  db.value<number[]>(sql`select array (${join(parts, ' union ')})::float8[] as ids`)

const customersByIds = (db: Queryable, ids: number[], limit: number, order: Order) =>
  db.query<FoundCustomer>(sql`
    select ${columns(null)} from customer where id = any (${ids}::bigint[]) order by ${orderOf(order, null)} limit ${limit}
  `)

/** With fewer matches, the index of words is fast. */
const many = 200

/** How many Customers are looked at to find some that have all words. */
const walked = 500

function indexedMatches(
  db: Queryable,
  providerId: number,
  { text, words, limit, order, only, tag }: Search & { only: Only; tag: string | null },
): Promise<FoundCustomer[]> {
  // Each indexed word is prefixed with its Provider.
  const query = words.map(spellings => anyOf(providerId, spellings)).join(' & ')
  const made = generatedReference(words)
  const ending = numberEnding(text)
  return db.query<FoundCustomer>(sql`
    select ${columns(only)} from (
      -- A fence: the planner would otherwise read the whole index of Customers that are not erased.
      select * from customer
      where customer_words(provider_id, name, email, mobile, reference) @@ ${query}::tsquery and reference is distinct from ${made}
      union all
      select * from customer where provider_id = ${providerId} and reference = ${made}
      union all
      select * from customer
      where provider_id = ${providerId}
        and reverse(mobile_key) collate "C" >= ${ending} and reverse(mobile_key) collate "C" < ${ending}::text || ':'
        and not customer_words(provider_id, name, email, mobile, reference) @@ ${query}::tsquery
      offset 0
    ) as customer
    where erased_at is null ${isVisible(only)} ${tag ? sql`and ${hasTag(tag)}` : empty}
    order by ${orderOf(order, only)} limit ${limit}
  `)
}

/** Those with an upcoming visit, soonest first; then the others, the newest first. */
async function nextCustomers(db: Queryable, listed: Listed): Promise<FoundCustomer[]> {
  // The visits that come next have enough Customers, unless the same few come again and again.
  const some = await comingCustomers(db, listed, sql`limit 2000`)
  const coming = some.length === listed.limit ? some : await comingCustomers(db, listed, empty)
  return filledUp(coming, listed.limit, () => listCustomers(db, listed, sql`id desc`))
}

/** `bound`: how many of the upcoming visits are looked at, the next ones first. */
const comingCustomers = (db: Queryable, { providerId, limit, only, tag }: Listed, bound: Sql) =>
  db.query<FoundCustomer>(sql`
    select ${columns(only)} from (
      select customer_id, min(start_at) as start from (
        select id, start_at from appointment
        where provider_id = ${providerId} and deleted_at is null and state = 'ACTIVE' and end_at > app_now()
          and start_at > app_now() - (select max(longest_block) from resource where provider_id = ${providerId})
          ${only ? sql`and ${atResources(only)}` : empty}
        order by start_at ${bound}
      ) as visit
      cross join lateral (
        select customer_id from participation
        where appointment_id = visit.id and state in ('BOOKED', 'REQUESTED') offset 0
      ) as place
      group by customer_id
    ) as coming
    cross join lateral (select * from customer where id = coming.customer_id offset 0) as customer
    where erased_at is null ${tag ? sql`and ${hasTag(tag)}` : empty}
    order by coming.start, lower(name), id limit ${limit}
  `)

/** Those without an address come last. Sorting equal addresses, too, would read all of them. */
const customersByEmail = async (db: Queryable, listed: Listed) =>
  filledUp(await listCustomers(db, listed, sql`lower(email)`, sql`and email is not null`), listed.limit, () =>
    listCustomers(db, listed, sql`id desc`, sql`and email is null`),
  )

async function filledUp(first: FoundCustomer[], limit: number, others: () => Promise<FoundCustomer[]>) {
  if (first.length === limit) return first
  const known = new Set(first.map(one => one.uuid))
  return [...first, ...(await others()).filter(one => !known.has(one.uuid))].slice(0, limit)
}

type Listed = { providerId: number; limit: number; only: Only; tag: string | null }

function allCustomers(db: Queryable, listed: Listed, before: string | null, order: Order) {
  if (order === 'next') return nextCustomers(db, listed)
  if (order === 'email') return customersByEmail(db, listed)
  const isEarlier = before
    ? sql`and id < (select other.id from customer as other where other.uuid = ${before})`
    : empty
  return listCustomers(db, listed, order ? orderOf(order, listed.only) : sql`id desc`, isEarlier)
}

const listCustomers = (
  db: Queryable,
  { providerId, limit, only, tag }: Listed,
  order: Sql,
  condition: Sql = empty,
) =>
  db.query<FoundCustomer>(sql`
    select ${columns(only)} from ${tag ? tagged(providerId, tag) : sql`customer`}
    where provider_id = ${providerId} and erased_at is null ${isVisible(only)} ${condition}
    order by ${order} limit ${limit}
  `)

/** The most frequent ones first, of the customers that were tagged last. */
export const listTags = (db: Queryable, providerId: number, only: Only) =>
  db.column<string>(sql`
    select min(tag) as tag from (
      select tags from customer where provider_id = ${providerId} and tags <> '{}' ${isVisible(only)}
      order by id desc limit 5000
    ) as customer, unnest(tags) as tag
    group by lower(tag) order by count(*) desc, lower(tag) limit 200
  `)

const isNumber = (typed: string) => /^\+?[\d\s()/.-]{4,}$/.test(typed)

/**
 * People often know only the last digits of a number. Reversed, because an index finds prefixes. Null if the
 * text is not a number.
 */
function numberEnding(text: string): string | null {
  const digits = text.replace(/\D/g, '')
  return isNumber(text.trim()) && digits.length >= 4 ? [...digits].reverse().join('') : null
}

/** The entered words, each with its spellings: for a number, its digits with and without the country code. */
function wordsOf(text: string, country: string | null): string[][] {
  const typed = text.toLowerCase().trim()
  if (isNumber(typed)) return [numberBeginnings(typed, country)]
  return typed
    .split(/[\s,;]+/)
    .filter(word => word !== '')
    .slice(0, 8)
    .map(word => [word])
}

/**
 * A complete generated reference identifies one Customer, so other words are ignored. Accepted with or
 * without the part after the uuid.
 */
function generatedReference(words: string[][]): string | null {
  const uuid = words
    .map(([word = '']) => (isUuid(word) ? word : uuidOfMadeUp(word)))
    .find(one => one !== null)
  return uuid ? `${uuid}@consumer` : null
}

/** Escapes quotes and backslashes, which are special in a tsquery. */
function anyOf(providerId: number, spellings: string[]): string {
  const escaped = spellings.map(word => word.replace(/['\\]/g, sign => sign + sign).slice(0, 200))
  return `(${escaped.map(word => `'${providerId}:${word}':*`).join(' | ')})`
}

type VisitLine = {
  participationUuid: string
  appointmentUuid: string
  start: number
  end: number
  state: string
  attendance: Attendance | null
  productName: string
  resourceName: string
  note: string | null
  answers: StoredAnswers | null
}

/** Newest first, with upcoming visits on top. */
export const customerHistory = (db: Queryable, customerId: number, limit: number | null, only: Only = null) =>
  db.query<VisitLine>(sql`
    select participation.uuid as participation_uuid, appointment.uuid as appointment_uuid,
      appointment.start_at as start, appointment.end_at as end, participation.state, participation.attendance, participation.note, participation.answers,
      coalesce(appointment.product_name, product.name) as product_name, resource.internal_name as resource_name
    from participation
    join appointment on appointment.id = participation.appointment_id
    join product on product.id = appointment.product_id
    join resource on resource.id = appointment.resource_id
    where participation.customer_id = ${customerId} and participation.state <> 'RESERVED'
      ${only ? sql`and ${atResources(only)}` : empty}
    order by appointment.start_at desc limit ${limit}
  `)

/** Booked and not yet over, in order; at most a hundred. */
export const comingBookings = (db: Queryable, customerId: number, only: Only) =>
  db.column<number>(sql`
    select participation.id
    from participation
    join appointment on appointment.id = participation.appointment_id
    join resource on resource.id = appointment.resource_id
    where participation.customer_id = ${customerId} and participation.state = 'BOOKED'
      and participation.deleted_at is null and appointment.state = 'ACTIVE' and appointment.deleted_at is null
      and appointment.end_at > app_now()
      ${only ? sql`and ${atResources(only)}` : empty}
    order by appointment.start_at limit 100
  `)

type ErasureCount = { participations: number; future: number; mails: number; messages: number }

/** What an erasure would affect, for the dry run. */
export const countErasure = (db: Queryable, which: Sql) =>
  db.one<ErasureCount>(sql`
    select count(*)::integer as participations,
      count(*) filter (where state in ('BOOKED', 'REQUESTED') and (
        select end_at > app_now() and state = 'ACTIVE' from appointment where id = appointment_id
      ))::integer as future,
      coalesce(sum(cardinality(messages)), 0)::integer as messages,
      coalesce(sum((select count(*) from mail where participation_id = participation.id)), 0)::integer as mails
    from participation where ${which}
  `)

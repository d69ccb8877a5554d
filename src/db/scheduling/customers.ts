import sql, { empty, join, type Sql } from 'sql-template-tag'
import { customer } from '../../entities/customer.ts'
import type { FieldsOf, RowOf } from '../../entities/entity.ts'
import type { ParticipationState } from '../../rules/states/participations.ts'
import { assignments, columnsOf, insertion, rowsOf, shownJson, writtenColumns } from '../base/columns.ts'
import { asJson, jsonText, type TextPage } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import { changedSince, hasManyChanges, isChangedSince } from '../events.ts'

export type CustomerRow = RowOf<typeof customer>
export type CustomerFields = FieldsOf<typeof customer>

const columns = columnsOf(customer)

/**
 * For lookups of a single Customer. Written so that no index matches: `is null` would match the index of all
 * Customers of a Provider, which looks cheapest while it is empty.
 */
export const isNotErased = sql`coalesce(erased_at, 'infinity') = 'infinity'`

export const findCustomer = (db: Queryable, providerId: number, reference: string) =>
  db.first<CustomerRow>(sql`
    select ${columns} from customer where provider_id = ${providerId} and reference = ${reference} and ${isNotErased}
  `)

/** Includes the language of the User. */
export type KnownCustomer = CustomerRow & { userLanguage: string | null }

const known = sql`${columns}, (select language from app_user where id = customer.user_id) as user_language`

export type CustomerFilter = {
  providerId: number
  email?: string
  /** In the form used for comparisons; null matches no Customer. */
  mobileKey?: string | null
  changedSince?: number
  tag?: string
}

/** Found by the index of tags. */
const isTagged = (providerId: number, tag: string): Sql =>
  sql`tags <> '{}' and customer_tag_words(provider_id, tags) @> customer_tag_words(${providerId}, array [${tag}]::text[])`

/** A fence: few Customers have a tag, but the planner would read them all in order of their ids. */
export const tagged = (providerId: number, tag: string): Sql =>
  sql`(select * from customer where ${isTagged(providerId, tag)} offset 0) as customer`

/** For Customers found in another way. */
export const hasTag = (tag: string): Sql => sql`lower(${tag}) = any (lower(tags::text)::text[])`

/** As integrators read it. The database writes the JSON, so that a list of a million leaves no rows to collect. */
const recordText = (providerReference: string) => {
  const { reference, name, ...shown } = shownJson(customer)
  const names = { customerReference: reference, providerReference: asJson(sql`${providerReference}::text`) }
  return jsonText({ ...names, userName: name, ...shown })
}

/** A page in order of creation. The next one starts after the id `next`. */
export async function readCustomers(
  db: Queryable,
  provider: { reference: string },
  filter: CustomerFilter,
  after: number,
  limit: number,
): Promise<TextPage<number>> {
  const { providerId, email, mobileKey, changedSince: since, tag } = filter
  const person = [
    ...(email === undefined ? [] : [sql`lower(email) = lower(${email})`]),
    ...(mobileKey === undefined ? [] : [sql`mobile_key = ${mobileKey}`]),
    ...(tag === undefined ? [] : [isTagged(providerId, tag)]),
  ]
  const changes = since === undefined ? null : await changesOf(db, providerId, new Date(since), after)
  // A fence: few Customers share an address or number, but the planner would read them all in order of their ids.
  const source =
    person.length === 0
      ? sql`customer`
      : sql`(
          select * from customer where provider_id = ${providerId} and ${join(person, ' and ')} offset 0
        ) as customer`
  const isOnPage = sql`filter (where position <= ${limit})`
  const page = await db.one<PageRow>(sql`
    select count(*) ${isOnPage} as count, coalesce(string_agg(text, ',' order by id) ${isOnPage}, '') as text,
      max(id) ${isOnPage} as last_id, count(*) > ${limit} as has_more
    from (
      select customer.id, row_number() over (order by customer.id) as position, ${recordText(provider.reference)} as text
      from (
        select * from ${source}
        where provider_id = ${providerId} and erased_at is null and id > ${after} ${changes?.isWanted ?? empty}
        order by id limit ${limit + 1}
      ) as customer
    ) as records
  `)
  return { count: page.count, text: page.text, next: page.hasMore ? page.lastId : (changes?.end ?? null) }
}

type PageRow = { count: number; text: string; lastId: number; hasMore: boolean }

/** So many Customers are checked at once for changes. Some pages are then shorter than asked for. */
const checkedAtOnce = 5000

/** Up to a few thousand changes are collected; with more, a limited number of Customers is checked, up to `end`. */
async function changesOf(
  db: Queryable,
  providerId: number,
  since: Date,
  after: number,
): Promise<{ isWanted: Sql; end: number | null }> {
  if (!(await hasManyChanges(db, providerId, ['customer'], since)))
    return { isWanted: sql`and id = any (array (${changedSince(providerId, 'customer', since)}))`, end: null }
  const end = await db.value<number | null>(sql`
    select id from customer where provider_id = ${providerId} and erased_at is null and id > ${after}
    order by id offset ${checkedAtOnce - 1} limit 1
  `)
  const isChanged = isChangedSince(providerId, 'customer', sql`customer.id`, since)
  return { isWanted: sql`and id <= ${end ?? Number.MAX_SAFE_INTEGER} and ${isChanged}`, end }
}

/** Finds the Customer and prevents its erasure until the transaction ends. */
export async function lockCustomerForUse(
  tx: Queryable,
  providerId: number,
  reference: string,
): Promise<KnownCustomer | null> {
  const found = await tx.first<KnownCustomer>(sql`
    select ${known} from customer where provider_id = ${providerId} and reference = ${reference} and ${isNotErased}
    for key share
  `)
  return found ?? lockSurvivorForUse(tx, providerId, reference)
}

/** The Customer that the one with this reference was merged into: bookings for the former reference are theirs. */
const lockSurvivorForUse = (tx: Queryable, providerId: number, reference: string) =>
  tx.first<KnownCustomer>(sql`
    select ${known} from customer
    where id = (
      select into_id from customer_merge where provider_id = ${providerId} and reference = ${reference}
      order by customer_merge.id desc limit 1
    ) and ${isNotErased}
    for key share
  `)

export const customersByReference = (db: Queryable, providerId: number, references: string[]) =>
  db.query<CustomerRow>(sql`
    select ${columns} from customer
    where provider_id = ${providerId} and reference = any (${references}::text[]) and ${isNotErased}
  `)

/** A Customer from online booking, with a generated reference. */
export const findVisitor = (db: Queryable, providerId: number, email: string) =>
  db.first<CustomerRow>(sql`
    select ${columns} from customer
    where provider_id = ${providerId} and lower(email) = lower(${email}) and reference like '%@consumer' and ${isNotErased}
    order by id limit 1
  `)

/** Returns null if the reference is taken. */
export const insertCustomer = (
  tx: Queryable,
  providerId: number,
  fields: CustomerFields,
  mobileKey: string | null,
) =>
  tx.first<CustomerRow>(sql`
    insert into customer ${insertion(customer, fields, { providerId, invited: true, mobileKey })}
    on conflict on constraint customer_reference do nothing
    returning ${columns}
  `)

const inserted = writtenColumns(customer, ['mobileKey'])

/** All at once; skips references that are taken. Details that are left out must be null or empty here. */
export const insertCustomers = (
  tx: Queryable,
  providerId: number,
  rows: (CustomerFields & { mobileKey: string | null })[],
) =>
  tx.query<{ id: number; reference: string }>(sql`
    insert into customer (id, provider_id, invited, ${inserted}) overriding system value
    select id, ${providerId}, true, ${inserted}
    -- Ids in the order sent; one insert order, so that two imports of one file cannot deadlock.
    from (
      select nextval('customer_id_seq') as id, ${inserted} from ${rowsOf(customer, rows.map(withDefaults))}
    ) as numbered
    order by reference
    on conflict on constraint customer_reference do nothing
    returning id, reference
  `)

const withDefaults = (row: object) => ({ fields: {}, tags: [], ...row })

/** Marks the Customer as accepted by the CRM. */
export async function inviteCustomer(tx: Queryable, id: number) {
  await tx.query(sql`update customer set invited = true where id = ${id}`)
}

export const lockCustomer = (tx: Queryable, providerId: number, reference: string) =>
  tx.first<CustomerRow>(sql`
    select ${columns} from customer where provider_id = ${providerId} and reference = ${reference} and ${isNotErased}
    for update
  `)

export const updateCustomer = (tx: Queryable, row: CustomerRow) =>
  tx.one<CustomerRow>(sql`
    update customer set ${assignments(customer, row, ['mobileKey', 'unconfirmed'])}, invited = true, updated_at = app_clock(),
      former_emails = case
        when email is null or lower(email) = lower(${row.email}) or lower(email) = any (former_emails)
        then former_emails else former_emails || lower(email) end
    where id = ${row.id} returning ${columns}
  `)

export type FutureParticipation = {
  id: number
  appointmentId: number
  resourceId: number
  /** Null for Participations created with an Appointment. */
  customerId: number | null
  state: ParticipationState
}

/** The Participation is upcoming and active. */
export const isExpected = sql`
  takes_place(participation.state, expires_at, app_clock())
  and appointment.state = 'ACTIVE' and appointment.deleted_at is null and end_at > app_clock()
`

/**
 * Upcoming Participations of the Customer, linked or with the same email. The fences (`offset 0`) fix the
 * join order: first the Participations, then their Appointments.
 */
export const futureParticipations = (tx: Queryable, customer: CustomerRow) =>
  tx.query<FutureParticipation>(sql`
    select participation.id, appointment_id, resource_id, customer_id, participation.state
    from (select * from participation where ${isParticipationOf(customer)} offset 0) as participation
    cross join lateral (select * from appointment where id = appointment_id offset 0) as appointment
    where ${isExpected}
    order by resource_id, participation.id
  `)

/** Participations created with an Appointment have no Customer but may belong to the same person. */
export const isParticipationOf = (customer: CustomerRow): Sql => sql`
  participation.id = any (array (
    select id from participation where customer_id = ${customer.id}
    union all
    select id from participation where ${isNamelessOf(customer)}
  ))
`

/** Participations without a Customer, under a current or former address of this one. */
const isNamelessOf = ({ providerId, email, formerEmails }: CustomerRow): Sql => sql`
  provider_id = ${providerId} and customer_id is null
    and lower(email) = any (array (select lower(address) from unnest(${[...formerEmails, email]}::text[]) address))
`

/** Sends the last emails about them to the Customer's current address. */
export async function updateParticipationEmails(tx: Queryable, customer: CustomerRow) {
  if (customer.email === null) return
  await tx.query(sql`update participation set email = ${customer.email} where ${isNamelessOf(customer)}`)
}

/** A Customer with this email or number, created or accepted by the CRM or the console. */
export const findInvitedCustomer = (
  tx: Queryable,
  providerId: number,
  email: string,
  mobileKey: string | null,
) =>
  tx.first<KnownCustomer>(sql`
    select ${known} from (
      select * from customer where provider_id = ${providerId} and lower(email) = lower(${email})
      union all
      select * from customer where provider_id = ${providerId} and mobile_key = ${mobileKey}::text
      offset 0
    ) as customer
    where erased_at is null and invited
    order by lower(email) = lower(${email}) desc nulls last, id limit 1
  `)

/** Only if the Provider has enabled pre-identification. */
export const findPublicCustomer = (db: Queryable, providerId: number, reference: string) =>
  db.first<CustomerRow>(sql`
    select ${columns} from customer join provider on provider.id = provider_id
    where provider_id = ${providerId} and customer.reference = ${reference} and ${isNotErased} and pre_identification
  `)

export const findCustomerByUuid = (db: Queryable, uuid: string) =>
  db.first<CustomerRow>(sql`select ${columns} from customer where uuid = ${uuid} and ${isNotErased}`)

/** What staff noted about these Customers, where there is something. */
export async function notesAbout(
  db: Queryable,
  uuids: string[],
): Promise<{ customerUuid: string; note: string }[]> {
  if (uuids.length === 0) return []
  return db.query<{ customerUuid: string; note: string }>(sql`
    select uuid as customer_uuid, note from customer where uuid = any (${uuids}::uuid[]) and note <> ''
  `)
}

/** Excludes erased Customers. */
export const customersById = (db: Queryable, ids: number[]) =>
  db.query<CustomerRow & { providerReference: string }>(sql`
    select ${columns}, (select reference from provider where id = provider_id) as provider_reference
    from customer where id = any (${ids}::bigint[]) and ${isNotErased}
  `)

/** All Participations that show something of this Customer. */
export const participationsOf = (tx: Queryable, customer: CustomerRow) =>
  tx.column<number>(sql`select id from participation where ${isParticipationOf(customer)}`)

type Known = Pick<CustomerRow, 'id' | 'name' | 'email' | 'mobile'>

/**
 * Upcoming bookings store the Customer's details as of booking. Values equal to the old details are
 * corrected; others stay. Returns the changed Appointments.
 */
export async function correctBookings(tx: Queryable, before: Known, after: Known): Promise<number[]> {
  const rows = await tx.query<{ appointmentId: number }>(sql`
    update participation set
      name = case when name = ${before.name} then ${after.name} else name end,
      email = case when email is not distinct from ${before.email} then ${after.email} else email end,
      mobile = case when mobile is not distinct from ${before.mobile} then ${after.mobile} else mobile end
    where id = any (array (
      select booking.id
      from (select * from participation where customer_id = ${before.id} offset 0) as booking
      cross join lateral (select * from appointment where id = appointment_id offset 0) as appointment
      where booking.state in ('BOOKED', 'REQUESTED') and appointment.state = 'ACTIVE' and end_at > app_now()
    ))
    returning appointment_id
  `)
  return [...new Set(rows.map(row => row.appointmentId))]
}

import sql from 'sql-template-tag'
import { customer } from '../../entities/customer.ts'
import { assignments, columnsOf, erasure } from '../base/columns.ts'
import { suspendedProviders } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'
import { type CustomerRow, isNotErased } from './customers.ts'

// A merged Customer's row stays, without personal data, like an erased one. What undoing needs is kept beside it.

export const undoDays = 30

/** What a merge moved, by uuid, and what it changed in the Customer that was kept. */
export type MergeRecord = {
  merged: CustomerRow
  before: Partial<CustomerRow>
  after: Partial<CustomerRow>
  participations: string[]
  entries: string[]
  /** Earlier merges into the one that was merged. */
  merges: string[]
  /** How many series and emails moved with the bookings. */
  series?: number
  emails?: number
}

export type MergeRow = {
  id: number
  uuid: string
  customerId: number
  mergedUuid: string
  keptId: number
  reference: string
  record: MergeRecord | null
  mergedAt: number
}

const columns = sql`id, uuid, customer_id, kept_id, reference, record, merged_at,
  (select uuid from customer where customer.id = customer_id) as merged_uuid`

/** The Customer who answers for this former reference. */
export const findSurvivor = (db: Queryable, providerId: number, reference: string) =>
  db.first<CustomerRow>(sql`
    select ${columnsOf(customer)} from (
      select into_id from customer_merge where provider_id = ${providerId} and reference = ${reference}
      order by id desc limit 1
    ) as merge
    join customer on customer.id = into_id where ${isNotErased}
  `)

/** Those of these references that belonged to a merged Customer. */
export const formerReferences = (db: Queryable, providerId: number, references: string[]) =>
  db.column<string>(sql`
    select distinct reference from customer_merge
    where provider_id = ${providerId} and reference = any (${references}::text[])
  `)

/** Merges into this Customer that can still be undone, newest first. */
export const undoableMerges = (db: Queryable, { id, providerId }: CustomerRow) =>
  db.query<MergeRow>(sql`
    select ${columns} from customer_merge
    where kept_id = ${id} and into_id = ${id} and provider_id = ${providerId} and ${isUndoable} order by id desc
  `)

const isUndoable = sql`(record is not null and merged_at > app_clock() - make_interval(days => ${undoDays}))`

export const findMerge = (tx: Queryable, providerId: number, uuid: string) =>
  tx.first<MergeRow & { isUndoable: boolean }>(sql`
    select ${columns}, ${isUndoable} as is_undoable from customer_merge
    where provider_id = ${providerId} and uuid = ${uuid}
  `)

/** In the order of their ids, so that two crossing merges wait for each other. Erased ones are left out. */
export const lockCustomersById = (tx: Queryable, ids: number[]) =>
  tx.query<CustomerRow>(sql`
    select ${columnsOf(customer)} from customer where id = any (${ids}::bigint[]) and ${isNotErased}
    order by id for update
  `)

/** The references of Appointments in which both have a place. */
export const sharedAppointments = (tx: Queryable, one: number, other: number) =>
  tx.column<string>(sql`
    select reference from (
      select appointment_id from (select * from participation where customer_id = ${one} offset 0) as own
      where state in ('BOOKED', 'REQUESTED')
      intersect
      select appointment_id from (select * from participation where customer_id = ${other} offset 0) as own
      where state in ('BOOKED', 'REQUESTED')
    ) as shared
    cross join lateral (select reference from appointment where id = appointment_id offset 0) as appointment
  `)

/** Whether both wait for the same, or both have an offer to answer. */
export const waitForTheSame = (tx: Queryable, one: number, other: number) =>
  tx.any(sql`
    select from waiting_entry as own join waiting_entry as their on their.customer_id = ${other} and their.wish = own.wish
    where own.customer_id = ${one} and own.state in ('WAITING', 'OFFERED') and their.state in ('WAITING', 'OFFERED')
    union all
    select from waiting_offer as own join waiting_offer as their on their.customer_id = ${other}
    where own.customer_id = ${one} and own.outcome is null and their.outcome is null
    limit 1
  `)

type Moved = { id: number; uuid: string; appointmentId: number }

/** All of them, or those with these uuids. */
export const movePlaces = (tx: Queryable, from: number, to: number, uuids: string[] | null = null) =>
  tx.query<Moved>(sql`
    update participation set customer_id = ${to}
    where id = any (array (select id from participation where customer_id = ${from}))
      and (${uuids}::uuid[] is null or uuid = any (${uuids}::uuid[]))
    returning id, uuid, appointment_id
  `)

/** What belongs to these bookings and moves with them. */
export const countBehind = (tx: Queryable, ids: number[]) =>
  tx.one<{ series: number; emails: number }>(sql`
    select (select count(*)::int from mail where participation_id = any (${ids}::bigint[])) as emails, (
      select count(distinct series_id)::int
      from (select appointment_id from participation where id = any (${ids}::bigint[]) offset 0) as place
      cross join lateral (select series_id from appointment where id = appointment_id offset 0) as appointment
    ) as series
  `)

export async function moveEntries(tx: Queryable, from: number, to: number, uuids: string[] | null = null) {
  const moved = await tx.query<{ id: number; uuid: string }>(sql`
    update waiting_entry set customer_id = ${to}
    where customer_id = ${from} and (${uuids}::uuid[] is null or uuid = any (${uuids}::uuid[]))
    returning id, uuid
  `)
  await tx.query(sql`
    update waiting_offer set customer_id = ${to} where entry_id = any (${moved.map(one => one.id)}::bigint[])
  `)
  return moved
}

/** Former references of the one lead to the other from now on. */
export async function moveMerges(tx: Queryable, from: number, to: number, uuids: string[] | null = null) {
  const moved = await tx.query<{ uuid: string }>(sql`
    update customer_merge set into_id = ${to}
    where into_id = ${from} and (${uuids}::uuid[] is null or uuid = any (${uuids}::uuid[]))
    returning uuid
  `)
  return moved.map(one => one.uuid)
}

export const insertMerge = (tx: Queryable, merged: CustomerRow, keptId: number, record: MergeRecord) =>
  tx.one<MergeRow>(sql`
    insert into customer_merge (provider_id, customer_id, kept_id, into_id, reference, email, user_id, record)
    values (${merged.providerId}, ${merged.id}, ${keptId}, ${keptId}, ${merged.reference}, lower(${merged.email}),
      ${merged.userId}, ${JSON.stringify(record)}::jsonb)
    returning ${columns}
  `)

export const deleteMerge = (tx: Queryable, providerId: number, id: number) =>
  tx.query(sql`delete from customer_merge where provider_id = ${providerId} and id = ${id}`)

/** Its reference becomes free, and nothing personal is left in the row. */
export const blankCustomer = (tx: Queryable, id: number) =>
  tx.query(sql`
    update customer set reference = 'merged-' || uuid, ${erasure(customer)}, user_id = null, erased_at = app_clock()
    where id = ${id}
  `)

const internals = ['mobileKey', 'unconfirmed', 'formerEmails', 'invited']

/** With internal fields, which come from a merge or its undoing. A User who has become another Customer stays there. */
export async function writeCustomer(tx: Queryable, row: CustomerRow) {
  await tx.query(sql`
    update customer set ${assignments(customer, row, internals)}, erased_at = null, updated_at = app_clock(),
      user_id = case when exists (
        select from customer as other
        where other.user_id = ${row.userId} and other.provider_id = ${row.providerId} and other.id <> ${row.id}
      ) then null else ${row.userId}::bigint end
    where id = ${row.id}
  `)
}

/** The possibility to undo ends with the erasure. Returns the persons whose Customers were merged into this one. */
export async function forgetMerges(tx: Queryable, customerId: number): Promise<number[]> {
  const rows = await tx.query<{ userId: number | null }>(
    sql`delete from customer_merge where into_id = ${customerId} returning user_id`,
  )
  return rows.flatMap(row => row.userId ?? [])
}

/** Deletes what undoing would need, once it is too late. */
export const forgetOldMerges = (db: Queryable) =>
  db.query(sql`
    update customer_merge set record = null
    where record is not null and merged_at <= app_now() - make_interval(days => ${undoDays})
      and provider_id <> all (${suspendedProviders})
  `)

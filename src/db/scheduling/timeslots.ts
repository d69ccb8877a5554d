import sql, { type Sql } from 'sql-template-tag'
import type { RowOf, WholeOf } from '../../entities/entity.ts'
import { timeslot } from '../../entities/timeslot.ts'
import { assignments, columnsOf, rowsOf, writtenColumns } from '../base/columns.ts'
import type { Queryable } from '../base/pool.ts'
import { recordsOfTimeslot } from './appointment-records.ts'

type TimeslotRow = RowOf<typeof timeslot>

export type TimeslotRecord = WholeOf<typeof timeslot>

export type NewTimeslot = Omit<TimeslotRow, 'id' | 'uuid' | 'providerId' | 'updatedAt'>

const record = sql`
  select ${columnsOf(timeslot)}, resource.reference as resource_reference, ${recordsOfTimeslot} as appointments
  from timeslot join resource on resource.id = timeslot.resource_id
`

type Period = { from: number; to: number }
type Page = { after: number[] | null; limit: number | null }

/** `after`: only Timeslots after this start and id. */
function pageOf(resourceId: Sql, { from, to }: Period, { after, limit }: Page) {
  const [start, id] = after ? [new Date(after[0]!), after[1]!] : ['-infinity', 0]
  return sql`
    ${record} where resource_id = ${resourceId} and end_at > ${new Date(from)} and start_at < ${new Date(to)}
      and (start_at, timeslot.id) > (${start}::timestamptz, ${id}::bigint)
    order by start_at, timeslot.id limit ${limit}
  `
}

/** An empty period overlaps nothing. */
const isEmpty = ({ from, to }: Period) => from >= to

export async function listTimeslots(
  db: Queryable,
  resourceId: number,
  period: Period,
  page: Page,
): Promise<TimeslotRecord[]> {
  return isEmpty(period) ? [] : db.query<TimeslotRecord>(pageOf(sql`${resourceId}`, period, page))
}

/** Of all Resources. Read Resource by Resource, because that is what the index is for. */
export async function listProviderTimeslots(
  db: Queryable,
  providerId: number,
  period: Period,
  page: Page,
): Promise<TimeslotRecord[]> {
  if (isEmpty(period)) return []
  return db.query<TimeslotRecord>(sql`
    select listed.* from (
      select id from resource where provider_id = ${providerId} and deleted_at is null offset 0
    ) as owner
    cross join lateral (${pageOf(sql`owner.id`, period, page)}) as listed
    order by listed.start, id limit ${page.limit}
  `)
}

export const findTimeslots = (db: Queryable, providerId: number, references: string[]) =>
  db.query<TimeslotRecord>(sql`
    ${record} where timeslot.provider_id = ${providerId} and timeslot.reference = any (${references})
  `)

const inserted = writtenColumns(timeslot, ['resourceId'])

/** Inserts all in one statement, skips references that are taken, and returns the inserted ones. */
export const insertTimeslots = (tx: Queryable, providerId: number, slots: NewTimeslot[]) =>
  tx.column<string>(sql`
    insert into timeslot (provider_id, ${inserted}) select ${providerId}, ${inserted} from ${rowsOf(timeslot, slots)}
    on conflict on constraint timeslot_reference do nothing
    returning reference
  `)

export const resourceOfTimeslot = (tx: Queryable, providerId: number, reference: string) =>
  tx.value<number | null>(sql`
    select resource_id from timeslot where provider_id = ${providerId} and reference = ${reference}
  `)

export async function updateTimeslot(tx: Queryable, slot: TimeslotRow) {
  await tx.query(sql`update timeslot set ${assignments(timeslot, slot)} where id = ${slot.id}`)
}

export async function deleteTimeslot(tx: Queryable, id: number) {
  await tx.query(sql`delete from timeslot where id = ${id}`)
}

/** Returns how many. */
export const deleteTimeslotsOfResource = (tx: Queryable, resourceId: number) =>
  tx.value<number>(sql`
    with gone as (delete from timeslot where resource_id = ${resourceId} returning 1)
    select count(*)::int as count from gone
  `)

export const timeslotsById = (db: Queryable, ids: number[]) =>
  db.query<TimeslotRecord>(sql`${record} where timeslot.id = any (${ids}::bigint[])`)

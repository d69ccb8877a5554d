import sql from 'sql-template-tag'
import type { AppointmentRecord } from '../../entities/appointment.ts'
import { json, jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import { recordsOfTimeslot } from './appointment-records.ts'

export type TimeslotState = 'CREATED' | 'BOOKABLE'

type TimeslotRow = {
  id: number
  uuid: string
  resourceId: number
  reference: string
  startAt: number
  endAt: number
  raster: number
  defaultCapacity: number
  defaultAcceptBookings: boolean
  address: AppointmentRecord['address']
  state: TimeslotState
  updatedAt: number
}

export type TimeslotRecord = TimeslotRow & { resourceReference: string; appointments: AppointmentRecord[] }

export type NewTimeslot = Omit<TimeslotRow, 'id' | 'uuid' | 'updatedAt'>

const record = sql`
  select timeslot.*, resource.reference as resource_reference, ${recordsOfTimeslot} as appointments
  from timeslot join resource on resource.id = timeslot.resource_id
`

/** `after`: only Timeslots after this start and id. */
export async function listTimeslots(
  db: Queryable,
  resourceId: number,
  period: { from: number; to: number },
  { after, limit }: { after: number[] | null; limit: number | null },
): Promise<TimeslotRecord[]> {
  // An empty period overlaps nothing.
  if (period.from >= period.to) return []
  const [start, id] = after ? [new Date(after[0]!), after[1]!] : ['-infinity', 0]
  return db.query<TimeslotRecord>(sql`
    ${record} where resource_id = ${resourceId} and end_at > ${new Date(period.from)} and start_at < ${new Date(period.to)}
      and (start_at, timeslot.id) > (${start}::timestamptz, ${id}::bigint)
    order by start_at, timeslot.id limit ${limit}
  `)
}

/** Of all Resources. Read Resource by Resource, because that is what the index is for. */
export async function listProviderTimeslots(
  db: Queryable,
  providerId: number,
  period: { from: number; to: number },
  { after, limit }: { after: number[] | null; limit: number | null },
): Promise<TimeslotRecord[]> {
  if (period.from >= period.to) return []
  const [start, id] = after ? [new Date(after[0]!), after[1]!] : ['-infinity', 0]
  return db.query<TimeslotRecord>(sql`
    select listed.* from (
      select id from resource where provider_id = ${providerId} and deleted_at is null offset 0
    ) as owner
    cross join lateral (
      ${record} where resource_id = owner.id and end_at > ${new Date(period.from)} and start_at < ${new Date(period.to)}
        and (start_at, timeslot.id) > (${start}::timestamptz, ${id}::bigint)
      order by start_at, timeslot.id limit ${limit}
    ) as listed
    order by start_at, id limit ${limit}
  `)
}

export async function findTimeslots(
  db: Queryable,
  providerId: number,
  references: string[],
): Promise<TimeslotRecord[]> {
  return db.query<TimeslotRecord>(sql`
    ${record} where timeslot.provider_id = ${providerId} and timeslot.reference = any (${references})
  `)
}

/** Inserts all in one statement, skips references that are taken, and returns the inserted ones. */
export async function insertTimeslots(
  tx: Queryable,
  providerId: number,
  slots: NewTimeslot[],
): Promise<string[]> {
  const rows = slots.map(slot => ({
    ...slot,
    startAt: new Date(slot.startAt),
    endAt: new Date(slot.endAt),
  }))
  const made = await tx.query<{ reference: string }>(sql`
    insert into timeslot (provider_id, resource_id, reference, start_at, end_at, raster, default_capacity,
      default_accept_bookings, address, state)
    select ${providerId}, resource_id, reference, start_at, end_at, raster, default_capacity, default_accept_bookings,
      nullif(address, 'null'), state
    from jsonb_to_recordset(${jsonRows(rows)}::jsonb) as sent (resource_id bigint, reference text, start_at timestamptz,
      end_at timestamptz, raster integer, default_capacity integer, default_accept_bookings boolean, address jsonb,
      state text)
    on conflict on constraint timeslot_reference do nothing
    returning reference
  `)
  return made.map(row => row.reference)
}

export async function resourceOfTimeslot(
  tx: Queryable,
  providerId: number,
  reference: string,
): Promise<number | null> {
  const rows = await tx.query<{ resourceId: number }>(sql`
    select resource_id from timeslot where provider_id = ${providerId} and reference = ${reference}
  `)
  return rows[0]?.resourceId ?? null
}

export async function updateTimeslot(tx: Queryable, slot: TimeslotRow) {
  await tx.query(sql`
    update timeslot set start_at = ${new Date(slot.startAt)}, end_at = ${new Date(slot.endAt)},
      raster = ${slot.raster}, default_capacity = ${slot.defaultCapacity},
      default_accept_bookings = ${slot.defaultAcceptBookings}, address = ${json(slot.address)}::jsonb,
      state = ${slot.state}
    where id = ${slot.id}
  `)
}

export async function deleteTimeslot(tx: Queryable, id: number) {
  await tx.query(sql`delete from timeslot where id = ${id}`)
}

/** Returns how many. */
export async function deleteTimeslotsOfResource(tx: Queryable, resourceId: number): Promise<number> {
  const [gone] = await tx.query<{ count: number }>(sql`
    with gone as (delete from timeslot where resource_id = ${resourceId} returning 1)
    select count(*)::int as count from gone
  `)
  return gone!.count
}

export async function timeslotsById(db: Queryable, ids: number[]): Promise<TimeslotRecord[]> {
  return db.query<TimeslotRecord>(sql`${record} where timeslot.id = any (${ids}::bigint[])`)
}

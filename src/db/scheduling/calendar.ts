import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'
import type { TimeslotState } from './timeslots.ts'

// What lies behind the Appointments in a calendar: whose columns there are, and when they are open.

type CalendarResource = { uuid: string; name: string; products: string[] }

/** Those that are in use, in the order in which they were made; archived ones only if something of theirs is shown. */
export async function calendarResources(
  db: Queryable,
  providerId: number,
  shown: string[],
): Promise<CalendarResource[]> {
  return db.query<CalendarResource>(sql`
    select uuid, internal_name as name, array(
      select product.uuid from resource_product join product on product.id = product_id
      where resource_id = resource.id order by position
    ) as products
    from resource
    where provider_id = ${providerId} and deleted_at is null and (not archived or uuid = any (${shown}::uuid[]))
    order by id
  `)
}

export type CalendarTimeslot = {
  uuid: string
  resourceUuid: string
  start: number
  end: number
  raster: number
  capacity: number
  acceptBookings: boolean
  state: TimeslotState
  byHours: boolean
}

export async function calendarTimeslots(
  db: Queryable,
  providerId: number,
  from: number,
  to: number,
): Promise<CalendarTimeslot[]> {
  return db.query<CalendarTimeslot>(sql`
    select slot.uuid, resource.uuid as resource_uuid, slot.start_at as start, slot.end_at as end, slot.raster,
      slot.default_capacity as capacity, slot.default_accept_bookings as accept_bookings, slot.state,
      slot.opening_day is not null as by_hours
    from resource
    cross join lateral (
      select * from timeslot
      where resource_id = resource.id and end_at > ${new Date(from)} and start_at < ${new Date(to)}
      offset 0
    ) as slot
    where resource.provider_id = ${providerId} and resource.deleted_at is null
    order by slot.start_at, slot.id
  `)
}

type InTheWay = { reference: string; start: number; end: number }

/** What an Appointment with its buffers would overlap at the Resource. Only under its lock. */
export async function appointmentsInTheWay(
  tx: Queryable,
  resourceId: number,
  { from, to }: { from: number; to: number },
  except: number[] = [],
): Promise<InTheWay[]> {
  return tx.query<InTheWay>(sql`
    select reference, start_at as start, end_at as end from appointment
    where resource_id = ${resourceId} and state = 'ACTIVE' and deleted_at is null
      and blocked_to > ${new Date(from)} and blocked_from < ${new Date(to)}
      and id <> all (${except}::bigint[])
    order by start_at, id limit 5
  `)
}

/** Does one Timeslot hold all of it? */
export async function isOpenAt(
  tx: Queryable,
  resourceId: number,
  start: number,
  end: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select from timeslot
    where resource_id = ${resourceId} and start_at <= ${new Date(start)} and end_at >= ${new Date(end)} limit 1
  `)
  return rows.length > 0
}

export async function findTimeslotByUuid(
  db: Queryable,
  uuid: string,
): Promise<{ providerId: number; reference: string } | null> {
  const rows = await db.query<{ providerId: number; reference: string }>(sql`
    select provider_id, reference from timeslot where uuid = ${uuid}
  `)
  return rows[0] ?? null
}

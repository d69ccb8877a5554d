import sql from 'sql-template-tag'
import { appointment } from '../../entities/appointment.ts'
import { columnsOf } from '../base/columns.ts'
import { hasAny, linksNoProduct } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'
import type { AppointmentRow } from './appointments.ts'
import type { TimeslotRecord } from './timeslots.ts'

// The columns of a calendar and their opening times.

const dayMs = 86_400_000

type CalendarResource = { uuid: string; name: string; products: string[]; color: number }

/** Active Resources in order of creation; archived ones only if they have Appointments in the period. */
export const calendarResources = (db: Queryable, providerId: number, shown: string[]) =>
  db.query<CalendarResource>(sql`
    select uuid, internal_name as name, array(
      select product.uuid from resource_product join product on product.id = product_id
      where resource_id = one.id order by position
    ) as products, color
    from (
      select id, uuid, internal_name, archived, deleted_at, (row_number() over (order by id) - 1)::integer as color
      from resource where provider_id = ${providerId}
    ) as one
    where deleted_at is null and (not archived or uuid = any (${shown}::uuid[]))
    order by id
  `)

/** By uuid. Deleted ones count too, so that no other Product changes its colour. */
export async function productColors(db: Queryable, providerId: number): Promise<Map<string, number>> {
  const uuids = await db.column<string>(
    sql`select uuid from product where provider_id = ${providerId} order by id`,
  )
  return new Map(uuids.map((uuid, index) => [uuid, index]))
}

/** Active Resources that offer the Product, in the order of the calendar's columns. */
export async function resourcesOffering(
  db: Queryable,
  providerId: number,
  productId: number,
): Promise<{ id: number; uuid: string; name: string }[]> {
  return db.query(sql`
    select id, uuid, internal_name as name from resource
    where provider_id = ${providerId} and deleted_at is null and not archived and (
      ${linksNoProduct} or ${hasAny(sql`
        select from resource_product where resource_id = resource.id and product_id = ${productId}
      `)}
    )
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
  state: TimeslotRecord['state']
  byHours: boolean
}

/**
 * Found by their start, because by their end all later ones would be read too. Those longer than a day are few
 * and have an index of their own.
 */
export const calendarTimeslots = (db: Queryable, providerId: number, from: number, to: number) =>
  db.query<CalendarTimeslot>(sql`
    select slot.uuid, resource.uuid as resource_uuid, slot.start_at as start, slot.end_at as end, slot.raster,
      slot.default_capacity as capacity, slot.default_accept_bookings as accept_bookings, slot.state,
      slot.opening_day is not null as by_hours
    from resource
    cross join lateral (
      select * from timeslot
      where resource_id = resource.id and start_at > ${new Date(from - dayMs)} and start_at < ${new Date(to)}
        and end_at > ${new Date(from)} and end_at - start_at <= interval '24 hours'
      union all
      select * from timeslot
      where resource_id = resource.id and end_at > ${new Date(from)} and start_at < ${new Date(to)}
        and end_at - start_at > interval '24 hours'
      offset 0
    ) as slot
    where resource.provider_id = ${providerId} and resource.deleted_at is null
    order by slot.start_at, slot.id
  `)

type Conflict = { reference: string; start: number; end: number }
/** `people`: the names of those booked in it. */
type Overlap = Conflict & { people: string | null }

/**
 * Appointments of the Resource that an Appointment with its buffers would overlap. Requires the Resource's
 * lock.
 */
export const findConflicts = (
  tx: Queryable,
  resourceId: number,
  { from, to }: { from: number; to: number },
  except: number[],
) =>
  tx.query<Overlap>(sql`
    select reference, start_at as start, end_at as end, (
      select string_agg(name, ', ' order by participation.id) from participation
      where appointment_id = appointment.id and participation.state in ('BOOKED', 'REQUESTED')
    ) as people
    from appointment
    where resource_id = ${resourceId} and state = 'ACTIVE' and deleted_at is null
      and blocked_to > ${new Date(from)} and blocked_from < ${new Date(to)}
      and id <> all (${except}::bigint[])
    order by start_at, id limit 5
  `)

/** Bookings of the Customer at this time, at any Resource. */
export const bookingsOfCustomer = (
  tx: Queryable,
  customer: { providerId: number; reference: string },
  { from, to }: { from: number; to: number },
  except: number[] = [],
) =>
  tx.query<Conflict>(sql`
    select appointment.reference, start_at as start, end_at as end
    from customer
    join participation on participation.customer_id = customer.id
    join appointment on appointment.id = participation.appointment_id
    where customer.provider_id = ${customer.providerId} and customer.reference = ${customer.reference}
      and participation.state in ('BOOKED', 'REQUESTED')
      and appointment.state = 'ACTIVE' and appointment.deleted_at is null
      and end_at > ${new Date(from)} and start_at < ${new Date(to)}
      and appointment.id <> all (${except}::bigint[])
    order by start_at, appointment.id limit 5
  `)

/** `isOffered`: consumers can book in it. */
export type TimeslotAround = { capacity: number; isOffered: boolean }

/** The Timeslot that contains this whole period; if several do, the one with the most places, as in lists. */
export const timeslotAround = (tx: Queryable, resourceId: number, start: number, end: number) =>
  tx.first<TimeslotAround>(sql`
    select default_capacity as capacity, state = 'BOOKABLE' and default_accept_bookings as is_offered from timeslot
    where resource_id = ${resourceId} and start_at <= ${new Date(start)} and end_at >= ${new Date(end)}
    order by default_capacity desc, id limit 1
  `)

/** The group Appointment with this Resource, Product and start. Requires the Resource's lock. */
export const groupAt = (tx: Queryable, resourceId: number, productId: number, start: number) =>
  tx.first<AppointmentRow>(sql`
    select ${columnsOf(appointment)} from appointment
    where resource_id = ${resourceId} and start_at = ${new Date(start)} and product_id = ${productId}
      and capacity > 1 and state = 'ACTIVE' and deleted_at is null and not archived
    order by id limit 1
  `)

export const findTimeslotByUuid = (db: Queryable, uuid: string) =>
  db.first<{ providerId: number; reference: string; resourceUuid: string }>(sql`
    select timeslot.provider_id, timeslot.reference, resource.uuid as resource_uuid
    from timeslot join resource on resource.id = timeslot.resource_id where timeslot.uuid = ${uuid}
  `)

/** Those of these Resources that have upcoming Timeslots. */
export async function resourcesWithTimes(db: Queryable, ids: number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select resource.id from unnest(${ids}::bigint[]) as resource(id)
    cross join lateral (
      (select from timeslot where resource_id = resource.id and end_at > app_now() limit 1)
      union all
      (select from appointment
        where resource_id = resource.id and state = 'ACTIVE' and accept_bookings and end_at > app_now() limit 1)
      limit 1
    ) as any_time
  `)
  return rows.map(one => one.id)
}

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from './pool.ts'

// The Appointment as integrators read it. The database writes the JSON itself: a list of 100,000 passes through as
// text, and Timeslots, lists and single answers share this one description.

/** An Appointment of consumers whose holds have all expired is gone, whether tidied up or not. */
const isShown = sql`
  (appointment.origin = 'provider' or exists (
    select from participation where appointment_id = appointment.id
      and (participation.state <> 'RESERVED' or participation.expires_at > app_now())
  ))
`

/** The same moment's truth for an Appointment that its last consumer has left. */
const state = sql`
  case when appointment.origin = 'consumer' and appointment.state = 'ACTIVE' and not exists (
    select from participation where appointment_id = appointment.id
      and takes_place(participation.state, participation.expires_at, app_now())
  ) then 'CANCELLED' else appointment.state end
`

const participations = sql`
  coalesce((
    select json_agg(json_build_object(
      'reference', participation.reference, 'email', participation.email, 'mobile', participation.mobile,
      'name', participation.name, 'note', participation.note, 'state', participation.state,
      'messages', case when participation.messages = '{}' then null else to_json(participation.messages) end
    ) order by participation.id)
    from participation where appointment_id = appointment.id
      and (participation.state <> 'RESERVED' or participation.expires_at > app_now())
  ), '[]'::json)
`

const record = sql`
  json_build_object(
    'uuid', appointment.uuid, 'reference', appointment.reference, 'acceptBookings', appointment.accept_bookings,
    'address', appointment.address, 'archived', appointment.archived, 'capacity', appointment.capacity,
    'contactReference', (select reference from app_user where id = appointment.contact_user_id),
    'description', appointment.description, 'start', iso_utc(appointment.start_at), 'end', iso_utc(appointment.end_at),
    'notes', appointment.notes, 'participations', ${participations},
    'price', case when appointment.price_value is not null then
      json_build_object('value', appointment.price_value, 'currency', appointment.price_currency) end,
    'productReference', (select reference from product where id = appointment.product_id),
    'resourceReference', (select reference from resource where id = appointment.resource_id),
    'seriesId', appointment.series_id, 'state', ${state}
  )
`

export type AppointmentRecord = { uuid: string; reference: string; [field: string]: unknown }

export async function findAppointmentRecords(db: Queryable, ids: number[]): Promise<AppointmentRecord[]> {
  const rows = await db.query<{ record: AppointmentRecord }>(sql`
    select ${record} as record from appointment where id = any (${ids}) order by start_at, id
  `)
  return rows.map(row => row.record)
}

/**
 * The records of each Timeslot: those made out of it, and the provider's own that lie in it. Two questions, each with
 * an index of its own: asked as one, they read all Appointments of the Resource for every Timeslot.
 */
export const recordsOfTimeslot: Sql = sql`
  coalesce((
    select json_agg(${record} order by appointment.start_at, appointment.id)
    from (
      (select * from appointment where timeslot_id = timeslot.id offset 0)
      union all
      (select * from appointment
      where resource_id = timeslot.resource_id and timeslot_id is null
        and start_at >= timeslot.start_at and start_at < timeslot.end_at and end_at <= timeslot.end_at offset 0)
    ) as appointment
    where appointment.deleted_at is null and ${isShown}
  ), '[]'::json)
`

export type AppointmentFilter = {
  providerId: number
  productRef?: string
  resourceRef?: string
  includeArchived: boolean
  from?: number
  to?: number
}

type Row = { id: number; start_at: number; text: string }
type Place = { start: Date | string; id: number }

/**
 * Pages of record texts, in the order of time; what is in memory is two pages, however long the list: while one is sent,
 * the database works on the next.
 */
export async function* appointmentTexts(db: Queryable, filter: AppointmentFilter, pageSize = 1000) {
  let coming: Promise<Row[]> | null = readPage(db, filter, { start: '-infinity', id: 0 }, pageSize)
  while (coming) {
    const page: Row[] = await coming
    const last = page.length < pageSize ? undefined : page.at(-1)
    coming = last ? readPage(db, filter, { start: new Date(last.start_at), id: last.id }, pageSize) : null
    // Whoever stops listening never asks for it.
    coming?.catch(() => {})
    yield page.map(row => row.text)
  }
}

function readPage(db: Queryable, filter: AppointmentFilter, after: Place, size: number) {
  const { providerId, productRef = null, resourceRef = null, includeArchived } = filter
  const from = filter.from === undefined ? '-infinity' : new Date(filter.from)
  const to = filter.to === undefined ? 'infinity' : new Date(filter.to)
  return db.query<Row>(sql`
    select id, start_at, ${record}::text as text from appointment
    where provider_id = ${providerId} and deleted_at is null and ${isShown}
      and (start_at, id) > (${after.start}::timestamptz, ${after.id}::bigint)
      and end_at > ${from}::timestamptz and start_at < ${to}::timestamptz
      and (${includeArchived} or not archived)
      and (${productRef}::text is null or product_id =
        (select id from product where provider_id = ${providerId} and reference = ${productRef}))
      and (${resourceRef}::text is null or resource_id in
        (select id from resource where provider_id = ${providerId} and reference = ${resourceRef}))
    order by start_at, id limit ${size}
  `)
}

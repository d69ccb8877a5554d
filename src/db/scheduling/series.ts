import sql from 'sql-template-tag'
import type { Attendance } from '../../rules/states/participations.ts'
import type { Queryable } from '../base/pool.ts'

// The dates of series: Participations of one person, or Appointments that share a `series_id`.

export async function insertSeriesPlaces(
  tx: Queryable,
  providerId: number,
  seriesId: string,
  participationIds: number[],
) {
  await tx.query(sql`
    insert into series_place (provider_id, series_id, participation_id)
    select ${providerId}, ${seriesId}, unnest(${participationIds}::bigint[])
  `)
}

/** For Appointments that were made for the series; groups keep theirs. */
export async function nameSeries(tx: Queryable, seriesId: string, appointmentIds: number[]) {
  await tx.query(sql`
    update appointment set series_id = ${seriesId} where id = any (${appointmentIds}::bigint[])
  `)
}

/** How many dates consumers may book at once through this channel. */
export async function findSeriesMax(db: Queryable, channelUuid: string): Promise<number> {
  return (await db.value<number | null>(sql`select series_max from channel where uuid = ${channelUuid}`)) ?? 0
}

/** One date of a series. Without a person, the whole Appointment belongs to it. */
export type SeriesMember = {
  appointmentId: number
  appointmentUuid: string
  appointmentReference: string
  appointmentState: 'ACTIVE' | 'CANCELLED'
  resourceId: number
  resourceUuid: string
  resourceReference: string
  resourceName: string
  productId: number
  productUuid: string
  productName: string
  startAt: number
  endAt: number
  /** It has begun. */
  isPast: boolean
  capacity: number
  /** The series that the Appointment was made for. Groups have none. */
  seriesId: string | null
  participationId: number | null
  participationUuid: string | null
  state: 'REQUESTED' | 'BOOKED' | 'CANCELED' | null
  attendance: Attendance | null
  name: string | null
  /** How many places the person has. */
  places: number
  customerReference: string | null
  /** Others who have a place in the Appointment. */
  others: number
}

const others = sql`(
  select count(*) from participation as other
  where other.appointment_id = appointment.id and other.id is distinct from participation.id
    and takes_place(other.state, other.expires_at, app_clock())
) as others`

const columns = sql`
  appointment.id as appointment_id, appointment.uuid as appointment_uuid,
  appointment.reference as appointment_reference, appointment.state as appointment_state,
  appointment.resource_id, resource.uuid as resource_uuid, resource.reference as resource_reference,
  resource.internal_name as resource_name, appointment.product_id, product.uuid as product_uuid,
  coalesce(appointment.product_name, product.name) as product_name, appointment.start_at, appointment.end_at,
  appointment.start_at <= app_clock() as is_past, appointment.capacity,
  appointment.series_id
`

const joins = sql`
  join resource on resource.id = appointment.resource_id
  join product on product.id = appointment.product_id
`

/** In order of time. Deleted dates are left out. */
export const membersOfSeries = (db: Queryable, providerId: number, seriesId: string) =>
  db.query<SeriesMember>(sql`
    select * from (
      select ${columns}, participation.id as participation_id, participation.uuid as participation_uuid,
        participation.state, participation.attendance, participation.name, participation.places,
        customer.reference as customer_reference, ${others}
      from (
        select participation_id from series_place
        where provider_id = ${providerId} and series_id = ${seriesId} offset 0
      ) as place
      cross join lateral (select * from participation where id = place.participation_id offset 0) as participation
      cross join lateral (select * from appointment where id = participation.appointment_id offset 0) as appointment
      ${joins}
      left join customer on customer.id = participation.customer_id
      where participation.deleted_at is null and participation.state <> 'DELETED'
        and appointment.deleted_at is null
      union all
      select ${columns}, null, null, null, null, null, 1, null, 0
      from appointment ${joins}
      where appointment.provider_id = ${providerId} and appointment.series_id = ${seriesId}
        and appointment.deleted_at is null
        and not exists (
          select from participation join series_place on series_place.participation_id = participation.id
          where participation.appointment_id = appointment.id and series_place.series_id = ${seriesId}
        )
    ) as member
    order by start_at, appointment_id
  `)

/** The series that an Appointment belongs to, or the people in it. */
export const seriesAt = (db: Queryable, appointmentUuid: string) =>
  db.column<string>(sql`
    select series_id from appointment where uuid = ${appointmentUuid} and series_id is not null
    union
    select series_place.series_id from appointment
    join participation on participation.appointment_id = appointment.id
    join series_place on series_place.participation_id = participation.id
    where appointment.uuid = ${appointmentUuid} and participation.deleted_at is null
      and participation.state in ('BOOKED', 'REQUESTED')
    limit 20
  `)

/** The newest series of a Customer. */
export const seriesOfCustomer = (db: Queryable, customerId: number) =>
  db.column<string>(sql`
    select series_id from participation join series_place on series_place.participation_id = participation.id
    where participation.customer_id = ${customerId} and participation.deleted_at is null
    group by series_id order by max(participation.id) desc limit 10
  `)

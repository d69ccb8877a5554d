import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

export type WaitingRequest = {
  uuid: string
  askedAt: number
  name: string | null
  email: string | null
  mobile: string | null
  note: string | null
  customer: { uuid: string; reference: string } | null
  /** Numbers of past visits, cancellations and no-shows. */
  booked: number
  cancelled: number
  missed: number
  appointmentUuid: string
  start: number
  end: number
  resource: { uuid: string; name: string }
  product: { uuid: string; name: string }
}

const waiting = sql`
  participation join appointment on appointment.id = participation.appointment_id
  where participation.state = 'REQUESTED' and appointment.state = 'ACTIVE' and appointment.start_at > app_now()
`

/** At these Resources; null for all. */
const isAt = (only: string[] | null) =>
  only
    ? sql`and appointment.resource_id = any (array(select id from resource where uuid = any (${only}::uuid[])))`
    : empty

/** Pending requests that can still be answered. */
export const countRequests = (db: Queryable, providerId: number, only: string[] | null) =>
  db.value<number>(sql`
    select count(*)::integer as count from ${waiting} and participation.provider_id = ${providerId} ${isAt(only)}
  `)

const timesOf = (state: string) => sql`
  select count(*)::integer from participation as other
  where other.customer_id = participation.customer_id and other.state = ${state} and other.id <> participation.id
`

/** Oldest first. */
export const listRequests = (db: Queryable, providerId: number, limit: number, only: string[] | null) =>
  db.query<WaitingRequest>(sql`
    select request.*, json_build_object('uuid', resource.uuid, 'name', resource.internal_name) as resource,
      json_build_object('uuid', product.uuid, 'name', coalesce(request.product_name, product.name)) as product,
      case when customer.id is null then null
        else json_build_object('uuid', customer.uuid, 'reference', customer.reference) end as customer
    from (
      select participation.uuid, participation.created_at as asked_at, participation.name, participation.email,
        participation.mobile, participation.note, participation.customer_id, appointment.uuid as appointment_uuid,
        appointment.start_at as start, appointment.end_at as end, appointment.resource_id, appointment.product_id,
        appointment.product_name, (${timesOf('BOOKED')}) as booked, (${timesOf('CANCELED')}) as cancelled,
        (${timesOf('BOOKED')} and other.attendance = 'MISSED') as missed
      from ${waiting} and participation.provider_id = ${providerId} ${isAt(only)}
      order by participation.created_at, participation.id limit ${limit}
    ) as request
    join resource on resource.id = request.resource_id
    join product on product.id = request.product_id
    left join customer on customer.id = request.customer_id
    order by asked_at, request.uuid
  `)

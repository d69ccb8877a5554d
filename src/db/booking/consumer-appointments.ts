import sql, { type Sql } from 'sql-template-tag'
import { orderedReference } from '../../lib/ordered-reference.ts'
import type { Placement } from '../../rules/offers/slots.ts'
import type { Span } from '../../rules/offers/window.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { jsonRows } from '../base/json.ts'
import { cleanUpExpiredHolds, upcoming } from '../base/ledger.ts'
import type { Queryable } from '../base/pool.ts'
import type { ResourceWindow } from './windows.ts'

// The Appointment created when a consumer holds or books a free slot. `beside`: the consumer's own
// Participations during a move, kept until it is done.

export function newAppointment(
  { resource, provider }: ResourceWindow,
  { timeslot, product, start, end, blocked }: Extract<Placement, { kind: 'new' }>,
  uuid: string,
  beside: number[] = [],
) {
  return {
    providerId: provider.id,
    resourceId: resource.id,
    productId: product.id,
    timeslotId: timeslot.id,
    uuid,
    reference: orderedReference(),
    startAt: toUtcText(start),
    endAt: toUtcText(end),
    blockedFrom: toUtcText(blocked.from),
    blockedTo: toUtcText(blocked.to),
    capacity: timeslot.capacity,
    address: resource.address,
    beside: beside.length > 0 ? beside : null,
  }
}

/**
 * If the new time overlaps the consumer's own Appointment, both share one claim, which the overlap constraint
 * allows.
 */
const sharedClaim = (beside: Sql) => sql`(
  select min(coalesce(kept.claim, kept.id)) from participation join appointment as kept on kept.id = appointment_id
  where participation.id = any (${beside}) and participation.state in ('BOOKED', 'REQUESTED') and kept.uuid <> wanted.uuid and kept.resource_id = wanted.resource_id
    and kept.state = 'ACTIVE' and kept.deleted_at is null
    and kept.blocked_from < wanted.blocked_to and kept.blocked_to > wanted.blocked_from
)`

/**
 * The Appointment of a hold for a move may overlap the Appointments that the consumer keeps. The constraint
 * refuses any other overlap.
 */
export const claimedBeside = (appointmentId: number, beside: number[]): Sql => sql`
  update appointment as wanted set claim = ${sharedClaim(sql`${beside}::bigint[]`)}
  where id = ${appointmentId} and claim is distinct from ${sharedClaim(sql`${beside}::bigint[]`)}
`

/** Two places of one person that both overlap the time between them become one claim. */
export async function joinClaims(
  tx: Queryable,
  { resource }: ResourceWindow,
  { from, to }: Span,
  beside: number[],
) {
  await tx.query(sql`
    update appointment set claim = first.claim
    from (
      select array_agg(kept.id) as ids, min(coalesce(kept.claim, kept.id)) as claim
      from participation join appointment as kept on kept.id = appointment_id
      where participation.id = any (${beside}::bigint[]) and kept.resource_id = ${resource.id} and kept.state = 'ACTIVE'
        and kept.blocked_from < ${new Date(to)} and kept.blocked_to > ${new Date(from)}
    ) as first
    where id = any (first.ids) and coalesce(appointment.claim, id) <> first.claim
  `)
}

/** A CTE named `made` with id, uuid and address of these Appointments. */
export const insertedAppointments = (appointments: ReturnType<typeof newAppointment>[]): Sql => sql`
  made as (
    insert into appointment (provider_id, resource_id, product_id, timeslot_id, uuid, reference, origin, start_at, end_at,
      blocked_from, blocked_to, capacity, accept_bookings, claim, address)
    select provider_id, resource_id, product_id, timeslot_id, uuid, reference, 'consumer', start_at, end_at,
      blocked_from, blocked_to, capacity, true, case when beside is not null then ${sharedClaim(sql`beside`)} end,
      coalesce((select address from timeslot where id = wanted.timeslot_id), wanted.address)
    from jsonb_to_recordset(${jsonRows(appointments)}::jsonb) as wanted (provider_id bigint, resource_id bigint,
      product_id bigint, timeslot_id bigint, uuid uuid, reference text, start_at timestamptz, end_at timestamptz,
      blocked_from timestamptz, blocked_to timestamptz, capacity integer, address jsonb, beside bigint[])
    returning id, uuid, address
  )
`

/**
 * Expired holds take no place, but the constraints see their Appointments until they are removed. `joinedIds`:
 * Appointments that the waiting bookings will join, which stay.
 */
export async function removeExpiredHolds(tx: Queryable, windows: ResourceWindow[], joinedIds: number[]) {
  const ids = windows.filter(one => one.hasLeftovers).map(one => one.resource.id)
  if (ids.length > 0) await cleanUpExpiredHolds(tx, upcoming(ids), joinedIds)
}

import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

// What changes when an Appointment, or somebody in it, gets another time.

/**
 * What becomes of a Participation whose time has changed. Whoever it concerns has just been told: the reminder counts from
 * now. Whether they came says nothing about the new time. Whoever sends the booking again is not promised the old one.
 */
export const asMoved = sql`
  reminded_at = null, attendance = null, booked_at = case when state = 'BOOKED' then app_clock() end,
  completion_digest = case when completion_digest is not null then 'moved' end
`

export type Whereabouts = {
  startAt: number
  endAt: number
  lead: number | null
  followUp: number | null
  claim: number | null
}

/** When it is, and the buffers of its Product as they are today. */
export async function whereabouts(tx: Queryable, appointmentId: number): Promise<Whereabouts> {
  const rows = await tx.query<Whereabouts>(sql`
    select start_at, end_at, lead_minutes as lead, follow_up_minutes as follow_up, claim
    from appointment join product on product.id = product_id where appointment.id = ${appointmentId}
  `)
  return rows[0]!
}

export type NewPlace = {
  resourceId: number
  start: number
  end: number
  blocked: { from: number; to: number }
}

/**
 * One that consumers made belongs to the Timeslot that it lies in now, if there is one. `isForced`: the provider knows what it
 * overlaps; from now on it is theirs, for two of consumers never overlap. `claim`: whose time it may share there, if it is
 * another's than before.
 */
export async function moveAppointment(
  tx: Queryable,
  id: number,
  { resourceId, start, end, blocked }: NewPlace,
  isForced: boolean,
  claim: number | null = null,
) {
  const [from, to] = [new Date(start), new Date(end)]
  await tx.query(sql`
    update appointment set moved_at = app_clock(), resource_id = ${resourceId}, start_at = ${from}, end_at = ${to},
      blocked_from = ${new Date(blocked.from)}, blocked_to = ${new Date(blocked.to)},
      origin = case when ${isForced} then 'provider' else origin end, claim = coalesce(${claim}::bigint, claim),
      timeslot_id = case when origin = 'consumer' and not ${isForced} then (
        select id from timeslot
        where timeslot.resource_id = ${resourceId} and timeslot.start_at <= ${from} and timeslot.end_at >= ${to}
          and timeslot.state = 'BOOKABLE' and default_accept_bookings
        order by timeslot.start_at, id limit 1
      ) end
    where id = ${id}
  `)
}

/** All who have a place in it. The message is for them. */
export async function movePeople(tx: Queryable, appointmentId: number, message: string | null) {
  return tx.query<{ id: number; state: 'BOOKED' | 'REQUESTED' }>(sql`
    update participation set ${asMoved}, moved_from = null,
      messages = case when ${message}::text is null then messages else messages || ${message}::text end
    where appointment_id = ${appointmentId} and state in ('BOOKED', 'REQUESTED') returning id, state
  `)
}

/** Whose time it may share. */
export async function setClaim(tx: Queryable, id: number, claim: number | null) {
  await tx.query(sql`update appointment set claim = ${claim}::bigint where id = ${id}`)
}

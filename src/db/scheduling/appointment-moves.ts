import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'
import { withMessage } from './participations.ts'

// Changes the time of Appointments and of the people in them.

/**
 * Columns of a Participation whose time has changed. The person was just notified, so the reminder counts
 * from now. Attendance says nothing about the new time. A repeated booking request must not confirm the old
 * time.
 */
export const asMoved = sql`
  reminded_at = null, attendance = null, booked_at = case when state = 'BOOKED' then app_clock() end,
  completion_digest = case when completion_digest is not null then 'moved' end
`

export type AppointmentTimes = {
  startAt: number
  endAt: number
  leadTimeMinutes: number | null
  followUpTimeMinutes: number | null
  claim: number | null
}

/** The times of the Appointment and the current buffers of its Product. */
export const readAppointmentTimes = (tx: Queryable, appointmentId: number) =>
  tx.one<AppointmentTimes>(sql`
    select start_at, end_at, lead_minutes as lead_time_minutes, follow_up_minutes as follow_up_time_minutes, claim
    from appointment join product on product.id = product_id where appointment.id = ${appointmentId}
  `)

export type NewPlace = {
  resourceId: number
  start: number
  end: number
  blocked: { from: number; to: number }
}

/**
 * A consumer Appointment is assigned to the Timeslot that contains the new time, if any. `isForced`: the
 * provider accepts overlaps, so it becomes the provider's, because consumer Appointments never overlap.
 * `claim`: the claim whose time it may overlap, if it changes.
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

/** Updates all Participations with a place and appends the message for these people. */
export const movePeople = (tx: Queryable, appointmentId: number, message: string | null) =>
  tx.query<{ id: number; state: 'BOOKED' | 'REQUESTED' }>(sql`
    update participation set ${asMoved}, moved_from = null,
      ${withMessage(message)}
    where appointment_id = ${appointmentId} and state in ('BOOKED', 'REQUESTED') returning id, state
  `)

/** One person goes to another Appointment; the others stay. */
export const movePlace = (
  tx: Queryable,
  participationId: number,
  appointmentId: number,
  message: string | null,
) =>
  tx.query<{ id: number; state: 'BOOKED' | 'REQUESTED' }>(sql`
    update participation set appointment_id = ${appointmentId}, ${asMoved}, moved_from = null,
      ${withMessage(message)}
    where id = ${participationId} and state in ('BOOKED', 'REQUESTED') returning id, state
  `)

/** Sets the claim whose time the Appointment may overlap. */
export async function setClaim(tx: Queryable, id: number, claim: number | null) {
  await tx.query(sql`update appointment set claim = ${claim}::bigint where id = ${id}`)
}

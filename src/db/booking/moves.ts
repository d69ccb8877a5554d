import sql, { type Sql } from 'sql-template-tag'
import { orderedReference } from '../../lib/ordered-reference.ts'
import type { Placement } from '../../rules/offers/slots.ts'
import { hasAny } from '../base/has-any.ts'
import type { Queryable } from '../base/pool.ts'
import { asMoved } from '../scheduling/appointment-moves.ts'
import type { Booking } from './bookings.ts'
import { appointmentsMade, claimedBeside, newAppointment } from './consumer-appointments.ts'
import type { ResourceWindow } from './windows.ts'

// What moving a booking writes. The old place is given back before the new one is taken, for constraints look at each
// statement; both are one transaction.

/** Where the booking goes: a free slot, an Appointment to join, or the one that the mover's own hold has made. */
export type Goal = { kind: 'held'; appointmentId: number } | Placement

/**
 * Appointments of consumers that nobody but these was in end. Where somebody still holds a place, it stays for them, and for
 * everybody else it has ended as well: nothing in it would say later that it ever was there. Returned: which ones ended.
 */
export async function closeBehind(
  tx: Queryable,
  leaving: Pick<Booking, 'appointmentId' | 'participationId'>[],
): Promise<number[]> {
  const isTheirs = sql`
    id = any (${leaving.map(one => one.appointmentId)}::bigint[]) and origin = 'consumer' and state = 'ACTIVE'
  `
  const others = sql`
    select from participation
    where appointment_id = appointment.id and participation.id <> all (${leaving.map(one => one.participationId)}::bigint[])
  `
  const rows = await tx.query<{ id: number }>(sql`
    with closed as (
      update appointment set state = 'CANCELLED'
      where ${isTheirs} and not ${hasAny(sql`${others} and takes_place(state, expires_at, app_clock())`)}
      returning id
    )
    select id from closed
    union
    select id from appointment where ${isTheirs} and not ${hasAny(sql`${others} and state <> 'RESERVED'`)}
  `)
  return rows.map(row => row.id)
}

/** The hold has done its work; the Appointment around it stays, for whoever held it comes in. */
export async function endHold(tx: Queryable, participationId: number) {
  await tx.query(sql`delete from participation where id = ${participationId} and state = 'RESERVED'`)
}

/** What somebody leaves, or left: a move that is sent again is answered as it was the first time. */
export type Left = Pick<Booking, 'appointmentUuid' | 'startAt' | 'endAt'>

const asLeft = ({ appointmentUuid, startAt, endAt }: Left) =>
  JSON.stringify({ appointmentUuid, startAt, endAt })

export async function findLeft(tx: Queryable, participationId: number): Promise<Left | null> {
  const rows = await tx.query<{ movedFrom: Left | null }>(sql`
    select moved_from from participation where id = ${participationId}
  `)
  return rows[0]?.movedFrom ?? null
}

/** They stay where they are, and what they leave is what they had asked for. */
export async function noteLeft(tx: Queryable, participationId: number, left: Left) {
  await tx.query(
    sql`update participation set moved_from = ${asLeft(left)}::jsonb where id = ${participationId}`,
  )
}

/**
 * Whoever moves has just been told the time: the reminder counts from now. What was answered when it was booked is no longer
 * so. `beside`: the booking that stays until this request is answered, if it is one. Returned: the Appointment they are in now.
 */
export async function moveTo(
  tx: Queryable,
  booking: Left & Pick<Booking, 'participationId'>,
  loaded: ResourceWindow,
  goal: Goal,
  uuid: string,
  beside: number[],
): Promise<number> {
  const [moved] = await tx.query<{ appointmentId: number }>(sql`
    with ${goalOf(loaded, goal, uuid, beside)}
    update participation set appointment_id = (select id from made), moved_from = ${asLeft(booking)}::jsonb, ${asMoved}
    where id = ${booking.participationId} returning appointment_id
  `)
  return moved!.appointmentId
}

type Move = {
  booking: Left & Pick<Booking, 'participationId'>
  loaded: ResourceWindow
  placement: Extract<Placement, { kind: 'new' }>
  appointmentUuid: string
}

/** The same for several who are booked and go to free slots. They are told by a newer entry for their calendars. */
export async function moveToNew(tx: Queryable, moves: Move[]) {
  const ids = moves.map(one => one.booking.participationId)
  const left = moves.map(one => asLeft(one.booking))
  const uuids = moves.map(one => one.appointmentUuid)
  await tx.query(sql`
    with ${appointmentsMade(moves.map(one => newAppointment(one.loaded, one.placement, one.appointmentUuid)))}
    update participation set appointment_id = (select id from made where uuid = moved.appointment_uuid),
      moved_from = moved.left_place::jsonb, ${asMoved}, ics_sequence = ics_sequence + 1
    from unnest(${ids}::bigint[], ${uuids}::uuid[], ${left}::text[]) as moved (participation_id, appointment_uuid, left_place)
    where participation.id = any (${ids}::bigint[]) and participation.id = moved.participation_id
  `)
}

/**
 * A second place for the same person, REQUESTED, until the provider has decided which of the two it is. Whoever puts their address
 * right at this moment is waited for.
 */
export async function insertMoveRequest(
  tx: Queryable,
  { participationId }: Booking,
  loaded: ResourceWindow,
  goal: Goal,
  uuid: string,
  appointmentUuid: string,
): Promise<{ id: number; appointmentId: number }> {
  const rows = await tx.query<{ id: number; appointmentId: number }>(sql`
    with ${goalOf(loaded, goal, appointmentUuid, [participationId])}
    insert into participation (provider_id, appointment_id, customer_id, uuid, reference, name, email, mobile, note, state,
      language, locale, time_zone, channel_key, ics_sequence, replaces, calendar_uuid)
    select provider_id, (select id from made), customer_id, ${uuid}, ${orderedReference()}, name, email, mobile, note,
      'REQUESTED', language, locale, time_zone, channel_key, ics_sequence, id, coalesce(calendar_uuid, uuid)
    from participation where id = ${participationId} for key share
    returning id, appointment_id
  `)
  return rows[0]!
}

/** A CTE named `made` with the id of the Appointment. */
function goalOf(loaded: ResourceWindow, goal: Goal, uuid: string, beside: number[]): Sql {
  if (goal.kind === 'new') return appointmentsMade([newAppointment(loaded, goal, uuid, beside)])
  if (goal.kind === 'join') return sql`made as (select ${goal.appointment.id}::bigint as id)`
  const { appointmentId } = goal
  return sql`claimed as (${claimedBeside(appointmentId, beside)}), made as (select ${appointmentId}::bigint as id)`
}

import sql, { type Sql } from 'sql-template-tag'
import { orderedReference } from '../../lib/ordered-reference.ts'
import type { Placement } from '../../rules/offers/slots.ts'
import type { TakenAnswers } from '../../rules/questions/sent.ts'
import { hasAny } from '../base/conditions.ts'
import { json } from '../base/json.ts'
import { endsWithPeople } from '../base/ledger.ts'
import type { Queryable } from '../base/pool.ts'
import { asMoved } from '../scheduling/appointment-moves.ts'
import { lacksAnswers } from '../setup/questions.ts'
import type { Booking } from './bookings.ts'
import { claimedBeside, insertedAppointments, newAppointment } from './consumer-appointments.ts'
import type { ResourceWindow } from './windows.ts'

// Writes for moving a booking. The old place is released before the new one is taken, because constraints
// check each statement; both happen in one transaction.

/**
 * Where the booking goes: a free slot, an Appointment to join, or the Appointment of the mover's own hold.
 */
export type MoveTarget = { kind: 'held'; appointmentId: number } | Placement

/**
 * Ends Appointments that are there for their people only and had no others. If another client holds a place, the row stays for
 * that hold but counts as ended, because a later read could not tell that it existed. Returns the ids that
 * ended.
 */
export async function closeEmptied(
  tx: Queryable,
  leaving: Pick<Booking, 'appointmentId' | 'participationId'>[],
): Promise<number[]> {
  const isTheirs = sql`
    id = any (${leaving.map(one => one.appointmentId)}::bigint[]) and ${endsWithPeople} and state = 'ACTIVE'
  `
  const others = sql`
    select from participation
    where appointment_id = appointment.id and participation.id <> all (${leaving.map(one => one.participationId)}::bigint[])
  `
  return tx.column<number>(sql`
    with closed as (
      update appointment set state = 'CANCELLED'
      where ${isTheirs} and not ${hasAny(sql`${others} and takes_place(state, expires_at, app_clock())`)}
      returning id
    )
    select id from closed
    union
    select id from appointment where ${isTheirs} and not ${hasAny(sql`${others} and state <> 'RESERVED'`)}
  `)
}

/** Deletes the hold; its Appointment stays, because the booking moves into it. */
export async function endHold(tx: Queryable, participationId: number) {
  await tx.query(sql`delete from participation where id = ${participationId} and state = 'RESERVED'`)
}

/** The place that a move leaves. Stored so that a repeated request gets the same answer. */
export type PreviousPlace = Pick<Booking, 'appointmentUuid' | 'startAt' | 'endAt'>

const asLeft = ({ appointmentUuid, startAt, endAt }: PreviousPlace) =>
  JSON.stringify({ appointmentUuid, startAt, endAt })

export const findPreviousPlace = (tx: Queryable, participationId: number) =>
  tx.value<PreviousPlace | null>(sql`
    select moved_from from participation where id = ${participationId}
  `)

/** The booking stays where it is; the stored previous place is the requested one. */
export async function savePreviousPlace(tx: Queryable, participationId: number, left: PreviousPlace) {
  await tx.query(
    sql`update participation set moved_from = ${asLeft(left)}::jsonb where id = ${participationId}`,
  )
}

/**
 * The consumer sees the new time now, so the reminder counts from now, and the stored answer to the booking
 * is dropped. `beside`: the booking that stays until this request is answered. Returns the new Appointment.
 */
export const moveTo = (
  tx: Queryable,
  booking: PreviousPlace & Pick<Booking, 'participationId'>,
  loaded: ResourceWindow,
  target: MoveTarget,
  uuid: string,
  beside: number[],
  added: TakenAnswers | null,
) =>
  tx.value<number>(sql`
    with ${targetOf(loaded, target, uuid, beside)}
    update participation set appointment_id = (select id from made), moved_from = ${asLeft(booking)}::jsonb, ${asMoved},
      answers = ${answersAfterMove(added)}, answers_missing = ${missingAfterMove(target, added)}
    where id = ${booking.participationId} returning appointment_id
  `)

/**
 * Inserts a second, REQUESTED place for the same person until the provider decides. Waits for a concurrent
 * address correction.
 */
export const insertMoveRequest = (
  tx: Queryable,
  { participationId }: Booking,
  loaded: ResourceWindow,
  target: MoveTarget,
  uuid: string,
  appointmentUuid: string,
  added: TakenAnswers | null,
) =>
  tx.one<{ id: number; appointmentId: number }>(sql`
    with ${targetOf(loaded, target, appointmentUuid, [participationId])}
    insert into participation (provider_id, appointment_id, customer_id, uuid, reference, name, email, mobile, note, state,
      language, locale, time_zone, channel_key, ics_sequence, replaces, calendar_uuid,
      answers, answers_missing, places, place_names)
    select provider_id, (select id from made), customer_id, ${uuid}, ${orderedReference()}, name, email, mobile, note,
      'REQUESTED', language, locale, time_zone, channel_key, ics_sequence, id, coalesce(calendar_uuid, uuid),
      ${answersAfterMove(added)}, ${missingAfterMove(target, added)}, places, place_names
    from participation where id = ${participationId} for key share
    returning id, appointment_id
  `)

/** Answers that are saved at the same moment stay. */
const answersAfterMove = (added: TakenAnswers | null): Sql =>
  added ? sql`nullif(coalesce(answers, '{}') || ${json(added.answers ?? {})}::jsonb, '{}')` : sql`answers`

/** The new Product may ask more; the same one asks nothing that was not asked before. */
function missingAfterMove(target: MoveTarget, added: TakenAnswers | null): Sql {
  if (added) return sql`${added.answersMissing}`
  const wanted =
    target.kind === 'held'
      ? sql`(select product_id from appointment where id = ${target.appointmentId})`
      : sql`${target.product.id}::bigint`
  return sql`
    case when ${wanted} = (select product_id from appointment where id = participation.appointment_id) then answers_missing
      else (select ${lacksAnswers(sql`participation.answers`)} from product where product.id = ${wanted}) end
  `
}

/** A CTE named `made` with the id of the Appointment. */
function targetOf(loaded: ResourceWindow, target: MoveTarget, uuid: string, beside: number[]): Sql {
  if (target.kind === 'new') return insertedAppointments([newAppointment(loaded, target, uuid, beside)])
  if (target.kind === 'join') return sql`made as (select ${target.appointment.id}::bigint as id)`
  const { appointmentId } = target
  return sql`claimed as (${claimedBeside(appointmentId, beside)}), made as (select ${appointmentId}::bigint as id)`
}

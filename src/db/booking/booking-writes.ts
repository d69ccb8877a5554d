import sql, { type Sql } from 'sql-template-tag'
import { orderedReference } from '../../lib/ordered-reference.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { joinedBy, type Placement } from '../../rules/offers/slots.ts'
import type { StoredAnswers } from '../../rules/questions/define.ts'
import { json, jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import { insertedAppointments, newAppointment, removeExpiredHolds } from './consumer-appointments.ts'
import { resourceOfTarget, type Target } from './targets.ts'
import type { ResourceWindow } from './windows.ts'

// The data written when a booking is completed, and the person if already known.

export type NewBooking = {
  uuid: string
  state: 'BOOKED' | 'REQUESTED'
  name: string
  email: string | null
  mobile: string | null
  note: string | null
  language: string | null
  locale: string | null
  timeZone: string | null
  channelKey: ChannelKey
  placeholder: string | null
  digest: string
  answers: StoredAnswers | null
  answersMissing: boolean
  placeNames: string[] | null
}

/** Writes the booking with its Customer and, for a free slot, the Appointment around it. */
export async function insertBooking(
  tx: Queryable,
  loaded: ResourceWindow,
  placement: Placement,
  appointmentUuid: string,
  customerUuid: string,
  booking: NewBooking,
) {
  const { provider } = loaded
  const inserting = sql`
    with ${appointmentFor(loaded, placement, appointmentUuid)}
    insert into participation (provider_id, appointment_id, customer_id, uuid, reference, name, email, mobile, note,
      state, language, locale, time_zone, channel_key, placeholder, completion_digest, ics_sequence,
      answers, answers_missing, places, place_names)
    select ${provider.id}, id, ${customerWith(sql`${customerUuid}::uuid`)}, ${booking.uuid}, ${orderedReference()}, ${booking.name},
      ${booking.email}, ${booking.mobile}, ${booking.note}, ${booking.state}, ${booking.language},
      ${booking.locale}, ${booking.timeZone}, ${booking.channelKey}, ${booking.placeholder}::uuid, ${booking.digest}, ${firstSequence(booking)},
      ${json(booking.answers)}::jsonb, ${booking.answersMissing}, ${placement.places}, ${booking.placeNames}::text[]
    from made
  `
  await Promise.all([removeExpiredHolds(tx, [loaded], joinedBy([placement])), tx.query(inserting)])
}

type HoldToBook = { participationId: number; customerUuid: string; booking: NewBooking }

/** Turns holds into bookings. */
export async function completeHolds(tx: Queryable, holds: HoldToBook[]) {
  await tx.query(sql`
    update participation set state = booked.state, expires_at = null,
      customer_id = ${customerWith(sql`booked.customer_uuid`)}, name = booked.name,
      email = booked.email, mobile = booked.mobile, note = booked.note, language = booked.language,
      locale = booked.locale, time_zone = booked.time_zone,
      channel_key = booked.channel_key, completion_digest = booked.digest,
      ics_sequence = ics_sequence + booked.first_sequence,
      answers = booked.answers, answers_missing = booked.answers_missing, held_questions = null,
      proposal = null,
      place_names = case when booked.place_names is not null then array(select jsonb_array_elements_text(booked.place_names)) end
    from jsonb_to_recordset(${jsonRows(holds.map(asBookedRow))}::jsonb) as booked (hold_id bigint, customer_uuid uuid,
      state text, name text, email text, mobile text, note text, language text, locale text, time_zone text, channel_key text, digest text,
      first_sequence integer, answers jsonb, answers_missing boolean, place_names jsonb)
    where participation.id = any (${holds.map(one => one.participationId)}::bigint[])
      and participation.id = booked.hold_id
  `)
}

const asBookedRow = ({ participationId, customerUuid, booking }: HoldToBook) => ({
  holdId: participationId,
  customerUuid,
  state: booking.state,
  name: booking.name,
  email: booking.email,
  mobile: booking.mobile,
  note: booking.note,
  language: booking.language,
  locale: booking.locale,
  timeZone: booking.timeZone,
  channelKey: booking.channelKey,
  digest: booking.digest,
  firstSequence: firstSequence(booking),
  answers: booking.answers,
  answersMissing: booking.answersMissing,
  placeNames: booking.placeNames,
})

const customerWith = (uuid: Sql) => sql`(select id from customer where uuid = ${uuid})`

/** A booking is emailed as a calendar entry; a request is not. */
export const firstSequence = ({ state }: NewBooking) => (state === 'BOOKED' ? 1 : 0)

/** A CTE named `made` with the id of the Appointment, new or joined. */
export const appointmentFor = (loaded: ResourceWindow, placement: Placement, uuid: string): Sql =>
  placement.kind === 'join'
    ? sql`made as (select ${placement.appointment.id}::bigint as id)`
    : insertedAppointments([newAppointment(loaded, placement, uuid)])

/**
 * Appointments at this time that already include this person. The fences (`offset 0`) fix the join order:
 * first the few Appointments, then their Participations. Without statistics the planner would start with all
 * Participations.
 */
export async function appointmentsWith(
  tx: Queryable,
  { uuid, from }: Pick<Target, 'uuid' | 'from'>,
  email: string | null,
  customerReference: string | null,
): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>(sql`
    select appointment.id
    from (
      select id, provider_id, state, deleted_at from appointment where uuid = ${uuid}
      union
      select id, provider_id, state, deleted_at from appointment
      where resource_id = ${resourceOfTarget(uuid)} and start_at = ${new Date(from)}
      offset 0
    ) as appointment
    cross join lateral (
      select from (
        select from participation
        where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED')
          and hashtext(lower(email)) = hashtext(lower(${email}::text)) and lower(email) = lower(${email}::text)
        union all
        select from participation
        where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED') and customer_id = any (array (
          select id from customer where provider_id = appointment.provider_id and reference = ${customerReference}::text
        ))
      ) as places
      limit 1
    ) as present
    where appointment.state = 'ACTIVE' and appointment.deleted_at is null
  `)
  return new Set(rows.map(row => row.id))
}

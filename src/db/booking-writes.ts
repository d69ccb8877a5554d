import sql, { type Sql } from 'sql-template-tag'
import type { ChannelKey } from '../rules/channels.ts'
import type { Placement } from '../rules/slots.ts'
import { appointmentsMade, clearTheWay, newAppointment } from './consumer-appointments.ts'
import { json } from './json.ts'
import type { Queryable } from './pool.ts'
import { resourceOfTarget, type Target } from './targets.ts'
import type { ResourceWindow } from './windows.ts'

// What completing a booking writes, and whom it finds there already.

export type Person =
  | { customerId: number }
  | { email: string; mobile: string | null; firstName: string; lastName: string; language: string | null }

export type NewBooking = {
  uuid: string
  state: 'BOOKED' | 'REQUESTED'
  name: string
  email: string | null
  mobile: string | null
  note: string | null
  language: string | null
  channelKey: ChannelKey
  placeholder: string | null
  digest: string
}

/** Writes the booking with its Customer and, for a free slot, the Appointment around it. */
export async function insertBooking(
  tx: Queryable,
  loaded: ResourceWindow,
  placement: Placement,
  appointmentUuid: string,
  person: Person,
  booking: NewBooking,
): Promise<{ id: number }> {
  const { provider } = loaded
  const inserting = sql`
    with ${appointmentFor(loaded, placement, appointmentUuid)},
      person as (${customerOf(provider.id, provider.language, person)})
    insert into participation (provider_id, appointment_id, customer_id, uuid, reference, name, email, mobile, note,
      state, language, channel_key, placeholder, completion_digest, ics_sequence)
    select ${provider.id}, appointment.id, customer_id, ${booking.uuid}, ${`${booking.uuid}@consumer`}, ${booking.name},
      ${booking.email}, ${booking.mobile}, ${booking.note}, ${booking.state}, ${booking.language},
      ${booking.channelKey}, ${booking.placeholder}::uuid, ${booking.digest}, ${firstSequence(booking)}
    from made as appointment, person
    returning id
  `
  const [, rows] = await Promise.all([clearTheWay(tx, [loaded]), tx.query<{ id: number }>(inserting)])
  return rows[0]!
}

/** Turns the caller's own hold into the booking. */
export async function completeHold(
  tx: Queryable,
  { provider }: ResourceWindow,
  holdId: number,
  person: Person,
  booking: NewBooking,
): Promise<{ id: number }> {
  const rows = await tx.query<{ id: number }>(sql`
    with person as (${customerOf(provider.id, provider.language, person)})
    update participation set state = ${booking.state}, expires_at = null, customer_id = person.customer_id,
      name = ${booking.name}, email = ${booking.email}, mobile = ${booking.mobile}, note = ${booking.note},
      language = ${booking.language}, channel_key = ${booking.channelKey}, completion_digest = ${booking.digest},
      ics_sequence = ics_sequence + ${firstSequence(booking)}
    from person
    where participation.id = ${holdId}
    returning participation.id
  `)
  return rows[0]!
}

/** A booking is mailed as a calendar entry, a request is not yet one. */
const firstSequence = ({ state }: NewBooking) => (state === 'BOOKED' ? 1 : 0)

/** A CTE named `made` with the id of the Appointment: a new one, or the one that is joined. */
const appointmentFor = (loaded: ResourceWindow, placement: Placement, uuid: string): Sql =>
  placement.kind === 'join'
    ? sql`made as (select ${placement.appointment.id}::bigint as id)`
    : appointmentsMade([newAppointment(loaded, placement, uuid)])

function customerOf(providerId: number, defaultLanguage: string, person: Person): Sql {
  if ('customerId' in person) return sql`select ${person.customerId}::bigint as customer_id`
  const { email, mobile, firstName, lastName, language } = person
  return sql`
    select customer_id from ensure_consumer(${providerId}, ${email}, ${mobile}, ${firstName}, ${lastName}, ${language},
      ${defaultLanguage})
  `
}

export async function saveCompletion(
  tx: Queryable,
  participationId: number,
  providerId: number,
  answer: object,
) {
  await tx.query(sql`
    insert into completion (participation_id, provider_id, answer)
    values (${participationId}, ${providerId}, ${json(answer)}::jsonb)
  `)
}

/**
 * Appointments at this time in which this person takes part already. The fences (`offset 0`) keep the order: first the
 * one or two Appointments, then who is in them. Before the first statistics the planner would begin with everybody.
 */
export async function appointmentsWith(
  tx: Queryable,
  { uuid, from }: Target,
  email: string | null,
  customerReference: string | null,
): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>(sql`
    select appointment.id
    from (
      select id, state, deleted_at from appointment where uuid = ${uuid}
      union
      select id, state, deleted_at from appointment
      where resource_id = ${resourceOfTarget(uuid)} and start_at = ${new Date(from)}
      offset 0
    ) as appointment
    cross join lateral (
      select from participation left join customer on customer.id = customer_id
      where appointment_id = appointment.id and participation.state in ('BOOKED', 'REQUESTED')
        and (lower(participation.email) = lower(${email}::text) or customer.reference = ${customerReference}::text)
      offset 0
    ) as present
    where appointment.state = 'ACTIVE' and appointment.deleted_at is null
  `)
  return new Set(rows.map(row => row.id))
}

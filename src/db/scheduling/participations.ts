import sql from 'sql-template-tag'
import { participation } from '../../entities/appointment.ts'
import type { RowOf, WholeOf } from '../../entities/entity.ts'
import type { Attendance, ParticipationState } from '../../rules/states/participations.ts'
import { columnNames, rowsOf } from '../base/columns.ts'
import { hasAny } from '../base/conditions.ts'
import { jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import { lacksAnswers } from '../setup/questions.ts'

type Row = RowOf<typeof participation>

export type ParticipationRecord = WholeOf<typeof participation> & {
  /** Set for a consumer's hold, and for the booking made from it. */
  placeholder: string | null
  /** The booking that is released when this request is accepted. */
  replaces: number | null
  archived: boolean
  resourceId: number
  appointmentReference: string
  appointmentState: 'ACTIVE' | 'CANCELLED'
  appointmentOrigin: 'consumer' | 'provider'
}

const parts = sql`
  participation.*, participation.deleted_at is not null as archived, appointment.resource_id,
  appointment.reference as appointment_reference, appointment.state as appointment_state,
  appointment.origin as appointment_origin, customer.reference as customer_reference
`

const joined = sql`
  join appointment on appointment.id = appointment_id
  left join customer on customer.id = customer_id
`

/** Appends the message for the person. */
export const withMessage = (message: string | null) =>
  sql`messages = case when ${message}::text is null then messages else messages || ${message}::text end`

/** In any state. */
export const participationsById = (db: Queryable, ids: number[]) =>
  db.query<ParticipationRecord & { isGone: boolean }>(sql`
    select ${parts},
      participation.deleted_at is not null and not (appointment.archived and appointment.deleted_at is null) as is_gone
    from participation ${joined}
    where participation.id = any (${ids}::bigint[])
  `)

/** Expired holds are not found; archived Participations only if no other has the reference. */
export const findParticipation = (db: Queryable, providerId: number, reference: string) =>
  db.first<ParticipationRecord>(sql`
    select ${parts} from (
      select * from participation
      where provider_id = ${providerId} and reference = ${reference} and deleted_at is null
      union all
      select * from participation
      where provider_id = ${providerId} and reference = ${reference} and deleted_at is not null
    ) as participation ${joined}
    where (participation.deleted_at is null or (appointment.archived and appointment.deleted_at is null))
      and (participation.state <> 'RESERVED' or participation.expires_at > app_clock())
    order by archived, participation.id desc limit 1
  `)

const written = ['customerId', 'name', 'email', 'mobile', 'note', 'language', 'placeNames'] as const

/** What is left out is null; `places` is 1 then. */
type NewParticipation = Pick<Row, 'appointmentId' | 'reference' | 'state'> &
  Partial<Pick<Row, (typeof written)[number] | 'messages' | 'places'>>

const inserted = columnNames(participation, ['appointmentId', 'reference', 'state', ...written])

/** Skips references that are taken. */
export async function insertParticipations(
  tx: Queryable,
  providerId: number,
  holdSeconds: number,
  participations: NewParticipation[],
): Promise<{ id: number }[]> {
  await freeReferencesOfExpiredHolds(
    tx,
    providerId,
    participations.map(one => one.reference),
  )
  return tx.query<{ id: number }>(sql`
    insert into participation (provider_id, ${inserted}, expires_at, messages, places, answers_missing)
    select ${providerId}, ${inserted},
      case when state = 'RESERVED' then date_trunc('milliseconds', app_clock() + make_interval(secs => ${holdSeconds})) end,
      coalesce(messages, '{}'), coalesce(places, 1),
      (select ${lacksAnswers(sql`null::jsonb`)} from product
        where product.id = (select product_id from appointment where appointment.id = sent.appointment_id))
    from ${rowsOf(participation, participations)} as sent
    on conflict (provider_id, reference) where deleted_at is null do nothing
    returning id
  `)
}

// An expired hold must not block its reference. It may belong to a Resource that is not locked, so the
// cleanup job removes the rest.
async function freeReferencesOfExpiredHolds(tx: Queryable, providerId: number, references: string[]) {
  await tx.query(sql`
    update participation set deleted_at = app_clock()
    where provider_id = ${providerId} and reference = any (${references}) and deleted_at is null
      and state = 'RESERVED' and expires_at <= app_clock()
  `)
}

/** Whether the Customer is already in the Appointment. */
export const takesPart = (tx: Queryable, appointmentId: number, customerId: number) =>
  tx.any(sql`
    select from participation
    where appointment_id = ${appointmentId} and customer_id = ${customerId} and state in ('BOOKED', 'REQUESTED')
    limit 1
  `)

/** The Appointment has only ever had holds, so no event has announced it. */
export async function isOnlyHeld(tx: Queryable, appointmentId: number): Promise<boolean> {
  return !(await tx.any(sql`
    select from participation where appointment_id = ${appointmentId} and state <> 'RESERVED' limit 1
  `))
}

/**
 * Compare-and-swap. Returns false if the state has changed, or if a hold has expired and another
 * Participation has its reference.
 */
export const moveParticipation = (
  tx: Queryable,
  id: number,
  from: ParticipationState,
  to: ParticipationState,
  message: string | null,
) =>
  tx.any(sql`
    update participation set state = ${to}, expires_at = null,
      ${withMessage(message)}
    where id = ${id} and state = ${from} and (state <> 'RESERVED' or deleted_at is null) returning 1 as done
  `)

export async function savePlaces(tx: Queryable, id: number, places: number, placeNames: string[] | null) {
  await tx.query(
    sql`update participation set places = ${places}, place_names = ${placeNames}::text[] where id = ${id}`,
  )
}

/** Everyone who is booked or has asked, with whether an email can reach them. */
export const findPlacesOf = (tx: Queryable, appointmentId: number) =>
  tx.query<{ id: number; hasAddress: boolean }>(sql`
    select id, coalesce(email, (select email from customer where customer.id = customer_id)) is not null as has_address
    from participation
    where appointment_id = ${appointmentId} and state in ('BOOKED', 'REQUESTED') and deleted_at is null order by id
  `)

/** The person moved on from this place, and their calendar entry with them. */
const wasMovedOn = sql`
  select from participation as later
  where later.replaces = participation.id and later.ics_sequence > participation.ics_sequence
    and later.calendar_uuid = coalesce(participation.calendar_uuid, participation.uuid)
`

/**
 * A request to move that was never accepted: as a booking it would share the calendar entry of the one it was
 * to replace.
 */
const wasOnlyRequested = sql`participation.replaces is not null and participation.booked_at is null`

/**
 * Restores Participations of this Appointment to the state before it was cancelled. Erased people stay
 * erased.
 */
export const restoreParticipations = (
  tx: Queryable,
  appointmentId: number,
  people: { uuid: string; state: 'BOOKED' | 'REQUESTED' }[],
) =>
  tx.query<{ id: number; state: 'BOOKED' | 'REQUESTED' }>(sql`
    update participation set state = before.state
    from jsonb_to_recordset(${jsonRows(people)}::jsonb) as before (uuid uuid, state text)
    where participation.uuid = before.uuid and appointment_id = ${appointmentId}
      and participation.state = 'CANCELED' and deleted_at is null and name is not null
      and not ${hasAny(wasMovedOn)} and not (before.state = 'BOOKED' and ${wasOnlyRequested})
    returning participation.id, participation.state
  `)

/** Returns false if unchanged or no longer booked. */
export const markAttendance = (tx: Queryable, id: number, attendance: Attendance | null) =>
  tx.any(sql`
    update participation set attendance = ${attendance}
    where id = ${id} and state = 'BOOKED' and attendance is distinct from ${attendance}::text returning 1 as done
  `)

type FoundParticipation = {
  id: number
  uuid: string
  providerId: number
  reference: string
  resourceUuid: string
}

export const findParticipationByUuid = (db: Queryable, uuid: string) =>
  db.first<FoundParticipation>(sql`
    select id, uuid, provider_id, reference, (
      select resource.uuid from appointment join resource on resource.id = appointment.resource_id
      where appointment.id = participation.appointment_id
    ) as resource_uuid
    from participation where uuid = ${uuid} and deleted_at is null
  `)

export type Replaced = {
  id: number
  appointmentId: number
  resourceId: number
  startAt: number
  endAt: number
}

/** The active booking that a request to move would replace. */
export async function findReplaced(tx: Queryable, id: number | null): Promise<Replaced | null> {
  if (id === null) return null
  return tx.first<Replaced>(sql`
    select participation.id, appointment_id, resource_id, start_at, end_at
    from participation join appointment on appointment.id = appointment_id
    where participation.id = ${id} and participation.state = 'BOOKED' and appointment.state = 'ACTIVE'
  `)
}

/** Those of these requests to move whose original booking is still active. */
export async function withKeptBookings(tx: Queryable, ids: number[]): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>(sql`
    select request.id
    from (select id, replaces from participation where id = any (${ids}::bigint[]) offset 0) as request
    cross join lateral (select state, appointment_id from participation where id = request.replaces offset 0) as booking
    cross join lateral (select state from appointment where id = booking.appointment_id offset 0) as place
    where booking.state = 'BOOKED' and place.state = 'ACTIVE'
  `)
  return new Set(rows.map(row => row.id))
}

/** Continues the calendar entry of the replaced booking, which may have been sent again since the request. */
export async function keepCalendarEntry(tx: Queryable, id: number) {
  await tx.query(sql`
    update participation set ics_sequence = greatest(participation.ics_sequence, booking.ics_sequence)
    from participation as booking where participation.id = ${id} and booking.id = participation.replaces
  `)
  // A date of a series stays one at its new time.
  await tx.query(sql`
    update series_place set participation_id = participation.id from participation
    where participation.id = ${id} and series_place.participation_id = participation.replaces
  `)
  // Who waits for something earlier still does.
  await tx.query(sql`
    update waiting_entry set replaces = participation.id,
      wish = case when wish = 'earlier:' || participation.replaces then 'earlier:' || participation.id else wish end
    from participation
    where participation.id = ${id} and waiting_entry.replaces = participation.replaces
  `)
}

/**
 * The booking to be replaced is gone, so the request gets its own calendar entry and stays independent if
 * that booking is restored.
 */
export async function newCalendarEntry(tx: Queryable, id: number) {
  await tx.query(sql`update participation set calendar_uuid = null, replaces = null where id = ${id}`)
}

/** Those with a promised place. Their Appointments stay, because others are in them. */
export const cancelPlaces = (tx: Queryable, ids: number[], message: string | null) =>
  tx.column<number>(sql`
    update participation set state = 'CANCELED',
      ${withMessage(message)}
    where id = any (${ids}::bigint[]) and state in ('BOOKED', 'REQUESTED') returning id
  `)

export const deletePlaces = (tx: Queryable, ids: number[]) =>
  tx.column<number>(sql`
    update participation set state = 'DELETED', deleted_at = app_clock()
    where id = any (${ids}::bigint[]) and state in ('BOOKED', 'REQUESTED') returning id
  `)

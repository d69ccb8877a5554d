import sql, { type Sql } from 'sql-template-tag'
import { appointment } from '../../entities/appointment.ts'
import type { RowOf } from '../../entities/entity.ts'
import { uuidOfMadeUp } from '../../rules/references.ts'
import { assignmentsOf, columnNames, columnsOf, rowsOf } from '../base/columns.ts'
import { hasAny } from '../base/conditions.ts'
import { notCounted, placesTaken } from '../base/counted-places.ts'
import type { Queryable } from '../base/pool.ts'
import { withMessage } from './participations.ts'

export type AppointmentRow = RowOf<typeof appointment>

const written = [
  'resourceId',
  'productId',
  'timeslotId',
  'reference',
  'origin',
  'startAt',
  'endAt',
  'blockedFrom',
  'blockedTo',
  'capacity',
  'acceptBookings',
  'endsEmpty',
  'productName',
  'contactUserId',
  'contactProfileId',
  'description',
  'notes',
  'address',
  'priceValue',
  'priceCurrency',
  'seriesId',
] as const satisfies (keyof AppointmentRow)[]

/** The digest in hex. */
export type NewAppointment = Pick<AppointmentRow, (typeof written)[number]> & { contentDigest: string | null }

const inserted = columnNames(appointment, [...written, 'contentDigest'])

/** Inserts all in one statement and skips references that are taken. */
export async function insertAppointments(
  tx: Queryable,
  providerId: number,
  appointments: NewAppointment[],
): Promise<{ id: number; reference: string }[]> {
  const rows = appointments.map(one => ({
    ...one,
    contentDigest: one.contentDigest && `\\x${one.contentDigest}`,
  }))
  return tx.query<{ id: number; reference: string }>(sql`
    insert into appointment (provider_id, ${inserted}) select ${providerId}, ${inserted} from ${rowsOf(appointment, rows)}
    on conflict (provider_id, reference) where deleted_at is null and not archived do nothing
    returning id, reference
  `)
}

/**
 * Appointments with this reference: at most one active, and possibly some archived with their Resource. Each
 * kind has its own index. The condition for archived ones is written so that the index of all Appointments of
 * a Provider does not match. Up to 0.4.0, consumer Appointments had their uuid as reference; that form still
 * works.
 */
export function namedAppointments(providerId: number, reference: string): Sql {
  const uuid = uuidOfMadeUp(reference)
  const byUuid = sql`
    union all
    select * from appointment
    where uuid = ${uuid} and provider_id = ${providerId} and origin = 'consumer' and reference <> ${reference}
      and coalesce(deleted_at, 'infinity') = 'infinity'
  `
  return sql`
    select * from appointment
    where provider_id = ${providerId} and reference = ${reference} and deleted_at is null and not archived
    union all
    select * from appointment
    where provider_id = ${providerId} and reference = ${reference} and archived
      and coalesce(deleted_at, 'infinity') = 'infinity'
    ${uuid ? byUuid : sql``}
  `
}

/** Whether the Provider has ever had an Appointment. */
export const hasAppointments = (db: Queryable, providerId: number) =>
  db.any(sql`select from appointment where provider_id = ${providerId} limit 1`)

/** Returns an archived Appointment only if no other has the reference. */
export const findAppointment = (tx: Queryable, providerId: number, reference: string) =>
  tx.first<AppointmentRow>(sql`
    select ${columnsOf(appointment)} from (${namedAppointments(providerId, reference)}) as appointment
    order by archived, id desc limit 1
  `)

export type AppointmentChange = Partial<Pick<AppointmentRow, 'capacity' | 'notes' | 'description'>>

export async function saveAppointment(tx: Queryable, id: number, change: Required<AppointmentChange>) {
  await tx.query(sql`update appointment set ${assignmentsOf(appointment, change)} where id = ${id}`)
}

export async function setProduct(tx: Queryable, id: number, productId: number) {
  await tx.query(sql`update appointment set product_id = ${productId}, product_name = null where id = ${id}`)
}

/** The number of places taken now. */
export const countTaken = (tx: Queryable, appointmentId: number) =>
  tx.value<number>(sql`
    select ${placesTaken} as taken from appointment where id = ${appointmentId}
  `)

/** Whether a pending move overlaps this Appointment's time: only one of the two will remain. */
export const isUndecided = (tx: Queryable, appointmentId: number) =>
  tx.any(sql`
    select from appointment as one
    join appointment as other on other.id = one.claim or other.claim = coalesce(one.claim, one.id)
    where one.id = ${appointmentId} and other.id <> one.id and other.resource_id = one.resource_id
      and other.state = 'ACTIVE' and other.deleted_at is null
      and other.blocked_from < one.blocked_to and other.blocked_to > one.blocked_from
    limit 1
  `)

/** The move is decided, so the constraint refuses any overlap from now on. */
export async function settleClaim(tx: Queryable, appointmentId: number) {
  await tx.query(sql`update appointment set claim = null where id = ${appointmentId} and claim is not null`)
}

/**
 * Cancels the Appointments and their Participations, and appends the message. Returns the Participations that
 * had a promised place, whose people must be notified.
 */
export async function cancelAppointments(
  tx: Queryable,
  ids: number[],
  message: string | null,
): Promise<number[]> {
  await setCancelled(tx, ids)
  return (await cancelPeople(tx, ids, message)).informed
}

/** Includes holds and deleted Participations, which need no notice. */
export async function setCancelled(tx: Queryable, ids: number[]) {
  await Promise.all([
    tx.query(sql`update appointment set state = 'CANCELLED', ${notCounted} where id = any (${ids})`),
    tx.query(sql`
      update participation set state = 'CANCELED', expires_at = null
      where appointment_id = any (${ids}) and state in ('RESERVED', 'DELETED')
    `),
  ])
}

/**
 * Cancels all promised places, or a batch of the first ones, whose calendar sequence it also raises: writing each
 * row a second time costs more. `isMore`: some may be left.
 */
export async function cancelPeople(
  tx: Queryable,
  ids: number[],
  message: string | null,
  limit: number | null = null,
): Promise<{ informed: number[]; isMore: boolean }> {
  const rows = await tx.query<{ id: number }>(sql`
    update participation set state = 'CANCELED', expires_at = null,
      ics_sequence = ics_sequence + ${limit === null ? 0 : 1}::int,
      ${withMessage(message)}
    where id = any (array (
      -- A fence: for a page in the order of ids, the planner would read all Participations.
      select id from (
        select id from participation where appointment_id = any (${ids}) and state in ('BOOKED', 'REQUESTED') offset 0
      ) as promised
      order by id limit ${limit}
    ))
    -- Written so that no partial index matches: uncounted, the planner would read all of one.
    and coalesce(state, '') in ('BOOKED', 'REQUESTED')
    returning id
  `)
  return { informed: rows.map(row => row.id), isMore: rows.length === limit }
}

/** Includes the buffers as they were when the Appointment was created. */
export const blockedSpanOf = (tx: Queryable, id: number) =>
  tx.one<{ from: number; to: number }>(sql`
    select blocked_from as from, blocked_to as to from appointment where id = ${id}
  `)

/**
 * `isTheirs`: the Appointment becomes the provider's, because it overlaps another or is empty; consumer
 * Appointments never are.
 */
export async function reopenAppointment(tx: Queryable, id: number, isTheirs: boolean) {
  await tx.query(sql`
    update appointment set state = 'ACTIVE', origin = case when ${isTheirs} then 'provider' else origin end,
      timeslot_id = case when ${isTheirs} then null else timeslot_id end
    where id = ${id}
  `)
}

/** Deletes without notifying people. Returns the Participations that had a promised place. */
export async function deleteAppointments(tx: Queryable, ids: number[]): Promise<number[]> {
  await tx.query(sql`update appointment set deleted_at = app_clock(), ${notCounted} where id = any (${ids})`)
  const rows = await tx.query<{ id: number }>(sql`
    with before as (
      select id, state from participation where appointment_id = any (${ids}) for update
    )
    update participation set state = 'DELETED', expires_at = null, deleted_at = app_clock() from before
    where participation.id = before.id
    returning case when before.state in ('BOOKED', 'REQUESTED') then participation.id end as id
  `)
  return rows.map(row => row.id).filter(id => id !== null)
}

/**
 * Frees the references of the Appointments and Participations; returns how many Appointments. Deleted rows are skipped: they are invisible,
 * and expired holds leave many. The condition is written so that no partial index matches, because the
 * planner would choose it.
 */
export async function archiveAppointments(tx: Queryable, resourceId: number): Promise<number> {
  const isThere = sql`resource_id = ${resourceId} and coalesce(deleted_at, 'infinity') = 'infinity'`
  await tx.query(sql`
    update participation set deleted_at = coalesce(deleted_at, app_clock())
    where appointment_id = any (array (select id from appointment where ${isThere}))
  `)
  return tx.value<number>(sql`
    with archived as (update appointment set archived = true where ${isThere} returning 1)
    select count(*)::int as count from archived
  `)
}

const toCome = sql`
  select from participation where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED')
`

/** Upcoming Appointments with this Product: the provider's own, and those with a promised place. */
export const countUpcomingWithProduct = (db: Queryable, providerId: number, productId: number) =>
  db.value<number>(sql`
    select count(*) as count from appointment
    where provider_id = ${providerId} and product_id = ${productId} and state = 'ACTIVE' and deleted_at is null
      and start_at > app_clock() and (origin = 'provider' or ${hasAny(toCome)})
  `)

export const futureAppointmentsOf = (tx: Queryable, resourceId: number) =>
  tx.column<number>(sql`
    select id from appointment
    where resource_id = ${resourceId} and state = 'ACTIVE' and deleted_at is null and end_at > app_clock() and (
      origin = 'provider' or ${hasAny(toCome)}
    )
  `)

/** Upcoming Appointments of a Resource and the people booked in them. */
export async function bookedPeople(db: Queryable, resourceId: number) {
  const ids = await futureAppointmentsOf(db, resourceId)
  const people = await db.query<{ name: string | null; start: number }>(sql`
    select participation.name, appointment.start_at as start
    from appointment join participation on participation.appointment_id = appointment.id
    where appointment.id = any (${ids}) and participation.state in ('BOOKED', 'REQUESTED')
      and participation.deleted_at is null
    order by appointment.start_at, participation.id
  `)
  return { appointments: ids.length, people }
}

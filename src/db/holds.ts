import sql, { type Sql } from 'sql-template-tag'
import type { ChannelKey } from '../rules/channels.ts'
import type { ParticipationState } from '../rules/participations.ts'
import type { Placement } from '../rules/slots.ts'
import { json } from './json.ts'
import { tidyExpiredHolds } from './ledger.ts'
import type { Queryable } from './pool.ts'
import { resourceOfTarget, type Target } from './targets.ts'
import type { ResourceWindow } from './windows.ts'

// What reserve and complete write, and what they read of earlier holds.

export type Hold = {
  id: number
  uuid: string
  appointment_id: number
  appointment_uuid: string
  appointment_state: 'ACTIVE' | 'CANCELLED'
  resource_id: number
  channel_key: ChannelKey | null
  timeslot_uuid: string | null
  product_id: number
  start_at: number
  end_at: number
  state: ParticipationState
  live: boolean
  completion_digest: string | null
  completion: unknown
}

/** The hold of a placeholder, or what was booked out of it. */
export async function findHold(tx: Queryable, placeholder: string | null): Promise<Hold | null> {
  if (placeholder === null) return null
  const rows = await tx.query<Hold>(sql`
    select participation.id, participation.uuid, appointment_id, appointment.uuid as appointment_uuid,
      appointment.state as appointment_state, appointment.resource_id, channel_key, timeslot.uuid as timeslot_uuid,
      appointment.product_id,
      appointment.start_at, appointment.end_at, participation.state, expires_at > app_clock() as live,
      completion_digest, (select answer from completion where participation_id = participation.id) as completion
    from participation
    join appointment on appointment.id = appointment_id
    left join timeslot on timeslot.id = appointment.timeslot_id
    where placeholder = ${placeholder}::uuid
  `)
  return rows[0] ?? null
}

export type NewHold = {
  loaded: ResourceWindow
  placement: Placement
  appointmentUuid: string
  uuid: string
  placeholder: string
  client: string | null
}

export type Written = { expires_at: number; address: unknown }

/** Writes the holds and, for free slots, the Appointments around them. Several may share one. */
export async function insertHolds(
  tx: Queryable,
  holds: NewHold[],
  holdSeconds: number,
): Promise<Map<string, Written>> {
  // Looked up one by one and not joined: the planner takes a list of wishes for a long one and would read whole tables.
  const rows = await tx.query<Written & { uuid: string }>(sql`
    with made as (
      insert into appointment (provider_id, resource_id, product_id, timeslot_id, uuid, reference, origin, start_at,
        end_at, blocked_from, blocked_to, capacity, accept_bookings, address)
      select provider_id, resource_id, product_id, timeslot_id, uuid, uuid || '@consumer', 'consumer', start_at, end_at,
        blocked_from, blocked_to, capacity, true,
        coalesce((select address from timeslot where id = wanted.timeslot_id), wanted.address)
      from jsonb_to_recordset(${json(newAppointments(holds))}::jsonb) as wanted (provider_id bigint,
        resource_id bigint, product_id bigint, timeslot_id bigint, uuid uuid, start_at timestamptz, end_at timestamptz,
        blocked_from timestamptz, blocked_to timestamptz, capacity integer, address jsonb)
      returning id, uuid, address
    ), held as (
      insert into participation (provider_id, appointment_id, uuid, reference, state, expires_at, placeholder,
        channel_key, client)
      select provider_id, coalesce(appointment_id, (select id from made where uuid = appointment_uuid)), uuid,
        uuid || '@consumer', 'RESERVED',
        date_trunc('milliseconds', app_clock() + make_interval(secs => ${holdSeconds})), placeholder, channel_key, client
      from jsonb_to_recordset(${json(holds.map(asRow))}::jsonb) as wanted (uuid uuid, placeholder uuid, client text,
        channel_key text, provider_id bigint, appointment_id bigint, appointment_uuid uuid)
      returning uuid, appointment_id, expires_at
    )
    select uuid, expires_at, case
        when exists (select from made where id = appointment_id)
        then (select address from made where id = appointment_id)
        else (select address from appointment where id = appointment_id)
      end as address
    from held
  `)
  return new Map(rows.map(row => [row.uuid, row]))
}

/** An Appointment that another hold of these makes has no id yet, only a uuid. */
const asRow = ({ loaded, placement, ...hold }: NewHold) => ({
  appointment_id: placement.kind === 'join' && placement.appointment.id > 0 ? placement.appointment.id : null,
  uuid: hold.uuid,
  placeholder: hold.placeholder,
  client: hold.client,
  channel_key: loaded.channel.key,
  provider_id: loaded.provider.id,
  appointment_uuid: hold.appointmentUuid,
})

function newAppointments(holds: NewHold[]) {
  return holds.flatMap(({ loaded, placement, appointmentUuid }) =>
    placement.kind === 'join' ? [] : [newAppointment(loaded, placement, appointmentUuid)],
  )
}

function newAppointment(
  { resource, provider }: ResourceWindow,
  { timeslot, product, start, end, blocked }: Extract<Placement, { kind: 'new' }>,
  uuid: string,
) {
  return {
    provider_id: provider.id,
    resource_id: resource.id,
    product_id: product.id,
    timeslot_id: timeslot.id,
    uuid,
    start_at: new Date(start),
    end_at: new Date(end),
    blocked_from: new Date(blocked.from),
    blocked_to: new Date(blocked.to),
    capacity: timeslot.capacity,
    address: resource.address,
  }
}

/** Expired holds count for nothing, but until they are tidied away, the constraints still see their Appointments. */
export async function clearTheWay(tx: Queryable, windows: ResourceWindow[]) {
  const ids = windows.filter(one => one.hasLeftovers).map(one => one.resource.id)
  if (ids.length > 0) await tidyExpiredHolds(tx, sql`= any (${ids})`)
}

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

/** A CTE named `made` with id and address of the Appointment: a new one, or the one that is joined. */
function appointmentFor({ resource, provider }: ResourceWindow, placement: Placement, uuid: string): Sql {
  if (placement.kind === 'join')
    return sql`made as (select id, address from appointment where id = ${placement.appointment.id})`
  const { timeslot, product, start, end, blocked } = placement
  return sql`
    made as (
      insert into appointment (provider_id, resource_id, product_id, timeslot_id, uuid, reference, origin, start_at,
        end_at, blocked_from, blocked_to, capacity, accept_bookings, address)
      select ${provider.id}, ${resource.id}, ${product.id}, id, ${uuid}, ${`${uuid}@consumer`}, 'consumer',
        ${new Date(start)}, ${new Date(end)}, ${new Date(blocked.from)}, ${new Date(blocked.to)},
        default_capacity, default_accept_bookings, coalesce(address, ${json(resource.address)}::jsonb)
      from timeslot where id = ${timeslot.id}
      returning id, address
    )
  `
}

function customerOf(providerId: number, defaultLanguage: string, person: Person): Sql {
  if ('customerId' in person) return sql`select ${person.customerId}::bigint as customer_id`
  const { email, mobile, firstName, lastName, language } = person
  return sql`
    select customer_id from ensure_consumer(${providerId}, ${email}, ${mobile}, ${firstName}, ${lastName}, ${language},
      ${defaultLanguage})
  `
}

/** Lets holds go. A completed booking is never touched. */
export async function releaseHolds(tx: Queryable, placeholders: (string | null)[]) {
  const some = placeholders.filter(one => one !== null)
  if (some.length === 0) return
  await tx.query(sql`
    with released as (
      delete from participation where placeholder = any (${some}::uuid[]) and state = 'RESERVED'
      returning id, appointment_id
    ), others as (
      select appointment_id, bool_or(takes_place(state, expires_at, app_clock())) as live
      from participation
      where appointment_id in (select appointment_id from released) and id not in (select id from released)
        and (state <> 'RESERVED' or expires_at > app_clock())
      group by appointment_id
    )
    update appointment set
      deleted_at = case when others.appointment_id is null then app_clock() end,
      state = case when others.live = false then 'CANCELLED' else state end
    from (select distinct appointment_id from released) as released left join others using (appointment_id)
    where appointment.id = released.appointment_id and origin = 'consumer' and state = 'ACTIVE'
  `)
}

/** Where the hold's Resource must be locked before it is released. */
export async function resourceOfHold(tx: Queryable, placeholder: string): Promise<number | null> {
  const rows = await tx.query<{ resource_id: number }>(sql`
    select resource_id from participation join appointment on appointment.id = appointment_id
    where placeholder = ${placeholder}::uuid and participation.state = 'RESERVED'
  `)
  return rows[0]?.resource_id ?? null
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
 * Live holds of client addresses, without those that are about to be replaced. Those who ask at once, for other
 * Resources too, are counted one after the other.
 */
export async function countHolds(
  tx: Queryable,
  clients: string[],
  replaced: string[],
): Promise<Map<string, number>> {
  if (clients.length === 0) return new Map()
  const [, rows] = await Promise.all([
    tx.query(sql`
      select pg_advisory_xact_lock(key)
      from (select distinct hashtextextended(client, 0) as key from unnest(${clients}::text[]) client order by key) keys
    `),
    tx.query<{ client: string; holds: number }>(sql`
      select client, count(*) as holds from participation
      where client = any (${clients}::text[]) and state = 'RESERVED' and expires_at > app_clock()
        and placeholder <> all (${replaced}::uuid[])
      group by client
    `),
  ])
  return new Map(rows.map(row => [row.client, row.holds]))
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

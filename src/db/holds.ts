import sql, { type Sql } from 'sql-template-tag'
import type { ChannelKey } from '../rules/channels.ts'
import type { ParticipationState } from '../rules/participations.ts'
import type { Placement } from '../rules/slots.ts'
import { json } from './json.ts'
import { tidyExpiredHolds } from './ledger.ts'
import type { Queryable } from './pool.ts'
import { type ResourceWindow, toWindow, windowQuery } from './windows.ts'

// Reading and writing for reserve and complete. What they read first depends on nothing but the request, so it can
// travel in one round trip.

/** The uuid of a Timeslot or of an Appointment: what a consumer points at. */
export type Target = { uuid: string; from: number; to: number }

export const resourceOfTarget = (uuid: string) => sql`
  (select resource_id from timeslot where uuid = ${uuid}
    union all select resource_id from appointment where uuid = ${uuid} limit 1)
`

/**
 * Locks the Resource of the target and, in the order of ids, that of the hold which is about to be replaced. What was
 * deleted is sorted out afterwards: as a condition it would invite the planner to look elsewhere than in the ids.
 */
export async function lockTarget(
  tx: Queryable,
  uuid: string,
  placeholder: string | null,
): Promise<{ id: number; isTarget: boolean }[]> {
  if (placeholder === null)
    return tx.query<{ id: number; isTarget: boolean }>(sql`
      update resource set revision = revision + 1 where id = ${resourceOfTarget(uuid)}
      returning id, deleted_at is null as "isTarget"
    `)
  return tx.query<{ id: number; isTarget: boolean }>(sql`
    update resource set revision = revision + 1
    where id = any (array (
      select id from resource
      where id = any (array[${resourceOfTarget(uuid)}, (
        select resource_id from participation join appointment on appointment.id = appointment_id
        where placeholder = ${placeholder}::uuid
      )])
      order by id for update
    ))
    returning id, id = ${resourceOfTarget(uuid)} and deleted_at is null as "isTarget"
  `)
}

/** Everything around the target that decides, with the caller's own hold left out. */
export async function loadTarget(
  tx: Queryable,
  target: Target,
  channel: { key: ChannelKey; uuids: string[] },
  ignoring: string | null,
): Promise<ResourceWindow | null> {
  const wanted = sql`
    (select ${resourceOfTarget(target.uuid)} as resource_id,
        coalesce((
          select key from channel where uuid = any (${channel.uuids}::uuid[])
          order by array_position(${channel.uuids}::uuid[], uuid) desc limit 1
        ), ${channel.key}::text) as channel_key,
        1 as position,
        coalesce(appointment.start_at, ${new Date(target.from)}) as from_at,
        coalesce(appointment.end_at, ${new Date(target.to)}) as to_at
      from (select) as one left join appointment on appointment.uuid = ${target.uuid}) as wanted
  `
  const bounds = { from: sql`wanted.from_at`, to: sql`wanted.to_at`, ignoring, isTarget: true }
  const rows = await tx.query<Parameters<typeof toWindow>[0]>(windowQuery(wanted, bounds))
  return rows[0] ? toWindow(rows[0]) : null
}

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
      completion_digest, completion
    from participation
    join appointment on appointment.id = appointment_id
    left join timeslot on timeslot.id = appointment.timeslot_id
    where placeholder = ${placeholder}::uuid
  `)
  return rows[0] ?? null
}

export type NewHold = {
  uuid: string
  placeholder: string
  holdSeconds: number
  channelKey: ChannelKey
  client: string | null
}

/** Writes the hold and, for a free slot, the Appointment around it. */
export async function insertHold(
  tx: Queryable,
  loaded: ResourceWindow,
  placement: Placement,
  appointmentUuid: string,
  hold: NewHold,
): Promise<{ expires_at: number; address: unknown }> {
  const { provider } = loaded
  const inserting = sql`
    with ${appointmentFor(loaded, placement, appointmentUuid)}, held as (
      insert into participation (provider_id, appointment_id, uuid, reference, state, expires_at, placeholder,
        channel_key, client)
      select ${provider.id}, appointment.id, ${hold.uuid}, ${`${hold.uuid}@consumer`}, 'RESERVED',
        date_trunc('milliseconds', app_clock() + make_interval(secs => ${hold.holdSeconds})), ${hold.placeholder}, ${hold.channelKey},
        ${hold.client}
      from made as appointment
      returning expires_at
    )
    select expires_at, address from held, made
  `
  const [, rows] = await Promise.all([
    clearTheWay(tx, loaded),
    tx.query<{ expires_at: number; address: unknown }>(inserting),
  ])
  return rows[0]!
}

/** Expired holds count for nothing, but until they are tidied away, the constraints still see their Appointments. */
async function clearTheWay(tx: Queryable, { resource, hasLeftovers }: ResourceWindow) {
  if (hasLeftovers) await tidyExpiredHolds(tx, sql`= ${resource.id}`)
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
  const [, rows] = await Promise.all([clearTheWay(tx, loaded), tx.query<{ id: number }>(inserting)])
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

/** Lets a hold go. A completed booking is never touched. */
export async function releaseHold(tx: Queryable, placeholder: string | null) {
  if (placeholder === null) return
  await tx.query(sql`
    with released as (
      delete from participation where placeholder = ${placeholder}::uuid and state = 'RESERVED'
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
    from released left join others using (appointment_id)
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

export async function saveCompletion(tx: Queryable, participationId: number, completion: object) {
  await tx.query(sql`
    update participation set completion = ${JSON.stringify(completion)}::jsonb where id = ${participationId}
  `)
}

/** Live holds of one client address. Those who ask at once, for other Resources too, are counted one after the other. */
export async function countHolds(tx: Queryable, client: string): Promise<number> {
  const [, rows] = await Promise.all([
    tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${client}, 0))`),
    tx.query<{ holds: number }>(sql`
    select count(*) as holds from participation
    where client = ${client} and state = 'RESERVED' and expires_at > app_clock()
  `),
  ])
  return rows[0]!.holds
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

import sql, { type Sql } from 'sql-template-tag'
import type { RowOf } from '../../entities/entity.ts'
import type { resource } from '../../entities/resource.ts'
import { hasAny, suspendedProviders } from './conditions.ts'
import { lockInTurn } from './lock-queue.ts'
import type { Queryable } from './pool.ts'

// The ledger: every change to what a Resource can still sell starts with one of these locks. The update
// raises the revision, so readers see that the snapshot changed, and holds the row, so rivals wait. `now` is
// read after the lock is acquired; everything behind it is decided at that moment.

export type Locked = { id: number; now: number }

/**
 * The Resource may have been deleted while we waited. Locked before it is updated: an update takes the
 * transaction id, and with it the position in the event log, before it waits for the lock.
 */
export async function lockById(tx: Queryable, resourceId: number): Promise<Locked & { isDeleted: boolean }> {
  const [locked] = await lockInTurn(`${resourceId}`, () =>
    tx.query<Locked & { isDeleted: boolean }>(sql`
      update resource set revision = revision + 1
      where id = (select id from resource where id = ${resourceId} for no key update)
      returning id, app_clock() as now, deleted_at is not null as is_deleted
    `),
  )
  await cleanUpExpiredHolds(tx, upcoming([resourceId]))
  return locked!
}

type ChangedSpan = { resourceId: number; from: number; to: number }

/**
 * Records which time range a change affects, so that cached lists reread only that range. Only for changes
 * that affect nothing but Appointments and their Participations within these ranges; recording nothing makes
 * readers rebuild everything. Ranges are the blocked spans.
 */
export const markChangedRange = (tx: Queryable, spans: ChangedSpan[]) =>
  tx.query(changedSpans(spans, current))

/**
 * Raises the revision and records the changed range, where the lock did neither (db/booking/targets.ts).
 * Writing the row twice in one transaction would cost twice and recheck its foreign keys.
 */
export const bumpRevision = (tx: Queryable, spans: ChangedSpan[]) => tx.query(changedSpans(spans, next))

const current = sql`revision`
const next = sql`revision + 1`

/** The change affects these Appointments. Call it while they are still at their old place. */
export const markChangedAppointments = (tx: Queryable, ids: number[]) =>
  tx.query(changedRows(ofAppointments(ids), current))

const ofAppointments = (ids: number[]) => sql`
  select resource_id, blocked_from, blocked_to from appointment where id = any (${ids}::bigint[])
`

/** The change affects the Appointments of these holds. */
export const markChangedHolds = (tx: Queryable, placeholders: string[]) =>
  tx.query(changedRows(ofHolds(placeholders), current))

export const bumpForHolds = (tx: Queryable, placeholders: string[]) =>
  tx.query(changedRows(ofHolds(placeholders), next))

/**
 * Those that a rival moved away while we waited for this Resource: their new Resource is neither locked nor
 * bumped.
 */
export const bumpForHoldsElsewhere = (tx: Queryable, placeholders: string[], resourceId: number) =>
  tx.query(changedRows(sql`${ofHolds(placeholders)} where resource_id <> ${resourceId}`, next))

const ofHolds = (placeholders: string[]) => sql`
  select resource_id, blocked_from, blocked_to from (
    select appointment_id from participation where placeholder = any (${placeholders}::uuid[]) offset 0
  ) as held
  cross join lateral (select * from appointment where id = appointment_id offset 0) as appointment
`

/**
 * Beyond about nine ranges the older half is cut off. The oldest one left may be incomplete; readers ignore
 * it (rules/offers/changed-ranges.ts).
 */
const touchedLength = { most: 216, cutTo: 120 }

/**
 * Prepends the newest range, padded to a multiple of eight characters, so that the rest of the row stays
 * aligned and PostgreSQL logs only what is new. For the same reason it is cut rarely.
 */
const prependRange = (revision: Sql) => sql`
  update resource set revision = ${revision}, touched =
    lpad((${revision})::text, (length((${revision})::text) + length(span) + 9) / 8 * 8 - length(span) - 2, '0') || ':' || span || ';'
    || case when length(touched) > ${touchedLength.most} then left(touched, ${touchedLength.cutTo}) else touched end
`

/** One span per Resource that covers all of its spans, in minutes. */
function changedSpans(spans: ChangedSpan[], revision: Sql): Sql {
  const around = new Map<number, { from: number; to: number }>()
  for (const { resourceId, from, to } of spans) {
    const before = around.get(resourceId) ?? { from, to }
    around.set(resourceId, { from: Math.min(from, before.from), to: Math.max(to, before.to) })
  }
  const texts = [...around.values()].map(
    ({ from, to }) => `${Math.floor(from / minuteMs)}-${Math.ceil(to / minuteMs)}`,
  )
  return sql`${prependRange(revision)} from unnest(${[...around.keys()]}::bigint[], ${texts}::text[]) as changed (resource_id, span)
    where id = resource_id`
}

const minuteMs = 60_000

const changedRows = (spans: Sql, revision: Sql) => sql`
  ${prependRange(revision)}
  from (
    select resource_id, floor(min(date_part('epoch', blocked_from)) / 60)::bigint || '-' ||
      ceil(max(date_part('epoch', blocked_to)) / 60)::bigint as span
    from (${spans}) as spans group by resource_id offset 0
  ) as changed
  where id = resource_id
`

/** Locks several Resources one after the other, in the order of their ids. */
export async function lockByIds(tx: Queryable, resourceIds: number[]): Promise<{ now: number }> {
  let now = 0
  for (const id of [...new Set(resourceIds)].sort((a, b) => a - b)) now = (await lockById(tx, id)).now
  return { now }
}

export type LockedResource = Locked & Pick<RowOf<typeof resource>, 'reference' | 'address'>

/** Locks several Resources in the order of their ids, so that two callers cannot deadlock. */
export async function lockByReferences(
  tx: Queryable,
  providerId: number,
  references: string[],
): Promise<Map<string, LockedResource>> {
  const rows = await lockInTurn(`${providerId} ${references[0]}`, () =>
    tx.query<LockedResource>(sql`
      update resource set revision = revision + 1
      where id = any (array (
        select id from resource
        where provider_id = ${providerId} and reference = any (${references}) and deleted_at is null
        order by id for update
      ))
      returning id, reference, address, app_clock() as now
    `),
  )
  await cleanUpExpiredHolds(tx, upcoming(rows.map(row => row.id)))
  return new Map(rows.map(row => [row.reference, row]))
}

/**
 * The events of Appointments whose holds ended, with columns id, provider_id and kind. Written here and not by
 * recordEvents(), because it happens during whichever verb comes next.
 */
export const insertHoldEvents = (ended: Sql) => sql`
  insert into event (crm_id, era, kind, provider_id, subject, actor_kind)
  select (select crm_id from provider where id = provider_id), (select max(number) from event_era),
    kind, provider_id, id, 'service'
  from ${ended}
`

/**
 * For changes that take no place and free none, such as attendance. Every change of an Appointment's record is
 * made under the lock of its Resource, so that the later event has the higher sequence.
 */
export async function lockRecords(tx: Queryable, participationIds: number[]) {
  const resources = await tx.query<{ id: number }>(sql`
    select distinct resource_id as id
    from (select appointment_id from participation where id = any (${participationIds}::bigint[]) offset 0) as inside
    cross join lateral (select resource_id from appointment where id = appointment_id offset 0) as appointment
    order by id
  `)
  for (const { id } of resources)
    await lockInTurn(`${id}`, () => tx.query(sql`select from resource where id = ${id} for no key update`))
}

/** Requires the lock of this Resource. */
export const cleanUpHoldsOf = (tx: Queryable, resourceId: number) =>
  cleanUpExpiredHolds(tx, sql`select id from appointment where resource_id = ${resourceId}`)

/** Expires all holds of the Resource now. Requires its lock. */
export async function endHoldsOf(tx: Queryable, resourceId: number) {
  await tx.query(sql`
    update participation set expires_at = app_clock() from appointment
    where appointment.id = appointment_id and resource_id = ${resourceId} and participation.state = 'RESERVED'
  `)
  await cleanUpHoldsOf(tx, resourceId)
}

/** The Appointments of these Resources without older ones, whose holds the cleanup job removes. */
export const upcoming = (resourceIds: number[]) => sql`
  select appointment.id from unnest(${resourceIds}::bigint[]) as locked (id)
  cross join lateral (
    select id from appointment
    where resource_id = locked.id and state = 'ACTIVE' and deleted_at is null
      and blocked_to > (select app_clock()) - interval '1 day'
    offset 0
  ) as appointment
`

/**
 * Removes the expired holds of these Appointments and their leftovers: a consumer Appointment that was only
 * ever held is deleted; one whose last consumer has left becomes CANCELLED. Requires the locks of their
 * Resources. Appointments in `joinedIds` stay, because a booking is about to join them.
 */
export async function cleanUpExpiredHolds(tx: Queryable, appointments: Sql, joinedIds: number[] = []) {
  await tx.query(sql`
    with expired as (
      delete from participation where id = any (array (
        select inside.id from (${appointments} offset 0) as held
        cross join lateral (select * from participation where appointment_id = held.id offset 0) as inside
        where inside.state = 'RESERVED' and inside.expires_at <= (select app_clock())
      )) and ${isHold}
      returning participation.id, appointment_id, participation.provider_id, ${isAnnounced} as is_announced
    ), left_behind as (
      select appointment_id as id,
        count(participation.id) as others,
        count(participation.id) filter (where takes_place(participation.state, expires_at, app_clock())) as live
      from (select distinct appointment_id from expired) emptied
      left join participation using (appointment_id)
      where participation.id is null or participation.id not in (select id from expired)
      group by appointment_id
    ), alone as (
      select distinct appointment_id as id from expired where appointment_id not in (select id from left_behind)
    ), gone as (
      update appointment set deleted_at = app_clock()
      where id in (select id from alone) and origin = 'consumer' and state = 'ACTIVE' and id <> all (${joinedIds}::bigint[])
      returning id
    ), closed as (
      update appointment set state = 'CANCELLED'
      where id in (select id from left_behind where live = 0) and origin = 'consumer' and state = 'ACTIVE'
        and id <> all (${joinedIds}::bigint[])
      returning id, provider_id
    )
    ${insertHoldEvents(sql`(
      select id, provider_id, 'appointment.cancelled' as kind from closed
      union all
      select distinct appointment_id, provider_id,
        case when appointment_id in (select id from gone) then 'appointment.deleted' else 'appointment.changed' end
      from expired where is_announced and appointment_id not in (select id from closed)
    ) as ended`)}
  `)
}

/** Visitors' holds cause no events; those for a Customer do. */
export const isAnnounced = sql`customer_id is not null`

/** Written so that no index matches: that of all holds would be read once for each Appointment. */
const isHold = sql`coalesce(participation.state, '') = 'RESERVED'`

/** Appointments that are there for their people only: consumers made them, or staff for one person. */
export const endsWithPeople = sql`(origin = 'consumer' or ends_empty)`

/** Cancels such Appointments that are empty after a Participation left. Returns their ids. */
export async function closeIfEmpty(tx: Queryable, appointmentIds: number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    update appointment set state = 'CANCELLED'
    where id = any (${appointmentIds}) and ${endsWithPeople} and state = 'ACTIVE'
      and not ${hasAny(sql`
        select from participation where appointment_id = appointment.id and takes_place(state, expires_at, app_clock())
      `)}
    returning id
  `)
  return rows.map(row => row.id)
}

/** Appointments with expired holds, for the cleanup job; the longest expired first. */
export const appointmentsWithExpiredHolds = (db: Queryable, limit: number) =>
  db.column<number>(sql`${expiredHolds} order by expires_at limit ${limit}`)

/** Only those for which a person may wait. */
export const expiredHoldsWaitedFor = (db: Queryable, limit: number) =>
  db.column<number>(sql`
    ${expiredHolds} and (
      select true from waiting_entry where provider_id = participation.provider_id and state = 'WAITING' limit 1
    )
    order by expires_at limit ${limit}
  `)

const expiredHolds = sql`
  select appointment_id as id from participation
  where state = 'RESERVED' and expires_at <= app_now() and provider_id <> all (${suspendedProviders})
`

/**
 * Cleans up Appointments whose Resource is not locked; the others are cleaned up later. Lists already
 * ignore expired holds, so the changed range is empty.
 */
export async function cleanUpIdle(tx: Queryable, appointmentIds: number[]) {
  const rows = await tx.query<{ id: number }>(sql`
    update resource set revision = revision + 1
    where id = any (array (
      select id from resource
      where id = any (array (select resource_id from appointment where id = any (${appointmentIds}::bigint[])))
      order by id for no key update skip locked
    ))
    returning id
  `)
  if (rows.length === 0) return
  const ids = rows.map(row => row.id)
  await cleanUpExpiredHolds(
    tx,
    sql`select id from appointment where id = any (${appointmentIds}::bigint[]) and resource_id = any (${ids}::bigint[])`,
  )
  await markChangedRange(
    tx,
    ids.map(resourceId => ({ resourceId, from: 0, to: 0 })),
  )
}

/**
 * Deletes Appointments that only existed for a hold, one hour after they ended: until then their uuid still
 * names the slot. Small batches keep concurrent bookings from waiting; the next run continues.
 */
export async function deleteGoneAppointments(db: Queryable) {
  const until = performance.now() + deletingMs
  for (let gone = deletedAtOnce; gone === deletedAtOnce && performance.now() < until; ) {
    const rows = await db.query(sql`
      delete from appointment where id = any (array (
        select id from appointment
        where deleted_at is not null and origin = 'consumer' and deleted_at < app_now() - interval '1 hour'
          and provider_id <> all (${suspendedProviders})
          and not ${hasAny(sql`select from participation where appointment_id = appointment.id`)}
        order by deleted_at limit ${deletedAtOnce}
      ))
      returning id
    `)
    gone = rows.length
  }
}

const deletedAtOnce = 1000
const deletingMs = 30_000

/**
 * A counter that changes whenever anything at the Resources of these Providers changes. Providers without
 * Resources are absent.
 */
export async function changeCounters(db: Queryable, providerIds: number[]): Promise<Map<number, string>> {
  if (providerIds.length === 0) return new Map()
  const rows = await db.query<{ providerId: number; pulse: string }>(sql`
    select provider_id, sum(revision)::text as pulse from resource
    where provider_id = any (${providerIds}::bigint[]) group by provider_id
  `)
  const found = new Map(rows.map(row => [row.providerId, row.pulse]))
  return new Map(providerIds.map(id => [id, found.get(id) ?? '0']))
}

export const changeCounter = async (db: Queryable, providerId: number): Promise<string> =>
  (await changeCounters(db, [providerId])).get(providerId)!

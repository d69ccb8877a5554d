import sql, { type Sql } from 'sql-template-tag'
import { hasAny } from './has-any.ts'
import { inTurn } from './in-turn.ts'
import type { Queryable } from './pool.ts'

// The ledger: every change to what a Resource can still sell begins with one of these locks. The update raises the
// revision, so readers know that the picture changed, and holds the row, so rivals wait. `now` is read once the lock
// is ours: all that is decided behind it is decided at that moment.

export type Locked = { id: number; now: number }

/**
 * It may have been deleted while we waited. Locked before it is updated: an update takes the transaction's number, and with it
 * our place in the log of events, before it waits, and whoever gets in first would be told of as if they had come later.
 */
export async function lockById(tx: Queryable, resourceId: number): Promise<Locked & { isDeleted: boolean }> {
  const [locked] = await inTurn(`${resourceId}`, () =>
    tx.query<Locked & { isDeleted: boolean }>(sql`
      update resource set revision = revision + 1
      where id = (select id from resource where id = ${resourceId} for no key update)
      returning id, app_clock() as now, deleted_at is not null as is_deleted
    `),
  )
  await tidyExpiredHolds(tx, sql`= ${resourceId}`)
  return locked!
}

type Touched = { resourceId: number; from: number; to: number }

/**
 * Says which time a change concerns, under the lock that it began with: lists that know the picture before it read no more
 * than that. Only for changes that concern nothing else than Appointments, and who is in them, within these times; whoever
 * says nothing makes readers look at everything. Times are those that the Appointments block.
 */
export const tellTouched = (tx: Queryable, spans: Touched[]) => tx.query(saying(spans, current))

/**
 * Raises the revision and says which time the change concerns, where the lock itself did neither (db/booking/targets.ts):
 * a row that is written twice in one transaction costs twice, and has its references checked for nothing.
 */
export const raiseTouched = (tx: Queryable, spans: Touched[]) => tx.query(saying(spans, next))

const current = sql`revision`
const next = sql`revision + 1`

/** The change concerns these Appointments. To be said while they are where they were. */
export const tellTouchedAppointments = (tx: Queryable, ids: number[]) =>
  tx.query(touching(ofAppointments(ids), current))

export const raiseTouchedAppointments = (tx: Queryable, ids: number[]) =>
  tx.query(touching(ofAppointments(ids), next))

const ofAppointments = (ids: number[]) => sql`
  select resource_id, blocked_from, blocked_to from appointment where id = any (${ids}::bigint[])
`

/** The change concerns the Appointments of these holds. */
export const tellTouchedHolds = (tx: Queryable, placeholders: string[]) =>
  tx.query(touching(ofHolds(placeholders), current))

export const raiseTouchedHolds = (tx: Queryable, placeholders: string[]) =>
  tx.query(touching(ofHolds(placeholders), next))

/** Those of them that a rival has moved away while we waited for this Resource: where they are now is neither locked nor raised. */
export const raiseTouchedElsewhere = (tx: Queryable, placeholders: string[], resourceId: number) =>
  tx.query(touching(sql`${ofHolds(placeholders)} where resource_id <> ${resourceId}`, next))

const ofHolds = (placeholders: string[]) => sql`
  select resource_id, blocked_from, blocked_to from (
    select appointment_id from participation where placeholder = any (${placeholders}::uuid[]) offset 0
  ) as held
  cross join lateral (select * from appointment where id = appointment_id offset 0) as appointment
`

/** Beyond some nine of them the older half is cut off. The oldest that is left may be in two: readers do not count it (rules/offers/touched.ts). */
const touchedLength = { most: 216, cutTo: 120 }

/**
 * The newest in front, in steps of eight letters (with zeros before its revision): what follows stays in step, byte by byte, and
 * PostgreSQL logs only what is new in the row. For the same reason it is cut now and then, and not each time.
 */
const noting = (revision: Sql) => sql`
  update resource set revision = ${revision}, touched =
    lpad((${revision})::text, (length((${revision})::text) + length(span) + 9) / 8 * 8 - length(span) - 2, '0') || ':' || span || ';'
    || case when length(touched) > ${touchedLength.most} then left(touched, ${touchedLength.cutTo}) else touched end
`

/** Of each Resource all spans in one, in minutes. */
function saying(spans: Touched[], revision: Sql): Sql {
  const around = new Map<number, { from: number; to: number }>()
  for (const { resourceId, from, to } of spans) {
    const before = around.get(resourceId) ?? { from, to }
    around.set(resourceId, { from: Math.min(from, before.from), to: Math.max(to, before.to) })
  }
  const texts = [...around.values()].map(
    ({ from, to }) => `${Math.floor(from / minuteMs)}-${Math.ceil(to / minuteMs)}`,
  )
  return sql`${noting(revision)} from unnest(${[...around.keys()]}::bigint[], ${texts}::text[]) as told (resource_id, span)
    where id = resource_id`
}

const minuteMs = 60_000

const touching = (spans: Sql, revision: Sql) => sql`
  ${noting(revision)}
  from (
    select resource_id, floor(min(date_part('epoch', blocked_from)) / 60)::bigint || '-' ||
      ceil(max(date_part('epoch', blocked_to)) / 60)::bigint as span
    from (${spans}) as spans group by resource_id offset 0
  ) as told
  where id = resource_id
`

/** Locks several, one after the other in the order of their ids. */
export async function lockByIds(tx: Queryable, resourceIds: number[]): Promise<{ now: number }> {
  let now = 0
  for (const id of [...new Set(resourceIds)].sort((a, b) => a - b)) now = (await lockById(tx, id)).now
  return { now }
}

export type LockedResource = Locked & { reference: string; address: unknown }

/** Locks several, always in the order of their ids, so that two callers cannot wait for each other. */
export async function lockByReferences(
  tx: Queryable,
  providerId: number,
  references: string[],
): Promise<Map<string, LockedResource>> {
  const rows = await inTurn(`${providerId} ${references[0]}`, () =>
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
  await tidyExpiredHolds(tx, sql`= any (${rows.map(row => row.id)})`)
  return new Map(rows.map(row => [row.reference, row]))
}

/**
 * The event of Appointments that ended because their last hold did. Written here, and not by happened(): it comes about by
 * itself, under whichever verb is the next to look.
 */
export const tellCancelled = (closed: Sql) => sql`
  insert into event (crm_id, era, kind, provider_id, subject, actor_kind)
  select (select crm_id from provider where id = provider_id), (select max(number) from event_era),
    'appointment.cancelled', provider_id, id, 'service'
  from ${closed}
`

/** Under the lock of this Resource. */
export const tidyHoldsOf = (tx: Queryable, resourceId: number) => tidyExpiredHolds(tx, sql`= ${resourceId}`)

/** Under the lock of this Resource: all its holds expire now. */
export async function endHoldsOf(tx: Queryable, resourceId: number) {
  await tx.query(sql`
    update participation set expires_at = app_clock() from appointment
    where appointment.id = appointment_id and resource_id = ${resourceId} and participation.state = 'RESERVED'
  `)
  await tidyHoldsOf(tx, resourceId)
}

/**
 * Removes expired holds and what they leave behind: an Appointment of consumers in which nobody else ever was is
 * gone; one that its last consumer has left is CANCELLED. Only under the lock of the Resources, which are those whose
 * id is `which`. Left alone are those that somebody is about to come into (`goals`), and is not in yet.
 */
export async function tidyExpiredHolds(tx: Queryable, which: Sql, goals: number[] = []) {
  await tx.query(sql`
    with expired as (
      delete from participation using appointment
      where appointment.id = appointment_id and appointment.resource_id ${which}
        and participation.state = 'RESERVED' and participation.expires_at <= app_clock()
      returning participation.id, appointment_id
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
      where id in (select id from alone) and origin = 'consumer' and state = 'ACTIVE' and id <> all (${goals}::bigint[])
    ), closed as (
      update appointment set state = 'CANCELLED'
      where id in (select id from left_behind where live = 0) and origin = 'consumer' and state = 'ACTIVE'
        and id <> all (${goals}::bigint[])
      returning id, provider_id
    )
    ${tellCancelled(sql`closed`)}
  `)
}

/** After somebody left: an Appointment of consumers in which nobody is any more is CANCELLED. Returned: which ones. */
export async function closeIfEmpty(tx: Queryable, appointmentIds: number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    update appointment set state = 'CANCELLED'
    where id = any (${appointmentIds}) and origin = 'consumer' and state = 'ACTIVE'
      and not ${hasAny(sql`
        select from participation where appointment_id = appointment.id and takes_place(state, expires_at, app_clock())
      `)}
    returning id
  `)
  return rows.map(row => row.id)
}

/** Resources with expired holds: work for the job that tidies. */
export async function resourcesToTidy(db: Queryable, limit: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select distinct appointment.resource_id as id
    from participation join appointment on appointment.id = appointment_id
    where participation.state = 'RESERVED' and participation.expires_at <= app_now()
    order by id limit ${limit}
  `)
  return rows.map(row => row.id)
}

/**
 * Appointments that lived for a hold only, an hour after they are gone: so long their uuid still names the slot. In small
 * batches: whoever books meanwhile hardly waits, and the room is used again soon.
 */
export async function forgetGoneAppointments(db: Queryable) {
  for (let gone = goneAtOnce; gone === goneAtOnce; ) {
    const rows = await db.query(sql`
      delete from appointment where id = any (array (
        select id from appointment
        where deleted_at is not null and origin = 'consumer' and deleted_at < app_now() - interval '1 hour'
          and not ${hasAny(sql`select from participation where appointment_id = appointment.id`)}
        order by deleted_at limit ${goneAtOnce}
      ))
      returning id
    `)
    gone = rows.length
  }
}

const goneAtOnce = 1000

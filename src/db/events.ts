import sql, { type Sql } from 'sql-template-tag'
import type { Actor, EventKind } from '../rules/messages/events.ts'
import { jsonRows } from './base/json.ts'
import type { Db, Queryable } from './base/pool.ts'
import { suspendedCrms } from './base/suspended.ts'

export type NewEvent = {
  kind: EventKind
  actor: Actor
  /** Null if the Provider determines it. */
  crmId: number | null
  providerId: number | null
  subject: number | null
  /** A Customer inserted by this transaction, whose id is not known yet. */
  customerUuid?: string
  detail?: string | null
}

/** Inserts all events of a transaction in one statement, in their order. */
export async function insertEvents(tx: Queryable, events: NewEvent[]) {
  if (events.length === 0) return
  const rows = events.map(({ actor, ...event }) => ({ ...event, by: actor.kind, name: actor.name }))
  await tx.query(sql`
    insert into event (crm_id, era, kind, provider_id, subject, detail, actor_kind, actor)
    select coalesce(crm_id, (select crm_id from provider where id = provider_id)),
      (select max(number) from event_era), kind, provider_id,
      coalesce(subject, (select id from customer where uuid = customer_uuid)), detail, by, name
    from jsonb_to_recordset(${jsonRows(rows)}::jsonb) as happened (kind text, crm_id bigint, provider_id bigint,
      subject bigint, customer_uuid uuid, detail text, by text, name text)
  `)
}

/** A position in the log. xid has 64 bits and stays text here. */
export type LogPosition = { era: number; xid: string; id: number }

export const logStart: LogPosition = { era: 0, xid: '0', id: 0 }

/**
 * Events imported with a CRM come before all local events: in era 0, in their original order. Their former
 * era, plus `eraBase` if the CRM has moved before, is encoded in the upper digits of their xid.
 */
export const placeHere = ({ era, xid, id }: LogPosition, eraBase: number): LogPosition =>
  era === 0 ? { era, xid, id } : { era: 0, xid: String(BigInt(era + eraBase) * eraStep + BigInt(xid)), id }

/** More transactions than any installation reaches, and small enough for 8000 eras. */
export const eraStep = 2n ** 50n

export type EventRow = LogPosition & {
  uuid: string
  kind: EventKind
  providerId: number | null
  subject: number | null
  detail: string | null
  actorKind: Actor['kind']
  actor: string | null
  at: number
}

/** Transactions of other databases in the same cluster, which cannot write events here. */
const elsewhere = sql`
  select backend_xid from pg_stat_get_activity(null)
  where backend_xid is not null and datid <> (select oid from pg_database where datname = current_database())
`

/** The first transaction that may still write an event, in the same snapshot as the events. */
const firstRunning = sql`
  coalesce(
    (select running from pg_snapshot_xip(pg_current_snapshot()) as running
    where running::xid <> all (array (${elsewhere})) order by running limit 1),
    pg_snapshot_xmax(pg_current_snapshot())
  )
`

/**
 * All transactions up to these events have ended, so no event can appear before them. Earlier eras were
 * restored as a whole.
 */
export const isSettled = sql`
  (era < (select max(number) from event_era) or xid < (select ${firstRunning}))
`

// `order by` must name `event.xid`: plain `xid` is the text column, in which 10000 sorts before 9999.
const columns = sql`era, xid::text as xid, id, uuid, kind, provider_id, subject, detail, actor_kind, actor, at`

const isAfter = ({ era, xid, id }: LogPosition) =>
  sql`(era, xid, id) > (${era}::integer, ${xid}::xid8, ${id}::bigint)`

/** Events of the CRM after this position, oldest first. */
export async function readEvents(
  db: Queryable,
  crmId: number,
  after: LogPosition,
  limit: number,
): Promise<EventRow[]> {
  return db.query<EventRow>(sql`
    select ${columns} from event
    where crm_id = ${crmId} and ${isAfter(after)} and ${isSettled}
    order by event.era, event.xid, event.id limit ${limit}
  `)
}

/** The last event visible to readers. */
export async function lastEvent(db: Queryable, crmId: number): Promise<EventRow | null> {
  const rows = await db.query<EventRow>(sql`
    select ${columns} from event where crm_id = ${crmId} and ${isSettled}
    order by event.era desc, event.xid desc, event.id desc limit 1
  `)
  return rows[0] ?? null
}

/**
 * The last event before this moment, searched from the end because callers want all later events. The log is
 * ordered by transaction, so a long transaction may have written an event later than its position suggests.
 */
export async function lastEventBefore(
  db: Queryable,
  crmId: number,
  moment: number,
): Promise<EventRow | null> {
  const rows = await db.query<EventRow>(sql`
    select ${columns} from event where crm_id = ${crmId} and at < ${new Date(moment)} and ${isSettled}
    order by event.era desc, event.xid desc, event.id desc limit 1
  `)
  return rows[0] ?? null
}

export async function findEvent(db: Queryable, crmId: number, place: LogPosition): Promise<EventRow | null> {
  const rows = await db.query<EventRow>(sql`
    select ${columns} from event
    where crm_id = ${crmId} and era = ${place.era} and xid = ${place.xid}::xid8 and id = ${place.id}
  `)
  return rows[0] ?? null
}

/** The position up to which the log of the CRM has been deleted; null if never. */
export async function prunedUpTo(db: Queryable, crmId: number): Promise<LogPosition | null> {
  const rows = await db.query<LogPosition>(sql`
    select era, xid::text as xid, event_id as id from event_pruned where crm_id = ${crmId}
  `)
  return rows[0] ?? null
}

/** The indexes of the cursors that have later events. */
export async function cursorsWithEvents(
  db: Queryable,
  waiting: { crmId: number; after: LogPosition }[],
): Promise<Set<number>> {
  const rows = await db.query<{ position: number }>(sql`
    select position
    from unnest(${waiting.map(one => one.crmId)}::bigint[], ${waiting.map(one => one.after.era)}::integer[],
      ${waiting.map(one => one.after.xid)}::text[], ${waiting.map(one => one.after.id)}::bigint[])
      with ordinality as waiting (crm_id, after_era, after_xid, after_id, position)
    cross join lateral (
      select from event
      where event.crm_id = waiting.crm_id and (era, xid, id) > (after_era, after_xid::xid8, after_id) and ${isSettled}
      limit 1
    ) as later
  `)
  return new Set(rows.map(row => row.position - 1))
}

/**
 * If rows contain transaction ids from the future, the database was restored from a dump into a cluster with
 * lower ids. A new era then starts.
 */
export async function beginEraIfRestored(db: Db) {
  const isAhead = sql`
    select from crm cross join lateral (
      select era, xid from event where crm_id = crm.id order by event.era desc, event.xid desc, event.id desc limit 1
    ) as newest
    where era = (select max(number) from event_era) and xid >= pg_snapshot_xmax(pg_current_snapshot())
  `
  if ((await db.query(isAhead)).length === 0) return
  await db.transaction(async tx => {
    await tx.query(sql`lock table event in share row exclusive mode`)
    await tx.query(sql`
      insert into event_era (number) select max(number) + 1 from event_era where exists (${isAhead})
    `)
  })
}

/** For a newly filled database: new events sort after all existing ones, whatever their transaction ids. */
export async function beginEra(tx: Queryable) {
  await tx.query(sql`insert into event_era (number) select coalesce(max(number), 0) + 1 from event_era`)
}

const atOnce = 5000

/** Deletes older events from the start of each log, in order, and records how far. */
export async function pruneEvents(db: Db, days: number) {
  const isOld = sql`at < app_now() - make_interval(days => ${days})`
  const crms = await db.query<{ id: number }>(sql`
    select crm.id from crm cross join lateral (
      select at from event where crm_id = crm.id order by event.era, event.xid, event.id limit 1
    ) as oldest
    where ${isOld} and crm.id <> all (${suspendedCrms})
  `)
  for (const { id } of crms) while ((await pruneSome(db, id, isOld)) === atOnce);
}

async function pruneSome(db: Db, crmId: number, isOld: Sql): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    with first as (
      select era, xid, id, bool_and(${isOld}) over (order by era, xid, id) as is_doomed
      from (select * from event where crm_id = ${crmId} order by event.era, event.xid, event.id limit ${atOnce}) as oldest
    ), doomed as materialized (
      select era, xid, id from first where is_doomed
    ), gone as (
      delete from event using doomed
      where event.crm_id = ${crmId} and event.era = doomed.era and event.xid = doomed.xid and event.id = doomed.id
    ), noted as (
      insert into event_pruned (crm_id, era, xid, event_id)
      select ${crmId}, era, xid, id from doomed order by era desc, xid desc, id desc limit 1
      on conflict (crm_id) do update set era = excluded.era, xid = excluded.xid, event_id = excluded.event_id
    )
    select count(*) as count from doomed
  `)
  return rows[0]!.count
}

/** `providerIds` null: all Providers. */
export type LogOf = { providerIds: number[] | null } | { crmId: number }
type HistoryFilter = { noun: string | null; actor: string | null; before: HistoryPlace | null; limit: number }

/** Includes the time in microseconds, as the database stores it. */
export type HistoryPlace = LogPosition & { micros: string }

export type HistoryRow = EventRow & HistoryPlace

const historyColumns = sql`${columns}, (extract(epoch from at) * 1000000)::bigint::text as micros`

/** The log for people, newest first. For Providers it is ordered by time, which looks the same. */
export async function listHistory(db: Queryable, of: LogOf, filter: HistoryFilter): Promise<HistoryRow[]> {
  const { noun, actor, before, limit } = filter
  const matches = sql`
    (${noun}::text is null or split_part(kind, '.', 1) = ${noun}) and (${actor}::text is null or actor_kind = ${actor})
  `
  if ('providerIds' in of) return newestOf(db, of.providerIds, before, limit, matches)
  const isBefore = before
    ? sql`(era, xid, id) < (${before.era}::integer, ${before.xid}::xid8, ${before.id}::bigint)`
    : sql`true`
  return db.query<HistoryRow>(sql`
    select ${historyColumns} from event where crm_id = ${of.crmId} and ${isBefore} and ${matches}
    order by event.era desc, event.xid desc, event.id desc limit ${limit}
  `)
}

/** Looks up the newest events of each Provider separately, or of each CRM for operators. */
function newestOf(
  db: Queryable,
  providerIds: number[] | null,
  before: HistoryPlace | null,
  limit: number,
  matches: Sql,
): Promise<HistoryRow[]> {
  const newest = (owners: Sql, whose: Sql, order: Sql) => sql`
    select event.* from ${owners} as owner (id)
    cross join lateral (
      select ${historyColumns} from event where ${whose} and ${isEarlier(before)} and ${matches}
      order by ${order} limit ${limit}
    ) as event
    order by event.at desc, event.id desc limit ${limit}
  `
  if (providerIds !== null)
    return db.query<HistoryRow>(
      newest(sql`unnest(${providerIds}::bigint[])`, sql`provider_id = owner.id`, sql`at desc, id desc`),
    )
  return db.query<HistoryRow>(
    newest(
      sql`(select id from crm)`,
      sql`crm_id = owner.id and provider_id is not null`,
      sql`event.era desc, event.xid desc, event.id desc`,
    ),
  )
}

const isEarlier = (before: HistoryPlace | null): Sql =>
  before === null
    ? sql`true`
    : sql`(at, id) < (to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::bigint)`

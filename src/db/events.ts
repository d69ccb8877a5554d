import sql, { empty, join, type Sql } from 'sql-template-tag'
import {
  type Actor,
  actorKinds,
  type EventKind,
  type EventNoun,
  eventNouns,
} from '../rules/messages/events.ts'
import { hasAny, suspendedCrms } from './base/conditions.ts'
import { jsonRows } from './base/json.ts'
import type { Db, Queryable } from './base/pool.ts'

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
  /** Shown in the data beside the records. */
  extra?: EventExtra & {
    /** The former reference, sealed, in base64: it may name a person who is erased since. */
    sealed?: string
  }
}

/** What is said about a subject that has changed its name, is gone, or stands for many records. */
type EventExtra = {
  uuid?: string
  /** The Customer that was merged into the subject. */
  mergedUuid?: string
  /** The Customer that the subject had been merged into. */
  separatedFrom?: string
  timeslots?: number
  appointments?: number
  /** The period in which Timeslots changed. */
  from?: string
  to?: string
}

/** Inserts all events of a transaction in one statement, in their order. */
export async function insertEvents(tx: Queryable, events: NewEvent[]) {
  if (events.length === 0) return
  const rows = events.map(({ actor, ...event }) => ({ ...event, by: actor.kind, name: actor.name }))
  await tx.query(sql`
    insert into event (crm_id, era, kind, provider_id, subject, detail, extra, former_reference, actor_kind, actor)
    select coalesce(crm_id, (select crm_id from provider where id = provider_id)),
      (select max(number) from event_era), kind, provider_id,
      coalesce(subject, (select id from customer where uuid = customer_uuid)), detail,
      nullif(extra - 'sealed', '{}'), decode(extra ->> 'sealed', 'base64'), by, name
    from jsonb_to_recordset(${jsonRows(rows)}::jsonb) as happened (kind text, crm_id bigint, provider_id bigint,
      subject bigint, customer_uuid uuid, detail text, extra jsonb, by text, name text)
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
  extra: EventExtra | null
  formerReference: Buffer | null
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
const columns = sql`era, xid::text as xid, id, uuid, kind, provider_id, subject, detail, extra, former_reference,
  actor_kind, actor, at`

const isAfter = ({ era, xid, id }: LogPosition) =>
  sql`(era, xid, id) > (${era}::integer, ${xid}::xid8, ${id}::bigint)`

export type LogFilter = { kinds: string[] | null; providerIds: number[] | null }

/** Wanted events, and the last one that was examined. */
type ExaminedRow = EventRow & { isWanted: boolean; examined: number }

/** Examines events of the CRM after this position, oldest first. */
export const readEvents = (
  db: Queryable,
  crmId: number,
  after: LogPosition,
  limit: number,
  { kinds, providerIds }: LogFilter = { kinds: null, providerIds: null },
) =>
  db.query<ExaminedRow>(sql`
    select * from (
      select *, (${kinds}::text[] is null or kind = any (${kinds}))
          and (${providerIds}::bigint[] is null or coalesce(provider_id = any (${providerIds}), false)) as is_wanted,
        row_number() over () as examined, lead(id) over () is null as is_last
      from (
        select ${columns} from event
        where crm_id = ${crmId} and ${isAfter(after)} and ${isSettled}
        order by event.era, event.xid, event.id limit ${limit}
      ) as event
    ) as event
    where is_wanted or is_last
  `)

/** An event of any CRM. */
export type LogLine = LogPosition & {
  uuid: string
  crmId: number
  providerId: number | null
  kind: EventKind
  subject: number | null
}

/** `snapshot` changes with every transaction that writes anything. */
type LogNews = { lines: LogLine[]; reached: LogPosition; snapshot: string }

/**
 * Events of all CRMs after this position, or only where the log ends now. Events of transactions that are
 * still running come later.
 */
export async function readNews(db: Queryable, after: LogPosition | null, limit: number): Promise<LogNews> {
  const rows = await db.query<LogLine & { snapshot: string }>(sql`
    with ended as materialized (
      select (select max(number) from event_era) as era, ${firstRunning} as xid, pg_current_snapshot()::text as snapshot
    ), lines as materialized (
      select uuid, crm_id, provider_id, kind, subject, era, xid, id from event
      where ${after === null ? sql`false` : sql`${isAfter(after)} and (era, xid) < (select era, xid from ended)`}
      order by event.era, event.xid, event.id limit ${limit}
    )
    select uuid, crm_id, provider_id, kind, subject, era, xid::text as xid, id, null as snapshot from lines
    union all
    select null, null, null, null, null, era, xid::text, 0, snapshot from ended
  `)
  const end = rows.find(row => row.snapshot !== null)!
  const lines = rows.filter(row => row !== end)
  const { era, xid, id } = lines.length < limit ? end : lines.at(-1)!
  return { lines, reached: { era, xid, id }, snapshot: end.snapshot }
}

/** The last event visible to readers. */
export const lastEvent = (db: Queryable, crmId: number) =>
  db.first<EventRow>(sql`
    select ${columns} from event where crm_id = ${crmId} and ${isSettled}
    order by event.era desc, event.xid desc, event.id desc limit 1
  `)

/**
 * The last event of a Provider before this moment, by time. The log is ordered by transaction, so a long
 * transaction may have written an event later than its position suggests.
 */
export const lastEventBefore = (db: Queryable, crmId: number, moment: number) =>
  db.first<EventRow>(sql`
    select event.* from (select id from provider where crm_id = ${crmId} offset 0) as provider
    cross join lateral (
      select ${columns} from event
      where provider_id = provider.id and crm_id = ${crmId} and at < ${new Date(moment)} and ${isSettled}
      order by event.at desc, event.id desc limit 1
    ) as event
    order by event.at desc, event.id desc limit 1
  `)

export const findEvent = (db: Queryable, crmId: number, place: LogPosition) =>
  db.first<EventRow>(sql`
    select ${columns} from event
    where crm_id = ${crmId} and era = ${place.era} and xid = ${place.xid}::xid8 and id = ${place.id}
  `)

/** Those of these events that are still kept. */
export const eventsAt = (db: Queryable, crmId: number, places: LogPosition[]) =>
  db.query<EventRow>(sql`
    select ${columns} from event where crm_id = ${crmId} and (era, event.xid, id) in (
      select * from unnest(${places.map(one => one.era)}::int[], ${places.map(one => one.xid)}::xid8[], ${places.map(one => one.id)}::bigint[])
    )
  `)

/** The position up to which the log of the CRM has been deleted; null if never. */
export const prunedUpTo = (db: Queryable, crmId: number) =>
  db.first<LogPosition>(sql`
    select era, xid::text as xid, event_id as id from event_pruned where crm_id = ${crmId}
  `)

/**
 * If rows contain transaction ids from the future, the database was restored from a dump into a cluster with
 * lower ids. A new era then starts.
 */
export async function beginEraIfRestored(db: Db) {
  const isAhead = sql`
    select from event
    where era = (select max(number) from event_era) and xid >= pg_snapshot_xmax(pg_current_snapshot()) limit 1
  `
  if ((await db.query(isAhead)).length === 0) return
  await db.transaction(async tx => {
    await tx.query(sql`lock table event in share row exclusive mode`)
    const begun = await tx.query(sql`
      insert into event_era (number) select max(number) + 1 from event_era where exists (${isAhead}) returning number
    `)
    if (begun.length > 0) await raiseEventIds(tx)
  })
}

/** Readers compare event ids as `sequence`: after a restore, new ones must exceed those that were lost. */
const raiseEventIds = (tx: Queryable) =>
  tx.query(sql`select setval(id, nextval(id) + 4294967296)
    from (select pg_get_serial_sequence('event', 'id')::regclass as id) as event`)

/** For a newly filled database: new events sort after all existing ones, whatever their transaction ids. */
export async function beginEra(tx: Queryable) {
  await tx.query(sql`insert into event_era (number) select coalesce(max(number), 0) + 1 from event_era`)
  await raiseEventIds(tx)
}

const atOnce = 5000

/** In order. Not `=`: the planner would then read the log of all CRMs in its order, up to the first event of this one. */
const logOf = (crmId: Sql) => sql`
  select * from event where crm_id >= ${crmId} and crm_id <= ${crmId}
  order by event.crm_id, event.era, event.xid, event.id
`

/** Deletes older events from the start of each log, in order, and records how far. The next run continues. */
export async function pruneEvents(db: Db, days: number, allowedMs = 30_000) {
  const until = performance.now() + allowedMs
  const isOld = sql`at < app_now() - make_interval(days => ${days})`
  const crms = await db.query<{ id: number }>(sql`
    select crm.id from crm cross join lateral (${logOf(sql`crm.id`)} limit 1) as oldest
    where ${isOld} and crm.id <> all (${suspendedCrms})
  `)
  for (const { id } of crms) while (performance.now() < until && (await pruneSome(db, id, isOld)) === atOnce);
}

const pruneSome = (db: Db, crmId: number, isOld: Sql) =>
  db.value<number>(sql`
    with first as (
      select era, xid, id, bool_and(${isOld}) over (order by era, xid, id) as is_doomed
      from (${logOf(sql`${crmId}`)} limit ${atOnce}) as oldest
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

/** `providerIds` null: all Providers. */
export type LogOf = { providerIds: number[] | null } | { crmId: number }
type HistoryFilter = { noun: string | null; actor: string | null; before: HistoryPlace | null; limit: number }

/** Includes the time in microseconds, as the database stores it. */
export type HistoryPlace = LogPosition & { micros: string }

type HistoryRow = EventRow & HistoryPlace

const historyColumns = sql`${columns}, (extract(epoch from at) * 1000000)::bigint::text as micros`

/**
 * The log for people, newest first. For Providers it is ordered by time, which looks the same. Reads the newest
 * events of each Provider separately and, with a filter, of each noun and actor: each of them is next to the
 * others in an index.
 */
export async function listHistory(db: Queryable, of: LogOf, filter: HistoryFilter): Promise<HistoryRow[]> {
  const { limit } = filter
  const { owners, isOwn, order, isEarlier } = scopeOf(of, filter.before)
  const { combinations, isWanted } = wantedBy(filter)
  return db.query<HistoryRow>(sql`
    select event.* from ${owners} as owner (id) ${combinations}
    cross join lateral (
      select ${historyColumns} from event where ${isOwn} and ${isWanted} and ${isEarlier}
      order by ${order(sql`event.xid`)} limit ${limit}
    ) as event
    order by ${order(sql`event.xid::xid8`)} limit ${limit}
  `)
}

type HistoryScope = { owners: Sql; isOwn: Sql; order: (xid: Sql) => Sql; isEarlier: Sql }

function scopeOf(of: LogOf, before: HistoryPlace | null): HistoryScope {
  if ('providerIds' in of && of.providerIds !== null)
    return {
      owners: sql`unnest(${of.providerIds}::bigint[])`,
      isOwn: sql`provider_id = owner.id`,
      order: () => sql`event.at desc, event.id desc`,
      isEarlier: before
        ? sql`(at, id) < (to_timestamp(0) + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::bigint)`
        : sql`true`,
    }
  const isOneCrm = 'crmId' in of
  return {
    owners: sql`unnest(array[${isOneCrm ? of.crmId : null}]::bigint[])`,
    isOwn: isOneCrm ? sql`crm_id = owner.id` : sql`era >= 0 and provider_id is not null`,
    order: xid => sql`event.era desc, ${xid} desc, event.id desc`,
    isEarlier: before
      ? sql`(era, xid, id) < (${before.era}::integer, ${before.xid}::xid8, ${before.id}::bigint)`
      : sql`true`,
  }
}

/** The records of this kind about which there are events since then, some of them more than once. */
export const changedSince = (providerId: number, noun: EventNoun, since: Date) => sql`
  select subject from unnest(${actorKinds}::text[]) as doer
  cross join lateral (
    select subject from event
    where provider_id = ${providerId} and split_part(kind, '.', 1) = ${noun} and actor_kind = doer and at >= ${since}
    offset 0
  ) as changed
`

/** Whether this record has changed since then. */
export const isChangedSince = (providerId: number, noun: EventNoun, id: Sql, since: Date) =>
  hasAny(sql`
    select from event
    where provider_id = ${providerId} and subject = ${id} and at >= ${since} and kind like ${`${noun}.%`}
  `)

const fewChanges = 5000

/** Up to a few thousand changes, the changed records are found by their ids; beyond that, each record is checked. */
export async function hasManyChanges(
  db: Queryable,
  providerId: number,
  nouns: EventNoun[],
  since: Date,
): Promise<boolean> {
  const changes = join(
    nouns.map(noun => sql`(${changedSince(providerId, noun, since)})`),
    ' union all ',
  )
  return db.any(sql`select from (${changes}) as changed offset ${fewChanges} limit 1`)
}

/** With a filter for one of the two, all values of the other. */
function wantedBy({ noun, actor }: HistoryFilter): { combinations: Sql; isWanted: Sql } {
  // For copies of the data only: to people, a new day at the end of the calendar is not news.
  const isNews = sql`kind <> 'resource.extended'`
  if (noun === null && actor === null) return { combinations: empty, isWanted: isNews }
  const nouns = noun === null ? eventNouns : [noun]
  const actors = actor === null ? actorKinds : [actor]
  return {
    combinations: sql`cross join unnest(${nouns}::text[]) as noun cross join unnest(${actors}::text[]) as doer`,
    isWanted: sql`split_part(kind, '.', 1) = noun and actor_kind = doer and ${isNews}`,
  }
}

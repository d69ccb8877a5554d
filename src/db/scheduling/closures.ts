import sql, { type Sql } from 'sql-template-tag'
import { jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'

/** The local times as entered, and as instants in the Provider's zone. */
type ClosedSpan = { fromText: string; toText: string; from: number; to: number }

type NewClosure = ClosedSpan & { reason: string; isBlock: boolean; holiday: string | null }

/** `resources`: uuids; null for the whole Provider. */
export type ClosureRecord = NewClosure & { id: number; uuid: string; resources: string[] | null }

const record = sql`
  select closure.id, closure.uuid, from_text, to_text, closure.from_at as "from",
    closure.to_at as "to", reason, is_block, holiday::text,
    (
      select case when bool_and(closed_time.resource_id is not null) then
        coalesce(json_agg(resource.uuid order by resource.id) filter (where resource.deleted_at is null), '[]') end
      from closed_time left join resource on resource.id = closed_time.resource_id
      where closure_id = closure.id
    ) as resources
  from closure
`

type Period = { from: number; to: number | null }

const closuresIn = (db: Queryable, providerId: number, { from, to }: Period, isWanted: Sql) =>
  db.query<ClosureRecord>(sql`
    ${record} where provider_id = ${providerId} and closure.to_at > ${new Date(from)}
      and closure.from_at < ${to === null ? 'infinity' : new Date(to)}::timestamptz and ${isWanted}
    order by closure.from_at, closure.id
  `)

/** Closures of the Provider that end after `from`, without blocks, ordered by time. */
export const listClosures = (db: Queryable, providerId: number, period: Period) =>
  closuresIn(db, providerId, period, sql`not is_block`)

/** All closures and blocks in the period. */
export const closedTimesOf = (db: Queryable, providerId: number, from: number, to: number) =>
  closuresIn(db, providerId, { from, to }, sql`true`)

/** Blocks that staff created for this Resource. */
export const listBlocks = (
  db: Queryable,
  { id, providerId }: { id: number; providerId: number },
  { from, to }: Period,
) =>
  db.query<ClosureRecord>(sql`
    ${record} where is_block and id = any (array (
      select closure_id from closed_time
      where provider_id = ${providerId} and resource_id = ${id} and to_at > ${new Date(from)}
        and from_at < ${to === null ? 'infinity' : new Date(to)}::timestamptz
    ))
    order by closure.from_at, closure.id
  `)

export const closuresByIds = (tx: Queryable, ids: number[]) =>
  tx.query<ClosureRecord>(
    sql`${record} where id = any (${ids}::bigint[]) order by closure.from_at, closure.id`,
  )

export const holidaysOn = (db: Queryable, providerId: number, days: string[]) =>
  db.query<ClosureRecord>(sql`
    ${record} where provider_id = ${providerId} and holiday = any (${days}::date[])
    order by closure.from_at, closure.id
  `)

/** Requires the lock of the Resources. Skips public holidays that already exist. Returns the new closures. */
export const insertClosures = (
  tx: Queryable,
  providerId: number,
  resourceIds: number[] | null,
  closures: NewClosure[],
) =>
  tx.column<number>(sql`
    with made as (
      insert into closure (provider_id, from_text, to_text, from_at, to_at, reason, is_block, holiday)
      select ${providerId}, from_text, to_text, to_timestamp("from" / 1000.0), to_timestamp("to" / 1000.0), reason,
        is_block, holiday
      from jsonb_to_recordset(${jsonRows(closures)}::jsonb) as new (from_text text, to_text text, "from" bigint,
        "to" bigint, reason text, is_block boolean, holiday date)
      on conflict (provider_id, holiday) where holiday is not null do nothing
      returning id, from_at, to_at
    ), meant as (
      insert into closed_time (closure_id, provider_id, resource_id, from_at, to_at)
      select made.id, ${providerId}, resource_id, from_at, to_at
      from made cross join unnest(${resourceIds ?? [null]}::bigint[]) as resource_id
    )
    select id from made
  `)

type ClosureScope = { id: number; resourceIds: number[] | null }

/** The closure and its Resources. */
export async function findClosure(
  tx: Queryable,
  { providerId, uuid, blockOf }: { providerId: number; uuid: string; blockOf: number | null },
): Promise<ClosureScope | null> {
  const whose: Sql = blockOf === null ? sql`not is_block` : sql`is_block`
  const [found] = await tx.query<{ id: number; resourceIds: (number | null)[] }>(sql`
    select id, (select json_agg(resource_id) from closed_time where closure_id = closure.id) as resource_ids
    from closure where uuid = ${uuid} and provider_id = ${providerId} and ${whose}
  `)
  if (!found || (blockOf !== null && !found.resourceIds.includes(blockOf))) return null
  const some = found.resourceIds.filter(id => id !== null)
  return { id: found.id, resourceIds: some.length === found.resourceIds.length ? some : null }
}

/** Requires the locks of the previous and the new Resources. */
export async function updateClosure(
  tx: Queryable,
  id: number,
  resourceIds: number[] | null,
  { fromText, toText, from, to, reason }: ClosedSpan & { reason: string },
) {
  await tx.query(sql`
    update closure set from_text = ${fromText}, to_text = ${toText}, from_at = ${new Date(from)},
      to_at = ${new Date(to)}, reason = ${reason}
    where id = ${id}
  `)
  await tx.query(sql`delete from closed_time where closure_id = ${id}`)
  await tx.query(sql`
    insert into closed_time (closure_id, provider_id, resource_id, from_at, to_at)
    select id, provider_id, resource_id, from_at, to_at
    from closure cross join unnest(${resourceIds ?? [null]}::bigint[]) as resource_id where id = ${id}
  `)
}

export async function deleteClosure(tx: Queryable, id: number) {
  await tx.query(sql`delete from closure where id = ${id}`)
}

/** Closures of a Provider that are not over, to be converted to another zone. */
export const upcomingClosures = (tx: Queryable, providerId: number) =>
  tx.query<ClosedSpan & { id: number }>(sql`
    select id, from_text, to_text, from_at as "from", to_at as "to" from closure
    where provider_id = ${providerId} and to_at > app_now() - interval '2 days'
  `)

export async function moveClosures(tx: Queryable, moved: { id: number; from: number; to: number }[]) {
  await tx.query(sql`
    with new as (
      select id, to_timestamp("from" / 1000.0) as from_at, to_timestamp("to" / 1000.0) as to_at
      from jsonb_to_recordset(${jsonRows(moved)}::jsonb) as new (id bigint, "from" bigint, "to" bigint)
    ), said as (
      update closure set from_at = new.from_at, to_at = new.to_at from new where closure.id = new.id
    )
    update closed_time set from_at = new.from_at, to_at = new.to_at from new where closure_id = new.id
  `)
}

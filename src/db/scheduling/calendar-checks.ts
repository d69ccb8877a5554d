import sql, { raw } from 'sql-template-tag'
import { suspendedProviders } from '../base/conditions.ts'
import { json, jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import type { SourceKind } from './calendar-sources.ts'

// Reading external calendars: which are due, who reads them, and what they said. A process leases a source while it reads it; what
// it found counts only if it still holds the lease, so of two processes one imports.

export type DueSource = {
  id: number
  providerId: number
  resourceId: number
  kind: SourceKind
  uuid: string
  sealed: Buffer
  calendars: string[] | null
  tentativeIsBusy: boolean
  showTitles: boolean
  closedSince: number | null
  timeZone: string
  validators: Record<string, string>
  digest: Buffer | null
  readUntil: number | null
  readZone: string | null
  failures: number
  skipped: number
  staleToldAt: number | null
  now: number
}

export type Taking = {
  limit: number
  ofOneProvider: number
  busyProviders: number[]
  seconds: number
  worker: string
}

/** Leases sources that are due. Limited per Provider, so that slow servers of one do not delay others. */
export const takeDueSources = (db: Queryable, taking: Taking) =>
  db.query<DueSource>(sql`
    with due as (
      select source_id, row_number() over (partition by provider_id order by next_at) as turn
      from (
        select source_id, calendar_check.provider_id, next_at from calendar_check
        cross join lateral (
          select paused_at, resource_id from calendar_source where id = source_id offset 0
        ) as source
        cross join lateral (select deleted_at from resource where id = resource_id offset 0) as resource
        where next_at <= app_now() and worked_until <= clock_timestamp() and paused_at is null and deleted_at is null
          and calendar_check.provider_id <> all (${taking.busyProviders}::bigint[])
          and not exists (select from outgoing_pause) and calendar_check.provider_id <> all (${suspendedProviders})
        order by next_at limit 500
      ) as waiting
    ), taken as (
      select source_id from calendar_check
      where source_id = any (array (select source_id from due where turn <= ${taking.ofOneProvider} limit ${taking.limit}))
        and worked_until <= clock_timestamp()
      for no key update skip locked
    ), leased as (
      update calendar_check set worked_until = clock_timestamp() + make_interval(secs => ${taking.seconds}),
        worked_by = ${taking.worker}::uuid
      from taken where calendar_check.source_id = taken.source_id
      returning calendar_check.*
    )
    select source.id, source.provider_id, source.resource_id, source.kind, source.uuid, source.sealed, source.calendars,
      source.tentative_is_busy, source.show_titles, source.closed_since, provider.time_zone, validators, digest,
      read_until, leased.time_zone as read_zone, failures, skipped, stale_told_at, app_clock() as now
    from leased join calendar_source as source on source.id = source_id
    join provider on provider.id = source.provider_id
  `)

/** Locks the check for the rest of the transaction. False if the lease has passed on, or the source is gone or paused. */
export const stillLeased = (tx: Queryable, sourceId: number, worker: string) =>
  tx.any(sql`
    select from calendar_check where source_id = ${sourceId} and worked_by = ${worker}::uuid
      and exists (
        select from calendar_source where id = ${sourceId} and paused_at is null
      )
    for no key update
  `)

export type Known = {
  validators: Record<string, string>
  digest: Buffer | null
  readUntil: number | null
  zone: string
  skipped: number
  hasChanged: boolean
}

/** The calendar was read, or has not changed. Ends the lease. */
export async function saveSuccess(tx: Queryable, sourceId: number, known: Known, nextSeconds: number) {
  await tx.query(sql`
    update calendar_check set validators = ${json(known.validators)}, digest = ${known.digest},
      read_until = ${known.readUntil === null ? null : new Date(known.readUntil)}, time_zone = ${known.zone},
      skipped = ${known.skipped}, checked_at = app_now(),
      changed_at = case when ${known.hasChanged} then app_now() else changed_at end, failures = 0, failing_since = null,
      problem = null, problem_detail = null, stale_told_at = null, next_at = app_now() + make_interval(secs => ${nextSeconds}),
      worked_until = '-infinity', worked_by = null
    where source_id = ${sourceId}
  `)
}

/** Changes nothing that is known about the calendar. */
export async function saveFailure(
  db: Queryable,
  sourceId: number,
  worker: string,
  failure: { problem: string; detail: string; nextSeconds: number },
) {
  await db.query(sql`
    update calendar_check set problem = ${failure.problem}, problem_detail = ${failure.detail}, failures = failures + 1,
      failing_since = coalesce(failing_since, app_now()),
      next_at = app_now() + make_interval(secs => ${failure.nextSeconds}), worked_until = '-infinity', worked_by = null
    where source_id = ${sourceId} and worked_by = ${worker}::uuid
  `)
}

/** Tables whose rows are leased while their calendar server is waited for. */
type LeasedTable = 'calendar_check' | 'calendar_mirror'

export async function renewLeases(db: Queryable, table: LeasedTable, workers: string[], seconds: number) {
  await db.query(sql`
    update ${raw(table)} set worked_until = clock_timestamp() + make_interval(secs => ${seconds})
    where worked_by = any (${workers}::uuid[])
  `)
}

/** Without a result: the process stops. */
export async function endLeases(db: Queryable, table: LeasedTable, workers: string[]) {
  await db.query(sql`
    update ${raw(table)} set worked_until = '-infinity', worked_by = null where worked_by = any (${workers}::uuid[])
  `)
}

export type StoredSpan = { from: number; to: number; title: string | null }

export const readSpans = (db: Queryable, sourceId: number) =>
  db.query<StoredSpan>(sql`
    select from_at as from, to_at as to, title from busy_span where source_id = ${sourceId}
  `)

export async function insertSpans(
  tx: Queryable,
  source: Pick<DueSource, 'id' | 'providerId' | 'resourceId'>,
  spans: StoredSpan[],
) {
  if (spans.length === 0) return
  await tx.query(sql`
    insert into busy_span (provider_id, resource_id, source_id, from_at, to_at, title)
    select ${source.providerId}, ${source.resourceId}, ${source.id}, to_timestamp("from" / 1000.0),
      to_timestamp("to" / 1000.0), title
    from jsonb_to_recordset(${jsonRows(spans)}::jsonb) as new ("from" bigint, "to" bigint, title text)
  `)
}

/** Found by the index of the Resource, which lists use too. */
export async function deleteSpans(
  tx: Queryable,
  source: Pick<DueSource, 'id' | 'resourceId'>,
  spans: StoredSpan[],
) {
  if (spans.length === 0) return
  await tx.query(sql`
    delete from busy_span where ctid = any (array (
      select found.ctid
      from jsonb_to_recordset(${jsonRows(spans)}::jsonb) as gone ("from" bigint, "to" bigint, title text)
      cross join lateral (
        select ctid from busy_span where resource_id = ${source.resourceId} and to_at = to_timestamp("to" / 1000.0)
          and from_at = to_timestamp("from" / 1000.0) and source_id = ${source.id} and busy_span.title is not distinct from gone.title
        offset 0
      ) as found
    ))
  `)
}

type StaleSource = {
  id: number
  providerId: number
  crmId: number
  resourceId: number
  name: string
  stayOpen: boolean
  staleHours: number
  isTold: boolean
  resourceName: string
  providerName: string
  email: string | null
  contactName: string | null
  language: string | null
}

/** `stale_hours` is at least 1, so the others need not be looked at. */
const notChecked = sql`(
  select * from calendar_check where checked_at < app_now() - interval '1 hour'
  union all
  select * from calendar_check where checked_at is null
  offset 0
) as calendar_check`

/** Sources that have not been fresh for as long as they may be, and about which something is still to do. */
export const staleSources = (db: Queryable, { id, limit }: { id: number | null; limit: number }) =>
  db.query<StaleSource>(sql`
    select source.id, source.provider_id, provider.crm_id, source.resource_id, source.name, stay_open, stale_hours,
      stale_told_at is not null as is_told, resource.public_name as resource_name, provider.name as provider_name,
      coalesce(person.email, provider.email) as email, concat_ws(' ', person.first_name, person.last_name) as contact_name,
      coalesce(person.language, provider.language) as language
    from ${id === null ? notChecked : sql`(select * from calendar_check where source_id = ${id} offset 0) as calendar_check`}
    cross join lateral (select * from calendar_source where id = source_id offset 0) as source
    cross join lateral (select * from resource where id = source.resource_id offset 0) as resource
    cross join lateral (select * from provider where id = source.provider_id offset 0) as provider
    left join app_user as person on person.id = resource.contact_user_id
    where paused_at is null and resource.deleted_at is null
      and coalesce(checked_at, source.created_at) < app_now() - make_interval(hours => stale_hours)
      and (stale_told_at is null or (not stay_open and closed_since is null))
      and source.provider_id <> all (${suspendedProviders})
    order by source.id limit ${limit}
  `)

export async function markStaleTold(tx: Queryable, sourceId: number) {
  await tx.query(sql`
    update calendar_check set stale_told_at = coalesce(stale_told_at, app_now()) where source_id = ${sourceId}
  `)
}

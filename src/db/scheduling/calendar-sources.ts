import sql from 'sql-template-tag'
import { suspendedProviders } from '../base/conditions.ts'
import { json } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'

// Calendars outside that block time of a Resource, as the CRM and the console see them. calendar-checks.ts reads them.

export type SourceSettings = {
  name: string
  calendars: string[] | null
  tentativeIsBusy: boolean
  showTitles: boolean
  staleHours: number
  stayOpen: boolean
}

/** Kept apart: see calendar-mirrors.ts. */
export type MirrorSettings = {
  /** The path of the calendar that bookings are written to; null for none. */
  mirrorTo: string | null
  /** Whether entries name the Customer and the Product. */
  mirrorNames: boolean
}

export type SourceKind = 'ics' | 'caldav'

export type SourceRow = SourceSettings &
  MirrorSettings & {
    id: number
    providerId: number
    resourceId: number
    uuid: string
    kind: SourceKind
    host: string
    userName: string | null
    sealed: Buffer
    pausedAt: number | null
    closedSince: number | null
    createdAt: number
    resourceReference: string
    resourceUuid: string
    /** What the last looks found. */
    checkedAt: number | null
    changedAt: number | null
    failingSince: number | null
    nextAt: number
    isWorking: boolean
    problem: string | null
    skipped: number
    isStale: boolean
    /** What the last writes to the mirror did. */
    mirrorDoneAt: number | null
    mirrorFailingSince: number | null
    mirrorProblem: string | null
    isMirrorBehind: boolean
    now: number
  }

const record = sql`
  select source.*, resource.reference as resource_reference, resource.uuid as resource_uuid, checked_at, changed_at,
    calendar_check.failing_since, next_at, calendar_check.worked_until > clock_timestamp() as is_working,
    calendar_check.problem, skipped,
    source.paused_at is null
      and coalesce(checked_at, source.created_at) < app_now() - make_interval(hours => stale_hours) as is_stale,
    mirror.path as mirror_to, coalesce(mirror.with_names, false) as mirror_names, mirror.done_at as mirror_done_at,
    mirror.failing_since as mirror_failing_since, mirror.problem as mirror_problem,
    mirror.id is not null and mirror.revision is distinct from resource.revision as is_mirror_behind, app_clock() as now
  from calendar_source as source
  join calendar_check on calendar_check.source_id = source.id
  join resource on resource.id = source.resource_id
  left join calendar_mirror as mirror on mirror.source_id = source.id and ended_at is null
`

export const listSources = (db: Queryable, resourceId: number) =>
  db.query<SourceRow>(sql`${record} where source.resource_id = ${resourceId} order by source.id`)

/** Of all Resources of a Provider. */
export const listSourcesOfProvider = (db: Queryable, providerId: number) =>
  db.query<SourceRow>(sql`
    ${record} where source.provider_id = ${providerId} and resource.deleted_at is null
    order by source.id
  `)

export const findSource = (db: Queryable, resourceId: number, uuid: string) =>
  db.first<SourceRow>(sql`
    ${record} where source.uuid = ${uuid} and source.resource_id = ${resourceId}
  `)

export const sourcesById = (db: Queryable, ids: number[]) =>
  db.query<SourceRow>(sql`${record} where source.id = any (${ids}::bigint[])`)

/** Serialises changes to the sources of a Resource. */
export const lockSourcesOf = (tx: Queryable, resourceId: number) =>
  tx.any(sql`
    select from resource where id = ${resourceId} and deleted_at is null for no key update
  `)

type NewSource = SourceSettings & {
  providerId: number
  resourceId: number
  kind: SourceKind
  host: string
  userName: string | null
  sealed: Buffer
}

export const insertSource = (tx: Queryable, source: NewSource) =>
  tx.value<number>(sql`
    with made as (
      insert into calendar_source (provider_id, resource_id, kind, name, host, user_name, sealed, calendars, tentative_is_busy,
        show_titles, stale_hours, stay_open, created_at)
      values (${source.providerId}, ${source.resourceId}, ${source.kind}, ${source.name}, ${source.host}, ${source.userName},
        ${source.sealed}, ${source.calendars}, ${source.tentativeIsBusy}, ${source.showTitles}, ${source.staleHours},
        ${source.stayOpen}, app_now())
      returning id, provider_id
    ), checks as (
      insert into calendar_check (source_id, provider_id, next_at) select id, provider_id, app_now() from made
    )
    select id from made
  `)

/** A changed address or setting is read at once, whatever the server says about changes. A look under way counts no more. */
export async function updateSource(
  tx: Queryable,
  id: number,
  source: Omit<NewSource, 'providerId' | 'resourceId' | 'kind'> & { isPaused: boolean },
) {
  await tx.query(sql`
    update calendar_source set name = ${source.name}, host = ${source.host}, user_name = ${source.userName},
      sealed = ${source.sealed}, calendars = ${source.calendars}, tentative_is_busy = ${source.tentativeIsBusy},
      show_titles = ${source.showTitles}, stale_hours = ${source.staleHours}, stay_open = ${source.stayOpen},
      paused_at = case when ${source.isPaused} then coalesce(paused_at, app_now()) end
    where id = ${id}
  `)
  await tx.query(sql`
    update calendar_check set next_at = app_now(), validators = ${json({})}, digest = null, failures = 0,
      failing_since = null, worked_until = '-infinity', worked_by = null
    where source_id = ${id}
  `)
}

export async function setClosedSince(tx: Queryable, id: number, isClosed: boolean) {
  await tx.query(sql`
    update calendar_source set closed_since = case when ${isClosed} then coalesce(closed_since, app_now()) end
    where id = ${id}
  `)
}

/** With its busy times. */
export async function deleteSource(tx: Queryable, id: number) {
  await tx.query(sql`delete from calendar_source where id = ${id}`)
}

/** One source of a Resource that was deleted a day ago. Null if there is none left. */
export const findAbandonedSource = (tx: Queryable) =>
  tx.value<number | null>(sql`
    select source.id from calendar_source as source
    cross join lateral (select deleted_at from resource where id = source.resource_id offset 0) as resource
    where deleted_at < app_now() - interval '1 day' and source.provider_id <> all (${suspendedProviders})
    order by source.id limit 1
  `)

/** Reads it now. */
export async function requestCheck(tx: Queryable, id: number) {
  await tx.query(sql`update calendar_check set next_at = app_now() where source_id = ${id}`)
}

export type BusyRow = {
  from: number
  to: number
  title: string | null
  resourceUuid: string
  sourceUuid: string
}

/** Busy times of a Provider in a period, ordered by Resource, source and time. */
export const busyTimesOf = (db: Queryable, providerId: number, from: number, to: number) =>
  db.query<BusyRow>(sql`
    select busy_span.from_at as from, busy_span.to_at as to, title, resource.uuid as resource_uuid,
      source.uuid as source_uuid
    from resource
    cross join lateral (
      select * from busy_span where resource_id = resource.id and to_at > ${new Date(from)}
        and from_at < ${new Date(to)} and to_at < ${new Date(to)}::timestamptz + interval '1 day'
      offset 0
    ) as busy_span
    cross join lateral (select * from calendar_source where id = source_id offset 0) as source
    where resource.provider_id = ${providerId} and resource.deleted_at is null
    order by resource.id, source.id, busy_span.from_at
  `)

/** Whether an external calendar is busy in this span, or a source that must be fresh is not. */
export const isBusyOutside = (db: Queryable, resourceId: number, from: number, to: number) =>
  db.any(sql`
    select from busy_span where resource_id = ${resourceId} and to_at > ${new Date(from)} and from_at < ${new Date(to)}
      and to_at < ${new Date(to)}::timestamptz + interval '1 day'
    union all
    select from calendar_source where resource_id = ${resourceId} and closed_since is not null
    limit 1
  `)

/** Appointments that are booked although an external calendar is busy then. */
export const conflictsOf = (
  db: Queryable,
  { providerId, resourceIds }: { providerId: number; resourceIds: number[] | null },
  from: number,
  to: number,
  limit: number,
) =>
  db.query<{ id: number; uuid: string; resourceId: number; start: number; end: number }>(sql`
    select distinct appointment.start_at as start, appointment.end_at as end, appointment.id, appointment.uuid,
      appointment.resource_id
    from resource
    cross join lateral (
      select * from busy_span where resource_id = resource.id and to_at > ${new Date(from)}
        and from_at < ${new Date(to)}
      offset 0
    ) as busy_span
    cross join lateral (
      select * from appointment where appointment.resource_id = resource.id and state = 'ACTIVE' and deleted_at is null
        and blocked_to > greatest(busy_span.from_at, ${new Date(from)}::timestamptz)
        and blocked_to < busy_span.to_at + resource.longest_block and end_at > busy_span.from_at
        and start_at < busy_span.to_at
      offset 0
    ) as appointment
    where resource.provider_id = ${providerId} and resource.deleted_at is null
      and (${resourceIds}::bigint[] is null or resource.id = any (${resourceIds}::bigint[]))
      and (appointment.origin = 'provider' or exists (
        select from participation where appointment_id = appointment.id and participation.state in ('BOOKED', 'REQUESTED')
          and participation.deleted_at is null
      ))
    order by appointment.start_at, appointment.id limit ${limit}
  `)

/** Before the Resource, as an import does, so that the two cannot deadlock. */
export async function lockCheck(tx: Queryable, sourceId: number) {
  await tx.query(sql`select from calendar_check where source_id = ${sourceId} for no key update`)
}

/** The moment that counts for everything that is stored. */
export const readClock = (db: Queryable) => db.value<number>(sql`select app_clock() as now`)

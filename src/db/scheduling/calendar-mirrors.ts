import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import { suspendedProviders } from '../base/conditions.ts'
import { jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import type { Taking } from './calendar-checks.ts'

// Bookings that are written into an external calendar: which mirrors have something to do, and what they wrote. Every write checks
// the lease, so of two processes one writes.

/** Where the bookings of a Resource are written. */
export type NewMirror = {
  providerId: number
  resourceId: number
  sourceId: number
  sealed: Buffer
  path: string
  names: boolean
}

/** False if the bookings of this Resource are already written to another calendar. */
export const insertMirror = (tx: Queryable, mirror: NewMirror) =>
  tx.any(sql`
    insert into calendar_mirror (provider_id, resource_id, source_id, sealed, path, with_names, not_before, look_at)
    values (${mirror.providerId}, ${mirror.resourceId}, ${mirror.sourceId}, ${mirror.sealed}, ${mirror.path}, ${mirror.names},
      app_now(), app_now())
    on conflict (provider_id, resource_id) where ended_at is null do nothing
    returning id
  `)

/** The login or the titles changed. A run under way counts no more. */
export async function updateMirror(
  tx: Queryable,
  sourceId: number,
  { sealed, names }: { sealed: Buffer; names: boolean },
) {
  await tx.query(sql`
    update calendar_mirror set sealed = ${sealed}, with_names = ${names}, revision = null, failures = 0, not_before = app_now(),
      look_at = app_now(), worked_until = '-infinity', worked_by = null
    where source_id = ${sourceId} and ended_at is null
  `)
}

/** What it wrote is removed from the calendar as soon as a worker is free. */
export async function endMirror(tx: Queryable, sourceId: number) {
  await tx.query(sql`
    update calendar_mirror set ended_at = app_now(), revision = null, failures = 0, not_before = app_now(),
      worked_until = '-infinity', worked_by = null
    where source_id = ${sourceId} and ended_at is null
  `)
}

export type DueMirror = {
  id: number
  uuid: string
  providerId: number
  resourceId: number
  sealed: Buffer
  path: string
  names: boolean
  endedAt: number | null
  url: string | null
  token: string | null
  /** The Resource's, read before its bookings are. */
  revision: number
  isLookDue: boolean
  failures: number
  language: Language
  now: number
}

/** Leases mirrors whose Resource has changed, or whose calendar is to be compared again. */
export const takeDueMirrors = (db: Queryable, taking: Taking) =>
  db.query<DueMirror>(sql`
    with due as (
      select mirror.id, row_number() over (partition by mirror.provider_id order by not_before) as turn
      from calendar_mirror as mirror
      cross join lateral (select revision from resource where id = resource_id offset 0) as resource
      left join lateral (select paused_at from calendar_source where id = source_id offset 0) as source on true
      where not_before <= app_now() and worked_until <= clock_timestamp()
        and (mirror.revision is distinct from resource.revision or look_at <= app_now())
        and (ended_at is not null or paused_at is null)
        and mirror.provider_id <> all (${taking.busyProviders}::bigint[])
        and not exists (select from outgoing_pause) and mirror.provider_id <> all (${suspendedProviders})
      order by not_before limit 500
    ), taken as (
      select id from calendar_mirror
      where id = any (array (select id from due where turn <= ${taking.ofOneProvider} limit ${taking.limit}))
        and worked_until <= clock_timestamp()
      for no key update skip locked
    ), leased as (
      update calendar_mirror set worked_until = clock_timestamp() + make_interval(secs => ${taking.seconds}),
        worked_by = ${taking.worker}::uuid
      from taken where calendar_mirror.id = taken.id
      returning calendar_mirror.*
    )
    select leased.id, coalesce(source.uuid, resource.uuid) as uuid, leased.provider_id, leased.resource_id, leased.sealed,
      path, with_names as names, ended_at, url, token, resource.revision, look_at <= app_now() as is_look_due, failures,
      provider.language, app_clock() as now
    from leased join resource on resource.id = leased.resource_id join provider on provider.id = leased.provider_id
    left join calendar_source as source on source.id = leased.source_id
  `)

export type MirrorEntry = {
  uuid: string
  uid: string
  end: number
  written: string | null
  stored: string | null
  sent: string[]
  etag: string | null
  notice: 'changed' | 'deleted' | null
}

export const listMirrorEntries = (db: Queryable, mirrorId: number) =>
  db.query<MirrorEntry>(sql`
    select uuid, uid, end_at as end, written, stored, sent, etag, notice from mirror_entry where mirror_id = ${mirrorId}
    order by start_at, uuid
  `)

export type MirrorPlace = { id: number; providerId: number; worker: string }

/** True while this worker may write. Locks the mirror, so that no other process takes it before the transaction ends. */
const isLeased = ({ id, worker }: MirrorPlace): Sql => sql`
  exists (select from calendar_mirror where id = ${id} and worked_by = ${worker}::uuid for no key update)
`

type Sending = { uuid: string; uid: string; start: number; end: number; digest: string }

/** Before anything is sent, so that an entry whose answer is lost is recognised. False if the lease has passed on. */
export async function saveSending(db: Queryable, place: MirrorPlace, sending: Sending[]): Promise<boolean> {
  const saved = await db.query(sql`
    insert into mirror_entry as known (provider_id, mirror_id, uuid, uid, start_at, end_at, sent)
    select ${place.providerId}, ${place.id}, uuid, uid, to_timestamp(start / 1000.0), to_timestamp("end" / 1000.0),
      array[digest]
    from jsonb_to_recordset(${jsonRows(sending)}::jsonb)
      as new (uuid uuid, uid text, start bigint, "end" bigint, digest text)
    where ${isLeased(place)}
    on conflict (provider_id, mirror_id, uuid) do update set
      sent = case when excluded.sent <@ known.sent then known.sent else known.sent || excluded.sent end,
      start_at = excluded.start_at, end_at = excluded.end_at
    returning uuid
  `)
  return saved.length === sending.length
}

/** The calendar has the entry in this version, and we know it. */
export const saveWritten = (
  db: Queryable,
  place: MirrorPlace,
  uuid: string,
  found: { written: string | null; stored: string | null; etag: string },
) =>
  db.any(sql`
    update mirror_entry set written = ${found.written}, stored = ${found.stored}, etag = ${found.etag}, sent = '{}',
      notice = null, noticed_at = null
    where mirror_id = ${place.id} and uuid = ${uuid} and ${isLeased(place)} returning uuid
  `)

/** The entry was changed or deleted in the calendar. It stays as it is until staff decide. */
export const saveNotice = (
  db: Queryable,
  place: MirrorPlace,
  uuid: string,
  { notice, etag }: { notice: 'changed' | 'deleted'; etag: string | null },
) =>
  db.any(sql`
    update mirror_entry set notice = ${notice}, etag = ${etag}, sent = '{}',
      noticed_at = case when notice is distinct from ${notice} then app_now() else noticed_at end
    where mirror_id = ${place.id} and uuid = ${uuid} and ${isLeased(place)} returning uuid
  `)

export const deleteMirrorEntry = (db: Queryable, place: MirrorPlace, uuid: string) =>
  db.any(sql`
    delete from mirror_entry where mirror_id = ${place.id} and uuid = ${uuid} and ${isLeased(place)} returning uuid
  `)

/** Whether another mirror of this installation wrote an entry, and will remove it. */
export const isOfAnotherMirror = (db: Queryable, mirrorId: number, uuid: string) =>
  db.any(sql`
    select from mirror_entry where uuid = ${uuid} and mirror_id <> ${mirrorId} limit 1
  `)

type MirrorState = {
  url: string | null
  token: string | null
  /** Null if something is left to write. */
  revision: number | null
  waitSeconds: number
  /** Null if the calendar was not compared. */
  lookSeconds: number | null
}

/** Ends the lease. */
export async function saveMirrored(db: Queryable, { id, worker }: MirrorPlace, state: MirrorState) {
  await db.query(sql`
    update calendar_mirror set url = ${state.url}, token = ${state.token}, revision = ${state.revision},
      not_before = app_now() + make_interval(secs => ${state.waitSeconds}),
      look_at = coalesce(app_now() + make_interval(secs => ${state.lookSeconds}::float8), look_at),
      done_at = app_now(), failures = 0, failing_since = null, problem = null, problem_detail = null,
      worked_until = '-infinity', worked_by = null
    where id = ${id} and worked_by = ${worker}::uuid
  `)
}

/** Ends the lease. The calendar is searched again, because it may have another address. */
export async function saveMirrorFailure(
  db: Queryable,
  { id, worker }: MirrorPlace,
  failure: { problem: string; detail: string; nextSeconds: number },
) {
  await db.query(sql`
    update calendar_mirror set problem = ${failure.problem}, problem_detail = ${failure.detail}, failures = failures + 1,
      failing_since = coalesce(failing_since, app_now()), revision = null, url = null,
      not_before = app_now() + make_interval(secs => ${failure.nextSeconds}), worked_until = '-infinity', worked_by = null
    where id = ${id} and worked_by = ${worker}::uuid
  `)
}

/** Everything that it wrote is removed, or it could not be for a week. */
export async function deleteEndedMirror(db: Queryable, { id, worker }: MirrorPlace) {
  await db.query(sql`
    delete from calendar_mirror where id = ${id} and worked_by = ${worker}::uuid and ended_at is not null
  `)
}

/** Writes ours again, over what was changed or deleted in the calendar. Returns the number of entries. */
export async function rewriteEntries(
  tx: Queryable,
  sourceId: number,
  uuids: string[] | null,
): Promise<number> {
  const rows = await tx.query(sql`
    with mirror as (
      update calendar_mirror set revision = null, not_before = app_now(), failures = 0
      where source_id = ${sourceId} and ended_at is null returning id
    )
    update mirror_entry set notice = null, noticed_at = null, written = null
    where mirror_id = any (array (select id from mirror)) and notice is not null
      and (${uuids}::uuid[] is null or uuid = any (${uuids}::uuid[]))
    returning uuid
  `)
  return rows.length
}

/** After a person was erased: their name leaves the calendar too, also in entries that are no longer compared. */
export async function eraseMirrored(tx: Queryable, participations: number[]) {
  await tx.query(sql`
    with erased as (
      update mirror_entry set written = null, notice = null, noticed_at = null
      where uuid = any (array (
        select unnest(array[uuid, calendar_uuid]) from participation where id = any (${participations}::bigint[])
      ))
      returning mirror_id
    )
    update calendar_mirror set revision = null where id = any (array (select mirror_id from erased))
  `)
}

/** Hosts in the UIDs of entries that we wrote, besides the current one: the address of the service may have changed. */
export const formerHosts = (db: Queryable, providerId: number) =>
  db.column<string>(sql`
    select distinct substr(uid, 38) as host from mirror_entry where provider_id = ${providerId}
  `)

export type MirrorNotice = {
  sourceId: number
  uuid: string
  kind: 'changed' | 'deleted'
  start: number
  end: number
}

/** What was changed or deleted in the calendars, the next ones first. */
export const listNotices = (db: Queryable, sourceIds: number[], limit: number) =>
  db.query<MirrorNotice>(sql`
    select source_id, uuid, notice as kind, start_at as start, end_at as end from calendar_mirror
    cross join lateral (
      select * from mirror_entry where mirror_id = calendar_mirror.id and notice is not null order by start_at limit ${limit}
    ) as entry
    where source_id = any (${sourceIds}::bigint[]) and ended_at is null
    order by source_id, start_at
  `)

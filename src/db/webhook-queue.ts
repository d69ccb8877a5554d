import type pg from 'pg'
import sql from 'sql-template-tag'
import { suspendedCrms } from './base/conditions.ts'
import { json } from './base/json.ts'
import type { Queryable } from './base/pool.ts'
import { isSettled, type LogPosition } from './events.ts'
import { type OffReason, type WaitingEvent, type WebhookRow, webhookColumns } from './webhooks.ts'

type Taking = {
  limit: number
  ofOneCrm: number
  /** CRMs that already have their maximum of webhooks in progress. */
  busyCrms: number[]
  /** CRMs with new events. */
  crms: number[]
  /** Webhooks that are looked at in any case. */
  ids: number[]
  seconds: number
}

/** The next webhooks in order of their ids. */
export const webhooksAfter = (db: Queryable, id: number, limit: number) =>
  db.column<number>(sql`select id from webhook where id > ${id} order by id limit ${limit}`)

/**
 * Leases webhooks with undelivered events for this many seconds: of these CRMs, those that failed or were left
 * by a process that died, and `ids`. Limited per CRM, so that slow receivers of one CRM do not delay others.
 */
export const takeDueWebhooks = (db: Queryable, { limit, ofOneCrm, busyCrms, crms, ids, seconds }: Taking) =>
  db.query<WebhookRow>(sql`
    with candidate as materialized (
      select id from webhook where crm_id = any (${crms}::bigint[])
      union
      select id from webhook
      where off_reason is null and (failures > 0 or worked_until > '-infinity') and next_try_at <= app_now()
      union
      select id from webhook where off_reason is null and retry_at <= app_now() and next_try_at <= app_now()
      union
      select unnest(${ids}::bigint[])
    ), due as (
      select id, row_number() over (partition by crm_id order by next_try_at) as turn
      from webhook
      where id = any (array (select id from candidate)) and off_reason is null and next_try_at <= app_now() and worked_until <= clock_timestamp()
        and not exists (select from outgoing_pause) and crm_id <> all (${busyCrms}::bigint[])
        and crm_id <> all (${suspendedCrms}) and (retry_at <= case when failures > 0 then 'infinity' else app_now() end or exists (
          select from event
          where event.crm_id = webhook.crm_id and (era, xid, event.id) > (after_era, after_xid, after_id)
            and ${isSettled}
          offset 0
        ))
    ), taken as (
      select id from webhook where id = any (array (select id from due where turn <= ${ofOneCrm} limit ${limit}))
        and worked_until <= clock_timestamp()
      for no key update skip locked
    )
    update webhook set worked_until = clock_timestamp() + make_interval(secs => ${seconds}) from taken
    where webhook.id = taken.id
    returning ${webhookColumns}
  `)

/** Extends the lease. Returns null if the webhook was deleted or disabled, or its CRM is suspended. */
export const keepWorking = (db: Queryable, id: number, seconds: number) =>
  db.first<WebhookRow>(sql`
    update webhook set worked_until = clock_timestamp() + make_interval(secs => ${seconds})
    where id = ${id} and off_reason is null and crm_id <> all (${suspendedCrms}) returning ${webhookColumns}
  `)

export async function stopWorking(db: Queryable, id: number) {
  await db.query(sql`update webhook set worked_until = '-infinity' where id = ${id}`)
}

type Progress = {
  place: LogPosition
  ahead: string[]
  retries: WaitingEvent[]
  retryAt: number | null
  /** Seconds until anything is sent again. */
  pause: number
  /** Whether the receiver accepts events; unknown if nothing was sent. */
  state: 'up' | 'down' | 'unknown'
  /** Some events were deleted before they could be delivered. */
  hasLost: boolean
}

/**
 * Saves the position. A concurrent replay wins: the stored position must still be the one we started from.
 */
export async function saveProgress(
  tx: Queryable,
  { id, afterEra, afterXid, afterId }: WebhookRow,
  { place, ahead, retries, retryAt, pause, state, hasLost }: Progress,
) {
  await tx.query(sql`
    update webhook set after_era = ${place.era}, after_xid = ${place.xid}::xid8, after_id = ${place.id},
      ahead = ${ahead}::uuid[],
      retries = ${retries.length > 0 ? json(retries) : null}::jsonb,
      retry_at = ${retryAt === null ? null : new Date(retryAt)},
      failures = case ${state} when 'up' then 0 when 'down' then failures + 1 else failures end,
      failing_since = case ${state} when 'up' then null when 'down' then coalesce(failing_since, app_now()) else failing_since end,
      next_try_at = app_now() + make_interval(secs => ${pause}::float8),
      missed_at = case when ${hasLost} then app_now() else missed_at end
    where id = ${id} and after_era = ${afterEra} and after_xid = ${afterXid}::xid8 and after_id = ${afterId}
  `)
}

/** The Appointments of these Participations. */
export async function appointmentsOf(
  db: Queryable,
  participationIds: number[],
): Promise<Map<number, number>> {
  const rows = await db.query<{ id: number; appointmentId: number }>(
    sql`select id, appointment_id from participation where id = any (${participationIds}::bigint[])`,
  )
  return new Map(rows.map(row => [row.id, row.appointmentId]))
}

/** Returns whether it was enabled. */
export const switchOff = (tx: Queryable, id: number, reason: OffReason) =>
  tx.any(sql`
    update webhook set off_reason = ${reason}, off_at = app_now() where id = ${id} and off_reason is null
    returning 1 as done
  `)

/** A concurrent replay wins here too. */
export async function recordMissed(
  tx: Queryable,
  { id, afterEra, afterXid, afterId }: WebhookRow,
  place: LogPosition,
) {
  await tx.query(sql`
    update webhook set missed_at = app_now(), ahead = '{}', after_era = ${place.era}, after_xid = ${place.xid}::xid8,
      after_id = ${place.id}
    where id = ${id} and after_era = ${afterEra} and after_xid = ${afterXid}::xid8 and after_id = ${afterId}
  `)
}

/** Age in seconds of the oldest event that some webhook has not received. */
export const oldestUndelivered = (db: Queryable) =>
  db.value<number>(sql`
    select coalesce(extract(epoch from app_now() - min(waiting.at))::float8, 0) as seconds
    from webhook cross join lateral (
      (select at from event
      where event.crm_id = webhook.crm_id and (era, xid, event.id) > (after_era, after_xid, after_id)
      order by era, xid, event.id limit 1)
      union all
      select to_timestamp((one ->> 'at')::float8 / 1000) from jsonb_array_elements(retries) as one
    ) as waiting
    where off_reason is null
  `)

/** For operators only: it does not affect readiness. */
export async function webhookState(probe: pg.Pool): Promise<{ failing: number; oldestSeconds: number }> {
  const { rows } = await probe.query<{ failing: number; oldest: number }>(sql`
    select (count(*) filter (where failures > 0))::float8 as failing,
      coalesce(extract(epoch from app_now() - min(failing_since))::float8, 0) as oldest
    from webhook where off_reason is null
  `)
  return { failing: rows[0]!.failing, oldestSeconds: Math.round(rows[0]!.oldest) }
}

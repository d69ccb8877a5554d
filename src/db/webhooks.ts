import type pg from 'pg'
import sql from 'sql-template-tag'
import { jsonRows } from './base/json.ts'
import type { Queryable } from './base/pool.ts'
import { isSettled, type Place } from './events.ts'

type OffReason = 'paused' | 'gone' | 'failing'

export type WebhookRow = {
  id: number
  crmId: number
  uuid: string
  url: string
  kinds: string[] | null
  providerIds: number[] | null
  description: string | null
  secret: Buffer
  oldSecret: Buffer | null
  oldUntil: number | null
  afterEra: number
  afterXid: string
  afterId: number
  /** Behind the place, and delivered all the same. */
  ahead: string[]
  offReason: OffReason | null
  offAt: number | null
  failingSince: number | null
  failures: number
  nextTryAt: number
  /** Events were deleted before they could be delivered. */
  missedAt: number | null
  createdAt: number
  /** When it was read. */
  now: number
}

const columns = sql`
  webhook.id, webhook.crm_id, webhook.uuid, url, kinds, provider_ids::float8[] as provider_ids, description, secret,
  old_secret, old_until, after_era, after_xid::text as after_xid, after_id, ahead::text[] as ahead, off_reason, off_at,
  failing_since, failures, next_try_at, missed_at, webhook.created_at, app_clock() as now
`

export const placeOfWebhook = ({ afterEra, afterXid, afterId }: WebhookRow): Place => ({
  era: afterEra,
  xid: afterXid,
  id: afterId,
})

export async function listWebhooks(db: Queryable, crmId: number): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(sql`select ${columns} from webhook where crm_id = ${crmId} order by id`)
}

export async function findWebhook(db: Queryable, crmId: number, uuid: string): Promise<WebhookRow | null> {
  const rows = await db.query<WebhookRow>(sql`
    select ${columns} from webhook where uuid = ${uuid} and crm_id = ${crmId}
  `)
  return rows[0] ?? null
}

export async function webhooksById(db: Queryable, ids: number[]): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(sql`select ${columns} from webhook where id = any (${ids}::bigint[])`)
}

/** Those who make or change webhooks of a CRM do it one after the other. */
export async function lockWebhooksOf(tx: Queryable, crmId: number) {
  await tx.query(sql`select from crm where id = ${crmId} for no key update`)
}

type WebhookValues = {
  url: string
  kinds: string[] | null
  providerIds: number[] | null
  description: string | null
}

export async function insertWebhook(
  tx: Queryable,
  crmId: number,
  values: WebhookValues & { secret: Buffer },
  after: Place,
): Promise<WebhookRow> {
  const rows = await tx.query<WebhookRow>(sql`
    insert into webhook (crm_id, url, kinds, provider_ids, description, secret, after_era, after_xid, after_id)
    values (${crmId}, ${values.url}, ${values.kinds}, ${values.providerIds}, ${values.description}, ${values.secret},
      ${after.era}, ${after.xid}::xid8, ${after.id})
    returning ${columns}
  `)
  return rows[0]!
}

/** What the CRM may change. A new reason to be off begins now; switched on again, it starts with a clean slate. */
export async function updateWebhook(
  tx: Queryable,
  id: number,
  values: WebhookValues & { offReason: OffReason | null },
): Promise<WebhookRow> {
  const rows = await tx.query<WebhookRow>(sql`
    update webhook set url = ${values.url}, kinds = ${values.kinds}, provider_ids = ${values.providerIds},
      description = ${values.description}, off_reason = ${values.offReason},
      off_at = case when ${values.offReason}::text is null then null else coalesce(off_at, app_now()) end,
      failing_since = null, failures = 0, next_try_at = app_now(),
      missed_at = case when ${values.offReason}::text is null then missed_at end
    where id = ${id} returning ${columns}
  `)
  return rows[0]!
}

export async function rotateSecret(tx: Queryable, id: number, secret: Buffer, oldHours: number) {
  const rows = await tx.query<WebhookRow>(sql`
    update webhook set old_secret = secret, old_until = app_now() + make_interval(hours => ${oldHours}),
      secret = ${secret}
    where id = ${id} returning ${columns}
  `)
  return rows[0]!
}

export async function deleteWebhook(tx: Queryable, id: number) {
  await tx.query(sql`delete from webhook where id = ${id}`)
}

export async function moveWebhook(tx: Queryable, id: number, { era, xid, id: eventId }: Place) {
  await tx.query(sql`
    update webhook set after_era = ${era}, after_xid = ${xid}::xid8, after_id = ${eventId}, ahead = '{}',
      missed_at = null, next_try_at = app_now()
    where id = ${id}
  `)
}

type Taking = {
  limit: number
  ofOneCrm: number
  /** Enough of these are being worked on. */
  busyCrms: number[]
  seconds: number
}

/**
 * Takes some that have something to deliver, for so many seconds: nobody else works on them meanwhile. Few of each CRM, so
 * that slow receivers of one do not keep those of others waiting.
 */
export async function takeDueWebhooks(
  db: Queryable,
  { limit, ofOneCrm, busyCrms, seconds }: Taking,
): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(sql`
    with due as (
      select id, row_number() over (partition by crm_id order by next_try_at) as turn
      from webhook
      where off_reason is null and next_try_at <= app_now() and worked_until <= clock_timestamp()
        and crm_id <> all (${busyCrms}::bigint[]) and exists (
        select from event
        where event.crm_id = webhook.crm_id and (era, xid, event.id) > (after_era, after_xid, after_id)
          and ${isSettled}
        offset 0
      )
    ), taken as (
      select id from webhook where id = any (array (select id from due where turn <= ${ofOneCrm} limit ${limit}))
        and worked_until <= clock_timestamp()
      for no key update skip locked
    )
    update webhook set worked_until = clock_timestamp() + make_interval(secs => ${seconds}) from taken
    where webhook.id = taken.id
    returning ${columns}
  `)
}

/** Still ours, and for so many seconds more; null when it was deleted or switched off. */
export async function keepWorking(db: Queryable, id: number, seconds: number): Promise<WebhookRow | null> {
  const rows = await db.query<WebhookRow>(sql`
    update webhook set worked_until = clock_timestamp() + make_interval(secs => ${seconds})
    where id = ${id} and off_reason is null returning ${columns}
  `)
  return rows[0] ?? null
}

export async function stopWorking(db: Queryable, id: number) {
  await db.query(sql`update webhook set worked_until = '-infinity' where id = ${id}`)
}

export type NewDelivery = {
  place: Place | null
  eventUuid: string
  kind: string
  status: number | null
  ms: number
  error: string | null
  answer: string | null
}

export type DeliveryRow = {
  id: number
  era: number | null
  xid: string | null
  eventId: number | null
  eventUuid: string
  kind: string
  status: number | null
  ms: number
  error: string | null
  answer: string | null
  at: number
}

const deliveryColumns = sql`
  id, era, xid::text as xid, event_id, event_uuid, kind, status, ms, error, answer, at
`

/**
 * An answer may repeat what its receiver was told about somebody who has been erased while it was on its way. So whoever keeps
 * answers and whoever erases do not do so at the same moment, and answers to what was told before are not kept.
 */
async function answersLock(tx: Queryable, crmId: number, kind: 'shared' | 'alone') {
  const key = sql`hashtext('answers of webhooks'), ${crmId}::integer`
  await tx.query(
    kind === 'alone'
      ? sql`select pg_advisory_xact_lock(${key})`
      : sql`select pg_advisory_xact_lock_shared(${key})`,
  )
}

/** `now` of the webhook: before what is delivered was put together. */
export async function insertDeliveries(
  tx: Queryable,
  { id, crmId, now }: WebhookRow,
  deliveries: NewDelivery[],
): Promise<DeliveryRow[]> {
  const sent = deliveries.map(({ place, ...one }) => ({
    ...one,
    ...(place && { era: place.era, xid: place.xid, event: place.id }),
  }))
  const locking = deliveries.some(one => one.answer) ? answersLock(tx, crmId, 'shared') : null
  const inserting = tx.query<DeliveryRow>(sql`
    insert into delivery (crm_id, webhook_id, era, xid, event_id, event_uuid, kind, status, ms, error, answer)
    select ${crmId}, ${id}, era, xid::xid8, event, event_uuid, kind, status, ms, error,
      case when (select erased_at from crm where id = ${crmId}) > ${new Date(now)} then null else answer end
    from jsonb_to_recordset(${jsonRows(sent)}::jsonb) as sent (era integer, xid text, event bigint, event_uuid uuid,
      kind text, status integer, ms integer, error text, answer text)
    returning ${deliveryColumns}
  `)
  const [rows] = await Promise.all([inserting, locking])
  return rows
}

export async function listDeliveries(
  db: Queryable,
  webhookId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(sql`
    select ${deliveryColumns} from delivery
    where webhook_id = ${webhookId} and id < coalesce(${before}::bigint, 9223372036854775807)
    order by id desc limit ${limit}
  `)
}

export async function findDelivery(
  db: Queryable,
  webhookId: number,
  id: number,
): Promise<DeliveryRow | null> {
  const rows = await db.query<DeliveryRow>(sql`
    select ${deliveryColumns} from delivery where id = ${id} and webhook_id = ${webhookId}
  `)
  return rows[0] ?? null
}

type Progress = {
  place: Place
  ahead: string[]
  /** Seconds until the next try; null: nothing failed. */
  pause: number | null
}

/** How far it came. A replay that was asked for meanwhile wins: the place must still be the one that we started from. */
export async function noteProgress(
  tx: Queryable,
  { id, afterEra, afterXid, afterId }: WebhookRow,
  { place, ahead, pause }: Progress,
) {
  await tx.query(sql`
    update webhook set after_era = ${place.era}, after_xid = ${place.xid}::xid8, after_id = ${place.id},
      ahead = ${ahead}::uuid[],
      failures = case when ${pause}::integer is null then 0 else failures + 1 end,
      failing_since = case when ${pause}::integer is null then null else coalesce(failing_since, app_now()) end,
      next_try_at = app_now() + make_interval(secs => coalesce(${pause}::integer, 0))
    where id = ${id} and after_era = ${afterEra} and after_xid = ${afterXid}::xid8 and after_id = ${afterId}
  `)
}

/** Whether it was on until now. */
export async function switchOff(tx: Queryable, id: number, reason: OffReason): Promise<boolean> {
  const rows = await tx.query(sql`
    update webhook set off_reason = ${reason}, off_at = app_now() where id = ${id} and off_reason is null
    returning 1 as done
  `)
  return rows.length > 0
}

export async function noteMissed(tx: Queryable, id: number, place: Place) {
  await tx.query(sql`
    update webhook set missed_at = app_now(), ahead = '{}', after_era = ${place.era}, after_xid = ${place.xid}::xid8,
      after_id = ${place.id}
    where id = ${id}
  `)
}

export async function forgetOldDeliveries(db: Queryable, days: number) {
  await db.query(sql`
    delete from delivery where id = any (array (
      select id from delivery where at < app_now() - make_interval(days => ${days}) order by at limit 10000
    ))
  `)
}

/** What receivers answered may repeat what they were told about somebody. */
export async function eraseAnswers(tx: Queryable, providerId: number) {
  const [provider] = await tx.query<{ crmId: number }>(
    sql`select crm_id from provider where id = ${providerId}`,
  )
  const { crmId } = provider!
  await answersLock(tx, crmId, 'alone')
  await tx.query(sql`update crm set erased_at = app_clock() where id = ${crmId}`)
  await tx.query(sql`update delivery set answer = null where crm_id = ${crmId} and answer is not null`)
}

/** Seconds since the oldest event that each webhook has still to deliver. */
export async function oldestUndelivered(db: Queryable): Promise<{ uuid: string; seconds: number }[]> {
  return db.query<{ uuid: string; seconds: number }>(sql`
    select webhook.uuid, coalesce(extract(epoch from app_now() - waiting.at)::float8, 0) as seconds
    from webhook left join lateral (
      select at from event
      where event.crm_id = webhook.crm_id and (era, xid, event.id) > (after_era, after_xid, after_id)
      order by era, xid, event.id limit 1
    ) as waiting on true
    where off_reason is null
  `)
}

/** For whoever looks after the service: it reports, and hinders nothing. */
export async function webhookState(probe: pg.Pool): Promise<{ failing: number; oldestSeconds: number }> {
  const { rows } = await probe.query<{ failing: number; oldest: number }>(sql`
    select (count(*) filter (where failures > 0))::float8 as failing,
      coalesce(extract(epoch from app_now() - min(failing_since))::float8, 0) as oldest
    from webhook where off_reason is null
  `)
  return { failing: rows[0]!.failing, oldestSeconds: Math.round(rows[0]!.oldest) }
}

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from './base/pool.ts'
import type { LogPosition } from './events.ts'

export type OffReason = 'paused' | 'gone' | 'failing'

/** An event that failed, or that follows a failed one about the same record. */
export type WaitingEvent = LogPosition & {
  /** The records that it is about. */
  keys: string[]
  attempts: number
  /** When it is sent again; null while it waits for an earlier event about the same record. */
  due: number | null
  at: number
}

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
  /** Null for webhooks of earlier versions, until their secret is rotated. */
  signingKey: Buffer | null
  oldSigningKey: Buffer | null
  oldUntil: number | null
  afterEra: number
  afterXid: string
  afterId: number
  /** Events after the position that are already delivered. */
  ahead: string[]
  /** Events up to the position that are still to be delivered, in log order. */
  retries: WaitingEvent[]
  offReason: OffReason | null
  offAt: number | null
  failingSince: number | null
  failures: number
  nextTryAt: number
  /** Events were deleted before they could be delivered. */
  missedAt: number | null
  createdAt: number
  /** When this row was read. */
  now: number
}

export const webhookColumns = sql`
  webhook.id, webhook.crm_id, webhook.uuid, url, kinds, provider_ids::float8[] as provider_ids, description, secret,
  old_secret, signing_key, old_signing_key, coalesce(retries, '[]') as retries, old_until, after_era, after_xid::text as after_xid, after_id, ahead::text[] as ahead, off_reason, off_at,
  failing_since, failures, next_try_at, missed_at, webhook.created_at, app_clock() as now
`

export const placeOfWebhook = ({ afterEra, afterXid, afterId }: WebhookRow): LogPosition => ({
  era: afterEra,
  xid: afterXid,
  id: afterId,
})

export const listWebhooks = (db: Queryable, crmId: number) =>
  db.query<WebhookRow>(sql`select ${webhookColumns} from webhook where crm_id = ${crmId} order by id`)

export const findWebhook = (db: Queryable, crmId: number, uuid: string) =>
  db.first<WebhookRow>(sql`
    select ${webhookColumns} from webhook where uuid = ${uuid} and crm_id = ${crmId}
  `)

export const webhooksById = (db: Queryable, ids: number[]) =>
  db.query<WebhookRow>(sql`select ${webhookColumns} from webhook where id = any (${ids}::bigint[])`)

/** Serialises changes to the webhooks of a CRM. */
export async function lockWebhooksOf(tx: Queryable, crmId: number) {
  await tx.query(sql`select from crm where id = ${crmId} for no key update`)
}

type WebhookValues = {
  url: string
  kinds: string[] | null
  providerIds: number[] | null
  description: string | null
}

export const insertWebhook = (
  tx: Queryable,
  crmId: number,
  values: WebhookValues & { secret: Buffer; signingKey: Buffer },
  after: LogPosition,
) =>
  tx.one<WebhookRow>(sql`
    insert into webhook (crm_id, url, kinds, provider_ids, description, secret, signing_key, after_era, after_xid, after_id)
    values (${crmId}, ${values.url}, ${values.kinds}, ${values.providerIds}, ${values.description}, ${values.secret},
      ${values.signingKey}, ${after.era}, ${after.xid}::xid8, ${after.id})
    returning ${webhookColumns}
  `)

/** What the CRM may change. A new reason for being off starts now; enabling it resets the failures. */
export const updateWebhook = (
  tx: Queryable,
  id: number,
  values: WebhookValues & { offReason: OffReason | null },
) =>
  tx.one<WebhookRow>(sql`
    update webhook set url = ${values.url}, kinds = ${values.kinds}, provider_ids = ${values.providerIds},
      description = ${values.description}, off_reason = ${values.offReason},
      off_at = case when ${values.offReason}::text is null then null else coalesce(off_at, app_now()) end,
      failing_since = null, failures = 0, next_try_at = app_now(), ${lookedAtNext}, ${retriedAtOnce(sql`true`)},
      missed_at = case when ${values.offReason}::text is null then missed_at end
    where id = ${id} returning ${webhookColumns}
  `)

export const rotateSecret = (
  tx: Queryable,
  id: number,
  { secret, signingKey }: { secret: Buffer; signingKey: Buffer },
  oldHours: number,
) =>
  tx.one<WebhookRow>(sql`
    update webhook set old_secret = secret, old_until = app_now() + make_interval(hours => ${oldHours}),
      secret = ${secret}, old_signing_key = signing_key, signing_key = ${signingKey}
    where id = ${id} returning ${webhookColumns}
  `)

export async function deleteWebhook(tx: Queryable, id: number) {
  await tx.query(sql`delete from webhook where id = ${id}`)
}

/** The events that wait, as far as they are kept, are due now. */
const retriedAtOnce = (isKept: Sql) => sql`
  retries = (
    select jsonb_agg(one || '{"due": null}' order by number)
    from jsonb_array_elements(retries) with ordinality as waiting (one, number) where ${isKept}
  ),
  retry_at = case when retries is not null then app_now() end
`

/** Among the webhooks that are looked at next, unless it is being delivered to. */
const lookedAtNext = sql`worked_until = greatest(worked_until, 'epoch')`

export async function moveWebhook(tx: Queryable, id: number, { era, xid, id: eventId }: LogPosition) {
  await tx.query(sql`
    update webhook set after_era = ${era}, after_xid = ${xid}::xid8, after_id = ${eventId}, ahead = '{}',
      ${retriedAtOnce(sql`((one ->> 'era')::int, (one ->> 'xid')::xid8, (one ->> 'id')::bigint) <= (${era}, ${xid}::xid8, ${eventId}::bigint)`)},
      missed_at = null, next_try_at = app_now(), ${lookedAtNext}
    where id = ${id}
  `)
}

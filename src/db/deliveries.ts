import sql from 'sql-template-tag'
import { jsonRows } from './base/json.ts'
import type { Queryable } from './base/pool.ts'
import type { LogPosition } from './events.ts'
import type { WebhookRow } from './webhooks.ts'

type Outcome = {
  eventUuid: string
  kind: string
  status: number | null
  ms: number
  error: string | null
  answer: string | null
}

export type NewDelivery = Outcome & { place: LogPosition | null }

export type DeliveryRow = Outcome & {
  id: number
  era: number | null
  xid: string | null
  eventId: number | null
  at: number
}

const deliveryColumns = sql`
  id, era, xid::text as xid, event_id, event_uuid, kind, status, ms, error, answer, at
`

/**
 * A receiver's answer may repeat personal data of a person erased meanwhile. This lock keeps saving answers
 * and erasing apart, and answers to events from before an erasure are not saved.
 */
async function answersLock(tx: Queryable, crmId: number, kind: 'shared' | 'alone') {
  const key = sql`hashtext('answers of webhooks'), (${crmId}::bigint % 2147483647)::integer`
  await tx.query(
    kind === 'alone'
      ? sql`select pg_advisory_xact_lock(${key})`
      : sql`select pg_advisory_xact_lock_shared(${key})`,
  )
}

/** `now`: when the webhook was read, which is before the delivered data was read. */
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

export const listDeliveries = (
  db: Queryable,
  webhookId: number,
  { before, limit }: { before: number | null; limit: number },
) =>
  db.query<DeliveryRow>(sql`
    select ${deliveryColumns} from delivery
    where webhook_id = ${webhookId} and id < coalesce(${before}::bigint, 9223372036854775807)
    order by id desc limit ${limit}
  `)

export const findDelivery = (db: Queryable, webhookId: number, id: number) =>
  db.first<DeliveryRow>(sql`
    select ${deliveryColumns} from delivery where id = ${id} and webhook_id = ${webhookId}
  `)

export async function deleteOldDeliveries(db: Queryable, days: number) {
  await db.query(sql`
    delete from delivery where id = any (array (
      select id from delivery where at < app_now() - make_interval(days => ${days}) order by at limit 10000
    ))
  `)
}

/** Receivers' answers may repeat personal data. */
export async function eraseAnswers(tx: Queryable, providerId: number) {
  const crmId = await tx.value<number>(sql`select crm_id from provider where id = ${providerId}`)
  await answersLock(tx, crmId, 'alone')
  await tx.query(sql`update crm set erased_at = app_clock() where id = ${crmId}`)
  await tx.query(sql`update delivery set answer = null where crm_id = ${crmId} and answer is not null`)
}

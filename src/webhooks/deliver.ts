import { insertDeliveries, type NewDelivery } from '../db/deliveries.ts'
import type { EventRow, LogPosition } from '../db/events.ts'
import { keepWorking, recordMissed, saveProgress, stopWorking } from '../db/webhook-queue.ts'
import { placeOfWebhook, type WebhookRow } from '../db/webhooks.ts'
import { unseal } from '../lib/seal.ts'
import { traced } from '../lib/watch/traced.ts'
import type { Service } from '../service.ts'
import { oldestCursor } from './cursor.ts'
import { type EventWithData, firstOf, type LogPage, readPage } from './log.ts'
import { type DeliveryLog, logDelivery } from './log-delivery.ts'
import { isDelivered, type Sent } from './send.ts'
import { signedHeaders } from './sign.ts'

// The `event` table is the queue; each webhook has its own position in it. Events are sent in order, a few at
// a time. A failed event blocks later ones until it is delivered or the webhook is disabled.

/** The number of concurrent requests to one receiver. */
const window = 8

/** Longer than any request. After this, another process takes over from one that died. */
export const leaseSeconds = 30

/** Seconds until the next attempt, by the number of consecutive failures. */
const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

const maxFailingDays = 5

export type DeliveryContext = {
  service: Service
  /** The events with their current data. */
  withData(rows: EventRow[]): Promise<EventWithData[]>
  switchOff(webhook: WebhookRow, reason: 'gone' | 'failing'): Promise<void>
  log: DeliveryLog
  isStopping(): boolean
  /** Waits while bookings have priority. */
  waitForTurn(): Promise<void>
}

/** Delivers until nothing is left, a delivery fails, or the process stops. */
export async function deliverPending(context: DeliveryContext, taken: WebhookRow) {
  const { db } = context.service
  await context.waitForTurn()
  const pending = new PendingEvents()
  for (let webhook: WebhookRow | null = taken; webhook; ) {
    const hasMore = await deliverSome(context, webhook, pending)
    if (!hasMore || context.isStopping()) break
    await context.waitForTurn()
    webhook = await keepWorking(db, taken.id, leaseSeconds)
  }
  await stopWorking(db, taken.id)
}

/** As many as are kept in memory between two rounds: with a filter, finding a few takes a read of thousands. */
const readAtOnce = 200

/** Events that were read and are sent next, as long as neither the webhook's filter nor its position is changed. */
class PendingEvents {
  page: LogPage | null = null
  key = ''

  async next({ db }: Service, webhook: WebhookRow, limit: number): Promise<LogPage> {
    const { kinds, providerIds } = webhook
    const place = placeOfWebhook(webhook)
    if (this.page === null || this.key !== keyOf(webhook, place)) {
      const after = { ...place, uuid: null }
      this.page = await readPage(db, webhook.crmId, after, readAtOnce, { kinds, providerIds })
    }
    const first = firstOf(this.page, limit)
    const { rows, ...page } = this.page
    this.page = first === this.page ? null : { ...page, rows: rows.slice(limit) }
    this.key = keyOf(webhook, first.reached)
    return first
  }
}

const keyOf = ({ kinds, providerIds }: WebhookRow, { era, xid, id }: LogPosition) =>
  JSON.stringify([kinds, providerIds, era, xid, id])

async function deliverSome(
  context: DeliveryContext,
  webhook: WebhookRow,
  pending: PendingEvents,
): Promise<boolean> {
  if (await catchUpWithLog(context.service, webhook)) return true
  // After a failure, one event is enough to test the receiver.
  const page = await pending.next(context.service, webhook, webhook.failures > 0 ? 1 : window)
  const due = page.rows.filter(row => !webhook.ahead.includes(row.uuid))
  const events = await context.withData(due)
  const sent = await Promise.all(events.map(event => sendEvent(context.service, webhook, event)))
  await saveResult(context, webhook, page, due, sent)
  return page.more && sent.every(isDelivered)
}

async function saveResult(
  context: DeliveryContext,
  webhook: WebhookRow,
  page: LogPage,
  due: EventRow[],
  sent: Sent[],
) {
  const { db } = context.service
  const allDelivered = sent.every(isDelivered)
  const pause = allDelivered ? null : pauses[Math.min(webhook.failures, pauses.length - 1)]!
  await db.transaction(async tx => {
    const writes = Promise.all([
      insertDeliveries(
        tx,
        webhook,
        due.map((row, index) => asDelivery(row, sent[index]!)),
      ),
      saveProgress(tx, webhook, { ...progress(webhook, page, due, sent), pause }),
    ])
    await tx.last(writes)
  })
  logDelivery(context.log, webhook, sent)
  if (sent.some(one => one.status === 410)) return context.switchOff(webhook, 'gone')
  const since = webhook.failingSince
  if (!allDelivered && since !== null && webhook.now - since >= maxFailingDays * 86_400_000)
    await context.switchOff(webhook, 'failing')
}

/** Advances to the first failed event. Delivered events after it are remembered and not sent again. */
function progress(webhook: WebhookRow, { rows, reached }: LogPage, due: EventRow[], sent: Sent[]) {
  const delivered = new Set(webhook.ahead)
  for (const [index, row] of due.entries()) if (isDelivered(sent[index]!)) delivered.add(row.uuid)
  const firstFailed = rows.findIndex(row => !delivered.has(row.uuid))
  const passed = firstFailed === -1 ? rows : rows.slice(0, firstFailed)
  for (const row of passed) delivered.delete(row.uuid)
  const place = firstFailed === -1 ? reached : (passed.at(-1) ?? placeOfWebhook(webhook))
  return { place, ahead: [...delivered] }
}

const asDelivery = (row: EventRow, sent: Sent): NewDelivery => ({
  place: row,
  eventUuid: row.uuid,
  kind: row.kind,
  ...sent,
})

/** Signs and sends one attempt: a delivery, a repeat or a test. */
export async function sendEvent(service: Service, webhook: WebhookRow, event: EventWithData): Promise<Sent> {
  const keys = service.signer.keys('webhooks')
  const { secret, oldSecret, oldUntil, now } = webhook
  const isChanging = oldSecret !== null && oldUntil !== null && oldUntil > now
  const secrets = [secret, ...(isChanging ? [oldSecret] : [])].flatMap(one => unseal(keys, one) ?? [])
  if (secrets.length === 0) return unsigned
  const body = JSON.stringify(payload(event))
  const headers = signedHeaders(secrets, event.id, new Date(), body)
  const attributes = () => ({ 'holdfast.webhook': webhook.uuid, 'holdfast.event.kind': event.kind })
  const sent = await traced('deliver event', attributes, () =>
    service.webhookSender.send(webhook.url, headers, body),
  )
  service.metrics.deliveries.inc({
    outcome: isDelivered(sent) ? 'delivered' : sent.status === null ? 'no answer' : 'refused',
  })
  return sent
}

const unsigned: Sent = {
  status: null,
  ms: 0,
  error: 'Its secret was sealed with another SECRET_KEY. Rotate the secret of the webhook.',
  answer: null,
}

export const payload = ({ kind, at, provider, actor, data }: EventWithData) => ({
  type: kind,
  timestamp: at,
  data: { provider, actor, ...data },
})

/** Events deleted before delivery are lost to this webhook; it records that. */
async function catchUpWithLog({ db }: Service, webhook: WebhookRow): Promise<boolean> {
  const start = await oldestCursor(db, webhook.crmId)
  const isBehind = isBefore(placeOfWebhook(webhook), start)
  if (isBehind) await recordMissed(db, webhook, start)
  return isBehind
}

const isBefore = (a: LogPosition, b: LogPosition) =>
  a.era !== b.era ? a.era < b.era : a.xid !== b.xid ? BigInt(a.xid) < BigInt(b.xid) : a.id < b.id

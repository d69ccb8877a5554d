import { insertDeliveries, type NewDelivery } from '../db/deliveries.ts'
import type { EventRow, Place } from '../db/events.ts'
import { keepWorking, noteMissed, noteProgress, stopWorking } from '../db/webhook-work.ts'
import { placeOfWebhook, type WebhookRow } from '../db/webhooks.ts'
import { unseal } from '../lib/seal.ts'
import { traced } from '../lib/watch/traced.ts'
import type { Service } from '../service.ts'
import { oldest } from './cursor.ts'
import { type LogPage, readPage, type ToldEvent } from './log.ts'
import { isDelivered, type Sent } from './send.ts'
import { signedHeaders } from './sign.ts'

// The rows of `event` are the queue; each webhook has its own place in it. Events are sent in their order, a few at a time.
// One that fails holds back what comes after it, until it is delivered or the webhook is switched off.

/** So many are under way to one receiver. */
const window = 8

/** Longer than any answer takes. Whoever dies is followed by another after this. */
export const leaseSeconds = 30

/** Seconds to the next try, by how many have failed in a row. */
const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

const failingDays = 5

export type Courier = {
  service: Service
  /** What the events say today. */
  tell(rows: EventRow[]): Promise<ToldEvent[]>
  switchOff(webhook: WebhookRow, reason: 'gone' | 'failing'): Promise<void>
  isStopping(): boolean
  /** Waits where bookings come first. */
  turn(): Promise<void>
}

/** Delivers until there is nothing left, something fails, or we are to stop. */
export async function workOn(courier: Courier, taken: WebhookRow) {
  const { db } = courier.service
  await courier.turn()
  for (let webhook: WebhookRow | null = taken; webhook; ) {
    const goesOn = await deliverSome(courier, webhook)
    if (!goesOn || courier.isStopping()) break
    await courier.turn()
    webhook = await keepWorking(db, taken.id, leaseSeconds)
  }
  await stopWorking(db, taken.id)
}

async function deliverSome(courier: Courier, webhook: WebhookRow): Promise<boolean> {
  const { db } = courier.service
  if (await catchUpWithLog(courier.service, webhook)) return true
  const filter = { kinds: webhook.kinds, providerIds: webhook.providerIds }
  // After a failure one is enough to see whether somebody is there again.
  const limit = webhook.failures > 0 ? 1 : window
  const page = await readPage(db, webhook.crmId, { ...placeOfWebhook(webhook), uuid: null }, limit, filter)
  const due = page.rows.filter(row => !webhook.ahead.includes(row.uuid))
  const told = await courier.tell(due)
  const sent = await Promise.all(told.map(event => sendEvent(courier.service, webhook, event)))
  await note(courier, webhook, page, due, sent)
  return page.more && sent.every(isDelivered)
}

async function note(courier: Courier, webhook: WebhookRow, page: LogPage, due: EventRow[], sent: Sent[]) {
  const { db } = courier.service
  const isFine = sent.every(isDelivered)
  const pause = isFine ? null : pauses[Math.min(webhook.failures, pauses.length - 1)]!
  await db.transaction(async tx => {
    const writing = Promise.all([
      insertDeliveries(
        tx,
        webhook,
        due.map((row, index) => asDelivery(row, sent[index]!)),
      ),
      noteProgress(tx, webhook, { ...progress(webhook, page, due, sent), pause }),
    ])
    await tx.last(writing)
  })
  if (sent.some(one => one.status === 410)) return courier.switchOff(webhook, 'gone')
  const since = webhook.failingSince
  if (!isFine && since !== null && webhook.now - since >= failingDays * 86_400_000)
    await courier.switchOff(webhook, 'failing')
}

/** Up to the first that failed; those behind it that were delivered are remembered, and not sent again. */
function progress(webhook: WebhookRow, { rows, reached }: LogPage, due: EventRow[], sent: Sent[]) {
  const delivered = new Set(webhook.ahead)
  for (const [index, row] of due.entries()) if (isDelivered(sent[index]!)) delivered.add(row.uuid)
  const stuck = rows.findIndex(row => !delivered.has(row.uuid))
  const passed = stuck === -1 ? rows : rows.slice(0, stuck)
  for (const row of passed) delivered.delete(row.uuid)
  const place = stuck === -1 ? reached : (passed.at(-1) ?? placeOfWebhook(webhook))
  return { place, ahead: [...delivered] }
}

const asDelivery = (row: EventRow, sent: Sent): NewDelivery => ({
  place: row,
  eventUuid: row.uuid,
  kind: row.kind,
  ...sent,
})

/** Signed and sent, as any other attempt: a delivery, a repetition, a test. */
export async function sendEvent(service: Service, webhook: WebhookRow, event: ToldEvent): Promise<Sent> {
  const keys = service.signer.keys('webhooks')
  const { secret, oldSecret, oldUntil, now } = webhook
  const isChanging = oldSecret !== null && oldUntil !== null && oldUntil > now
  const secrets = [secret, ...(isChanging ? [oldSecret] : [])].flatMap(one => unseal(keys, one) ?? [])
  if (secrets.length === 0) return unsigned
  const body = JSON.stringify(payload(event))
  const headers = signedHeaders(secrets, event.id, new Date(), body)
  const about = () => ({ 'holdfast.webhook': webhook.uuid, 'holdfast.event.kind': event.kind })
  const sent = await traced('deliver event', about, () => service.sender.send(webhook.url, headers, body))
  service.counts.deliveries.add(
    isDelivered(sent) ? 'delivered' : sent.status === null ? 'no answer' : 'refused',
  )
  return sent
}

const unsigned: Sent = {
  status: null,
  ms: 0,
  error: 'Its secret was sealed with another SECRET_KEY. Rotate the secret of the webhook.',
  answer: null,
}

export const payload = ({ kind, at, provider, actor, data }: ToldEvent) => ({
  type: kind,
  timestamp: at,
  data: { provider, actor, ...data },
})

/** Events that were deleted before they could be delivered are lost to this webhook, and it says so. */
async function catchUpWithLog({ db }: Service, webhook: WebhookRow): Promise<boolean> {
  const start = await oldest(db, webhook.crmId)
  const isBehind = isBefore(placeOfWebhook(webhook), start)
  if (isBehind) await noteMissed(db, webhook, start)
  return isBehind
}

const isBefore = (a: Place, b: Place) =>
  a.era !== b.era ? a.era < b.era : a.xid !== b.xid ? BigInt(a.xid) < BigInt(b.xid) : a.id < b.id

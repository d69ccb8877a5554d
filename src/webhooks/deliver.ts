import { insertDeliveries, type NewDelivery } from '../db/deliveries.ts'
import { type EventRow, eventsAt, type LogPosition } from '../db/events.ts'
import { appointmentsOf, keepWorking, recordMissed, saveProgress, stopWorking } from '../db/webhook-queue.ts'
import { placeOfWebhook, type WaitingEvent, type WebhookRow } from '../db/webhooks.ts'
import { unseal } from '../lib/seal.ts'
import { traced } from '../lib/watch/traced.ts'
import { nounOf } from '../rules/messages/events.ts'
import type { Service } from '../service.ts'
import { oldestCursor } from './cursor.ts'
import { type EventWithData, firstOf, type LogPage, readPage } from './log.ts'
import { type DeliveryLog, logDelivery } from './log-delivery.ts'
import { isDelivered, type Sent } from './send.ts'
import { signedHeaders } from './sign.ts'
import {
  firstInLine,
  inLogOrder,
  isBefore,
  isSamePlace,
  maxWaiting,
  nextDue,
  pauseAfter,
  probePause,
} from './waiting-events.ts'

// The `event` table is the queue; each webhook has its own position in it. Events are sent in log order, a few
// at a time. An event that fails waits for its next attempt, and later events about the same record wait behind
// it. A receiver that accepts nothing is probed until it accepts something.

/** The number of concurrent requests to one receiver. */
const window = 8

/** Longer than any round. After this, another process takes over from one that died. */
export const leaseSeconds = 30

/** Later than this, a round starts no request, so that it ends within the lease. */
const latestStartMs = 12_000

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

/** Delivers until nothing is left, the receiver accepts nothing, or the process stops. */
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

/** One event of a round. */
type Attempt = { row: EventRow; keys: string[]; waiting: WaitingEvent | null }

/** Not sent: behind a failed event about the same record, or too late in the round. */
type Outcome = Sent | 'behind' | 'not yet'

const isSent = (outcome: Outcome): outcome is Sent => typeof outcome !== 'string'
const isAccepted = (outcome: Outcome) => isSent(outcome) && isDelivered(outcome)

async function deliverSome(
  context: DeliveryContext,
  webhook: WebhookRow,
  pending: PendingEvents,
): Promise<boolean> {
  const { service } = context
  if (await catchUpWithLog(service, webhook)) return true
  const isDown = webhook.failures > 0
  const { again, lost } = await readDue(service, webhook, isDown ? 1 : window)
  const room = isDown ? 1 : window - again.length
  const page =
    room > 0 && webhook.retries.length < maxWaiting ? await pending.next(service, webhook, room) : null
  const isKnown = (row: EventRow) =>
    webhook.ahead.includes(row.uuid) || webhook.retries.some(one => isSamePlace(one, row))
  const attempts = [...again, ...(await withKeys(service, page?.rows.filter(row => !isKnown(row)) ?? []))]
  const events = await context.withData(attempts.map(one => one.row))
  const send = (index: number) => sendEvent(service, webhook, events[index]!)
  const started = performance.now()
  const outcomes = isDown ? await probe(webhook, attempts, send) : await sendInOrder(webhook, attempts, send)
  const round = { webhook, page, attempts, outcomes, lost, now: webhook.now + performance.now() - started }
  return saveRound(context, round)
}

/** The events that wait and may be sent now. A probe does not wait for the time of an event. */
async function readDue({ db }: Service, webhook: WebhookRow, limit: number) {
  const isDown = webhook.failures > 0
  const due = firstInLine(webhook.retries)
    .filter(one => isDown || (one.due ?? 0) <= webhook.now)
    .toSorted((one, other) => (one.due ?? 0) - (other.due ?? 0))
    .slice(0, limit)
  const rows = due.length > 0 ? await eventsAt(db, webhook.crmId, due) : []
  const found = due.map(waiting => ({ waiting, row: rows.find(row => isSamePlace(row, waiting)) }))
  const again = found.flatMap(({ waiting, row }): Attempt[] =>
    row ? [{ row, keys: waiting.keys, waiting }] : [],
  )
  return { again, lost: found.filter(one => !one.row).map(one => one.waiting) }
}

/** A Participation belongs to its Appointment, whose events stay in order too. */
async function withKeys({ db }: Service, rows: EventRow[]): Promise<Attempt[]> {
  const ids = rows.filter(row => nounOf(row.kind) === 'participation').flatMap(row => row.subject ?? [])
  const appointments = ids.length > 0 ? await appointmentsOf(db, ids) : new Map<number, number>()
  return rows.map(row => {
    const noun = nounOf(row.kind)
    const appointment = noun === 'participation' && row.subject ? appointments.get(row.subject) : undefined
    const own = row.subject === null ? [] : [`${noun}:${row.subject}`]
    return { row, keys: [...own, ...(appointment ? [`appointment:${appointment}`] : [])], waiting: null }
  })
}

/** One after the other, until one is accepted: then all others follow in the next round. */
async function probe(
  { retries }: WebhookRow,
  attempts: Attempt[],
  send: (index: number) => Promise<Sent>,
): Promise<Outcome[]> {
  const started = performance.now()
  const blocked = new Set(retries.flatMap(one => one.keys))
  const isBehind = ({ waiting, keys }: Attempt) => !waiting && keys.some(key => blocked.has(key))
  const outcomes: Outcome[] = attempts.map(one => (isBehind(one) ? 'behind' : 'not yet'))
  for (const [index, outcome] of outcomes.entries()) {
    if (performance.now() - started > latestStartMs) break
    if (outcome === 'behind') continue
    outcomes[index] = await send(index)
    if (isAccepted(outcomes[index]!)) break
  }
  return outcomes
}

/** All at once, but each after the earlier ones about the same record. */
function sendInOrder(
  { retries }: WebhookRow,
  attempts: Attempt[],
  send: (index: number) => Promise<Sent>,
): Promise<Outcome[]> {
  const blocked = new Set(retries.flatMap(one => one.keys))
  const last = new Map<string, Promise<Outcome>>()
  const started = performance.now()
  const sendOne = async ({ keys, waiting }: Attempt, index: number, earlier: Promise<Outcome>[]) => {
    if (!waiting && keys.some(key => blocked.has(key))) return 'behind'
    const before = await Promise.all(earlier)
    if (before.includes('not yet')) return 'not yet'
    if (!before.every(isAccepted)) return 'behind'
    if (before.length > 0 && performance.now() - started > latestStartMs) return 'not yet'
    return send(index)
  }
  const sending = attempts.map((attempt, index) => {
    const earlier = attempt.keys.flatMap(key => last.get(key) ?? [])
    const outcome: Promise<Outcome> = sendOne(attempt, index, earlier)
    for (const key of attempt.keys) last.set(key, outcome)
    return outcome
  })
  return Promise.all(sending)
}

type Round = {
  webhook: WebhookRow
  page: LogPage | null
  attempts: Attempt[]
  outcomes: Outcome[]
  /** Deleted before they could be delivered. */
  lost: WaitingEvent[]
  now: number
}

/** Returns whether more can be sent now. */
async function saveRound(context: DeliveryContext, round: Round): Promise<boolean> {
  const { webhook, page, attempts, outcomes, lost, now } = round
  const sent = outcomes.filter(isSent)
  const isUp = sent.some(isDelivered)
  const failed = sent.filter(one => !isDelivered(one))
  // A single event on its own schedule says nothing about the receiver.
  const isNews =
    webhook.failures > 0 || attempts.some((one, index) => !one.waiting && isSent(outcomes[index]!))
  const isDown = failed.length > 0 && !isUp && isNews
  const asked = Math.max(0, ...failed.map(one => one.retryAfter ?? 0))
  const pause = Math.max(isDown ? probePause(webhook.failures) : 0, asked)
  const retries = waitingAfter(round, isUp && webhook.failures > 0)
  const retryAt = nextDue(retries)
  const deliveries = attempts.flatMap(({ row }, index) => {
    const outcome = outcomes[index]!
    return isSent(outcome) ? [asDelivery(row, outcome)] : []
  })
  await context.service.db.transaction(async tx => {
    const state = isDown ? 'down' : isUp || webhook.failures === 0 ? 'up' : 'unknown'
    const progress = {
      ...progressOf(round),
      retries,
      retryAt,
      pause,
      state,
      hasLost: lost.length > 0,
    } as const
    await tx.last(
      Promise.all([insertDeliveries(tx, webhook, deliveries), saveProgress(tx, webhook, progress)]),
    )
  })
  logDelivery(context.log, webhook, isUp || isDown ? { isDown, failed: failed[0] } : null)
  if (sent.some(one => one.status === 410)) {
    await context.switchOff(webhook, 'gone')
    return false
  }
  const since = webhook.failingSince
  if (isDown && since !== null && webhook.now - since >= maxFailingDays * 86_400_000)
    await context.switchOff(webhook, 'failing')
  if (pause > 0) return false
  return (
    (page ? page.more : attempts.length > 0) ||
    outcomes.includes('not yet') ||
    (retryAt !== null && retryAt <= now)
  )
}

/** The events that wait after this round. A receiver that is back gets all of them at once. */
function waitingAfter({ webhook, attempts, outcomes, lost, now }: Round, isBack: boolean): WaitingEvent[] {
  const done: WaitingEvent[] = [...lost]
  const added: WaitingEvent[] = []
  for (const [index, { row, keys, waiting }] of attempts.entries()) {
    const outcome = outcomes[index]!
    if (outcome === 'not yet' || (waiting && outcome === 'behind')) continue
    if (waiting) done.push(waiting)
    if (isAccepted(outcome)) continue
    const attempts = (waiting?.attempts ?? 0) + (isSent(outcome) ? 1 : 0)
    const seconds = isSent(outcome) ? Math.max(pauseAfter(attempts), outcome.retryAfter ?? 0) : null
    const { era, xid, id, at } = row
    added.push({ era, xid, id, keys, attempts, due: seconds === null ? null : now + seconds * 1000, at })
  }
  const kept = webhook.retries.filter(one => !done.includes(one))
  return inLogOrder([...kept.map(one => (isBack ? { ...one, due: null } : one)), ...added])
}

/** Advances to the first event that was not sent. Those after it that need not be sent are remembered. */
function progressOf({ webhook, page, attempts, outcomes }: Round): { place: LogPosition; ahead: string[] } {
  if (!page) return { place: placeOfWebhook(webhook), ahead: webhook.ahead }
  const settled = new Set(webhook.ahead)
  for (const [index, { row, waiting }] of attempts.entries())
    if (!waiting && outcomes[index] !== 'not yet') settled.add(row.uuid)
  const isPassed = (row: EventRow) =>
    settled.has(row.uuid) || webhook.retries.some(one => isSamePlace(one, row))
  const firstLeft = page.rows.findIndex(row => !isPassed(row))
  const passed = firstLeft === -1 ? page.rows : page.rows.slice(0, firstLeft)
  for (const row of passed) settled.delete(row.uuid)
  const place = firstLeft === -1 ? page.reached : (passed.at(-1) ?? placeOfWebhook(webhook))
  return { place, ahead: [...settled] }
}

const asDelivery = (row: EventRow, { retryAfter: _, ...sent }: Sent): NewDelivery => ({
  place: row,
  eventUuid: row.uuid,
  kind: row.kind,
  ...sent,
})

/** Signs and sends one attempt: a delivery, a repeat or a test. */
export async function sendEvent(service: Service, webhook: WebhookRow, event: EventWithData): Promise<Sent> {
  const keys = service.signer.keys('webhooks')
  const { secret, oldSecret, signingKey, oldSigningKey, oldUntil, now } = webhook
  const isChanging = oldUntil !== null && oldUntil > now
  const opened = (current: Buffer | null, old: Buffer | null) =>
    [current, isChanging ? old : null].flatMap(one => (one && unseal(keys, one)) ?? [])
  const secrets = opened(secret, oldSecret)
  if (secrets.length === 0) return unsigned
  const body = JSON.stringify(payload(event))
  const headers = signedHeaders(secrets, event.id, new Date(), body, opened(signingKey, oldSigningKey))
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
  retryAfter: null,
}

/** The event as the log shows it. `data` repeats provider and actor, as Standard Webhooks expects all content there. */
export const payload = ({ data, ...event }: EventWithData) => ({
  ...event,
  data: { provider: event.provider, actor: event.actor, ...data },
})

/** Events deleted before delivery are lost to this webhook; it records that. */
async function catchUpWithLog({ db }: Service, webhook: WebhookRow): Promise<boolean> {
  const start = await oldestCursor(db, webhook.crmId)
  const isBehind = isBefore(placeOfWebhook(webhook), start)
  if (isBehind) await recordMissed(db, webhook, start)
  return isBehind
}

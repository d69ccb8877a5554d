import { disableWebhook } from '../actions/setup/webhooks.ts'
import type { LogFollower } from '../db/event-listener.ts'
import { takeDueWebhooks, webhooksAfter } from '../db/webhook-queue.ts'
import type { WebhookRow } from '../db/webhooks.ts'
import { withData } from '../http/events/with-data.ts'
import type { Service } from '../service.ts'
import { type DeliveryContext, deliverPending, leaseSeconds } from '../webhooks/deliver.ts'
import { deliveryPacer } from '../webhooks/delivery-pacer.ts'
import { WebhookSweep } from '../webhooks/sweep.ts'
import { pause, repeat, settled, type WarningLog, warnUnlessOutage } from './repeat.ts'

/** Limits of concurrent deliveries, in total and per CRM, so that slow receivers only delay their own CRM. */
const maxConcurrent = 64
const maxPerCrm = 8

const failure = 'events could not be delivered to a webhook'

const idleMs = 300
const awayMs = 2_000

/** A delivery still waiting for a response then is repeated by the next instance. */
const stopWaitMs = 5_000

/**
 * Delivers events to webhooks until stopped. Any number of instances may run this: each webhook is leased by
 * one.
 */
export function startWebhookDelivery(service: Service, log: WarningLog) {
  const stopping = new AbortController()
  const untilTurn = deliveryPacer(() => service.metrics.recordedEvents)
  const working = new Map<number, { crmId: number; done: Promise<void> }>()
  const context: DeliveryContext = {
    service,
    withData: rows => withData(service, rows),
    log,
    switchOff: (webhook, reason) => disableWebhook(service, webhook, reason),
    isStopping: () => stopping.signal.aborted,
    async waitForTurn() {
      const ms = untilTurn()
      if (ms > 0) await pause(ms, stopping.signal)
    },
  }

  function start(webhook: WebhookRow) {
    const done = deliverPending(context, webhook)
      .catch(error => warnUnlessOutage(service, log, error, failure, { webhook: webhook.uuid }))
      .finally(() => {
        working.delete(webhook.id)
        // Events that arrived after its last read.
        woken.add(webhook.crmId)
      })
    working.set(webhook.id, { crmId: webhook.crmId, done })
  }

  const woken = new Set<number>()
  const follower: LogFollower = {
    watched: () => [],
    see: lines => {
      for (const line of lines) woken.add(line.crmId)
    },
  }
  service.eventListener.follow(follower)

  const sweep = new WebhookSweep()
  async function nextOfSweep(): Promise<number[]> {
    const count = sweep.take(performance.now())
    if (count === 0) return []
    const ids = await webhooksAfter(service.db, sweep.after, count)
    sweep.looked(ids, count)
    return ids
  }

  async function look(): Promise<number> {
    const limit = maxConcurrent - working.size
    if (limit <= 0) return idleMs
    const counts = Map.groupBy(working.values(), one => one.crmId)
    const busyCrms = [...counts].filter(([_key, all]) => all.length >= maxPerCrm).map(([crmId]) => crmId)
    const crms = [...woken].filter(crmId => !busyCrms.includes(crmId))
    const ids = await nextOfSweep()
    const taking = { limit, ofOneCrm: maxPerCrm, busyCrms, crms, ids, seconds: leaseSeconds }
    for (const crmId of crms) woken.delete(crmId)
    const taken = await takeDueWebhooks(service.db, taking).catch(error => {
      for (const crmId of crms) woken.add(crmId)
      throw error
    })
    for (const webhook of taken) start(webhook)
    if (taken.some(one => ids.includes(one.id))) sweep.found()
    // There may be more than were taken at once.
    if (taken.length === limit) for (const crmId of crms) woken.add(crmId)
    return idleMs
  }

  const running = repeat(stopping.signal, awayMs, look)
  return {
    async stop() {
      stopping.abort()
      service.eventListener.followers.delete(follower)
      await running
      await settled(
        [...working.values()].map(one => one.done),
        stopWaitMs,
      )
    },
  }
}

import { disableWebhook } from '../actions/setup/webhooks.ts'
import { takeDueWebhooks } from '../db/webhook-work.ts'
import type { WebhookRow } from '../db/webhooks.ts'
import { tell } from '../http/events/tell.ts'
import type { Service } from '../service.ts'
import { type Courier, leaseSeconds, workOn } from '../webhooks/deliver.ts'
import { turnsOf } from '../webhooks/turns.ts'

type Log = { warn(details: { err?: Error }, message: string): void }

/** Receivers that are posted to at the same time, and how many of one CRM: slow ones delay themselves. */
const most = 64
const mostOfOneCrm = 8

const idleMs = 300
const awayMs = 2_000

/** Whoever still waits for an answer then is followed by another, who sends that one event once more. */
const farewellMs = 5_000

/** Brings events to webhooks until stopped. Any number of instances may do so: each webhook is taken by one. */
export function startCourier(service: Service, log: Log) {
  const stopping = new AbortController()
  const untilTurn = turnsOf(service.counts.events)
  const working = new Map<number, { crmId: number; done: Promise<void> }>()
  const courier: Courier = {
    service,
    tell: rows => tell(service.db, rows),
    switchOff: (webhook, reason) => disableWebhook(service, webhook, reason),
    isStopping: () => stopping.signal.aborted,
    async turn() {
      const ms = untilTurn()
      if (ms > 0) await pause(ms, stopping.signal)
    },
  }

  function start(webhook: WebhookRow) {
    const done = workOn(courier, webhook)
      .catch(error => log.warn({ err: error as Error }, 'events could not be brought to a webhook'))
      .finally(() => working.delete(webhook.id))
    working.set(webhook.id, { crmId: webhook.crmId, done })
  }

  async function look(): Promise<number> {
    const limit = most - working.size
    if (limit <= 0) return idleMs
    const counts = Map.groupBy(working.values(), one => one.crmId)
    const busyCrms = [...counts].filter(([, all]) => all.length >= mostOfOneCrm).map(([crmId]) => crmId)
    const taken = await takeDueWebhooks(service.db, {
      limit,
      ofOneCrm: mostOfOneCrm,
      busyCrms,
      seconds: leaseSeconds,
    })
    for (const webhook of taken) start(webhook)
    return idleMs
  }

  async function run() {
    while (!stopping.signal.aborted)
      await pause(await look().catch(() => awayMs /* the database */), stopping.signal)
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      const done = Promise.all([...working.values()].map(one => one.done))
      await Promise.race([done, pause(farewellMs, new AbortController().signal)])
    },
  }
}

function pause(ms: number, stopping: AbortSignal) {
  return new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    timer.unref()
    stopping.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

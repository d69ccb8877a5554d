import { Counter, Gauge, type Registry } from 'prom-client'
import { oldestUndelivered } from '../../db/webhooks.ts'
import type { Counts } from '../../lib/counts.ts'
import type { Service } from '../../service.ts'

/** What happens, and whether it reaches those who want to know. Counted by each process for itself. */
export function addEventMetrics(registry: Registry, { db, counts }: Service) {
  counterOf(registry, counts.events, 'holdfast_events_total', 'Events written, by kind', 'kind')
  counterOf(
    registry,
    counts.deliveries,
    'holdfast_webhook_deliveries_total',
    'Attempts to deliver an event to a webhook, by outcome',
    'outcome',
  )
  new Gauge({
    name: 'holdfast_webhook_oldest_undelivered_seconds',
    help: 'Age of the oldest event that a webhook has still to get',
    labelNames: ['webhook'],
    registers: [registry],
    async collect() {
      this.reset()
      // Away for a moment: the next look will tell.
      const rows = await oldestUndelivered(db).catch(() => [])
      for (const { uuid, seconds } of rows) this.set({ webhook: uuid }, seconds)
    },
  })
}

function counterOf(registry: Registry, counts: Counts, name: string, help: string, label: string) {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset()
      for (const [value, count] of counts.byName) this.inc({ [label]: value }, count)
    },
  })
}

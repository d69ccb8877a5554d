import { setTimeout as pause } from 'node:timers/promises'
import { readQueueByTask, type TaskQueue } from '../../../db/base/jobs.ts'
import { lockWaits } from '../../../db/base/lock-queue.ts'
import { retries } from '../../../db/base/transactions.ts'
import { oldestUndelivered } from '../../../db/webhook-queue.ts'
import { type Counts, countLines, family, type Histogram } from '../../../lib/counts.ts'
import { version } from '../../../lib/root.ts'
import type { Service } from '../../../service.ts'
import { isReady } from './readiness.ts'

// Business metrics and failures. Each process counts its own, except for the queues, which are in the
// database: across processes, take their maximum instead of the sum.

/** All metrics in Prometheus text format. */
export async function workMetrics(service: Service): Promise<string> {
  const [queue, state] = await Promise.all([queueMetrics(service), stateMetrics(service)])
  return [...countedMetrics(service), ...queue, ...state].join('\n')
}

async function stateMetrics(service: Service): Promise<string[]> {
  return [
    gauge('holdfast_ready', '1 if /readyz answers 200, otherwise 0', (await isReady(service)) ? 1 : 0),
    gauges('holdfast_build_info', 'Always 1; the labels show the running version', [
      { labels: `version="${version}",node="${process.version}"`, value: 1 },
    ]),
  ]
}

const counter = (name: string, labels: string[], help: string, counts: Counts) =>
  family(name, 'counter', help, countLines(name, labels, counts))

const spread = (name: string, help: string, byLabels: Record<string, Histogram>) =>
  family(
    name,
    'histogram',
    help,
    Object.entries(byLabels).flatMap(([labels, one]) => one.lines(name, labels)),
  )

function countedMetrics({ counts, lists, reserveBatcher, completeBatcher, listBuilding }: Service): string[] {
  return [
    counter('holdfast_events_total', ['kind'], 'Events, by kind', counts.events),
    counter('holdfast_holds_total', ['kind'], 'Holds: new, renewed and changed', counts.holds),
    counter('holdfast_refusals_total', ['reason'], 'Refused requests, by reason', counts.refusals),
    counter(
      'holdfast_mails_total',
      ['kind', 'outcome'],
      'Attempts to send an email, by kind and result',
      counts.mails,
    ),
    counter(
      'holdfast_webhook_deliveries_total',
      ['outcome'],
      'Attempts to deliver an event, by result',
      counts.deliveries,
    ),
    counter('holdfast_lists_total', ['how'], 'Slot lists: served from the cache or rendered', counts.lists),
    gauge('holdfast_list_cache_bytes', 'Memory of cached slot lists', lists.bytes),
    gauge('holdfast_lists_waiting', 'Slot lists that wait to be rendered', listBuilding.waiting),
    counter('holdfast_transaction_retries_total', ['reason'], 'Transactions that were retried', retries),
    spread('holdfast_lock_wait_seconds', 'Time spent waiting for the lock of a Resource', { '': lockWaits }),
    spread('holdfast_group_size', 'Requests to reserve or complete per transaction', {
      'kind="reserve"': reserveBatcher.sizes,
      'kind="complete"': completeBatcher.sizes,
    }),
  ]
}

const gauge = (name: string, help: string, value: number) => family(name, 'gauge', help, [`${name} ${value}`])

type Sample = { labels: string; value: number }

const gauges = (name: string, help: string, samples: Sample[]) =>
  family(
    name,
    'gauge',
    help,
    samples.map(({ labels, value }) => `${name}{${labels}} ${value}`),
  )

const patienceMs = 3_000

type Queue = [TaskQueue[], Awaited<ReturnType<typeof oldestUndelivered>>]

/**
 * Empty while the database does not answer: a scrape must finish before Prometheus times out, or it would
 * miss the outage.
 */
async function queueMetrics({ db, health }: Service): Promise<string[]> {
  const late = new AbortController()
  const [tasks, webhooks] = await Promise.race([
    Promise.all([readQueueByTask(db), oldestUndelivered(db)]),
    pause(patienceMs, [[], []] as Queue, { signal: late.signal, ref: false }),
  ]).catch((): Queue => [[], []])
  late.abort()
  const byTask = (value: (task: TaskQueue) => number) =>
    tasks.map(task => ({ labels: `task="${task.name}"`, value: value(task) }))
  const byWebhook = webhooks.map(({ uuid, seconds }) => ({ labels: `webhook="${uuid}"`, value: seconds }))
  const silentMs = health.mailFailingSince === null ? 0 : Date.now() - health.mailFailingSince
  return [
    gauges(
      'holdfast_jobs_waiting',
      'Waiting jobs, by task',
      byTask(task => task.waiting),
    ),
    gauges(
      'holdfast_jobs_failed',
      'Jobs without attempts left, by task',
      byTask(task => task.failed),
    ),
    gauges(
      'holdfast_job_oldest_seconds',
      'Time for which the oldest due job has been waiting',
      byTask(task => task.oldestSeconds),
    ),
    gauges(
      'holdfast_webhook_oldest_undelivered_seconds',
      'Age of the oldest event that is not yet delivered to a webhook',
      byWebhook,
    ),
    gauge(
      'holdfast_mail_failing_seconds',
      'Time for which the mail server has accepted no mail; 0 if it does',
      silentMs / 1000,
    ),
  ]
}

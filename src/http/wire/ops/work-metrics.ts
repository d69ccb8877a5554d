import { lockWaits } from '../../../db/base/in-turn.ts'
import { readQueueByTask, type TaskQueue } from '../../../db/base/jobs.ts'
import { retries } from '../../../db/base/transactions.ts'
import { oldestUndelivered } from '../../../db/webhook-work.ts'
import { type Counts, countLines, family, type Spread } from '../../../lib/counts.ts'
import type { Service } from '../../../service.ts'

// What the service does for people, and what keeps it from doing so. Counted by each process for itself, except for the
// queues, which are the database's: whoever adds up several processes takes the largest of those.

/** All of it, in Prometheus' text format. */
export async function workMetrics(service: Service): Promise<string> {
  return [...countedMetrics(service), ...(await queueMetrics(service))].join('\n')
}

const counter = (name: string, labels: string[], help: string, counts: Counts) =>
  family(name, 'counter', help, countLines(name, labels, counts))

const spread = (name: string, help: string, byLabels: Record<string, Spread>) =>
  family(
    name,
    'histogram',
    help,
    Object.entries(byLabels).flatMap(([labels, one]) => one.lines(name, labels)),
  )

function countedMetrics({ counts, lists, offers, reserving, completing, moving, making }: Service): string[] {
  return [
    counter('holdfast_events_total', ['kind'], 'What happened, by kind of event', counts.events),
    counter(
      'holdfast_holds_total',
      ['kind'],
      'Slots that were held: new ones, and those renewed or changed',
      counts.holds,
    ),
    counter('holdfast_refusals_total', ['reason'], 'Requests that were refused, by reason', counts.refusals),
    counter(
      'holdfast_mails_total',
      ['kind', 'outcome'],
      'Attempts to send a mail, by kind and outcome',
      counts.mails,
    ),
    counter(
      'holdfast_webhook_deliveries_total',
      ['outcome'],
      'Attempts to deliver an event, by outcome',
      counts.deliveries,
    ),
    counter(
      'holdfast_lists_total',
      ['how'],
      'Lists of slots: kept ones that still hold, and those made anew',
      counts.lists,
    ),
    gauge('holdfast_list_cache_bytes', 'Memory of the lists that are kept', lists.bytes + offers.bytes),
    gauge('holdfast_lists_waiting', 'Lists that wait for their turn to be made', making.waiting),
    counter('holdfast_transaction_retries_total', ['reason'], 'Transactions that were tried again', retries),
    spread('holdfast_lock_wait_seconds', 'How long a Resource was waited for', { '': lockWaits }),
    spread('holdfast_group_size', 'How many were reserved, completed or moved in one transaction', {
      'kind="reserve"': reserving.sizes,
      'kind="complete"': completing.sizes,
      'kind="move"': moving.sizes,
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

/** Nothing while the database is away: the next look will tell. */
async function queueMetrics({ db, health }: Service): Promise<string[]> {
  const [tasks, webhooks] = await Promise.all([readQueueByTask(db), oldestUndelivered(db)]).catch(() => [
    [],
    [],
  ])
  const byTask = (value: (task: TaskQueue) => number) =>
    tasks.map(task => ({ labels: `task="${task.name}"`, value: value(task) }))
  const byWebhook = webhooks.map(({ uuid, seconds }) => ({ labels: `webhook="${uuid}"`, value: seconds }))
  const silentMs = health.mailFailingSince === null ? 0 : Date.now() - health.mailFailingSince
  return [
    gauges(
      'holdfast_jobs_waiting',
      'Jobs that wait, by task',
      byTask(task => task.waiting),
    ),
    gauges(
      'holdfast_jobs_failed',
      'Jobs that were given up, by task',
      byTask(task => task.failed),
    ),
    gauges(
      'holdfast_job_oldest_seconds',
      'How long the oldest due job has waited',
      byTask(task => task.oldestSeconds),
    ),
    gauges(
      'holdfast_webhook_oldest_undelivered_seconds',
      'Age of the oldest event that a webhook has still to get',
      byWebhook,
    ),
    gauge(
      'holdfast_mail_failing_seconds',
      'How long the mail server has taken nothing; 0: it does',
      silentMs / 1000,
    ),
  ]
}

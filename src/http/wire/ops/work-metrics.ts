import { setTimeout as pause } from 'node:timers/promises'
import { readQueueByTask, type TaskQueue } from '../../../db/base/jobs.ts'
import { oldestUndelivered } from '../../../db/webhook-queue.ts'
import type { Service } from '../../../service.ts'
import { isReady } from './readiness.ts'

// Metrics that are read when they are requested. The queues are in the database: across processes, take
// their maximum instead of the sum.

/** Adds the metrics; the returned function reads their current values. */
export function addWorkMetrics(service: Service): () => Promise<void> {
  const readProcess = addProcess(service)
  const readQueues = addQueues(service)
  const ready = service.metrics.gauge('holdfast_ready', '1 if /readyz answers 200, otherwise 0')
  return async () => {
    const [isReadyNow] = await Promise.all([isReady(service), readQueues()])
    ready.set(isReadyNow ? 1 : 0)
    readProcess()
  }
}

function addProcess({ metrics, lists, listBuilding, db: { pool }, health }: Service): () => void {
  const connections = metrics.gauge('holdfast_db_connections', 'Connections of the pool', ['state'])
  const listBytes = metrics.gauge('holdfast_list_cache_bytes', 'Memory of cached slot lists')
  const waiting = metrics.gauge('holdfast_lists_waiting', 'Slot lists that wait to be rendered')
  const mailFailing = metrics.gauge(
    'holdfast_mail_failing_seconds',
    'Time for which the mail server has accepted no mail; 0 if it does',
  )
  return () => {
    connections.set({ state: 'open' }, pool.totalCount)
    connections.set({ state: 'idle' }, pool.idleCount)
    connections.set({ state: 'wanted' }, pool.waitingCount)
    listBytes.set(lists.bytes)
    waiting.set(listBuilding.waiting)
    mailFailing.set(health.mailFailingSince === null ? 0 : (Date.now() - health.mailFailingSince) / 1000)
  }
}

function addQueues({ metrics, db }: Service): () => Promise<void> {
  const waiting = metrics.gauge('holdfast_jobs_waiting', 'Waiting jobs, by task', ['task'])
  const failed = metrics.gauge('holdfast_jobs_failed', 'Jobs without attempts left, by task', ['task'])
  const oldest = metrics.gauge(
    'holdfast_job_oldest_seconds',
    'Time for which the oldest due job has been waiting',
    ['task'],
  )
  const undelivered = metrics.gauge(
    'holdfast_webhook_oldest_undelivered_seconds',
    'Age of the oldest event that is not yet delivered to some webhook',
  )
  return async () => {
    const { tasks, undeliveredSeconds } = await readQueues(db)
    for (const one of [waiting, failed, oldest]) one.reset()
    for (const task of tasks) {
      waiting.set({ task: task.name }, task.waiting)
      failed.set({ task: task.name }, task.failed)
      oldest.set({ task: task.name }, task.oldestSeconds)
    }
    undelivered.set(undeliveredSeconds)
  }
}

type Queues = { tasks: TaskQueue[]; undeliveredSeconds: number }

const timeoutMs = 3_000

/**
 * Empty while the database does not answer: a scrape must finish before Prometheus times out, or it would
 * miss the outage.
 */
async function readQueues(db: Service['db']): Promise<Queues> {
  const none: Queues = { tasks: [], undeliveredSeconds: 0 }
  const late = new AbortController()
  const read = async () => {
    const [tasks, undeliveredSeconds] = await Promise.all([readQueueByTask(db), oldestUndelivered(db)])
    return { tasks, undeliveredSeconds }
  }
  const found = await Promise.race([
    read(),
    pause(timeoutMs, none, { signal: late.signal, ref: false }),
  ]).catch(() => none)
  late.abort()
  return found
}

import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { type Connection, closePool, openPool } from '../db/base/driver/connection.ts'
import { bulkFlag } from '../db/base/job-requests.ts'
import { readPause } from '../db/base/outgoing-pause.ts'
import type { Db } from '../db/base/pool.ts'
import { logOutage } from '../db/base/postgres-errors.ts'
import type { Health } from '../lib/watch/health.ts'
import type { Outages } from '../lib/watch/outage-log.ts'
import { deliveryJobs } from '../rules/messages/messages.ts'
import { type Outage, startHeartbeat } from './heartbeat.ts'
import { watchRunner } from './watch-runner.ts'

export type Log = {
  warn(details: object, message: string): void
  info?(details: object, message: string): void
}

type JobContext = {
  db: Db
  /** Emails that the mail server takes at once. */
  mailConnections: number
  connection: Connection
  tasks: TaskList
  health: Health
  outages: Outages
  log: Log
}

// No backfill: the next run also does what earlier runs missed. Jobs of one queue run one after the other, on
// all instances together, and a job that still waits is not added again: a run that takes longer than a minute
// delays the next one. They go before emails.
const housekeeping = [
  ['* * * * *', 'tidy'],
  ['* * * * *', 'remind'],
  ['7 0 * * *', 'extend-hours'],
  ['23 2 * * *', 'purge'],
  ['41 3 * * *', 'prepare-reports'],
]
export const crontab = housekeeping
  .map(
    ([when, task]) =>
      `${when} ${task} ?max=1&queue=${task}&jobKey=${task}&jobKeyMode=preserve_run_at&priority=-10`,
  )
  .join('\n')

// Taking and finishing jobs one by one costs the database more than an email itself. A sent email is marked
// before its job is finished, so a crash in between repeats nothing. Failures are batched too: if one cannot
// be recorded because the database is unavailable, only the runner stops, not the whole process.
const batching = { localQueue: { size: 16 }, completeJobBatchDelay: 50, failJobBatchDelay: 50 }

const restartDelayMs = 1_000

// The queue library prints the error of a worker that lost its database with console.trace, which its logger option does
// not cover. The same error rejects the runner's promise and is logged by keepRunning.
const { trace } = console
console.trace = (...args) => {
  if (!/graphile-worker/.test(new Error().stack ?? '')) trace(...args)
}

/** A runner ends when it loses the database for too long or stalls; a new one replaces it. */
export async function keepRunning(context: JobContext, stopping: AbortSignal) {
  const outage: Outage = { isOver: true, releaseFrom: 0 }
  while (!stopping.aborted) {
    try {
      await runUntilStopped(context, outage, stopping)
    } catch (error) {
      logJobTrouble(context.outages, context.log, error)
    }
    if (!stopping.aborted) await pause(restartDelayMs, undefined, { signal: stopping }).catch(() => {})
  }
}

const stopped = 'the job runner stopped and was restarted'

/** The queue reports a lost database in many ways; while one is known to be lost, it is the reason. */
export function logJobTrouble(outages: Outages, log: Log, error: unknown) {
  if (logOutage(outages, log, error) !== null) return
  const { message } = error as Error
  if (outages.database.isOpen) outages.database.stillFails(log, message)
  else outages.of(stopped).failed(log, stopped, { reason: message })
}

/**
 * Each runner has its own connections, so broken ones end with it. The second one takes no reminders: whatever
 * their number and however slow the mail server, confirmations and housekeeping go on.
 */
async function runUntilStopped(
  { db, mailConnections, connection, tasks, health, log }: JobContext,
  outage: Outage,
  stopping: AbortSignal,
) {
  const outgoing = await watchPause(db)
  const pool = openPool(connection, { max: 5 })
  const lost = lostConnection(pool)
  const runners: Runner[] = []
  const events: WorkerEvents = new EventEmitter()
  const heartbeat = startHeartbeat(db, events, log, outage)
  const watch = watchRunner(events, health)
  try {
    const options = {
      pgPool: pool,
      // The queue only hands out jobs of known tasks, so deliveries wait without using up attempts.
      taskList: outgoing.isPaused ? withoutDeliveries(tasks) : tasks,
      events,
      noHandleSignals: true,
      pollInterval: 2_000,
      logger: new Logger(() => () => {}),
    }
    const all = { crontab, concurrency: mailConnections, preset: { worker: batching } }
    const withoutBulk = { parsedCronItems: [], concurrency: 2, forbiddenFlags: [bulkFlag] }
    for (const kind of [all, withoutBulk]) runners.push(await run({ ...options, ...kind }))
    const isStopped = stopping.aborted ? Promise.resolve() : once(stopping, 'abort')
    const ended = runners.map(runner => runner.promise)
    await Promise.race([...ended, watch.stalled, lost, outgoing.changed, isStopped])
    if (watch.reason()) throw new Error(watch.reason()!)
  } finally {
    await Promise.all(runners.map(runner => end(runner, stopping.aborted ? undefined : timeoutMs)))
    outgoing.stop()
    watch.stop()
    await heartbeat.stop()
    await closePool(pool)
  }
}

/**
 * The answer that names a taken job may be lost with its connection. The job stays locked for this runner, which does
 * not know of it and would keep it as long as it lives. So the runner ends, and its jobs are released.
 */
const lostConnection = (pool: pg.Pool): Promise<void> =>
  new Promise(resolve => {
    pool.on('connect', client => client.once('error', () => resolve()))
  })

const withoutDeliveries = (tasks: TaskList): TaskList =>
  Object.fromEntries(Object.entries(tasks).filter(([kind]) => !deliveryJobs.some(one => one === kind)))

const timeoutMs = 3_000

/** A stalled runner may never settle; its jobs are released like those of a crashed worker. */
async function end(runner: Runner, limitMs?: number) {
  const ended = runner
    .stop()
    .catch(() => {})
    .then(() => runner.promise)
  await (limitMs === undefined
    ? ended
    : Promise.race([ended.catch(() => {}), pause(limitMs, undefined, { ref: false })]))
}

const lookEveryMs = 1_000

/** Settles `changed` when an operator pauses or resumes emails; the runner then restarts with other tasks. */
async function watchPause(db: Db) {
  const isPaused = (await readPause(db)) !== null
  let settle = () => {}
  const changed = new Promise<void>(resolve => (settle = resolve))
  const look = async () => {
    if (((await readPause(db)) !== null) !== isPaused) settle()
  }
  // Without a database nothing can be sent either; the next check retries.
  const timer = setInterval(() => look().catch(() => {}), lookEveryMs)
  timer.unref()
  return { isPaused, changed, stop: () => clearInterval(timer) }
}

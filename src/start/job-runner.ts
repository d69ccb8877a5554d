import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import { type Connection, closePool, openPool } from '../db/base/driver/connection.ts'
import type { Db } from '../db/base/pool.ts'
import type { Health } from '../lib/watch/health.ts'
import { startHeart } from './heart.ts'
import { watchRunner } from './watch-runner.ts'

export type Log = {
  warn(details: object, message: string): void
  info?(details: object, message: string): void
}

type JobContext = {
  db: Db
  connection: Connection
  tasks: TaskList
  health: Health
  log: Log
}

// No backfill: what was missed while nobody worked is done by the next run.
const crontab = `
* * * * * tidy ?max=1
* * * * * remind ?max=1
7 0 * * * extend-hours ?max=1
23 2 * * * purge ?max=1
`

// Taking and finishing jobs one by one costs the database more than a mail itself. A mail that was sent is marked so
// before its job is finished, so a crash in between repeats nothing. Failures go in batches as well: one that cannot be
// told because the database is away stops the runner then; told one by one, it would end the whole process.
const inBatches = { localQueue: { size: 16 }, completeJobBatchDelay: 50, failJobBatchDelay: 50 }

const againAfterMs = 1_000

/** A runner ends when it loses the database for longer, or stands still; a new one takes its place. */
export async function keepRunning(context: JobContext, stopping: AbortSignal) {
  while (!stopping.aborted) {
    try {
      await runUntilStopped(context, stopping)
    } catch (error) {
      context.log.warn({ err: error as Error }, 'the job runner stopped and will be started again')
    }
    if (!stopping.aborted) await pause(againAfterMs, undefined, { signal: stopping }).catch(() => {})
  }
}

/** Each runner has connections of its own: what is wrong with them goes with it. */
async function runUntilStopped({ db, connection, tasks, health, log }: JobContext, stopping: AbortSignal) {
  const pool = openPool(connection, { max: 4 })
  const events: WorkerEvents = new EventEmitter()
  const heart = startHeart(db, events, log)
  const watch = watchRunner(events, health)
  try {
    const runner = await run({
      pgPool: pool,
      taskList: tasks,
      crontab,
      events,
      concurrency: 4,
      noHandleSignals: true,
      pollInterval: 2_000,
      preset: { worker: inBatches },
      logger: new Logger(() => () => {}),
    })
    const isStopped = stopping.aborted ? Promise.resolve() : once(stopping, 'abort')
    await Promise.race([runner.promise, watch.stoodStill, isStopped])
    await end(runner, stopping.aborted ? undefined : patienceMs)
    if (watch.reason()) throw new Error(watch.reason()!)
  } finally {
    watch.stop()
    await heart.stop()
    await closePool(pool)
  }
}

const patienceMs = 3_000

/** One that stands still may never say that it has ended; its jobs are handed on like those of the dead. */
async function end(runner: Runner, limitMs?: number) {
  const ended = runner
    .stop()
    .catch(() => {})
    .then(() => runner.promise)
  await (limitMs === undefined
    ? ended
    : Promise.race([ended.catch(() => {}), pause(limitMs, undefined, { ref: false })]))
}

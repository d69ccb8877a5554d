import { EventEmitter } from 'node:events'
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { extendHours } from '../actions/scheduling/hours.ts'
import { remind, tidy } from '../actions/scheduling/housekeeping.ts'
import { handOnJobsOfTheDead, leaveSignOfLife } from '../db/base/jobs.ts'
import { type Db, surviveConnectionLoss } from '../db/base/pool.ts'
import { isConnectionLoss } from '../db/base/postgres-errors.ts'
import { deliver, makePostman } from '../mail/deliver.ts'
import { openTransport, type Transport } from '../mail/transport.ts'
import type { Service } from '../service.ts'

export type JobWorker = { stop(): Promise<void> }

type Log = { warn(details: { err?: Error; count?: number }, message: string): void }

const beatEveryMs = 5_000

// No backfill: what was missed while nobody worked is done by the next run.
const crontab = `
* * * * * tidy ?max=1
* * * * * remind ?max=1
7 0 * * * extend-hours ?max=1
`

// Taking and finishing jobs one by one costs the database more than a mail itself. A mail that was sent is marked so
// before its job is finished, so a crash in between repeats nothing. Failures go in batches as well: one that cannot be
// told because the database is away stops the runner then; told one by one, it would end the whole process.
const inBatches = { localQueue: { size: 16 }, completeJobBatchDelay: 50, failJobBatchDelay: 50 }

/** Runs the jobs of the queue until stopped, through crashes of the database and of other workers. */
export function startWorker(service: Service, connection: pg.PoolConfig, log: Log): JobWorker {
  const { config } = service
  const transport = config.smtpUrl ? openTransport(config.smtpUrl, config) : null
  const pool = new pg.Pool({ max: 4, ...connection })
  surviveConnectionLoss(pool)
  const stopping = new AbortController()
  const forgetQueue = outliveQueue(log)
  const finished = keepRunning(service, pool, tasks(service, transport), log, stopping.signal)
  let stopped: Promise<void> | undefined
  async function stop() {
    stopping.abort()
    await finished
    transport?.close()
    await pool.end()
    forgetQueue()
  }
  return {
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

function tasks(service: Service, transport: Transport | null): TaskList {
  const postman = makePostman(service.db, transport, new URL(service.baseUrl).hostname)
  return {
    'deliver-mail': async (payload, { job }) => {
      // Jobs that an earlier version left behind name one mail each.
      const { mailIds, mailId } = payload as { mailIds?: number[]; mailId?: number }
      const ids = mailIds ?? [mailId!]
      await deliver(postman, ids, job.attempts >= job.max_attempts)
    },
    tidy: () => tidy(service),
    remind: () => remind(service),
    'extend-hours': () => extendHours(service),
  }
}

// The runner ends when it loses the database for longer; a new one takes its place.
async function keepRunning(
  service: Service,
  pool: pg.Pool,
  taskList: TaskList,
  log: Log,
  stopping: AbortSignal,
) {
  while (!stopping.aborted) {
    try {
      await runUntilStopped(service.db, pool, taskList, log, stopping)
    } catch (error) {
      log.warn({ err: error as Error }, 'the job runner stopped and will be started again')
    }
    if (!stopping.aborted) await pause(1_000, stopping)
  }
}

async function runUntilStopped(db: Db, pool: pg.Pool, taskList: TaskList, log: Log, stopping: AbortSignal) {
  const heart = startHeart(db, log)
  try {
    const runner = await run({
      pgPool: pool,
      taskList,
      crontab,
      events: heart.events,
      concurrency: 4,
      noHandleSignals: true,
      pollInterval: 2_000,
      preset: { worker: inBatches },
      logger: new Logger(() => () => {}),
    })
    const stop = () => runner.stop().catch(() => {})
    stopping.addEventListener('abort', stop, { once: true })
    // Asked to stop while it was starting: the event has been and gone.
    if (stopping.aborted) stop()
    await runner.promise.finally(() => stopping.removeEventListener('abort', stop))
  } finally {
    await heart.stop()
  }
}

/**
 * The queue keeps the jobs of those who died locked for hours. So each pool of workers, which is what a job is locked
 * by, leaves a sign of life every few seconds, and everybody hands on the jobs of those who have not been seen for a
 * while.
 */
function startHeart(db: Db, log: Log) {
  const events: WorkerEvents = new EventEmitter()
  const pools = new Set<string>()

  async function beat() {
    await leaveSignOfLife(db, [...pools])
    const count = await handOnJobsOfTheDead(db)
    if (count > 0) log.warn({ count }, 'handed on the jobs of workers that died')
  }
  let last = Promise.resolve()
  const beatNow = () => {
    // The database may be away for a while; the next beat tells.
    last = last.then(beat).catch(() => {})
  }
  events.on('pool:create', ({ workerPool }) => {
    pools.add(workerPool.id)
    beatNow()
  })
  events.on('pool:release', ({ workerPool }) => pools.delete(workerPool.id))
  const timer = setInterval(beatNow, beatEveryMs)
  return {
    events,
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}

function pause(ms: number, stopping: AbortSignal) {
  return new Promise<void>(resolve => {
    setTimeout(resolve, ms).unref()
    stopping.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * When the database goes away, the queue's library rejects promises that nobody holds (jobs that were taken and cannot be
 * given back, for one), which would end the whole process, requests and all. Jobs are then handed on like those of the
 * dead. Such a promise of our own is logged as well where it speaks of the lost database; any other ends the process as ever.
 */
function outliveQueue(log: Log) {
  const listener = (error: unknown) => {
    const isOfQueue = error instanceof Error && /graphile-worker/.test(error.stack ?? '')
    if (!isOfQueue && !isConnectionLoss(error)) throw error
    log.warn({ err: error as Error }, 'the job queue lost the database')
  }
  process.on('unhandledRejection', listener)
  // Some come late, when all else has stopped.
  return () => setTimeout(() => process.off('unhandledRejection', listener), 1_000).unref()
}

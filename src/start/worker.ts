import type { Task, TaskList } from 'graphile-worker'
import { giveUpMail } from '../actions/give-up-mail.ts'
import { extendHours } from '../actions/scheduling/hours.ts'
import { remind, tidy } from '../actions/scheduling/housekeeping.ts'
import { purge } from '../actions/scheduling/retention.ts'
import type { Connection } from '../db/base/pool.ts'
import { isConnectionLoss } from '../db/base/postgres-errors.ts'
import { traced } from '../lib/watch/traced.ts'
import { deliver, makePostman } from '../mail/deliver.ts'
import { MailWatch } from '../mail/mail-watch.ts'
import { openTransport, type Transport } from '../mail/transport.ts'
import type { Service } from '../service.ts'
import { startCourier } from './courier.ts'
import { keepRunning, type Log } from './job-runner.ts'

export type JobWorker = { stop(): Promise<void> }

/** Runs the jobs of the queue until stopped, through crashes of the database and of other workers. */
export function startWorker(service: Service, connection: Connection, log: Log): JobWorker {
  const { config, db, health } = service
  const transport = config.smtpUrl ? openTransport(config.smtpUrl, config) : null
  const watch = transport && new MailWatch(db, transport, health, log)
  const stopping = new AbortController()
  const forgetQueue = outliveQueue(log)
  const finished = keepRunning(
    { db, connection, tasks: tasks(service, transport, watch, log), health, log },
    stopping.signal,
  )
  const courier = startCourier(service, log)
  let stopped: Promise<void> | undefined
  async function stop() {
    stopping.abort()
    await Promise.all([finished, courier.stop()])
    watch?.stop()
    transport?.close()
    forgetQueue()
  }
  return {
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

function tasks(service: Service, transport: Transport | null, watch: MailWatch | null, log: Log): TaskList {
  const postman = makePostman({
    db: service.db,
    transport,
    host: new URL(service.baseUrl).hostname,
    giveUp: mail => giveUpMail(service, mail),
    watch,
    counts: service.counts.mails,
  })
  return inSpans({
    'deliver-mail': async (payload, { job }) => {
      // Jobs that an earlier version left behind name one mail each.
      const { mailIds, mailId } = payload as { mailIds?: number[]; mailId?: number }
      const ids = mailIds ?? [mailId!]
      await deliver(postman, ids, job.attempts >= job.max_attempts)
    },
    tidy: () => tidy(service),
    remind: () => remind(service),
    'extend-hours': () => extendHours(service),
    purge: async () => {
      const { mails, customers } = await purge(service, { dryRun: false })
      if (mails + customers > 0) log.info?.({ mails, customers }, 'forgot what is older than it may be')
    },
  })
}

const inSpans = (tasks: TaskList): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]): [string, Task] => [
      name,
      (payload, helpers) => traced(`job ${name}`, null, async () => task!(payload, helpers)),
    ]),
  )

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

import type { Task, TaskList } from 'graphile-worker'
import { recordUndeliverable } from '../actions/record-undeliverable.ts'
import { finishCancellation } from '../actions/scheduling/appointments/cancel-appointments.ts'
import { noticeStaleCalendars } from '../actions/scheduling/calendars/stale-calendars.ts'
import { extendHours } from '../actions/scheduling/hours/hours.ts'
import { remind, tidy } from '../actions/scheduling/housekeeping.ts'
import { workOnImport } from '../actions/scheduling/imports/run-import.ts'
import { prepareReports } from '../actions/scheduling/report-parts.ts'
import { purge } from '../actions/scheduling/retention.ts'
import type { JobKind } from '../db/base/jobs.ts'
import type { Connection } from '../db/base/pool.ts'
import { isConnectionLoss } from '../db/base/postgres-errors.ts'
import { traced } from '../lib/watch/traced.ts'
import type { Sender } from '../messages/channel.ts'
import { type Deliverer, deliver, makeDeliverer } from '../messages/deliver.ts'
import { MailWatch } from '../messages/email/mail-watch.ts'
import { emailSender } from '../messages/email/sender.ts'
import { openTransport } from '../messages/email/transport.ts'
import { type Channel, channels, type DeliveryJob } from '../rules/messages/messages.ts'
import type { Service } from '../service.ts'
import { startCalendarMirror, startCalendarRefresh } from './calendar-refresh.ts'
import { keepRunning, type Log, logJobTrouble } from './job-runner.ts'
import { startWaitingList } from './waiting-list.ts'
import { startWebhookDelivery } from './webhook-delivery.ts'

export type JobWorker = { stop(): Promise<void> }

/** Runs jobs until stopped, and survives crashes of the database and of other workers. */
export function startWorker(service: Service, connection: Connection, log: Log): JobWorker {
  const { config, db, health, outages } = service
  const transport = config.smtpUrl ? openTransport(config.smtpUrl, config) : null
  const watch = transport && new MailWatch(service, transport, log)
  const senders: Record<Channel, Sender | null> = {
    email: transport && emailSender(transport, new URL(service.baseUrl).hostname, watch),
  }
  const deliverers = Object.entries(senders).map(([channel, sender]) =>
    makeDeliverer({
      db,
      channel: channel as Channel,
      sender,
      giveUp: mail => recordUndeliverable(service, mail),
      outcomes: service.metrics.mails,
    }),
  )
  const stopping = new AbortController()
  const stopCatching = catchQueueRejections(service, log)
  db.jobs.start()
  const finished = keepRunning(
    {
      db,
      mailConnections: config.smtpConnections,
      connection,
      tasks: tasks(service, deliverers, log),
      health,
      outages,
      log,
    },
    stopping.signal,
  )
  const webhookDelivery = startWebhookDelivery(service, log)
  const calendars = [startCalendarRefresh(service, log), startCalendarMirror(service, log)]
  const waitingList = startWaitingList(service, log)
  let stopped: Promise<void> | undefined
  async function stop() {
    stopping.abort()
    const loops = [webhookDelivery, waitingList, ...calendars]
    await Promise.all([finished, ...loops.map(one => one.stop())])
    for (const { accepted } of deliverers) accepted.close()
    watch?.stop()
    transport?.close()
    stopCatching()
  }
  return {
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** One job kind per channel. */
const deliveries = (deliverers: Deliverer[]) =>
  Object.fromEntries(
    deliverers.map((deliverer): [DeliveryJob, Task] => [
      channels[deliverer.channel].job,
      async (payload, { job }) => {
        // Jobs queued by earlier versions contain one email each.
        const { mailIds, mailId } = payload as { mailIds?: number[]; mailId?: number }
        const ids = mailIds ?? [mailId!]
        await deliver(deliverer, ids, { jobId: job.id, isLastAttempt: job.attempts >= job.max_attempts })
      },
    ]),
  ) as Record<DeliveryJob, Task>

function tasks(service: Service, deliverers: Deliverer[], log: Log): TaskList {
  const tasks: Record<JobKind, Task> = {
    ...deliveries(deliverers),
    tidy: async () => {
      await tidy(service)
      await noticeStaleCalendars(service)
    },
    remind: () => remind(service),
    'extend-hours': () => extendHours(service),
    import: payload => workOnImport(service, payload as { providerId: number; id: number }),
    cancel: payload => finishCancellation(service, (payload as { appointmentId: number }).appointmentId),
    'prepare-reports': () => prepareReports(service),
    purge: async () => {
      const { mails, customers, answers } = await purge(service, { dryRun: false })
      if (mails + customers + answers > 0)
        log.info?.({ mails, customers, answers }, 'deleted data past its retention period')
    },
  }
  return inSpans(tasks)
}

const inSpans = (tasks: TaskList): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]): [string, Task] => [
      name,
      (payload, helpers) => traced(`job ${name}`, null, async () => task!(payload, helpers)),
    ]),
  )

/**
 * When the database becomes unavailable, the queue library rejects promises without a handler (for example of
 * jobs it cannot return), which would end the whole process. Those jobs are released like those of a crashed
 * worker. Unhandled rejections about a lost database are logged; any other ends the process.
 */
function catchQueueRejections({ outages }: Service, log: Log) {
  const listener = (error: unknown) => {
    const isOfQueue = error instanceof Error && /graphile-worker/.test(error.stack ?? '')
    if (!isOfQueue && !isConnectionLoss(error)) throw error
    logJobTrouble(outages, log, error)
  }
  process.on('unhandledRejection', listener)
  // Some rejections arrive after everything else has stopped: the last at the end of a connection attempt.
  return () => setTimeout(() => process.off('unhandledRejection', listener), 10_000).unref()
}

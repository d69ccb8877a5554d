import type { WorkerEvents } from 'graphile-worker'
import type { Health } from '../lib/watch/health.ts'

// The queue's library can end up with no worker left and a promise that never settles. So what counts is what it does: it
// asks the database for jobs every two seconds, unless it runs some, and its clock schedules something every minute.

const limits = { fetchMs: 8_000, cronMs: 150_000 }
const lookEveryMs = 1_000

/** Settles `stoodStill` when a runner does nothing any more, whatever ended it. */
export function watchRunner(events: WorkerEvents, health: Health, { fetchMs, cronMs } = limits) {
  let fetchedAt = Date.now()
  let cronAt = Date.now()
  let running = 0
  let reason: string | null = null
  let settle = () => {}
  const stoodStill = new Promise<void>(resolve => (settle = resolve))

  function stand(still: string) {
    reason ??= still
    settle()
  }
  function seen() {
    fetchedAt = Date.now()
    health.jobsSeenAt = fetchedAt
  }
  // A process that should run jobs counts from its start on.
  health.jobsSeenAt ??= Date.now()
  events.on('localQueue:getJobs:complete', seen)
  events.on('job:start', () => {
    running++
    seen()
  })
  events.on('job:complete', () => {
    running--
    seen()
  })
  events.on('cron:scheduled', () => {
    cronAt = Date.now()
  })
  events.on('worker:fatalError', ({ error }) => stand(`a worker of the job queue ended: ${textOf(error)}`))
  events.on('pool:fatalError', ({ error }) => stand(`the workers of the job queue ended: ${textOf(error)}`))

  const timer = setInterval(() => {
    const now = Date.now()
    // A job that runs is a sign of life; mail servers that say nothing have a limit of their own.
    if (running > 0) health.jobsSeenAt = now
    else if (now - fetchedAt > fetchMs) stand('the job queue was not asked for jobs any more')
    if (now - cronAt > cronMs) stand('the job queue scheduled nothing any more')
  }, lookEveryMs)
  return { stoodStill, reason: () => reason, stop: () => clearInterval(timer) }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

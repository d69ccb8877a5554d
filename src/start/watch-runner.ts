import type { WorkerEvents } from 'graphile-worker'
import type { Health } from '../lib/watch/health.ts'

// The queue library can end up without workers and with a promise that never settles. So its activity is
// watched instead: it polls for jobs every two seconds unless it runs some, and its clock schedules something
// every minute.

const [fetchMs, cronMs] = [8_000, 150_000]
const lookEveryMs = 1_000

/** Settles `stalled` when a runner has stalled, whatever the reason. */
export function watchRunner(events: WorkerEvents, health: Health) {
  let fetchedAt = performance.now()
  let cronAt = performance.now()
  let running = 0
  let reason: string | null = null
  let settle = () => {}
  const stalled = new Promise<void>(resolve => (settle = resolve))

  function stand(still: string) {
    reason ??= still
    settle()
  }
  function seen() {
    fetchedAt = performance.now()
    health.jobsSeenAt = fetchedAt
  }
  // A process that should run jobs counts from its start.
  health.jobsSeenAt ??= performance.now()
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
    cronAt = performance.now()
  })
  events.on('worker:fatalError', ({ error }) => stand(`a job queue worker ended: ${textOf(error)}`))
  events.on('pool:fatalError', ({ error }) => stand(`the job queue workers ended: ${textOf(error)}`))

  const timer = setInterval(() => {
    const now = performance.now()
    // A running job counts as activity; silent mail servers have their own time limit.
    if (running > 0) health.jobsSeenAt = now
    else if (now - fetchedAt > fetchMs) stand('the job queue stopped polling for jobs')
    if (now - cronAt > cronMs) stand('the job queue stopped scheduling')
  }, lookEveryMs)
  return { stalled, reason: () => reason, stop: () => clearInterval(timer) }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

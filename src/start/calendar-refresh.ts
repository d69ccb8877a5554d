import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { importCalendar } from '../actions/scheduling/import-calendar.ts'
import { logOutage } from '../db/base/log-outage.ts'
import { type DueSource, endLease, takeDueSources } from '../db/scheduling/calendar-checks.ts'
import type { Service } from '../service.ts'

type Log = { warn(details: object, message: string): void }

// Not jobs of the queue: four workers run all jobs, and four slow calendar servers would stop every email. Each source is leased
// like a webhook instead.

const maxConcurrent = 16
const maxPerProvider = 4
/** Longer than any look: a request, redirects included, and reading take less than a minute. */
const leaseSeconds = 120
const idleMs = 1_000
const awayMs = 3_000
const stopWaitMs = 3_000

/** Reads external calendars until stopped. Any number of instances may run this. */
export function startCalendarRefresh(service: Service, log: Log) {
  const stopping = new AbortController()
  const working = new Map<number, { providerId: number; worker: string; done: Promise<void> }>()

  function start(source: DueSource, worker: string) {
    const done = importCalendar(service, source, worker)
      .catch(error => {
        if (logOutage(service.outages, log, error) === null)
          log.warn(
            { calendar: source.uuid, err: error as Error },
            'an external calendar could not be imported',
          )
      })
      .finally(() => working.delete(source.id))
    working.set(source.id, { providerId: source.providerId, worker, done })
  }

  async function look() {
    const limit = maxConcurrent - working.size
    if (limit <= 0) return idleMs
    const counts = Map.groupBy(working.values(), one => one.providerId)
    const busyProviders = [...counts].filter(([, all]) => all.length >= maxPerProvider).map(([id]) => id)
    const worker = randomUUID()
    const taking = { limit, ofOneProvider: maxPerProvider, busyProviders, seconds: leaseSeconds, worker }
    const taken = await takeDueSources(service.db, taking)
    for (const source of taken) start(source, worker)
    return taken.length > 0 ? 50 : idleMs
  }

  async function run() {
    while (!stopping.signal.aborted)
      await pause(await look().catch(() => awayMs /* the database */), stopping.signal)
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      const done = Promise.all([...working.values()].map(one => one.done))
      await Promise.race([done, sleep(stopWaitMs, undefined, { ref: false })])
      // What is left is read by the next instance at once.
      const left = new Set([...working.values()].map(one => one.worker))
      await Promise.all([...left].map(one => endLease(service.db, one))).catch(() => {})
    },
  }
}

/** Ends early when the instance stops. */
const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})

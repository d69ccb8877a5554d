import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { logOutage } from '../db/base/postgres-errors.ts'
import type { Taking } from '../db/scheduling/calendar-checks.ts'
import type { Service } from '../service.ts'

export type WarningLog = { warn(details: object, message: string): void }

type Leased = { id: number; uuid: string; providerId: number }

type Work<T extends Leased> = {
  /** Leases what is due. */
  take(taking: Taking): Promise<T[]>
  run(leased: T, worker: string): Promise<void>
  /** Extends the leases of these workers. */
  renew(workers: string[], seconds: number): Promise<void>
  /** Ends the leases of these workers: others may go on at once. */
  end(workers: string[]): Promise<void>
  failure: string
}

// Not jobs of the queue: four workers run all jobs, and four slow calendar servers would stop every email. Each calendar is leased
// like a webhook instead.

const maxConcurrent = 16
const maxPerProvider = 4
const leaseSeconds = 120
const renewMs = 30_000
const idleMs = 1_000
const awayMs = 3_000
const stopWaitMs = 3_000

/** Waits for calendar servers until stopped. Any number of instances may run this. */
export function startLeasedWork<T extends Leased>(service: Service, log: WarningLog, work: Work<T>) {
  const stopping = new AbortController()
  const working = new Map<number, { providerId: number; worker: string; done: Promise<void> }>()
  let renewedAt = performance.now()

  function start(leased: T, worker: string) {
    const done = work
      .run(leased, worker)
      .catch(error => {
        if (logOutage(service.outages, log, error) === null)
          log.warn({ calendar: leased.uuid, err: error as Error }, work.failure)
      })
      .finally(() => working.delete(leased.id))
    working.set(leased.id, { providerId: leased.providerId, worker, done })
  }

  const workers = () => [...new Set([...working.values()].map(one => one.worker))]

  /** A calendar may wait longer for a thread that reads it than its lease lasts. */
  async function renew() {
    if (performance.now() < renewedAt + renewMs) return
    renewedAt = performance.now()
    if (working.size > 0) await work.renew(workers(), leaseSeconds)
  }

  async function look() {
    await renew()
    const limit = maxConcurrent - working.size
    if (limit <= 0) return idleMs
    const counts = Map.groupBy(working.values(), one => one.providerId)
    const busyProviders = [...counts].filter(([_key, all]) => all.length >= maxPerProvider).map(([id]) => id)
    const worker = randomUUID()
    const taking = { limit, ofOneProvider: maxPerProvider, busyProviders, seconds: leaseSeconds, worker }
    const taken = await work.take(taking)
    for (const one of taken) start(one, worker)
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
      if (working.size > 0) await work.end(workers()).catch(() => {})
    },
  }
}

/** Ends early when the instance stops. */
const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {})

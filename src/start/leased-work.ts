import { randomUUID } from 'node:crypto'
import type { Taking } from '../db/scheduling/calendar-checks.ts'
import type { Service } from '../service.ts'
import { repeat, settled, type WarningLog, warnUnlessOutage } from './repeat.ts'

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
      .catch(error => warnUnlessOutage(service, log, error, work.failure, { calendar: leased.uuid }))
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

  const running = repeat(stopping.signal, awayMs, look)
  return {
    async stop() {
      stopping.abort()
      await running
      await settled(
        [...working.values()].map(one => one.done),
        stopWaitMs,
      )
      if (working.size > 0) await work.end(workers()).catch(() => {})
    },
  }
}

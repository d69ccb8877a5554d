import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { tooManyRequests } from '../errors.ts'
import { changeCounters } from './base/change-counters.ts'
import type { Queryable } from './base/pool.ts'
import { cursorsWithEvents, type LogPosition } from './events.ts'

/** Holds are not events. To follow them, a client watches the change counter of the Provider. */
export type EventWatch = { providerId: number; pulse: string }

type Waiter = { asker: string; crmId: number; after: LogPosition; watch: EventWatch | null; wake: () => void }

/** Short enough to feel instant, long enough to cost little. */
const everyMs = 200

/** Limits on waiting requests: per key or login, and in total. */
const maxPerClient = 100
const maxWaiters = 1_000
const retrySeconds = 5

/**
 * Each woken request is answered and asks again, so they are woken one after the other, the next one once this
 * process has been mostly idle for a moment.
 */
const wakePauseMs = 5
const mostlyIdle = 0.3
const longestRestMs = 500

/** How long requests with the same question get the same answer. */
const sharedMs = 250

/**
 * Wakes requests that wait for events. All waiting requests of an instance share one poll of the log, a few
 * times a second and only while there are any. LISTEN/NOTIFY is not used because it serialises commits.
 */
export class EventListener {
  db: Queryable
  waiting = new Set<Waiter>()
  reads = new Map<string, Promise<unknown>>()
  timer: NodeJS.Timeout | null = null
  isStopped = false

  constructor(db: Queryable) {
    this.db = db
  }

  /**
   * Waits until there are events after this position, the change counter differs, the time is up, or the
   * request is aborted. `asker`: the key or login whose limit applies.
   */
  async wait(
    client: string,
    crmId: number,
    after: LogPosition,
    ms: number,
    signal: AbortSignal,
    watch: EventWatch | null = null,
  ): Promise<void> {
    if (this.isStopped || signal.aborted) return
    if (this.countOf(client) >= maxPerClient) throw tooManyRequests(retrySeconds)
    if (this.waiting.size >= maxWaiters) this.makeRoom(crmId)
    await new Promise<void>(resolve => {
      const wake = () => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', wake)
        this.waiting.delete(waiter)
        resolve()
      }
      const timeout = setTimeout(wake, ms)
      signal.addEventListener('abort', wake, { once: true })
      const waiter = { asker: client, crmId, after, watch, wake }
      this.waiting.add(waiter)
      this.timer ??= setTimeout(() => this.look(), everyMs)
    })
  }

  /** Reads once for all requests that ask the same within a moment. */
  share<T>(question: string, read: () => Promise<T>): Promise<T> {
    const known = this.reads.get(question) as Promise<T> | undefined
    if (known) return known
    const reading = read()
    this.reads.set(question, reading)
    const forget = () => {
      if (this.reads.get(question) === reading) this.reads.delete(question)
    }
    reading.then(() => setTimeout(forget, sharedMs).unref(), forget)
    return reading
  }

  countOf(client: string): number {
    let count = 0
    for (const one of this.waiting) if (one.asker === client) count++
    return count
  }

  /** The CRM with the most waiting requests gives up its oldest, which gets an answer without events. */
  makeRoom(crmId: number) {
    const byCrm = Map.groupBy(this.waiting, one => one.crmId)
    const own = byCrm.get(crmId)?.length ?? 0
    const [largest] = [...byCrm.values()].sort((a, b) => b.length - a.length)
    if (!largest || largest.length <= own + 1) throw tooManyRequests(retrySeconds)
    largest[0]!.wake()
  }

  async look() {
    const waiting = [...this.waiting]
    try {
      if (waiting.length > 0) {
        const places = [...new Map(waiting.map(one => [placeOf(one), one])).values()]
        const watched = waiting.flatMap(one => (one.watch ? [one.watch.providerId] : []))
        const [withEvents, counters] = await Promise.all([
          cursorsWithEvents(this.db, places),
          changeCounters(this.db, watched),
        ])
        const reached = new Set(places.filter((_, index) => withEvents.has(index)).map(placeOf))
        const woken = waiting.filter(
          one =>
            reached.has(placeOf(one)) ||
            (one.watch && counters.get(one.watch.providerId) !== one.watch.pulse),
        )
        // What was read before these events does not have them.
        if (woken.length > 0) this.reads.clear()
        for (const [index, { wake }] of alternate(woken).entries()) {
          if (index > 0) await leaveRoom()
          wake()
        }
      }
    } catch {
      // The database is unavailable for a moment; keep waiting.
    }
    this.timer = this.waiting.size > 0 && !this.isStopped ? setTimeout(() => this.look(), everyMs) : null
  }

  /** Ends all waits, because the instance is stopping. */
  stop() {
    this.isStopped = true
    if (this.timer) clearTimeout(this.timer)
    for (const one of this.waiting) one.wake()
  }
}

const placeOf = ({ crmId, after: { era, xid, id } }: Waiter) => `${crmId} ${era} ${xid} ${id}`

/** One of each CRM in turn: a CRM with many waiting requests must not delay the others. */
function alternate(waiters: Waiter[]): Waiter[] {
  const lines = [...Map.groupBy(waiters, one => one.crmId).values()]
  const longest = Math.max(0, ...lines.map(line => line.length))
  return Array.from({ length: longest }, (_, place) => lines.flatMap(line => line[place] ?? [])).flat()
}

async function leaveRoom() {
  for (let waitedMs = 0; waitedMs < longestRestMs; waitedMs += wakePauseMs) {
    const before = performance.eventLoopUtilization()
    await pause(wakePauseMs)
    if (performance.eventLoopUtilization(before).utilization < mostlyIdle) return
  }
}

import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { tooManyRequests } from '../errors.ts'
import { changeCounters } from './base/ledger.ts'
import type { Queryable } from './base/pool.ts'
import { type LogFilter, type LogLine, type LogPosition, readNews } from './events.ts'

/** Holds are not events. To follow them, a client watches the change counter of the Provider. */
export type EventWatch = { providerId: number; pulse: string }

/** What a request waits for. `asker`: the key or login whose limit applies. */
type Interest = { asker: string; crmId: number; filter: LogFilter; watch: EventWatch | null }

type Waiter = Interest & { wake: () => void; woken: Promise<void> }

/** A part of this process that follows the logs of all CRMs. */
export type LogFollower = {
  /** The Providers whose change counters it wants. */
  watched: () => number[]
  see: (lines: LogLine[], counters: Map<number, string>) => void
  /** The instance is stopping. */
  stop?: () => void
}

/** Short enough to feel instant, long enough to cost little. */
const everyMs = 200
const maxLines = 5000
const restFactor = 20

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
 * Follows the logs of all CRMs with one read a few times a second, only while there are waiting requests or followers, and wakes the
 * requests that the new events concern. LISTEN/NOTIFY is not used because it serialises commits.
 */
export class EventListener {
  db: Queryable
  waiting = new Set<Waiter>()
  followers = new Set<LogFollower>()
  reads = new Map<string, Promise<unknown>>()
  timer: NodeJS.Timeout | null = null
  isStopped = false
  /** How far the log was read; null while it is not followed. */
  place: LogPosition | null = null
  /** When change counters were last read. */
  snapshot = ''
  countAt = 0

  constructor(db: Queryable) {
    this.db = db
  }

  /** Waits from now on. Enter before reading: what happens after the read then wakes the request. */
  async enter(interest: Interest): Promise<Waiter> {
    if (this.countOf(interest.asker) >= maxPerClient) throw tooManyRequests(retrySeconds)
    if (this.waiting.size >= maxWaiters) this.makeRoom(interest.crmId)
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiter: Waiter = {
      ...interest,
      woken: promise,
      wake: () => {
        this.waiting.delete(waiter)
        resolve()
      },
    }
    this.waiting.add(waiter)
    try {
      await this.begin()
    } catch (error) {
      waiter.wake()
      throw error
    }
    return waiter
  }

  /** Until there is something of interest, the time is up, or the request is aborted. */
  async wait(waiter: Waiter, ms: number, signal: AbortSignal): Promise<void> {
    const timeout = setTimeout(waiter.wake, ms)
    signal.addEventListener('abort', waiter.wake, { once: true })
    if (this.isStopped || signal.aborted) waiter.wake()
    await waiter.woken
    clearTimeout(timeout)
    signal.removeEventListener('abort', waiter.wake)
  }

  follow(follower: LogFollower) {
    this.followers.add(follower)
    // If the database is unavailable, the next look begins.
    void this.begin().catch(() => {})
  }

  async begin() {
    if (this.isStopped) return
    this.timer ??= setTimeout(() => this.look(), everyMs)
    if (this.place !== null) return
    const { reached, snapshot } = await readNews(this.db, null, maxLines)
    this.place ??= reached
    this.snapshot = snapshot
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
    let isBehind = false
    try {
      await this.begin()
      isBehind = (await this.readOn()) === maxLines
    } catch {
      // The database is unavailable for a moment; keep waiting.
    }
    const isFollowed = this.waiting.size + this.followers.size > 0 && !this.isStopped
    if (!isFollowed) this.place = null
    this.timer = isFollowed ? setTimeout(() => this.look(), isBehind ? 0 : everyMs) : null
  }

  /** Reads new events, and change counters if anything was written at all. */
  async readOn(): Promise<number> {
    const { lines, reached, snapshot } = await readNews(this.db, this.place, maxLines)
    this.place = reached
    const counters = snapshot === this.snapshot ? new Map<number, string>() : await this.count(snapshot)
    for (const one of this.followers) one.see(lines, counters)
    const byCrm = Map.groupBy(lines, line => line.crmId)
    const woken = [...this.waiting].filter(
      one => byCrm.get(one.crmId)?.some(line => isOfInterest(line, one.filter)) || isCounted(one, counters),
    )
    // What was read before these events does not have them.
    if (woken.length > 0) this.reads.clear()
    for (const [index, { wake }] of alternate(woken).entries()) {
      if (index > 0) await leaveRoom()
      wake()
    }
    return lines.length
  }

  /** The change counters of watched Providers. Those of thousands are read less often. */
  async count(snapshot: string): Promise<Map<number, string>> {
    const begun = performance.now()
    if (begun < this.countAt) return new Map()
    const counters = await changeCounters(this.db, this.watched())
    this.snapshot = snapshot
    this.countAt = performance.now() + restFactor * (performance.now() - begun)
    return counters
  }

  watched(): number[] {
    const ofWaiters = [...this.waiting].flatMap(one => (one.watch ? [one.watch.providerId] : []))
    return [...new Set([...ofWaiters, ...[...this.followers].flatMap(one => one.watched())])]
  }

  /** Ends all waits, because the instance is stopping. */
  stop() {
    this.isStopped = true
    if (this.timer) clearTimeout(this.timer)
    for (const one of this.waiting) one.wake()
    for (const one of this.followers) one.stop?.()
  }
}

const isOfInterest = ({ kind, providerId }: LogLine, { kinds, providerIds }: LogFilter) =>
  (kinds === null || kinds.includes(kind)) &&
  (providerIds === null || (providerId !== null && providerIds.includes(providerId)))

const isCounted = ({ watch }: Waiter, counters: Map<number, string>) =>
  watch !== null && counters.has(watch.providerId) && counters.get(watch.providerId) !== watch.pulse

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

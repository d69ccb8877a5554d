import type { Queryable } from './base/pool.ts'
import { pulsesOf } from './base/pulse.ts'
import { type Place, placesWithNews } from './events.ts'

/** Holds are no events. Whoever wants to see them come and go watches the pulse of the Provider. */
export type Watch = { providerId: number; pulse: string }

type Waiter = { crmId: number; after: Place; watch: Watch | null; wake: () => void }

/** Short enough that nobody notices, long enough to cost nothing. */
const everyMs = 200

/**
 * Wakes those who wait for something to happen. All waiters of an instance share one look at the log, a few times a second
 * and only while somebody waits. Writers ring nothing: what PostgreSQL has for that makes commits queue.
 */
export class EventBell {
  db: Queryable
  waiting = new Set<Waiter>()
  timer: NodeJS.Timeout | null = null
  isStopped = false

  constructor(db: Queryable) {
    this.db = db
  }

  /** Until something is behind this place, the pulse is another one, time is up, or nobody wants it any more. */
  wait(
    crmId: number,
    after: Place,
    ms: number,
    signal: AbortSignal,
    watch: Watch | null = null,
  ): Promise<void> {
    if (this.isStopped || signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const wake = () => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', wake)
        this.waiting.delete(waiter)
        resolve()
      }
      const timeout = setTimeout(wake, ms)
      signal.addEventListener('abort', wake, { once: true })
      const waiter = { crmId, after, watch, wake }
      this.waiting.add(waiter)
      this.timer ??= setTimeout(() => this.look(), everyMs)
    })
  }

  async look() {
    const waiting = [...this.waiting]
    try {
      if (waiting.length > 0) {
        const watched = waiting.flatMap(one => (one.watch ? [one.watch.providerId] : []))
        const [news, pulses] = await Promise.all([
          placesWithNews(this.db, waiting),
          pulsesOf(this.db, watched),
        ])
        for (const [index, { watch, wake }] of waiting.entries())
          if (news.has(index) || (watch && pulses.get(watch.providerId) !== watch.pulse)) wake()
      }
    } catch {
      // The database is away for a moment; they wait on.
    }
    this.timer = this.waiting.size > 0 && !this.isStopped ? setTimeout(() => this.look(), everyMs) : null
  }

  /** Nobody waits any longer: the instance is to end. */
  stop() {
    this.isStopped = true
    if (this.timer) clearTimeout(this.timer)
    for (const one of this.waiting) one.wake()
  }
}

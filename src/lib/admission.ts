// 64 requests at work keep the database and the CPU busy; more would only wait longer. A short burst is
// served. Only when a queue persists are further requests refused, early and cheaply, so that admitted
// requests stay fast.

const minRunning = 64
const maxRunning = 2_000
const maxWaitMs = 1_000

/**
 * Batches come and go, so a queue may look short for a moment. It counts as over only after it was short for
 * this long, or after no request arrived for a while.
 */
const calmMs = 250
const quiet = 4
const goneMs = 25

export class Admission {
  inside = 0
  lastFullAt = Number.NEGATIVE_INFINITY
  lastBusyAt = Number.NEGATIVE_INFINITY
  calmAt = 0

  /** True if the request should be refused. `asleep` is the number of admitted requests that only wait. */
  refuses(asleep = 0, now = performance.now()): boolean {
    const working = this.inside - asleep
    if (working >= minRunning) {
      this.lastFullAt = now
      if (working >= maxRunning || now - this.calmAt > maxWaitMs) return true
    } else if (now - this.lastFullAt > calmMs || (working <= quiet && now - this.lastBusyAt > goneMs))
      this.calmAt = now
    return false
  }

  /** Returns false if refused. An admitted request must leave exactly once. */
  enter(asleep = 0, now = performance.now()): boolean {
    if (this.refuses(asleep, now)) return false
    this.inside++
    return true
  }

  leave(now = performance.now()) {
    if (this.inside > quiet) this.lastBusyAt = now
    this.inside--
  }
}

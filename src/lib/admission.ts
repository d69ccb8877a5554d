// So many at work keep database and processor busy; more only wait longer. A crowd that comes at once is served all the same:
// it goes away. Only where a queue has stood for a while is more refused than the service can carry, early and at little
// cost, so that those who are let in are answered soon.

const enough = 64
const most = 2_000
const patienceMs = 1_000

/**
 * Groups come and go, so that a queue is short for a moment, and even gone when one has left and the next is on its way. It
 * is over when it was short for so long, or when nobody came for a while.
 */
const calmMs = 250
const nobody = 4
const goneMs = 25

export class Admission {
  inside = 0
  lastFullAt = Number.NEGATIVE_INFINITY
  lastBusyAt = Number.NEGATIVE_INFINITY
  calmAt = 0

  /** True: come back later. `asleep`: so many of those inside wait without doing anything. */
  refuses(asleep = 0, now = performance.now()): boolean {
    const working = this.inside - asleep
    if (working >= enough) {
      this.lastFullAt = now
      if (working >= most || now - this.calmAt > patienceMs) return true
    } else if (now - this.lastFullAt > calmMs || (working <= nobody && now - this.lastBusyAt > goneMs))
      this.calmAt = now
    return false
  }

  /** False: refused. Who is let in leaves once. */
  enter(asleep = 0, now = performance.now()): boolean {
    if (this.refuses(asleep, now)) return false
    this.inside++
    return true
  }

  leave(now = performance.now()) {
    if (this.inside > nobody) this.lastBusyAt = now
    this.inside--
  }
}

// A booking is three events, and with ten webhooks thirty deliveries: more work than the booking itself. So
// while this process records many events, deliveries are paced and most of the time is left for bookings.
// Waiting events are delivered later; none are lost.

/** Events per second above which deliveries are paced. */
const many = 100

/** The interval between paced turns. One turn delivers a few events to one webhook. */
const paceMs = 40

const lookMs = 250

/** Returns how long to wait before the next turn. `total`: all events that this process has recorded. */
export function deliveryPacer(total: () => number, clock = () => performance.now()) {
  let seen = { at: clock(), count: total(), isBusy: false }
  let free = 0

  function isBusy(now: number): boolean {
    const ms = now - seen.at
    if (ms >= lookMs) {
      const count = total()
      seen = { at: now, count, isBusy: count - seen.count > (many * ms) / 1000 }
    }
    return seen.isBusy
  }

  return () => {
    const now = clock()
    if (!isBusy(now)) return 0
    const turn = Math.max(now, free)
    free = turn + paceMs
    return turn - now
  }
}

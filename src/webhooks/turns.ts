import type { Counts } from '../lib/counts.ts'

// A booking is three events, and ten webhooks make thirty deliveries of it: more work than the booking itself. Where bookings
// are made by the same process, they come first: as long as many events are made here, deliveries take turns, at a pace that
// leaves most of the time to whoever books. What waits is delivered when it is calmer; nothing is lost.

/** Many: so many events a second. */
const many = 100

/** From one turn to the next meanwhile. One turn delivers a few events to one webhook. */
const paceMs = 40

const lookMs = 250

/** For whoever wants to deliver: how long to wait before the next turn. */
export function turnsOf(events: Counts, clock = () => performance.now()) {
  const total = () => [...events.byName.values()].reduce((sum, count) => sum + count, 0)
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

// Bookings have priority: deliveries of the same process are paced while many events are recorded.

import { expect, it } from 'vitest'
import { deliveryPacer } from '../../src/webhooks/delivery-pacer.ts'
import { pauseAfter, probePause } from '../../src/webhooks/waiting-events.ts'

function watched() {
  let events = 0
  let now = 0
  const untilTurn = deliveryPacer(
    () => events,
    () => now,
  )
  return {
    untilTurn,
    pass: (ms: number, made: number) => {
      now += ms
      events += made
    },
  }
}

it('deliveries are not paced while there are few events', () => {
  const { untilTurn, pass } = watched()
  pass(1000, 90)
  expect([untilTurn(), untilTurn(), untilTurn()]).toEqual([0, 0, 0])
})

it('deliveries are evenly paced while there are many events, and immediate afterwards', () => {
  const { untilTurn, pass } = watched()
  pass(250, 200)
  expect([untilTurn(), untilTurn(), untilTurn()]).toEqual([0, 40, 80])
  pass(150, 20)
  expect(untilTurn()).toBe(0)
  pass(1000, 5)
  expect([untilTurn(), untilTurn()]).toEqual([0, 0])
})

it('a receiver that is back is noticed within a minute, however long it was down', () => {
  for (const failures of [0, 1, 4, 5, 100, 10_000]) expect(probePause(failures)).toBeLessThan(60)
  expect(probePause(0)).toBeLessThan(probePause(3))
})

it('attempts grow apart, with jitter, so that receivers are not called at the same moment', () => {
  for (const pause of [probePause, pauseAfter]) {
    const seconds = Array.from({ length: 20 }, () => pause(3))
    expect(new Set(seconds).size).toBeGreaterThan(1)
    expect(Math.max(...seconds)).toBeLessThanOrEqual(Math.min(...seconds) * 1.1)
  }
  expect(pauseAfter(1)).toBeLessThan(10)
  expect(pauseAfter(2)).toBeGreaterThan(60)
  expect(pauseAfter(100)).toBeLessThan(2 * 86_400)
})

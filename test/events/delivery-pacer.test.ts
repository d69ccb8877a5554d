// Bookings have priority: deliveries of the same process are paced while many events are recorded.

import { expect, it } from 'vitest'
import { deliveryPacer } from '../../src/webhooks/delivery-pacer.ts'

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

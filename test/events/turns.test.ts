// Bookings come first: deliveries of the same process take turns while many events are made.

import { expect, it } from 'vitest'
import { Counts } from '../../src/lib/counts.ts'
import { turnsOf } from '../../src/webhooks/turns.ts'

function watched() {
  const events = new Counts()
  let now = 0
  const untilTurn = turnsOf(events, () => now)
  return {
    untilTurn,
    pass: (ms: number, made: number) => {
      now += ms
      events.add('participation.booked', made)
    },
  }
}

it('nobody waits while little happens', () => {
  const { untilTurn, pass } = watched()
  pass(1000, 90)
  expect([untilTurn(), untilTurn(), untilTurn()]).toEqual([0, 0, 0])
})

it('while many events are made, one goes after the other at a steady pace, and at once when it is calm again', () => {
  const { untilTurn, pass } = watched()
  pass(250, 200)
  expect([untilTurn(), untilTurn(), untilTurn()]).toEqual([0, 40, 80])
  pass(150, 20)
  expect(untilTurn()).toBe(0)
  pass(1000, 5)
  expect([untilTurn(), untilTurn()]).toEqual([0, 0])
})

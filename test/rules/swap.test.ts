// Where two Appointments that trade places come to lie.

import { expect, it } from 'vitest'
import { swapped } from '../../src/rules/time/swap.ts'

const span = (start: number, end: number) => ({ start, end })

it.each([
  ['of one length take each other’s place', span(9, 10), span(14, 15), true, span(14, 15), span(9, 10)],
  ['of two lengths keep theirs', span(9, 11), span(14, 15), true, span(14, 16), span(9, 10)],
  ['side by side change seats', span(9, 10), span(10, 13), true, span(12, 13), span(9, 12)],
  ['side by side, the longer first', span(9, 12), span(12, 13), true, span(12, 15), span(9, 10)],
  ['named the other way round', span(10, 13), span(9, 10), true, span(9, 12), span(12, 13)],
  ['at the same time in two rooms', span(9, 10), span(9, 11), false, span(9, 10), span(9, 11)],
  ['side by side in two rooms', span(9, 10), span(10, 13), false, span(10, 11), span(9, 12)],
])('two %s', (_, one, other, isSamePlace, ...places) => {
  expect(swapped(one, other, isSamePlace)).toEqual(places)
})

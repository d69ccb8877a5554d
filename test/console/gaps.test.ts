import { expect, it } from 'vitest'
import { gapsIn } from '../../web/console/src/pages/calendar/gaps.ts'

const span = (start: number, end: number) => ({ start, end })

it('finds what is left of open time', () => {
  expect(gapsIn([span(8, 12), span(13, 17)], [span(9, 10), span(12, 14)], 1)).toEqual([
    span(8, 9),
    span(10, 12),
    span(14, 17),
  ])
})

it('joins slots that touch, in whichever order they come', () => {
  expect(gapsIn([span(10, 12), span(8, 10)], [], 1)).toEqual([span(8, 12)])
})

it('leaves out what is too short for any service', () => {
  expect(gapsIn([span(8, 12)], [span(9, 12)], 2)).toEqual([])
})

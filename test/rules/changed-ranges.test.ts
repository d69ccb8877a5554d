import { expect, it } from 'vitest'
import { changedRangesSince } from '../../src/rules/offers/changed-ranges.ts'

const minutes = (from: number, to: number) => ({ from: from * 60_000, to: to * 60_000 })
const spans = (...args: Parameters<typeof changedRangesSince>) =>
  changedRangesSince(...args)?.map(({ from, to }) => ({ from, to })) ?? null

it('the changed ranges since a revision are known if every change since then recorded one', () => {
  const touched = '7:40-50;6:20-30;5:0-10;'
  expect(spans(touched, 6, 7)).toEqual([minutes(40, 50)])
  expect(spans(touched, 5, 7)).toEqual([minutes(40, 50), minutes(20, 30)])
  // A change without a range comes after them, or between them.
  expect(spans(touched, 6, 8)).toBeNull()
  expect(spans('8:40-50;6:20-30;5:0-10;', 6, 8)).toBeNull()
})

it('the oldest one may have lost a part, and is not counted', () => {
  expect(spans('7:40-50;6:20-30;6:60-', 5, 7)).toBeNull()
  expect(spans('7:40-50;6:20-30;5', 5, 7)).toBeNull()
  expect(spans('7:40-50;6:20-30;5:1-2;', 5, 7)).toEqual([minutes(40, 50), minutes(20, 30)])
  expect(spans('', 5, 7)).toBeNull()
})

it('zeros before a revision, which keep it in step, say nothing', () => {
  expect(spans('00007:40-50;0006:20-30;5:0-10;', 5, 7)).toEqual([minutes(40, 50), minutes(20, 30)])
})

it('one change may touch several times, also before 1970', () => {
  expect(spans('6:-20--10;6:5-6;0:0-0;', 5, 6)).toEqual([minutes(-20, -10), minutes(5, 6)])
})

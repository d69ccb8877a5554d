import { expect, test } from 'vitest'
import { rasterLines, slotCount } from '../../src/rules/offers/timeslots.ts'

const at = (text: string) => Date.parse(text)
const eight = at('2026-03-04T08:00:00Z')

test('08:00 to 18:00 with raster 30 has 20 slots', () => {
  const lines = rasterLines(eight, at('2026-03-04T18:00:00Z'), 30)
  expect(lines).toHaveLength(20)
  expect(lines[0]).toBe(eight)
  expect(lines[19]).toBe(at('2026-03-04T17:30:00Z'))
})

test('a rest shorter than the raster is no slot', () => {
  expect(rasterLines(eight, at('2026-03-04T09:59:00Z'), 60)).toEqual([eight])
  expect(slotCount(eight, at('2026-03-04T08:59:59Z'), 60)).toBe(0)
})

test('an empty or reversed window has no slots', () => {
  expect(rasterLines(eight, eight, 30)).toEqual([])
  expect(slotCount(eight, eight - 3_600_000, 30)).toBe(0)
})

test('the hours of a local day are counted as they pass: 23 in spring, 25 in autumn', () => {
  expect(slotCount(at('2026-03-29T00:00:00+01:00'), at('2026-03-30T00:00:00+02:00'), 60)).toBe(23)
  expect(slotCount(at('2026-10-25T00:00:00+02:00'), at('2026-10-26T00:00:00+01:00'), 60)).toBe(25)
})

test('lines continue over a clock change without a jump', () => {
  const lines = rasterLines(at('2026-03-29T01:00:00+01:00'), at('2026-03-29T04:00:00+02:00'), 60)
  expect(lines).toEqual([at('2026-03-29T01:00:00+01:00'), at('2026-03-29T03:00:00+02:00')])
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KnownTimes } from '../../src/rules/offers/known-times.ts'

const hour = 3_600_000
const day = 24 * hour
const span = (from: number, to: number) => ({ from: from * hour, to: to * hour })
const busy = (from: number, to: number, until: number | null = null) => ({ ...span(from, to), until })
const touched = (...changes: [revision: number, from: number, to: number][]) =>
  changes.map(([revision, from, to]) => `${revision}:${from * 60}-${to * 60};`).join('')

const aSpan = fc
  .tuple(fc.integer({ min: -100, max: 5000 }), fc.constantFrom(1, 1, 2, 30, 24 * 99, 24 * 101))
  .map(([from, length]) => span(from, from + length))

it('finds what looking at each of them finds, over midnight and over months', () => {
  fc.assert(
    fc.property(fc.array(aSpan), fc.array(aSpan, { minLength: 1 }), (spans, asked) => {
      const all = spans.map(one => ({ ...one, until: null }))
      const times = new KnownTimes(1, all)
      const order = (some: { from: number; to: number }[]) =>
        some.map(({ from, to }) => `${from} ${to}`).toSorted()
      for (const one of asked.filter(({ from, to }) => to - from <= 100 * day)) {
        const found = times.within(one, 0)!
        expect(order(found)).toEqual(order(all.filter(({ from, to }) => from < one.to && to > one.from)))
      }
    }),
  )
})

it('does not know what others have touched since, but all the rest', () => {
  const times = new KnownTimes(5, [busy(8, 9), busy(14, 15)])
  expect(times.bringTo(6, touched([6, 10, 11], [5, 0, 1]))).toBe(true)
  expect(times.within(span(9, 11), 0)).toBeNull()
  expect(times.within(span(9, 10), 0)).toEqual([])
  expect(times.within(span(14, 16), 0)).toEqual([busy(14, 15)])
})

it('can no longer be relied on where a change has not said what it touched, or numbers run backwards', () => {
  expect(new KnownTimes(5, []).bringTo(7, touched([7, 10, 11], [5, 0, 1]))).toBe(false)
  expect(new KnownTimes(5, []).bringTo(4, touched([4, 10, 11], [3, 0, 1]))).toBe(false)
  expect(new KnownTimes(5, []).bringTo(5, '')).toBe(true)
})

it('knows what we have changed ourselves, if that was the next change', () => {
  const times = new KnownTimes(5, [])
  times.advance(5, { added: [busy(8, 9, 10 * hour)], kept: [] })
  expect([times.revision, times.within(span(8, 9), 0)]).toEqual([6, [busy(8, 9, 10 * hour)]])
  // Somebody else was first, and what was noted since tells of both.
  times.advance(5, { added: [busy(12, 13)], kept: [] })
  expect([times.revision, times.within(span(12, 13), 0)]).toEqual([6, []])
})

it('does not know what became of a hold that has expired, unless it was booked in time', () => {
  const times = new KnownTimes(5, [busy(8, 9, 100), busy(8, 9, 100), busy(10, 11, 100)])
  expect(times.within(span(7, 10), 99)).toHaveLength(2)
  expect(times.within(span(7, 10), 100)).toBeNull()
  times.advance(5, { added: [], kept: [span(10, 11)] })
  expect(times.within(span(10, 12), 100)).toEqual([busy(10, 11)])
  // Booked, but never heard of: to be looked at.
  times.advance(6, { added: [], kept: [span(20, 21)] })
  expect([times.revision, times.within(span(20, 21), 0)]).toEqual([7, null])
})

it('takes over what was read again', () => {
  const times = new KnownTimes(5, [busy(8, 9), busy(23, 26), busy(40, 24 * 200)])
  times.bringTo(6, touched([6, 8, 9], [5, 0, 1]))
  times.replace(span(0, 24), [busy(10, 11), busy(23, 26)])
  expect(times.within(span(0, 30), 0)).toEqual([busy(10, 11), busy(23, 26)])
  times.replace(span(24, 72), [])
  expect(times.within(span(0, 100), 0)).toEqual([busy(10, 11)])
  expect(times.replace({ from: 0, to: Number.POSITIVE_INFINITY }, [])).toBe(false)
})

it('gives up where too much of it is unsure', () => {
  const times = new KnownTimes(0, [])
  const all = Array.from({ length: 60 }, (_, index) => index + 1)
  expect(all.every(one => times.bringTo(one, touched([one, one, one + 1], [one - 1, 0, 1])))).toBe(false)
})

it('keeps one of each, however often a part is read with what is beside it', () => {
  const times = new KnownTimes(5, [busy(8, 9), busy(30, 31)])
  const { size } = times
  for (const part of [span(7, 10), span(6, 10), span(0, 24)]) times.replace(part, [busy(8, 9), busy(30, 31)])
  expect([times.size, times.within(span(30, 31), 0)]).toEqual([size, [busy(30, 31)]])
})

it('a change that touched nothing makes nothing unsure, however many of them there are', () => {
  const times = new KnownTimes(0, [busy(8, 9)])
  const all = Array.from({ length: 60 }, (_, index) => index + 1)
  expect(all.every(one => times.bringTo(one, touched([one, 0, 0], [one - 1, 0, 0])))).toBe(true)
  expect(times.within(span(8, 9), 0)).toEqual([busy(8, 9)])
})

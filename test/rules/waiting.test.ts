import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { awakeAfter, offerEnd } from '../../src/rules/waiting/offer-time.ts'
import { asFreeSlot, clockOf, matches, minuteOf, type Wish } from '../../src/rules/waiting/wish.ts'
import { nextInLine } from '../support/next-in-line.ts'

const timeZone = 'Europe/Berlin'
const quiet = { from: 21 * 60, until: 8 * 60 }
const at = (text: string) => Date.parse(text)
const minute = 60_000

describe('an offer', () => {
  const offer = { minutes: 120, quiet, timeZone, latest: at('2030-02-01T00:00:00Z') }
  it('lasts its minutes by day', () => {
    expect(offerEnd({ ...offer, now: at('2030-01-07T10:00:00+01:00') })).toBe(at('2030-01-07T12:00:00+01:00'))
  })
  it('does not count the quiet hours', () => {
    expect(offerEnd({ ...offer, now: at('2030-01-07T20:00:00+01:00') })).toBe(at('2030-01-08T09:00:00+01:00'))
    expect(offerEnd({ ...offer, now: at('2030-01-07T02:00:00+01:00') })).toBe(at('2030-01-07T10:00:00+01:00'))
  })
  it('ends at the latest moment, and is not made when that is too soon', () => {
    const now = at('2030-01-07T10:00:00+01:00')
    expect(offerEnd({ ...offer, now, latest: now + 40 * minute })).toBe(now + 40 * minute)
    expect(offerEnd({ ...offer, now, latest: now + 14 * minute })).toBeNull()
    // Awake again only after the start.
    const night = at('2030-01-07T22:00:00+01:00')
    expect(offerEnd({ ...offer, now: night, latest: at('2030-01-08T08:10:00+01:00') })).toBeNull()
  })
  it('has no quiet hours where both ends are equal', () => {
    const now = at('2030-01-07T23:00:00+01:00')
    expect(offerEnd({ ...offer, now, quiet: { from: 0, until: 0 } })).toBe(now + 120 * minute)
  })
  it('counts the same minutes as a clock that ticks', () => {
    const days = fc.integer({ min: at('2030-01-01T00:00Z') / minute, max: at('2030-12-31T00:00Z') / minute })
    const clock = fc.integer({ min: 0, max: 1439 })
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 240 }), clock, clock, (start, minutes, from, until) => {
        const now = start * minute
        expect(awakeAfter(now, minutes, { from, until }, timeZone)).toBe(
          ticking(now, minutes, { from, until }),
        )
      }),
      { numRuns: 12 },
    )
  })
})

/** One minute after the other. */
function ticking(now: number, minutes: number, { from, until }: { from: number; until: number }) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  let time = now
  for (let left = minutes; left > 0; time += minute) {
    const [hour, part] = format.format(time).split(':').map(Number)
    const clock = hour! * 60 + part!
    const isQuiet =
      from < until ? clock >= from && clock < until : from !== until && (clock >= from || clock < until)
    if (!isQuiet) left--
  }
  return time
}

describe('a wish', () => {
  const wish: Wish = {
    productId: 1,
    resourceIds: [7],
    fromDate: '2030-01-07',
    toDate: '2030-01-11',
    weekdays: 0b0000001,
    fromMinute: 8 * 60,
    toMinute: 10 * 60,
  }
  const slot = (start: string, end: string) =>
    asFreeSlot({ productId: 1, resourceId: 7, start: at(start), end: at(end) }, timeZone)

  it('matches a time within its dates, days and hours', () => {
    expect(matches(wish, slot('2030-01-07T08:00:00+01:00', '2030-01-07T10:00:00+01:00'))).toBe(true)
    expect(matches(wish, slot('2030-01-07T07:30:00+01:00', '2030-01-07T08:30:00+01:00'))).toBe(false)
    expect(matches(wish, slot('2030-01-07T09:30:00+01:00', '2030-01-07T10:30:00+01:00'))).toBe(false)
    expect(matches(wish, slot('2030-01-08T08:00:00+01:00', '2030-01-08T09:00:00+01:00'))).toBe(false)
    expect(matches(wish, slot('2030-01-14T08:00:00+01:00', '2030-01-14T09:00:00+01:00'))).toBe(false)
    expect(
      matches({ ...wish, resourceIds: [8] }, slot('2030-01-07T08:00:00+01:00', '2030-01-07T09:00:00+01:00')),
    ).toBe(false)
    expect(
      matches({ ...wish, resourceIds: null }, slot('2030-01-07T08:00:00+01:00', '2030-01-07T09:00:00+01:00')),
    ).toBe(true)
  })

  it('reads and writes clock times', () => {
    expect(['00:00', '08:30', '24:00'].map(minuteOf)).toEqual([0, 510, 1440])
    expect(['24:01', '8:30', '08:60', ''].map(minuteOf)).toEqual([null, null, null, null])
    expect(clockOf(510)).toBe('08:30')
  })

  it('is served by priority, then by time', () => {
    const free = [slot('2030-01-07T08:00:00+01:00', '2030-01-07T09:00:00+01:00')]
    const entry = (
      id: number,
      priority: number,
      since: number,
      offered: { resourceId: number; start: number }[] = [],
    ) => ({
      ...wish,
      id,
      priority,
      since,
      before: null,
      offered,
    })
    expect(nextInLine([entry(1, 0, 5), entry(2, 0, 3), entry(3, 1, 9)], free)!.entry.id).toBe(3)
    expect(nextInLine([entry(1, 0, 5), entry(2, 0, 3)], free)!.entry.id).toBe(2)
    const again = [{ resourceId: 7, start: free[0]!.start }]
    expect(nextInLine([entry(1, 0, 5), entry(2, 0, 3, again)], free)!.entry.id).toBe(1)
    expect(nextInLine([{ ...entry(1, 0, 5), before: free[0]!.start }], free)).toBeNull()
  })
})

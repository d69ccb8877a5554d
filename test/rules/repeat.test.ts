import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Repeat, repeatedStarts, shiftedStart } from '../../src/rules/offers/repeat.ts'
import { localParts, offsetAt, toOffsetText, zoneOffsets } from '../../src/rules/time/time.ts'

const partsAt = (ms: number, zone: string) => localParts(ms, offsetAt(zoneOffsets(zone, ms, ms), ms))

function shown(first: string, repeat: Repeat, zone = 'Europe/Berlin'): string[] {
  const starts = repeatedStarts(first, repeat, zone)
  if (!Array.isArray(starts)) throw new Error(JSON.stringify(starts))
  return starts.map(ms => toOffsetText(ms, offsetAt(zoneOffsets(zone, ms, ms), ms)).slice(0, 16))
}

describe('a rule', () => {
  test('repeats by days, weeks and months', () => {
    expect(shown('2026-01-05T09:00', { unit: 'day', every: 3, count: 3 })).toEqual([
      '2026-01-05T09:00',
      '2026-01-08T09:00',
      '2026-01-11T09:00',
    ])
    const twice: Repeat = { unit: 'week', every: 2, weekdays: ['4', '2'], count: 4 }
    expect(shown('2026-01-07T09:00', twice)).toEqual([
      '2026-01-08T09:00',
      '2026-01-20T09:00',
      '2026-01-22T09:00',
      '2026-02-03T09:00',
    ])
    expect(shown('2026-01-31T09:00', { unit: 'month', every: 1, until: '2026-04-30' })).toEqual([
      '2026-01-31T09:00',
      '2026-02-28T09:00',
      '2026-03-31T09:00',
      '2026-04-30T09:00',
    ])
  })

  test('moves a time in the gap of a clock change on that day only', () => {
    expect(shown('2026-03-28T02:30', { unit: 'day', every: 1, count: 3 })).toEqual([
      '2026-03-28T02:30',
      '2026-03-29T03:30',
      '2026-03-30T02:30',
    ])
  })

  test.each<[string, string, Repeat]>([
    ['first', 'tomorrow', { unit: 'day', every: 1, count: 2 }],
    ['count', '2026-01-05T09:00', { unit: 'day', every: 1 }],
    ['until', '2026-01-05T09:00', { unit: 'day', every: 1, until: '2026-01-04' }],
    ['until', '2026-01-05T09:00', { unit: 'day', every: 1, until: '2026-02-30' }],
    ['until', '2026-01-05T09:00', { unit: 'day', every: 1, until: '2026-12-31' }],
    ['count', '2026-01-05T09:00', { unit: 'month', every: 100, count: 3 }],
    ['weekdays', '2026-01-05T09:00', { unit: 'day', every: 1, count: 2, weekdays: ['1'] }],
  ])('is refused for its %s', (invalid, first, repeat) => {
    expect(repeatedStarts(first, repeat, 'Europe/Berlin')).toMatchObject({ invalid })
  })

  test('keeps the wall clock and the weekday in every zone', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago']
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 364 }),
        fc.integer({ min: 4 * 4, max: 22 * 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 30 }),
        (zone, day, quarter, every, count) => {
          const first = new Date(Date.UTC(2026, 0, 1 + day) + quarter * 900_000).toISOString().slice(0, 16)
          const starts = repeatedStarts(first, { unit: 'week', every, count }, zone) as number[]
          const parts = starts.map(ms => partsAt(ms, zone))
          expect(starts).toHaveLength(count)
          expect(new Set(parts.map(one => `${one.weekday} ${one.hour}:${one.minute}`)).size).toBe(1)
          expect(parts.map(one => one.dayNumber)).toEqual(
            parts.map((_, index) => parts[0]!.dayNumber + index * every * 7),
          )
        },
      ),
    )
  })

  test('moves the other dates by as many days, to the same time of day', () => {
    const at = (text: string) => Date.parse(text)
    const move = { from: at('2026-03-24T09:00Z'), to: at('2026-03-25T14:30Z') }
    // Tuesday 10:00 to Wednesday 15:30; the next week is summer time.
    expect(shiftedStart(at('2026-03-31T08:00Z'), move, 'Europe/Berlin')).toBe(at('2026-04-01T13:30Z'))
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_SERIES, type Series, seriesWindows } from '../../src/rules/offers/series.ts'
import { localParts, offsetAt, toOffsetText, zoneOffsets } from '../../src/rules/time/time.ts'

const BERLIN = 'Europe/Berlin'
const ALL = ['1', '2', '3', '4', '5', '6', '7']

function windowsOf(series: Series) {
  const result = seriesWindows(series)
  if (!('windows' in result)) throw new Error(`no windows: ${JSON.stringify(result)}`)
  return result.windows
}

function shown(series: Series): string[] {
  const text = (ms: number) => toOffsetText(ms, offsetAt(zoneOffsets(series.zone, ms, ms), ms))
  return windowsOf(series).map(({ start, end }) => `${text(start)} ${text(end)}`)
}

describe('one day', () => {
  test('is cut by the raster, and the rest is dropped', () => {
    const series = { from: '2026-01-05T09:00', to: '2026-01-05T10:15', raster: 30, zone: BERLIN }
    expect(shown(series)).toEqual([
      '2026-01-05T09:00:00+01:00 2026-01-05T09:30:00+01:00',
      '2026-01-05T09:30:00+01:00 2026-01-05T10:00:00+01:00',
    ])
  })

  test('needs no weekdays, but heeds them', () => {
    const monday = { from: '2026-01-05T09:00', to: '2026-01-05T10:00', raster: 60, zone: BERLIN }
    expect(windowsOf({ ...monday, weekdays: null })).toHaveLength(1)
    expect(windowsOf({ ...monday, weekdays: [] })).toHaveLength(1)
    expect(windowsOf({ ...monday, weekdays: ['1'] })).toHaveLength(1)
    expect(windowsOf({ ...monday, weekdays: ['2'] })).toHaveLength(0)
  })

  test('may be given as instants or with offsets', () => {
    const expected = ['2026-01-05T09:00:00+01:00 2026-01-05T10:00:00+01:00']
    const from = Date.parse('2026-01-05T08:00:00Z')
    expect(shown({ from, to: from + 3_600_000, raster: 60, zone: BERLIN })).toEqual(expected)
    const texts = { from: '2026-01-05T08:00Z', to: '2026-01-05T04:00-05:00' }
    expect(shown({ ...texts, raster: 60, zone: BERLIN })).toEqual(expected)
  })

  test('passes through the double hour in elapsed minutes', () => {
    const series = { from: '2026-10-25T02:30+02:00', to: '2026-10-25T02:30+01:00', raster: 30, zone: BERLIN }
    expect(shown(series)).toEqual([
      '2026-10-25T02:30:00+02:00 2026-10-25T02:00:00+01:00',
      '2026-10-25T02:00:00+01:00 2026-10-25T02:30:00+01:00',
    ])
  })
})

describe('several days', () => {
  test('take the listed weekdays from first to last date, both included', () => {
    const series = { from: '2026-01-05T09:00', to: '2026-01-16T11:00', raster: 120, zone: BERLIN }
    expect(shown({ ...series, weekdays: ['5', '1'] })).toEqual([
      '2026-01-05T09:00:00+01:00 2026-01-05T11:00:00+01:00',
      '2026-01-09T09:00:00+01:00 2026-01-09T11:00:00+01:00',
      '2026-01-12T09:00:00+01:00 2026-01-12T11:00:00+01:00',
      '2026-01-16T09:00:00+01:00 2026-01-16T11:00:00+01:00',
    ])
  })

  test.each([
    ['spring in Berlin', BERLIN, '2026-03-28', '2026-03-30', ['+01:00', '+02:00', '+02:00']],
    ['autumn in Berlin', BERLIN, '2026-10-24', '2026-10-26', ['+02:00', '+01:00', '+01:00']],
    ['spring in New York', 'America/New_York', '2026-03-07', '2026-03-08', ['-05:00', '-04:00']],
    ['autumn in New York', 'America/New_York', '2026-10-31', '2026-11-01', ['-04:00', '-05:00']],
    ['spring on Lord Howe', 'Australia/Lord_Howe', '2026-10-03', '2026-10-04', ['+10:30', '+11:00']],
    ['autumn on Lord Howe', 'Australia/Lord_Howe', '2026-04-04', '2026-04-05', ['+11:00', '+10:30']],
    ['spring in Santiago', 'America/Santiago', '2026-09-05', '2026-09-06', ['-04:00', '-03:00']],
    ['autumn in Santiago', 'America/Santiago', '2026-04-04', '2026-04-05', ['-03:00', '-04:00']],
  ])('keep their local hours over %s', (_, zone, first, last, offsets) => {
    const series = { from: `${first}T09:00`, to: `${last}T10:00`, raster: 60, weekdays: ALL, zone }
    const starts = shown(series).map(text => text.slice(10, 25))
    expect(starts).toEqual(offsets.map(offset => `T09:00:00${offset}`))
  })

  test('lose what falls into the gap, on that day only', () => {
    const series = {
      from: '2026-03-28T01:00',
      to: '2026-03-30T03:00',
      raster: 60,
      weekdays: ALL,
      zone: BERLIN,
    }
    expect(shown(series)).toEqual([
      '2026-03-28T01:00:00+01:00 2026-03-28T02:00:00+01:00',
      '2026-03-28T02:00:00+01:00 2026-03-28T03:00:00+01:00',
      '2026-03-29T01:00:00+01:00 2026-03-29T03:00:00+02:00',
      '2026-03-30T01:00:00+02:00 2026-03-30T02:00:00+02:00',
      '2026-03-30T02:00:00+02:00 2026-03-30T03:00:00+02:00',
    ])
  })

  test('gain an hour where it comes twice', () => {
    const series = {
      from: '2026-10-25T02:00',
      to: '2026-10-26T03:00',
      raster: 60,
      weekdays: ALL,
      zone: BERLIN,
    }
    expect(shown(series)).toEqual([
      '2026-10-25T02:00:00+02:00 2026-10-25T02:00:00+01:00',
      '2026-10-25T02:00:00+01:00 2026-10-25T03:00:00+01:00',
      '2026-10-26T02:00:00+01:00 2026-10-26T03:00:00+01:00',
    ])
  })

  test('that begin in the gap are moved on that day only', () => {
    const series = {
      from: '2026-03-29T02:30',
      to: '2026-03-30T04:00',
      raster: 30,
      weekdays: ALL,
      zone: BERLIN,
    }
    const starts = shown(series).map(text => text.slice(0, 16))
    expect(starts).toEqual(['2026-03-29T03:30', '2026-03-30T02:30', '2026-03-30T03:00', '2026-03-30T03:30'])
  })

  test('keep wall time in every zone', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'America/Santiago',
    )
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 3000 }), (zone, shift) => {
        const day = Temporal.PlainDate.from('2024-01-01').add({ days: shift })
        const series = {
          from: `${day}T04:30`,
          to: `${day.add({ days: 20 })}T05:00`,
          raster: 30,
          weekdays: ALL,
          zone,
        }
        const windows = windowsOf(series)
        expect(windows).toHaveLength(21)
        for (const { start } of windows) {
          const parts = localParts(start, offsetAt(zoneOffsets(zone, start, start), start))
          expect(parts).toMatchObject({ hour: 4, minute: 30 })
        }
      }),
    )
  })
})

describe('past midnight', () => {
  test('one night is one window and needs no weekdays', () => {
    const series = { from: '2026-01-05T22:00', to: '2026-01-06T02:00', raster: 240, zone: BERLIN }
    expect(shown(series)).toEqual(['2026-01-05T22:00:00+01:00 2026-01-06T02:00:00+01:00'])
  })

  test('the weekday is that of the evening, and the last night ends at `to`', () => {
    const series = { from: '2026-01-05T22:00', to: '2026-01-08T02:00', raster: 240, zone: BERLIN }
    expect(shown({ ...series, weekdays: ['1', '3', '4'] })).toEqual([
      '2026-01-05T22:00:00+01:00 2026-01-06T02:00:00+01:00',
      '2026-01-07T22:00:00+01:00 2026-01-08T02:00:00+01:00',
    ])
  })

  test('whole days follow each other without a hole', () => {
    const zone = 'America/Santiago'
    const series = { from: '2026-09-04T00:00', to: '2026-09-08T00:00', raster: 60, weekdays: ALL, zone }
    const windows = windowsOf(series)
    expect(windows).toHaveLength(4 * 24 - 1)
    for (const [index, { end }] of windows.slice(0, -1).entries()) expect(windows[index + 1]?.start).toBe(end)
  })
})

describe('refuses', () => {
  const week = { from: '2026-01-05T09:00', to: '2026-01-11T10:00', raster: 30, weekdays: ALL, zone: BERLIN }

  test.each<[string, Partial<Series>, string]>([
    ['an unreadable start', { from: 'soon' }, 'from'],
    ['an unreadable end', { to: '2026-02-30T10:00' }, 'to'],
    ['an end before the start', { to: '2026-01-04T10:00' }, 'to'],
    ['an end at the start', { to: '2026-01-05T09:00' }, 'to'],
    ['several days without weekdays', { weekdays: null }, 'weekdays'],
    ['several days with an empty list', { weekdays: [] }, 'weekdays'],
    ['weekday 0', { weekdays: ['0'] }, 'weekdays'],
    ['weekday 8', { weekdays: ['1', '8'] }, 'weekdays'],
    ['a weekday by name', { weekdays: ['MONDAY'] }, 'weekdays'],
    ['raster 0', { raster: 0 }, 'raster'],
    ['a negative raster', { raster: -30 }, 'raster'],
    ['half a minute', { raster: 0.5 }, 'raster'],
    ['a raster that is not a number', { raster: Number.NaN }, 'raster'],
    ['a raster longer than the hours of a day', { raster: 61 }, 'raster'],
  ])('%s', (_, change, invalid) => {
    expect(seriesWindows({ ...week, ...change })).toEqual({ invalid })
  })

  test('more than 5,000 Appointments', () => {
    const daily = { from: '2026-01-01T08:00', raster: 60, weekdays: ALL, zone: BERLIN }
    expect(windowsOf({ ...daily, to: '2039-09-09T09:00' })).toHaveLength(MAX_SERIES)
    expect(seriesWindows({ ...daily, to: '2039-09-10T09:00' })).toEqual({ tooMany: true })
  })

  test.each([
    ['minutes', 1, '2126-01-01T00:00'],
    ['days', 1440, '9999-12-31T00:00'],
    ['no days at all', 1441, '9999-12-31T00:00'],
  ])('centuries of %s, at once', (_, raster, to) => {
    // Counting all of them would exceed the time limit of the test.
    const result = seriesWindows({ from: '2026-01-01T00:00', to, raster, weekdays: ['2'], zone: BERLIN })
    expect(result).not.toHaveProperty('windows')
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isTimeZone,
  localParts,
  nextRasterSinceMidnight,
  offsetAt,
  parseDateOrInstant,
  parseInstant,
  startOfLocalDay,
  toOffsetText,
  toUtcText,
  wallClockAsInstant,
  zoneOffsets,
} from '../../src/rules/time/time.ts'

const BERLIN = 'Europe/Berlin'
const NEW_YORK = 'America/New_York'
const LORD_HOWE = 'Australia/Lord_Howe'
const SANTIAGO = 'America/Santiago'

const utc = (text: string) => Date.parse(text)
const inUtc = (ms: number | null) => ms && toUtcText(ms)
const local = (ms: number, zone: string) => toOffsetText(ms, offsetAt(zoneOffsets(zone, ms, ms), ms))

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
// From 2 January: instants that are still in 1899 somewhere are not read back.
const instants = fc.integer({ min: utc('1900-01-02T00:00:00Z'), max: utc('2100-01-01T00:00:00Z') })
const temporal = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)

describe('a date-time with Z or an offset', () => {
  test.each([
    ['2026-03-04T10:00:00Z', '2026-03-04T10:00:00Z'],
    ['2026-03-04t10:00z', '2026-03-04T10:00:00Z'],
    ['2026-03-04T10:00+02:00', '2026-03-04T08:00:00Z'],
    ['2026-03-04T10:00:00+0200', '2026-03-04T08:00:00Z'],
    ['2026-03-04T10:00:00-05', '2026-03-04T15:00:00Z'],
    ['2026-03-04T10:00:00-03:30', '2026-03-04T13:30:00Z'],
    ['2026-03-04T10:00:00.25Z', '2026-03-04T10:00:00.250Z'],
    ['2026-03-04T10:00:00.123456789Z', '2026-03-04T10:00:00.123Z'],
    ['2024-02-29T23:59:59+00:00', '2024-02-29T23:59:59Z'],
    ['2026-10-25T02:30:00+02:00', '2026-10-25T00:30:00Z'],
    ['2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00Z'],
  ])('%s is the instant %s', (text, expected) => {
    expect(inUtc(parseInstant(text, BERLIN))).toBe(expected)
  })
})

describe('a date-time without a zone is local', () => {
  test.each([
    ['an ordinary winter time', BERLIN, '2026-03-04T10:00', '2026-03-04T09:00:00Z'],
    ['an ordinary summer time', BERLIN, '2026-07-04T10:00:30.5', '2026-07-04T08:00:30.500Z'],
    ['just before the gap', BERLIN, '2026-03-29T01:59', '2026-03-29T00:59:00Z'],
    ['in the gap, 02:30 becomes 03:30', BERLIN, '2026-03-29T02:30', '2026-03-29T01:30:00Z'],
    ['just after the gap', BERLIN, '2026-03-29T03:00', '2026-03-29T01:00:00Z'],
    ['in the double hour, the earlier one', BERLIN, '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
    ['after the double hour', BERLIN, '2026-10-25T03:00', '2026-10-25T02:00:00Z'],
    ['in the gap', NEW_YORK, '2026-03-08T02:30', '2026-03-08T07:30:00Z'],
    ['in the double hour', NEW_YORK, '2026-11-01T01:30', '2026-11-01T05:30:00Z'],
    ['after the double hour', NEW_YORK, '2026-11-01T02:00', '2026-11-01T07:00:00Z'],
    ['in the gap of 30 minutes, 02:15 becomes 02:45', LORD_HOWE, '2026-10-04T02:15', '2026-10-03T15:45:00Z'],
    ['in the double half hour', LORD_HOWE, '2026-04-05T01:45', '2026-04-04T14:45:00Z'],
    ['after the double half hour', LORD_HOWE, '2026-04-05T02:00', '2026-04-04T15:30:00Z'],
    ['in the gap at midnight, 00:30 becomes 01:30', SANTIAGO, '2026-09-06T00:30', '2026-09-06T04:30:00Z'],
    ['in the double hour before midnight', SANTIAGO, '2026-04-04T23:30', '2026-04-05T02:30:00Z'],
    ['midnight after the double hour', SANTIAGO, '2026-04-05T00:00', '2026-04-05T04:00:00Z'],
  ])('%s (%s %s)', (_, zone, text, expected) => {
    expect(inUtc(parseInstant(text, zone))).toBe(expected)
  })
})

describe('invalid date-times', () => {
  test.each([
    '',
    ' ',
    'tomorrow',
    '2026-03-04',
    '2026-03-04 10:00',
    '2026-03-04T10:00:00 02:00',
    ' 2026-03-04T10:00',
    '2026-03-04T10:00 ',
    '2026-03-04T10:00\n',
    '2026-03-04T10:00:00Z[Europe/Berlin]',
    '2026-03-04T10:00Zzz',
    '20260304T100000Z',
    '2026-3-4T10:00',
    '2026-03-04T1:00',
    '2026-03-04T10',
    '2026-03-04T24:00',
    '2026-03-04T25:00',
    '2026-03-04T10:60',
    '2026-03-04T10:00:60',
    '2026-03-04T10:00:00.',
    '2026-03-04T10:00:00,5',
    '2026-03-04T10:00+24:00',
    '2026-03-04T10:00+02:60',
    '2026-03-04T10:00+2',
    '2026-03-04T10:00 PM',
    '2026-02-30T10:00',
    '2025-02-29T10:00Z',
    '2026-04-31T10:00Z',
    '2026-00-04T10:00',
    '2026-13-04T10:00',
    '2026-03-00T10:00',
    '1899-12-31T23:59Z',
    '0001-01-01T00:00Z',
    '+010000-01-01T00:00Z',
    '10000-01-01T00:00Z',
    '-2026-03-04T10:00Z',
    '٢٠٢٦-٠٣-٠٤T١٠:٠٠',
  ])('%j is refused', text => {
    expect(parseInstant(text, BERLIN)).toBeNull()
    expect(wallClockAsInstant(text, BERLIN)).toBeNull()
  })

  test('no text makes it throw', () => {
    const nearly = fc.stringMatching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]?[0-9:.]{0,9}[Z+-]?[0-9:]{0,6}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), zones, (text, zone) => {
        for (const parse of [parseInstant, parseDateOrInstant, wallClockAsInstant]) {
          expect(parse(text, zone)).toSatisfy(ms => ms === null || Number.isInteger(ms))
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a bare date', () => {
  test.each([
    ['is local midnight', BERLIN, '2026-03-04', '2026-03-03T23:00:00Z'],
    ['is midnight on a day that turns the clock', BERLIN, '2026-03-29', '2026-03-28T23:00:00Z'],
    ['starts at 01:00 where midnight does not exist', SANTIAGO, '2026-09-06', '2026-09-06T04:00:00Z'],
    ['starts at the earlier of two midnights', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
  ])('%s (%s %s)', (_, zone, text, expected) => {
    expect(inUtc(parseDateOrInstant(text, zone))).toBe(expected)
  })

  test('may be a date-time as well', () => {
    expect(inUtc(parseDateOrInstant('2026-03-04T10:00', BERLIN))).toBe('2026-03-04T09:00:00Z')
  })

  test.each(['2026-02-30', '1899-12-31', '2026-03', '2026-03-04Z', '2026-03-04T'])('refuses %s', text => {
    expect(parseDateOrInstant(text, BERLIN)).toBeNull()
  })
})

describe('a wall clock labelled as UTC', () => {
  test.each([
    ['2026-03-04T10:00:00Z', '2026-03-04T09:00:00Z'],
    ['2026-07-04T10:00:00.000Z', '2026-07-04T08:00:00Z'],
    ['2026-07-04T10:00:00-07:00', '2026-07-04T08:00:00Z'],
    ['2026-07-04T10:00', '2026-07-04T08:00:00Z'],
    ['2026-03-29T02:30:00Z', '2026-03-29T01:30:00Z'],
  ])('%s in Berlin is %s', (text, expected) => {
    expect(inUtc(wallClockAsInstant(text, BERLIN))).toBe(expected)
  })
})

describe('writing an instant', () => {
  test.each([
    ['2026-03-04T09:00:00Z', BERLIN, '2026-03-04T10:00:00+01:00'],
    ['2026-03-29T00:59:59Z', BERLIN, '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00Z', BERLIN, '2026-03-29T03:00:00+02:00'],
    ['2026-10-25T00:30:00Z', BERLIN, '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T01:30:00Z', BERLIN, '2026-10-25T02:30:00+01:00'],
    ['2026-03-08T07:00:00Z', NEW_YORK, '2026-03-08T03:00:00-04:00'],
    ['2026-11-01T05:30:00Z', NEW_YORK, '2026-11-01T01:30:00-04:00'],
    ['2026-11-01T06:30:00Z', NEW_YORK, '2026-11-01T01:30:00-05:00'],
    ['2026-10-03T15:29:00Z', LORD_HOWE, '2026-10-04T01:59:00+10:30'],
    ['2026-10-03T15:30:00Z', LORD_HOWE, '2026-10-04T02:30:00+11:00'],
    ['2026-04-04T14:45:00Z', LORD_HOWE, '2026-04-05T01:45:00+11:00'],
    ['2026-04-04T15:15:00Z', LORD_HOWE, '2026-04-05T01:45:00+10:30'],
    ['2026-09-06T03:59:00Z', SANTIAGO, '2026-09-05T23:59:00-04:00'],
    ['2026-09-06T04:00:00Z', SANTIAGO, '2026-09-06T01:00:00-03:00'],
    ['2026-04-05T02:30:00Z', SANTIAGO, '2026-04-04T23:30:00-03:00'],
    ['2026-04-05T03:30:00Z', SANTIAGO, '2026-04-04T23:30:00-04:00'],
    ['2026-03-04T09:00:00.007Z', 'UTC', '2026-03-04T09:00:00.007Z'],
    ['2026-01-04T09:00:00Z', 'Europe/London', '2026-01-04T09:00:00Z'],
    ['2026-03-04T09:00:00Z', 'Asia/Kathmandu', '2026-03-04T14:45:00+05:45'],
    ['2026-03-04T09:00:00Z', 'Pacific/Marquesas', '2026-03-03T23:30:00-09:30'],
    ['1970-01-01T00:00:00Z', 'Africa/Monrovia', '1969-12-31T23:16:00-00:44'],
  ])('%s in %s', (instant, zone, expected) => {
    expect(local(utc(instant), zone)).toBe(expected)
  })

  test('reads back as the same instant in any zone', () => {
    fc.assert(
      fc.property(instants, zones, (ms, zone) => {
        expect(parseInstant(local(ms, zone), 'UTC')).toBe(ms)
        expect(parseInstant(toUtcText(ms), zone)).toBe(ms)
      }),
      { numRuns: 1000 },
    )
  })

  test('shows the date and clock that Temporal shows', () => {
    fc.assert(
      fc.property(instants, zones, (ms, zone) => {
        const {
          year,
          month,
          day,
          hour,
          minute,
          second,
          dayOfWeek: weekday,
          offsetNanoseconds,
        } = temporal(ms, zone)
        const offsetMs = offsetNanoseconds / 1e6
        const dayNumber = Math.floor((ms + offsetMs) / 86_400_000)
        const expected = { year, month, day, hour, minute, second, weekday, dayNumber }
        expect(localParts(ms, offsetMs)).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  test('knows leap days and the weekdays before 1970', () => {
    expect(localParts(utc('2000-02-29T12:00:00Z'), 0)).toMatchObject({ month: 2, day: 29, weekday: 2 })
    expect(localParts(utc('2100-03-01T00:00:00Z'), 0)).toMatchObject({ month: 3, day: 1, weekday: 1 })
    expect(localParts(utc('1969-12-28T00:00:00Z'), 0)).toMatchObject({ day: 28, weekday: 7, dayNumber: -4 })
  })
})

describe('the offsets of a period', () => {
  test('change when the clocks of Berlin do', () => {
    const offsets = zoneOffsets(BERLIN, utc('2026-01-01T00:00:00Z'), utc('2027-01-01T00:00:00Z'))
    expect(offsets).toEqual([
      { at: -Infinity, offsetMs: 3_600_000 },
      { at: utc('2026-03-29T01:00:00Z'), offsetMs: 7_200_000 },
      { at: utc('2026-10-25T01:00:00Z'), offsetMs: 3_600_000 },
    ])
  })

  test('hold no change outside the period', () => {
    const offsets = zoneOffsets(BERLIN, utc('2026-03-29T01:00:00Z'), utc('2026-10-25T00:59:59Z'))
    expect(offsets).toEqual([{ at: -Infinity, offsetMs: 7_200_000 }])
  })

  test('hold a change at the very end of the period', () => {
    const change = utc('2026-03-29T01:00:00Z')
    expect(offsetAt(zoneOffsets(BERLIN, change - 1, change), change)).toBe(7_200_000)
  })

  test('are those of Temporal, at any instant of a period of some years', () => {
    const periods = fc.tuple(
      instants,
      fc.integer({ min: 0, max: 3 * 366 * 86_400_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    fc.assert(
      fc.property(periods, zones, ([from, length, where], zone) => {
        const offsets = zoneOffsets(zone, from, from + length)
        for (const ms of [from, from + Math.floor(length * where), from + length]) {
          expect(offsetAt(offsets, ms)).toBe(temporal(ms, zone).offsetNanoseconds / 1e6)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('turn at the very millisecond', () => {
    const from = utc('1970-01-01T00:00:00Z')
    for (const zone of [BERLIN, NEW_YORK, LORD_HOWE, SANTIAGO, 'Africa/Casablanca', 'Pacific/Apia']) {
      const offsets = zoneOffsets(zone, from, utc('2060-01-01T00:00:00Z'))
      for (const { at } of offsets.slice(1)) {
        expect(offsetAt(offsets, at)).toBe(temporal(at, zone).offsetNanoseconds / 1e6)
        expect(offsetAt(offsets, at - 1)).toBe(temporal(at - 1, zone).offsetNanoseconds / 1e6)
        expect(offsetAt(offsets, at)).not.toBe(offsetAt(offsets, at - 1))
      }
    }
  })
})

describe('a time zone', () => {
  test.each([
    'Europe/Berlin',
    'UTC',
    'Etc/UTC',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
    'Asia/Calcutta',
  ])('is %s', name => {
    expect(isTimeZone(name)).toBe(true)
  })

  test.each([
    '',
    ' ',
    'Europe/Atlantis',
    '+02:00',
    '-0500',
    'Z',
    'UTC ',
    'PST',
    '2026-01-01T00:00Z',
    'T10:00Z',
    'UTC+1',
  ])('is not %j', name => {
    expect(isTimeZone(name)).toBe(false)
  })

  test('is each that Intl lists, and each can be used', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      expect(isTimeZone(zone)).toBe(true)
      expect(parseInstant('2026-03-04T10:00', zone)).not.toBeNull()
    }
  })
})

describe('the start of the local day', () => {
  test.each([
    ['2026-10-25T22:30:00Z', BERLIN, '2026-10-25T00:00:00+02:00'],
    ['2026-09-06T12:00:00Z', SANTIAGO, '2026-09-06T01:00:00-03:00'],
    ['2026-04-05T03:30:00Z', SANTIAGO, '2026-04-04T00:00:00-03:00'],
  ])('of %s in %s is %s', (instant, zone, expected) => {
    expect(local(startOfLocalDay(utc(instant), zone), zone)).toBe(expected)
  })
})

describe('rounding up to the raster since local midnight', () => {
  test.each([
    ['up to the next line', BERLIN, 30, '2026-03-04T09:00:01Z', '2026-03-04T10:30:00+01:00'],
    ['not at all on a line', BERLIN, 30, '2026-03-04T09:00:00Z', '2026-03-04T10:00:00+01:00'],
    ['by a millisecond too many', BERLIN, 30, '2026-03-04T09:00:00.001Z', '2026-03-04T10:30:00+01:00'],
    [
      'from local midnight, not from that of UTC',
      'Asia/Kathmandu',
      60,
      '2026-03-04T09:00:00Z',
      '2026-03-04T15:00:00+05:45',
    ],
    ['in elapsed minutes after a gap', BERLIN, 120, '2026-03-29T02:30:00Z', '2026-03-29T05:00:00+02:00'],
    [
      'in elapsed minutes after a double hour',
      BERLIN,
      120,
      '2026-10-25T02:30:00Z',
      '2026-10-25T05:00:00+01:00',
    ],
    [
      'from 01:00 where the day starts there',
      SANTIAGO,
      40,
      '2026-09-06T04:10:00Z',
      '2026-09-06T01:40:00-03:00',
    ],
    ['no further than the next midnight', BERLIN, 50, '2026-03-04T22:50:00Z', '2026-03-05T00:00:00+01:00'],
    [
      'no further than midnight on a short day',
      BERLIN,
      1440,
      '2026-03-29T10:00:00Z',
      '2026-03-30T00:00:00+02:00',
    ],
  ])('goes %s', (_, zone, raster, instant, expected) => {
    expect(local(nextRasterSinceMidnight(utc(instant), raster, zone), zone)).toBe(expected)
  })
})

import { describe, expect, it } from 'vitest'
import {
  type ExistingOpening,
  type OpeningRule,
  openingsOf,
  planOpenings,
  refuseOverlap,
} from '../../src/rules/offers/hours.ts'

const rule = (fields: Partial<OpeningRule> = {}): OpeningRule => ({
  uuid: 'a',
  weekdays: [1, 2, 3, 4, 5],
  from: 8 * 60,
  to: 18 * 60,
  raster: 30,
  capacity: 1,
  acceptBookings: true,
  validFrom: null,
  validUntil: null,
  ...fields,
})
const text = (instant: number) => new Date(instant).toISOString().slice(0, 16)
const spans = (rules: OpeningRule[], first: string, last: string, zone = 'Europe/Berlin') =>
  openingsOf(rules, zone, first, last).map(({ day, start, end }) => [day, text(start), text(end)])

describe('openings', () => {
  it('keep their local time in the week in which the clocks change', () => {
    expect(spans([rule({ weekdays: [5, 7, 1] })], '2026-03-27', '2026-03-30')).toEqual([
      ['2026-03-27', '2026-03-27T07:00', '2026-03-27T17:00'],
      ['2026-03-29', '2026-03-29T06:00', '2026-03-29T16:00'],
      ['2026-03-30', '2026-03-30T06:00', '2026-03-30T16:00'],
    ])
  })

  it('run past midnight, and through the night that is an hour short', () => {
    expect(spans([rule({ weekdays: [6], from: 22 * 60, to: 28 * 60 })], '2026-03-28', '2026-03-29')).toEqual([
      ['2026-03-28', '2026-03-28T21:00', '2026-03-29T02:00'],
    ])
  })

  it('leave out a rule for which the jump of the clock leaves no time', () => {
    expect(
      spans([rule({ weekdays: [7], from: 120, to: 180, raster: 60 })], '2026-03-29', '2026-03-29'),
    ).toEqual([])
  })

  it('begin and end with their validity, both days included', () => {
    const days = spans(
      [rule({ validFrom: '2026-01-06', validUntil: '2026-01-07' })],
      '2026-01-05',
      '2026-01-09',
    )
    expect(days.map(([day]) => day)).toEqual(['2026-01-06', '2026-01-07'])
  })
})

describe('rules that are open at the same time are refused', () => {
  it.each([
    ['the same hours', {}],
    ['one reaching into the other', { from: 17 * 60, to: 20 * 60 }],
    ['Sunday night into Monday morning', { weekdays: [7], from: 20 * 60, to: 24 * 60 + 9 * 60 }],
  ])('%s', (_, other) => {
    expect(() => refuseOverlap([rule(), rule({ uuid: 'b', ...other })])).toThrow(
      /rules\[1\].*overlaps rules\[0\]/,
    )
  })

  it.each([
    ['one after the other', { from: 18 * 60, to: 20 * 60 }],
    ['other weekdays', { weekdays: [6, 7] }],
    ['other seasons', { validUntil: '2025-12-31' }],
  ])('but not %s', (_, other) => {
    refuseOverlap([rule({ validFrom: '2026-01-01' }), rule({ uuid: 'b', ...other })])
  })
})

describe('the plan', () => {
  const [opening] = openingsOf([rule()], 'UTC', '2026-01-05', '2026-01-05')
  const made = (fields: Partial<ExistingOpening> = {}): ExistingOpening => ({
    ...opening!,
    id: 7,
    isOver: false,
    booked: [],
    ...fields,
  })
  const hour = 3_600_000
  const empty = { insert: [], update: [], rest: [], remove: [] }

  it('leaves correct Timeslots unchanged', () => {
    expect(planOpenings([made()], [opening!])).toEqual(empty)
  })

  it('changes what differs while all bookings stay inside', () => {
    const shorter = { ...opening!, end: opening!.end - hour }
    const booked = [{ start: opening!.start, end: opening!.start + hour }]
    expect(planOpenings([made({ booked })], [shorter])).toEqual({ ...empty, update: [{ ...shorter, id: 7 }] })
  })

  it('keeps the time of bookings left outside, and opens the new hours beside it', () => {
    const shorter = { ...opening!, end: opening!.end - hour }
    const booked = [{ start: opening!.end - hour, end: opening!.end - hour / 2 }]
    expect(planOpenings([made({ booked })], [shorter])).toEqual({
      ...empty,
      rest: [{ id: 7, ...booked[0] }],
      insert: [shorter],
    })
  })

  it('removes openings without a rule, unless they are booked', () => {
    const booked = [{ start: opening!.start, end: opening!.start + hour }]
    const gone = made({ id: 8, day: '2026-01-06' })
    expect(planOpenings([made({ booked }), gone], [])).toEqual({
      ...empty,
      rest: [{ id: 7, ...booked[0] }],
      remove: [8],
    })
  })

  it('removes a remnant once it is empty', () => {
    const booked = [{ start: opening!.start, end: opening!.end }]
    const rests = [made({ id: 1, rule: null }), made({ id: 2, rule: null, booked })]
    expect(planOpenings(rests, [])).toEqual({ ...empty, remove: [1] })
  })
})

import { describe, expect, it } from 'vitest'
import {
  type ExistingOpening,
  isWithin,
  type OpeningRule,
  openingsOf,
  planOpenings,
  refuseOverlap,
} from '../../src/rules/offers/hours.ts'
import { sentenceOf } from '../support/refusals.ts'

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
  weekOf: null,
  onlyOn: null,
  isClosed: false,
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

describe('irregular hours', () => {
  const mornings = rule({ weekdays: [1], to: 12 * 60, weekOf: '2026-01-05' })
  const evenings = rule({ uuid: 'b', weekdays: [1], from: 11 * 60, weekOf: '2026-01-12' })
  const daysOf = (rules: OpeningRule[], last = '2026-02-02') =>
    spans(rules, '2025-12-22', last, 'UTC').map(([day, start]) => `${day} ${start!.slice(11, 13)}`)

  it('alternate from week to week, across the turn of the year', () => {
    const days = ['2025-12-22 08', '2025-12-29 11', '2026-01-05 08', '2026-01-12 11', '2026-01-19 08']
    expect(daysOf([mornings, evenings], '2026-01-19')).toEqual(days)
    refuseOverlap([mornings, evenings])
    expect(sentenceOf(() => refuseOverlap([mornings, { ...evenings, weekOf: null }]))).toMatch(/overlaps/)
  })

  it('on a single day replace those of the week', () => {
    const only = rule({ uuid: 'c', weekdays: [], from: 14 * 60, onlyOn: '2026-01-05' })
    const closed = rule({ uuid: 'd', weekdays: [], onlyOn: '2026-01-06', isClosed: true })
    const days = spans([rule(), only, closed], '2026-01-05', '2026-01-07', 'UTC')
    expect(days.map(([_key, start]) => start)).toEqual(['2026-01-05T14:00', '2026-01-07T08:00'])
    refuseOverlap([rule(), only, closed])
    const night = rule({ uuid: 'e', weekdays: [], from: 22 * 60, to: 33 * 60, onlyOn: '2026-01-05' })
    expect(sentenceOf(() => refuseOverlap([rule(), night]))).toMatch(/Times on 2026-01-05 overlap/)
  })

  it('cover a time that two adjoining rules make up', () => {
    const at = (clock: string) => Date.parse(`2026-01-05T${clock}:00Z`)
    const both = [rule({ to: 12 * 60 }), rule({ uuid: 'b', from: 12 * 60 })]
    expect(isWithin(both, 'UTC', { start: at('11:30'), end: at('12:30') })).toBe(true)
    expect(isWithin([both[0]!], 'UTC', { start: at('11:30'), end: at('12:30') })).toBe(false)
  })
})

describe('rules that are open at the same time are refused', () => {
  it.each([
    ['the same hours', {}],
    ['one reaching into the other', { from: 17 * 60, to: 20 * 60 }],
    ['Sunday night into Monday morning', { weekdays: [7], from: 20 * 60, to: 24 * 60 + 9 * 60 }],
  ])('%s', (_, other) => {
    expect(sentenceOf(() => refuseOverlap([rule(), rule({ uuid: 'b', ...other })]))).toMatch(
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

  it('gives an equal opening to the rule that follows, with its bookings', () => {
    const booked = [{ start: opening!.start, end: opening!.start + hour }]
    const next = { ...opening!, rule: 'b' }
    expect(planOpenings([made({ booked })], [next])).toEqual({ ...empty, update: [{ ...next, id: 7 }] })
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

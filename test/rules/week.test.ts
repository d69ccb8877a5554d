// The week that one paints in the console, and the rules that are kept of it.

import { describe, expect, it } from 'vitest'
import {
  bandsIn,
  copiedInto,
  periodsOf,
  rulesUntil,
  rulesWith,
} from '../../web/console/src/pages/offers/hours/patterns.ts'
import {
  type Band,
  bandsOf,
  erase,
  paint,
  type Rule,
  rulesOf,
  type Settings,
} from '../../web/console/src/pages/offers/hours/week.ts'

const settings: Settings = {
  raster: 30,
  capacity: 1,
  acceptBookings: true,
  validFrom: null,
  validUntil: null,
  everyWeeks: 1,
  weekOf: null,
}
const rule = (fields: Partial<Rule>): Rule => ({
  ...settings,
  uuid: null,
  weekdays: ['1'],
  from: '08:00',
  to: '12:00',
  ...fields,
})
const times = (bands: Band[]) => bands.map(({ weekday, from, to }) => [weekday, from / 60, to / 60])

describe('painting', () => {
  it('opens time, and what touches grows together', () => {
    const morning = paint([], 1, 480, 720, settings)
    expect(times(paint(morning, 1, 720, 1020, settings))).toEqual([[1, 8, 17]])
    expect(times(paint(morning, 1, 600, 780, settings))).toEqual([[1, 8, 13]])
    expect(times(paint(morning, 2, 600, 780, settings))).toEqual([
      [1, 8, 12],
      [2, 10, 13],
    ])
  })

  it('leaves apart what differs in length or places', () => {
    const both = paint(paint([], 1, 480, 720, settings), 1, 720, 840, { ...settings, capacity: 5 })
    expect(times(both)).toEqual([
      [1, 8, 12],
      [1, 12, 14],
    ])
  })

  it('closes time in the middle, at an end, or all of it', () => {
    const day = paint([], 1, 480, 1020, settings)
    expect(times(erase(day, 1, 720, 780))).toEqual([
      [1, 8, 12],
      [1, 13, 17],
    ])
    expect(times(erase(day, 1, 960, 1440))).toEqual([[1, 8, 16]])
    expect(erase(day, 1, 0, 1440)).toEqual([])
    expect(erase(day, 2, 0, 1440)).toEqual(day)
  })
})

describe('rules', () => {
  it.each([
    ['several days in one', [rule({ uuid: 'a', weekdays: ['1', '3', '5'] })]],
    ['over midnight', [rule({ uuid: 'a', from: '22:00', to: '02:00' })]],
    ['to the end of the day', [rule({ uuid: 'a', from: '18:00', to: '24:00' })]],
    [
      'with a season of its own',
      [rule({ uuid: 'a', validFrom: '2027-05-01' }), rule({ uuid: 'b', from: '13:00', to: '14:00' })],
    ],
  ])('come back as they were: %s', (_, rules) => {
    expect(rulesOf(bandsOf(rules))).toEqual(rules)
  })

  it('keep their name when they change, and no name occurs twice', () => {
    const bands = bandsOf([rule({ uuid: 'a', weekdays: ['1', '2'] })])
    const changed = rulesOf(paint(bands, 2, 720, 780, settings))
    expect(changed.map(({ uuid, weekdays, to }) => [uuid, weekdays, to])).toEqual([
      ['a', ['1'], '12:00'],
      [null, ['2'], '13:00'],
    ])
  })
})

describe('hours that change', () => {
  const today = '2026-01-07' // A Wednesday.
  const mornings = rule({ uuid: 'a', weekdays: ['1', '2'] })
  const bandsAt = (rules: Rule[], from: string | null, monday: string | null = null) =>
    bandsIn(rules, periodsOf(rules, today, null).find(one => one.from === from)!, today, monday)

  it('on a date keep the present ones until the day before', () => {
    const period = periodsOf([mornings], today, '2026-02-02')[1]!
    const bands = erase(bandsIn([mornings], period, today, null), 1, 0, 1440)
    const rules = rulesWith([mornings], period, today, [{ monday: null, bands }])
    expect(rules).toEqual([
      { ...mornings, validUntil: '2026-02-01' },
      { ...mornings, uuid: null, weekdays: ['2'], validFrom: '2026-02-02' },
    ])
    expect(periodsOf(rules, today, null)).toEqual([
      { from: null, until: '2026-02-01' },
      { from: '2026-02-02', until: null },
    ])
    expect(bandsAt(rules, '2026-02-02').map(band => band.weekday)).toEqual([2])
    // Changed back, they are one again.
    const again = rulesWith(rules, period, today, [{ monday: null, bands: bandsAt(rules, null) }])
    expect(again).toEqual([mornings])
  })

  it('copied from a colleague fill the period that is shown and no other', () => {
    const evenings = rule({ uuid: 'theirs', weekdays: ['3'], from: '17:00', to: '20:00' })
    const fortnight = { ...evenings, everyWeeks: 2, weekOf: '2026-01-05' }
    const later = { from: '2026-02-02', until: '2026-02-28' }
    expect(copiedInto([mornings], later, [fortnight])).toEqual([
      { ...mornings, validUntil: '2026-02-01' },
      { ...fortnight, uuid: null, validFrom: '2026-02-02', validUntil: '2026-02-28' },
      { ...mornings, uuid: null, validFrom: '2026-03-01' },
    ])
    expect(copiedInto([mornings], { from: null, until: '2026-02-01' }, [evenings])).toEqual([
      { ...evenings, uuid: null, validUntil: '2026-02-01' },
      { ...mornings, uuid: null, validFrom: '2026-02-02' },
    ])
    expect(copiedInto([mornings], { from: null, until: null }, [evenings])).toEqual([
      { ...evenings, uuid: null },
    ])
  })

  it('for several people from a day on leave their hours until then, and replace what was planned', () => {
    const planned = rule({ uuid: 'planned', validFrom: '2026-03-01' })
    const past = rule({ uuid: 'past', validUntil: '2026-01-31' })
    const starting = rule({ weekdays: ['4'], validFrom: '2026-02-16' })
    expect(rulesUntil([past, mornings, planned], '2026-02-02', [past, starting])).toEqual([
      past,
      { ...mornings, validUntil: '2026-02-01' },
      starting,
    ])
  })

  it('from week to week are rules of every second week; what both weeks have is of every week', () => {
    const period = { from: null, until: null }
    const [one, other] = ['2026-01-05', '2026-01-12']
    const weeks = [
      { monday: one, bands: bandsOf([mornings]) },
      { monday: other, bands: erase(bandsOf([mornings]), 1, 0, 1440) },
    ]
    const rules = rulesWith([mornings], period, today, weeks)
    expect(rules).toMatchObject([
      { weekdays: ['1'], everyWeeks: 2, weekOf: one },
      { weekdays: ['2'], everyWeeks: 1, weekOf: null },
    ])
    expect(bandsAt(rules, null, one).map(band => band.weekday)).toEqual([1, 2])
    expect(bandsAt(rules, null, other).map(band => band.weekday)).toEqual([2])
    expect(rulesWith(rules, period, today, [weeks[0]!])).toMatchObject([
      { weekdays: ['1', '2'], everyWeeks: 1 },
    ])
  })
})

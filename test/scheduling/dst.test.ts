// Clock changes in four zones: Berlin at two in the morning, New York at another time of year, Lord Howe by
// half an hour, Santiago at midnight. All expected times are written out.

import { beforeEach, describe, expect, it } from 'vitest'
import { rasterLines } from '../../src/rules/offers/timeslots.ts'
import { makeAppointment, makePractice, makeSeries, makeTimeslot } from '../support/build.ts'
import { consoleCall, useService } from '../support/service.ts'

const zones = {
  Berlin: 'Europe/Berlin',
  'New York': 'America/New_York',
  'Lord Howe': 'Australia/Lord_Howe',
  Santiago: 'America/Santiago',
}
type Place = keyof typeof zones

const holdfast = await useService()
const made = Object.entries(zones).map(async ([place, timeZone]) => {
  const practice = await makePractice(holdfast.crm)
  const { status } = await consoleCall(holdfast.app, 'PATCH', `/providers/${practice.uuid}`, { timeZone })
  expect(status).toBe(200)
  return [place, practice]
})
const practices = Object.fromEntries(await Promise.all(made))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

const short = (utc: string) => utc.replace(':00Z', 'Z')

describe('a Timeslot', () => {
  it.each<[Place, string, string, string, string, string, number]>([
    // spring: an hour (on Lord Howe half an hour) is missing
    [
      'Berlin',
      'over the gap',
      '2026-03-29T01:00',
      '2026-03-29T04:00',
      '2026-03-29T00:00Z',
      '2026-03-29T02:00Z',
      4,
    ],
    [
      'Berlin',
      'from the gap',
      '2026-03-29T02:30',
      '2026-03-29T05:00',
      '2026-03-29T01:30Z',
      '2026-03-29T03:00Z',
      3,
    ],
    [
      'Berlin',
      'into the gap',
      '2026-03-29T01:00',
      '2026-03-29T02:30',
      '2026-03-29T00:00Z',
      '2026-03-29T01:30Z',
      3,
    ],
    [
      'Berlin',
      'of 23 hours',
      '2026-03-29T00:00',
      '2026-03-30T00:00',
      '2026-03-28T23:00Z',
      '2026-03-29T22:00Z',
      46,
    ],
    [
      'New York',
      'over the gap',
      '2026-03-08T00:00',
      '2026-03-08T04:00',
      '2026-03-08T05:00Z',
      '2026-03-08T08:00Z',
      6,
    ],
    [
      'New York',
      'from the gap',
      '2026-03-08T02:15',
      '2026-03-08T04:00',
      '2026-03-08T07:15Z',
      '2026-03-08T08:00Z',
      1,
    ],
    [
      'Lord Howe',
      'over the gap',
      '2026-10-04T01:00',
      '2026-10-04T03:00',
      '2026-10-03T14:30Z',
      '2026-10-03T16:00Z',
      3,
    ],
    [
      'Lord Howe',
      'from the gap',
      '2026-10-04T02:15',
      '2026-10-04T04:00',
      '2026-10-03T15:45Z',
      '2026-10-03T17:00Z',
      2,
    ],
    [
      'Lord Howe',
      'of 23.5 hours',
      '2026-10-04T00:00',
      '2026-10-05T00:00',
      '2026-10-03T13:30Z',
      '2026-10-04T13:00Z',
      47,
    ],
    [
      'Santiago',
      'over the gap',
      '2026-09-05T23:00',
      '2026-09-06T02:00',
      '2026-09-06T03:00Z',
      '2026-09-06T05:00Z',
      4,
    ],
    [
      'Santiago',
      'from the gap',
      '2026-09-06T00:30',
      '2026-09-06T03:00',
      '2026-09-06T04:30Z',
      '2026-09-06T06:00Z',
      3,
    ],
    [
      'Santiago',
      'from midnight',
      '2026-09-06T00:00',
      '2026-09-06T02:00',
      '2026-09-06T04:00Z',
      '2026-09-06T05:00Z',
      2,
    ],
    // autumn: an hour (half an hour) occurs twice; without an offset the first one is used
    [
      'Berlin',
      'over the double hour',
      '2026-10-25T01:00',
      '2026-10-25T04:00',
      '2026-10-24T23:00Z',
      '2026-10-25T03:00Z',
      8,
    ],
    [
      'Berlin',
      'from the double hour',
      '2026-10-25T02:30',
      '2026-10-25T03:00',
      '2026-10-25T00:30Z',
      '2026-10-25T02:00Z',
      3,
    ],
    [
      'Berlin',
      'into the double hour',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
      '2026-10-24T23:30Z',
      '2026-10-25T00:30Z',
      2,
    ],
    [
      'Berlin',
      'in the second of the two hours',
      '2026-10-25T02:30+01:00',
      '2026-10-25T03:30',
      '2026-10-25T01:30Z',
      '2026-10-25T02:30Z',
      2,
    ],
    [
      'Berlin',
      'of 25 hours',
      '2026-10-25T00:00',
      '2026-10-26T00:00',
      '2026-10-24T22:00Z',
      '2026-10-25T23:00Z',
      50,
    ],
    [
      'New York',
      'over the double hour',
      '2026-11-01T00:00',
      '2026-11-01T03:00',
      '2026-11-01T04:00Z',
      '2026-11-01T08:00Z',
      8,
    ],
    [
      'New York',
      'from the double hour',
      '2026-11-01T01:30',
      '2026-11-01T02:00',
      '2026-11-01T05:30Z',
      '2026-11-01T07:00Z',
      3,
    ],
    [
      'Lord Howe',
      'over the double half hour',
      '2026-04-05T01:00',
      '2026-04-05T03:00',
      '2026-04-04T14:00Z',
      '2026-04-04T16:30Z',
      5,
    ],
    [
      'Lord Howe',
      'from the double half hour',
      '2026-04-05T01:45',
      '2026-04-05T02:00',
      '2026-04-04T14:45Z',
      '2026-04-04T15:30Z',
      1,
    ],
    [
      'Santiago',
      'over the double hour',
      '2026-04-04T22:00',
      '2026-04-05T01:00',
      '2026-04-05T01:00Z',
      '2026-04-05T05:00Z',
      8,
    ],
    [
      'Santiago',
      'from the double hour',
      '2026-04-04T23:30',
      '2026-04-05T00:30',
      '2026-04-05T02:30Z',
      '2026-04-05T04:30Z',
      4,
    ],
  ])('in %s %s: has as many slots as time', async (place, _, start, end, startUtc, endUtc, slots) => {
    const made = await makeTimeslot(holdfast.crm, practices[place], { start, end })
    expect([made.start, made.end].map(short)).toEqual([startUtc, endUtc])
    const lines = rasterLines(Date.parse(made.start), Date.parse(made.end), 30)
    expect(lines).toHaveLength(slots)
    const steps = new Set(lines.slice(1).map((line, index) => line - lines[index]!))
    expect([...steps]).toEqual(slots > 1 ? [30 * 60_000] : [])
  })

  it.each<[Place, string, string, string]>([
    ['Berlin', '2026-03-29T02:15', '2026-03-29T02:30', '2026-03-29T03:15'],
    ['New York', '2026-03-08T02:15', '2026-03-08T02:30', '2026-03-08T03:15'],
    ['Lord Howe', '2026-10-04T02:15', '2026-10-04T02:20', '2026-10-04T02:45'],
    ['Santiago', '2026-09-06T00:15', '2026-09-06T00:30', '2026-09-06T01:15'],
  ])(
    'in %s that was sent with a time in the gap is found by its real time',
    async (place, start, later, real) => {
      const practice = practices[place]
      const made = await makeTimeslot(holdfast.crm, practice, { start, end: later, raster: 5 })
      const same = await makeTimeslot(holdfast.crm, practice, { start: real, end: made.end, raster: 5 })
      expect(same.start).toBe(made.start)
      const path = `${practice.path}/resource/${encodeURIComponent(practice.resource)}/timeslots`
      const { body } = await holdfast.crm.get(`${path}?from=${real}&to=${made.end}`)
      expect(body.map((one: { reference: string }) => one.reference)).toEqual(
        expect.arrayContaining([made.reference, same.reference]),
      )
    },
  )

  it.each<[Place, string, number, string]>([
    // 3 h 10 min after local midnight, in the second of the two hours
    ['Berlin', '2026-10-25T01:10:00Z', 60, '2026-10-25T02:00Z'],
    ['Berlin', '2026-10-25T01:10:00Z', 90, '2026-10-25T02:30Z'],
    // 2 h 40 min after local midnight, after the gap
    ['Berlin', '2026-03-29T01:40:00Z', 90, '2026-03-29T02:00Z'],
    ['Lord Howe', '2026-04-04T15:10:00Z', 60, '2026-04-04T16:00Z'],
    // The day starts at one o'clock.
    ['Santiago', '2026-09-06T04:10:00Z', 30, '2026-09-06T04:30Z'],
  ])('in %s without a start, at %s with raster %s', async (place, now, raster, start) => {
    holdfast.clock.shiftMs = Date.parse(now) - Date.now()
    const end = new Date(Date.parse(now) + 86_400_000).toISOString()
    const made = await makeTimeslot(holdfast.crm, practices[place], { start: null, end, raster })
    expect(short(made.start)).toBe(start)
  })
})

describe('a single Appointment', () => {
  it.each<[Place, string, string, string, string]>([
    ['Berlin', '2026-03-29T02:30', '2026-03-29T04:00', '2026-03-29T01:30Z', '2026-03-29T02:00Z'],
    ['New York', '2026-11-01T01:30', '2026-11-01T02:30', '2026-11-01T05:30Z', '2026-11-01T07:30Z'],
    ['Lord Howe', '2026-10-04T01:45', '2026-10-04T02:45', '2026-10-03T15:15Z', '2026-10-03T15:45Z'],
    ['Santiago', '2026-04-04T23:30', '2026-04-05T00:00', '2026-04-05T02:30Z', '2026-04-05T04:00Z'],
  ])('in %s from %s to %s', async (place, start, end, startUtc, endUtc) => {
    const made = await makeAppointment(holdfast.crm, practices[place], { start, end })
    expect([made.start, made.end].map(short)).toEqual([startUtc, endUtc])
  })
})

describe('a series', () => {
  const startsOf = async (place: Place, from: string, to: string, raster = 60) => {
    const { appointments } = await makeSeries(holdfast.crm, practices[place], {
      series_data: { from, to, raster },
    })
    for (const { start, end } of appointments)
      expect(Date.parse(end) - Date.parse(start)).toBe(raster * 60_000)
    return appointments.map(one => short(one.start))
  }

  it.each<[Place, string, string, string, string[]]>([
    [
      'Berlin',
      'spring',
      '2026-03-28',
      '2026-03-30',
      ['2026-03-28T08:00Z', '2026-03-29T07:00Z', '2026-03-30T07:00Z'],
    ],
    [
      'Berlin',
      'autumn',
      '2026-10-24',
      '2026-10-26',
      ['2026-10-24T07:00Z', '2026-10-25T08:00Z', '2026-10-26T08:00Z'],
    ],
    [
      'New York',
      'spring',
      '2026-03-07',
      '2026-03-09',
      ['2026-03-07T14:00Z', '2026-03-08T13:00Z', '2026-03-09T13:00Z'],
    ],
    [
      'New York',
      'autumn',
      '2026-10-31',
      '2026-11-02',
      ['2026-10-31T13:00Z', '2026-11-01T14:00Z', '2026-11-02T14:00Z'],
    ],
    [
      'Lord Howe',
      'spring',
      '2026-10-03',
      '2026-10-05',
      ['2026-10-02T22:30Z', '2026-10-03T22:00Z', '2026-10-04T22:00Z'],
    ],
    [
      'Lord Howe',
      'autumn',
      '2026-04-04',
      '2026-04-06',
      ['2026-04-03T22:00Z', '2026-04-04T22:30Z', '2026-04-05T22:30Z'],
    ],
    [
      'Santiago',
      'spring',
      '2026-09-05',
      '2026-09-07',
      ['2026-09-05T13:00Z', '2026-09-06T12:00Z', '2026-09-07T12:00Z'],
    ],
    [
      'Santiago',
      'autumn',
      '2026-04-04',
      '2026-04-06',
      ['2026-04-04T12:00Z', '2026-04-05T13:00Z', '2026-04-06T13:00Z'],
    ],
  ])('in %s keeps nine o’clock over the change in %s', async (place, _, first, last, starts) => {
    expect(await startsOf(place, `${first}T09:00`, `${last}T10:00`)).toEqual(starts)
  })

  it.each<[Place, string, string, string, number, string[]]>([
    [
      'Berlin',
      'has an hour less in spring',
      '2026-03-28T01:00',
      '2026-03-30T04:00',
      60,
      [
        ...['2026-03-28T00:00Z', '2026-03-28T01:00Z', '2026-03-28T02:00Z'],
        ...['2026-03-29T00:00Z', '2026-03-29T01:00Z'],
        ...['2026-03-29T23:00Z', '2026-03-30T00:00Z', '2026-03-30T01:00Z'],
      ],
    ],
    [
      'Berlin',
      'has an hour more in autumn',
      '2026-10-24T01:00',
      '2026-10-26T04:00',
      60,
      [
        ...['2026-10-23T23:00Z', '2026-10-24T00:00Z', '2026-10-24T01:00Z'],
        ...['2026-10-24T23:00Z', '2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T02:00Z'],
        ...['2026-10-26T00:00Z', '2026-10-26T01:00Z', '2026-10-26T02:00Z'],
      ],
    ],
    [
      'Berlin',
      'loses what lies in the gap, on that day only',
      '2026-03-28T02:30',
      '2026-03-30T03:30',
      60,
      ['2026-03-28T01:30Z', '2026-03-30T00:30Z'],
    ],
    [
      'Lord Howe',
      'has half an hour less in spring',
      '2026-10-03T01:00',
      '2026-10-05T03:00',
      60,
      [
        ...['2026-10-02T14:30Z', '2026-10-02T15:30Z'],
        ...['2026-10-03T14:30Z'],
        ...['2026-10-04T14:00Z', '2026-10-04T15:00Z'],
      ],
    ],
    [
      'Santiago',
      'runs past the midnight that does not exist',
      '2026-09-04T23:00',
      '2026-09-07T02:00',
      60,
      [
        ...['2026-09-05T03:00Z', '2026-09-05T04:00Z', '2026-09-05T05:00Z'],
        ...['2026-09-06T03:00Z', '2026-09-06T04:00Z'],
        ...['2026-09-07T02:00Z', '2026-09-07T03:00Z', '2026-09-07T04:00Z'],
      ],
    ],
    [
      'Santiago',
      'runs past the midnight that comes an hour later',
      '2026-04-03T22:00',
      '2026-04-06T01:00',
      60,
      [
        ...['2026-04-04T01:00Z', '2026-04-04T02:00Z', '2026-04-04T03:00Z'],
        ...['2026-04-05T01:00Z', '2026-04-05T02:00Z', '2026-04-05T03:00Z', '2026-04-05T04:00Z'],
        ...['2026-04-06T02:00Z', '2026-04-06T03:00Z', '2026-04-06T04:00Z'],
      ],
    ],
  ])('in %s %s', async (place, _, from, to, raster, starts) => {
    expect(await startsOf(place, from, to, raster)).toEqual(starts)
  })
})

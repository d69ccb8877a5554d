import { expect, it } from 'vitest'
import { spanOf } from '../../web/console/src/pages/appointment/form-times.ts'

const berlin = (day: string, from: string, to: string) => {
  const span = spanOf({ resourceUuid: '', day, from, to }, 'Europe/Berlin')
  return span && [span.start, span.end].map(one => new Date(one).toISOString())
}

it.each([
  [
    'as the clocks say',
    '2030-03-30',
    '02:30',
    '03:00',
    ['2030-03-30T01:30:00.000Z', '2030-03-30T02:00:00.000Z'],
  ],
  ['past midnight', '2030-03-30', '23:30', '00:15', ['2030-03-30T22:30:00.000Z', '2030-03-30T23:15:00.000Z']],
  ['a whole day', '2030-03-30', '08:00', '08:00', ['2030-03-30T07:00:00.000Z', '2030-03-31T06:00:00.000Z']],
  // The clocks go from two to three.
  [
    'into the hour that is left out',
    '2030-03-31',
    '01:30',
    '02:30',
    ['2030-03-31T00:30:00.000Z', '2030-03-31T01:30:00.000Z'],
  ],
  [
    'out of the hour that is left out',
    '2030-03-31',
    '02:30',
    '03:00',
    ['2030-03-31T01:30:00.000Z', '2030-03-31T02:00:00.000Z'],
  ],
  [
    'within the hour that is left out',
    '2030-03-31',
    '02:15',
    '02:45',
    ['2030-03-31T01:15:00.000Z', '2030-03-31T01:45:00.000Z'],
  ],
  [
    'over the hour that is left out',
    '2030-03-31',
    '01:30',
    '03:30',
    ['2030-03-31T00:30:00.000Z', '2030-03-31T01:30:00.000Z'],
  ],
])('what is typed lasts %s', (_, day, from, to, span) => {
  expect(berlin(day, from, to)).toEqual(span)
})

it('shows no message while a field is empty', () => {
  expect(berlin('2030-03-30', '08:00', '')).toBeNull()
})

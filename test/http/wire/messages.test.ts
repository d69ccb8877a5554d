// Error messages: each says what was wrong and what is valid.

import { expect, it } from 'vitest'
import { appointmentBody, makePractice, makeTimeslot, setClock, timeslotBody } from '../../support/build.ts'
import { messageOf } from '../../support/refusals.ts'
import { type Answer, call, useService } from '../../support/service.ts'

const holdfast = await useService()
setClock(holdfast, '2030-01-01T00:00:00Z')
const practice = await makePractice(holdfast.crm)

const timeslots = (...sent: object[]) => holdfast.crm.post(`${practice.path}/timeslots`, { timeslots: sent })
const appointment = (fields: Record<string, unknown>) =>
  holdfast.crm.post(`${practice.path}/appointments`, appointmentBody(practice, fields))
const series = (data: object) =>
  appointment({ series_data: { from: '2030-01-07T09:00', to: '2030-01-08T10:00', raster: 60, ...data } })
const fieldsOf = ({ body }: Answer) => body.errors.map((one: { field: string }) => one.field)

const address = { city: 'Kiel', zip: '24103', street: 'Hafen', number: '1' }

it.each<[string, () => Promise<Answer>, string]>([
  [
    'a country that is no code',
    () => appointment({ address: { ...address, country: 'Germany' } }),
    'address.country must be a country code such as DE.',
  ],
  ['an address that is a number', () => appointment({ address: 7 }), 'address must be a text or an object.'],
  [
    'a half address',
    () => appointment({ address: { city: 'Kiel', zip: '24103', number: '1' } }),
    'address.street is required and must not be empty.',
  ],
  [
    'weekdays that are numbers',
    () => series({ weekdays: [1] }),
    'series_data.weekdays[0] must be a text, one of "1", "2", "3", "4", "5", "6", "7".',
  ],
  [
    'a weekday that does not exist',
    () => series({ weekdays: ['8'] }),
    'series_data.weekdays[0] must be one of 1, 2, 3, 4, 5, 6, 7.',
  ],
  [
    'a series over several days without weekdays',
    () => series({}),
    'series_data.weekdays is needed when the series spans more than one day: texts from "1" (Monday) to "7" (Sunday).',
  ],
  [
    'a raster of 0',
    () => timeslots(timeslotBody(practice, { raster: 0 })),
    'timeslots[0].raster must be at least 1.',
  ],
  ['no Timeslots', () => timeslots(), 'timeslots must have at least 1 entry.'],
  [
    'an end before the start',
    () => timeslots(timeslotBody(practice), timeslotBody(practice, { end: '2030-01-07T07:00' })),
    'timeslots[1].end must be after timeslots[1].start.',
  ],
  [
    'an email that is none',
    () => holdfast.crm.post('/user', { reference: 'a@b', email: 'An', username: 'an', lastName: 'An' }),
    'email must be an email address such as ann@example.org.',
  ],
  [
    'a reference that no path can hold',
    () => holdfast.crm.post('/user', { reference: '..', email: 'an@b', username: 'an', lastName: 'An' }),
    'reference must have 1 to 255 characters without control characters; . and .. are not allowed, because they cannot be part of a path.',
  ],
  [
    'something unknown',
    () =>
      holdfast.crm.get(
        `${practice.path}/resource/nowhere/timeslots?from=2030-01-01T00:00&to=2030-01-02T00:00`,
      ),
    'There is no Resource "nowhere".',
  ],
])('%s', async (_, send, sentence) => {
  expect(messageOf(await send())).toBe(sentence)
})

it('a batch names every invalid Timeslot and each of its fields', async () => {
  const answer = await timeslots(
    timeslotBody(practice),
    timeslotBody(practice, { raster: 'x', state: 'OPEN' }),
    timeslotBody(practice, { defaultCapacity: -1 }),
  )
  expect(answer.status).toBe(400)
  expect(fieldsOf(answer)).toEqual([
    'timeslots[1].raster',
    'timeslots[1].state',
    'timeslots[2].defaultCapacity',
  ])
})

it('a batch names every Timeslot that breaks a rule beyond its format', async () => {
  const answer = await timeslots(
    timeslotBody(practice, { resourceReference: 'nowhere' }),
    timeslotBody(practice),
    timeslotBody(practice, { end: 'tomorrow' }),
    timeslotBody(practice, { raster: 1000 }),
  )
  expect(fieldsOf(answer)).toEqual([
    'timeslots[0].resourceReference',
    'timeslots[2].end',
    'timeslots[3].raster',
  ])
})

it('a conflict in a batch names the Timeslot', async () => {
  const taken = await makeTimeslot(holdfast.crm, practice)
  const answer = await timeslots(
    timeslotBody(practice),
    timeslotBody(practice, { reference: taken.reference, raster: 5 }),
  )
  expect([answer.status, fieldsOf(answer)]).toEqual([409, ['timeslots[1].reference']])
})

it('reports at most twenty errors', async () => {
  const answer = await timeslots(...Array.from({ length: 30 }, () => timeslotBody(practice, { raster: 0 })))
  expect(answer.body.errors).toHaveLength(20)
})

it('a huge body full of errors returns only the first, to limit memory', async () => {
  const answer = await holdfast.crm.post(`${practice.path}/timeslots`, { timeslots: Array(300_000).fill(0) })
  expect(answer.body.errors).toEqual([
    {
      errorCode: 'invalid-field',
      field: 'timeslots',
      message: 'timeslots must not have more than 10000 entries.',
      rule: 'maxItems',
      limit: 10_000,
    },
  ])
})

it('accepts 8 MiB of Timeslots, and states the limit for more', async () => {
  const padded = (mebi: number) => {
    const body = { timeslots: [timeslotBody(practice)], padding: 'x'.repeat(mebi * 1024 * 1024 - 2_000) }
    return holdfast.crm.post(`${practice.path}/timeslots`, body)
  }
  expect((await padded(8)).status).toBe(201)
  const answer = await padded(9)
  expect([answer.status, messageOf(answer)]).toEqual([
    413,
    'The body is larger than 8 MiB. Send it in parts.',
  ])
})

it('tells a consumer that the time has passed, without mentioning other Appointments', async () => {
  const slot = await makeTimeslot(holdfast.crm, practice, {
    start: '2030-01-09T08:00',
    end: '2030-01-09T10:00',
  })
  const times = { from: '2030-01-09T07:30:00Z', to: '2030-01-09T08:00:00Z' }
  const reserve = () =>
    call(holdfast.app, 'POST', `/rest/1/resources/${practice.resourceUuid}/reserve_appointment`, {
      timeslot_uuid: slot.uuid,
      product_uuid: practice.productUuid,
      ...times,
    })
  for (const now of ['2030-01-09T07:45:00Z', '2030-01-10T00:00:00Z']) {
    setClock(holdfast, now)
    const answer = await reserve()
    expect([answer.status, answer.body.errors[0].errorCode]).toEqual([412, '201'])
    expect(messageOf(answer)).toBe('This time has passed. Load the list again and choose a later one.')
  }
})

it.each<[string, () => Promise<Answer>, { rule: string; limit?: number }]>([
  ['a raster of 0', () => timeslots(timeslotBody(practice, { raster: 0 })), { rule: 'min', limit: 1 }],
  ['no Timeslots', () => timeslots(), { rule: 'minItems', limit: 1 }],
  ['half a minute', () => timeslots(timeslotBody(practice, { raster: 1.5 })), { rule: 'whole-number' }],
  [
    'an end before the start',
    () => timeslots(timeslotBody(practice, { end: '2030-01-07T07:00' })),
    { rule: 'after-start' },
  ],
])('names the broken rule: %s', async (_, send, broken) => {
  const [{ rule, limit }] = (await send()).body.errors
  expect({ rule, limit }).toEqual({ limit: undefined, ...broken })
})

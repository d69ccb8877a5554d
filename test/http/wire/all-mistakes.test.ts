// A body with several errors gets all of them reported at once, including those that no schema can express.

import { expect, it } from 'vitest'
import { appointmentBody, makePractice, timeslotBody } from '../../support/build.ts'
import { type Answer, call, useService } from '../../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)

const fieldsOf = ({ body }: Answer) => body.errors.map((one: { field: string }) => one.field)
const consumer = async (verb: string, body: unknown) =>
  fieldsOf(await call(holdfast.app, 'POST', `/resources/${practice.resourceUuid}/${verb}`, body))

it('reports every error of a booking, including a missing person', async () => {
  const complete = (body: unknown) => consumer('create_appointment_with_consumer', body)
  const place = { start: '2030-01-07T08:00Z', end: '2030-01-07T08:30Z', timeslot_uuid: practice.uuid }
  const name = { email: 'an@example.org', firstName: 'An', lastName: 'An' }
  expect(await complete({})).toEqual([...Object.keys(place), 'email', 'firstname', 'lastname'])
  expect(await complete({ ...place, firstname: ' ', lastname: 'An' })).toEqual(['email', 'firstname'])
  expect(await complete({ ...place, ...name, email: 5, firstName: '' })).toEqual(['email', 'firstname'])
  expect(await complete({ ...place, ...name, start: 'soon', end: 'late' })).toEqual(['start', 'end'])
  // An existing Customer needs no further details.
  expect(await complete({ customer_id: 'known@plat' })).toEqual(Object.keys(place))
  expect(await complete([])).toEqual(['body'])
})

it('reports every error of a hold, including a missing target', async () => {
  const reserve = (body: unknown) => consumer('reserve_appointment', body)
  const target = { productUuid: practice.productUuid, appointmentUuid: practice.uuid }
  expect(await reserve({})).toEqual(['from', 'to', 'product_uuid', 'timeslot_uuid'])
  expect(await reserve(target)).toEqual(['from', 'to'])
  expect(await reserve({ ...target, from: 'soon', to: 'late' })).toEqual(['from', 'to'])
  expect(await reserve('[null]')).toEqual(['body'])
})

it('reports every error of a User, including the login name', async () => {
  const user = { reference: '..', email: 'an', username: 'a?n', lastName: '' }
  expect(fieldsOf(await holdfast.crm.post('/user', user)).sort()).toEqual(Object.keys(user).sort())
})

it('reports every error of contact channels', async () => {
  const contactChannels = [
    { type: 'email', value: 'an' },
    { type: 'link', value: 'ftp://x' },
    { type: 'email', value: 'an@example.org' },
  ]
  const body = { reference: 'p', userReference: practice.owner, providerReference: practice.reference }
  const answer = await holdfast.crm.post(`${practice.path}/contactProfile`, {
    ...body,
    name: 'An',
    contactChannels,
  })
  expect(fieldsOf(answer)).toEqual([
    'contactChannels[0].value',
    'contactChannels[1].value',
    'contactChannels[2].type',
  ])
})

it('reports both ends of a period, in a batch and alone', async () => {
  const ends = { start: 'soon', end: 'late' }
  const timeslots = [timeslotBody(practice, ends), timeslotBody(practice, { raster: 1000 })]
  expect(fieldsOf(await holdfast.crm.post(`${practice.path}/timeslots`, { timeslots }))).toEqual([
    'timeslots[0].start',
    'timeslots[0].end',
    'timeslots[1].raster',
  ])
  const appointment = await holdfast.crm.post(
    `${practice.path}/appointments`,
    appointmentBody(practice, ends),
  )
  expect(fieldsOf(appointment)).toEqual(['start', 'end'])
})

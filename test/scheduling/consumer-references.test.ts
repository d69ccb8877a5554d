// Rows created by consumers have generated references. Appointments are also found by `uuid@consumer`, which
// was their reference up to 0.4.0; clients know the uuid from the response to a booking.

import { expect, it } from 'vitest'
import { makeCustomer, makePractice, makeTimeslot, unique } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
await makeTimeslot(holdfast.crm, practice, { defaultCapacity: 3 })
const consumer = asConsumer(overApp(holdfast.app))

const book = async () => {
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  const { body } = await consumer.complete(practice.resourceUuid, bookingOf(slot!))
  return body.createdAppointment.appointment_uuid as string
}
const get = (reference: string, of = practice) =>
  holdfast.crm.get(`${of.path}/appointments/${encodeURIComponent(reference)}`)

it('are short, and `uuid@consumer` also finds the Appointment', async () => {
  const uuid = await book()
  const { body } = await holdfast.crm.get(`${practice.path}/appointments`)
  const { reference } = body.find((one: { uuid: string }) => one.uuid === uuid)
  expect(reference).toMatch(/^[0-9a-z]{14}@consumer$/)
  for (const name of [reference, `${uuid}@consumer`, `${uuid.toUpperCase()}@consumer`]) {
    const answer = await get(name)
    expect([answer.status, answer.body.appointment?.reference]).toEqual([200, reference])
  }
  const joined = {
    reference: unique('participation'),
    appointmentReference: `${uuid}@consumer`,
    customerReference: (await makeCustomer(holdfast.crm, practice)).customerReference,
    state: 'BOOKED',
  }
  const join = () => holdfast.crm.post(`${practice.path}/participations`, joined)
  expect([(await join()).status, (await join()).status]).toEqual([201, 200])
  for (const name of [`${uuid}@consumer`, `${uuid}@${practice.uuid}@consumer`])
    expect((await consumer.send('POST', `/resources/public_data?tslRefs=${name}`)).status).toBe(200)
  const cancelling = { appointmentReference: `${uuid}@consumer` }
  expect((await holdfast.crm.delete(`${practice.path}/appointments`, cancelling)).status).toBe(200)
  expect((await get(reference)).body.appointment.state).toBe('CANCELLED')
})

it('do not find Appointments of another Provider, or those the provider created', async () => {
  const uuid = await book()
  const other = await makePractice(holdfast.crm)
  expect((await get(`${uuid}@consumer`, other)).status).toBe(404)
  await holdfast.query("update appointment set origin = 'provider' where uuid = $1", [uuid])
  expect((await get(`${uuid}@consumer`)).status).toBe(404)
  const gone = await book()
  await holdfast.query('update appointment set deleted_at = now() where uuid = $1', [gone])
  expect((await get(`${gone}@consumer`)).status).toBe(404)
})

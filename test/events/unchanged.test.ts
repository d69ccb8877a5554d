// Saving a record without changes causes no event.

import { expect, it } from 'vitest'
import { eventCount, makeAppointment, makePractice } from '../support/build.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)

const at = (path: string) => `${practice.path}${path}`
const user = { reference: 'same@acme', email: 'same@acme.example', username: 'same', lastName: 'Same' }
const product = { reference: 'same-product@acme', name: 'Talk', minDuration: 30 }
const room = { publicName: 'Room 2', internalName: 'R1', website: 'https://example.org' }
const slot = { end: '2030-01-07T11:00', raster: 15, address: 'Upstairs' }
const person = { userName: 'Zoe', mobile: '+49 170 12345', note: 'Hi', language: 'de' }
const patch = (path: string, body: object) => consoleCall(holdfast.app, 'PATCH', path, body)
const slots = await holdfast.crm.post(at('/timeslots'), {
  timeslots: [
    {
      ...slot,
      reference: 'same-slot@acme',
      resourceReference: practice.resource,
      start: '2030-01-07T08:00',
      defaultCapacity: 1,
      defaultAcceptBookings: true,
      state: 'BOOKABLE',
    },
  ],
})
expect(slots.status).toBe(201)
const customer = { customerReference: 'same-customer@acme', providerReference: practice.reference }
expect((await holdfast.crm.post(at('/customers'), { ...customer, ...person })).status).toBe(201)
const { uuid: appointment } = await makeAppointment(holdfast.crm, practice)

const saves: [string, () => Promise<Answer>][] = [
  ['a User', () => holdfast.crm.post('/user', user)],
  ['a Product', () => holdfast.crm.post(at('/products'), product)],
  ['a Product, in the console', () => patch(`/products/${practice.productUuid}`, { leadTimeMinutes: 5 })],
  ['a Resource', () => holdfast.crm.post(at(`/resources/${encodeURIComponent(practice.resource)}`), room)],
  ['a Resource, in the console', () => patch(`/resources/${practice.resourceUuid}`, { description: 'Big' })],
  ['a channel', () => patch(`/resources/${practice.resourceUuid}/channels`, { horizonDays: 9 })],
  ['a Provider', () => patch(`/providers/${practice.uuid}`, { phone: '030 1', timeZone: 'Europe/Paris' })],
  ['a Timeslot', () => holdfast.crm.put(at('/timeslots/same-slot@acme'), { ...slot, raster: 30 })],
  ['a Customer', () => holdfast.crm.put(at('/customers/same-customer@acme'), { ...person, note: 'Ho' })],
  ['an Appointment', () => patch(`/appointments/${appointment}`, { notes: 'Key at the desk' })],
]

it.each(saves)('causes no event: %s', async (_, save) => {
  const countEvents = async () => {
    const before = await eventCount(holdfast)
    const { status, body } = await save()
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return (await eventCount(holdfast)) - before
  }
  expect(await countEvents()).toBeGreaterThan(0)
  expect(await countEvents()).toBe(0)
})

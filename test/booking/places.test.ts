// Consumers book several places of a group at once.

import { describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
  setProduct,
} from '../support/build.ts'
import { asConsumer, bookingOf, form, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { moveBooking } from '../support/moves.ts'
import { expectRefusal } from '../support/refusals.ts'
import { consoleCall, useService } from '../support/service.ts'

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0' })
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org' })
await setProduct(holdfast, practice.productUuid, { maxPlaces: 4 })
const consumer = asConsumer(overApp(holdfast.app))

/** A class with five places on a free Timeslot. */
async function makeClass(end = '2030-01-07T09:00') {
  const where = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, where, { end, defaultCapacity: 5 })
  return where
}
const slots = async (where: Practice) => slotsOf(await consumer.list(where.resource))
const left = async (where: Practice) => (await slots(where)).map(slot => slot.capacity_left)

async function recordsOf(where: Practice) {
  const { body } = await holdfast.crm.get(`${where.path}/appointments?resourceRef=${where.resource}`)
  return body as { participations: Record<string, unknown>[] }[]
}

describe('several places', () => {
  it('are held, counted and booked as one Participation', async () => {
    const where = await makeClass()
    const [slot] = await slots(where)
    const held = await consumer.reserve(where.resource, holdOf(slot!, { place_count: 3 }))
    expect(held.body.participation).toMatchObject({ place_count: 3, appointment_capacity_left: 2 })
    expect(await left(where)).toEqual([2, 5])
    const person = bookingOf(slot!, { placeholder_id: held.body.participation.customer_uuid, locale: 'en' })
    const { status, body } = await consumer.complete(where.resource, person)
    expect([status, body.createdAppointment.place_count]).toEqual([201, 3])
    expect((await recordsOf(where)).flatMap(one => one.participations)).toMatchObject([
      { state: 'BOOKED', places: 3, placeNames: [] },
    ])
    expect(await left(where)).toEqual([2, 5])
    const [mail, ...others] = await mailsTo(holdfast, person.email)
    expect([mail!.kind, others]).toEqual(['booked', []])
    expect(mail!.text).toMatch(/Places:?\s+3/)
    const { body: again } = await consumer.complete(where.resource, person)
    expect(again).toEqual(body)
  })

  it('are one place for a client that does not know of them', async () => {
    const where = await makeClass()
    const [slot] = await slots(where)
    const { body } = await consumer.complete(where.resource, bookingOf(slot!))
    expect(body.createdAppointment).toMatchObject({ place_count: 1, capacity_left: 4 })
  })

  it('are refused if fewer are left, or more than the Product allows', async () => {
    const where = await makeClass()
    const [slot] = await slots(where)
    expectRefusal(
      await consumer.reserve(where.resource, holdOf(slot!, { place_count: 5 })),
      400,
      'invalid-field',
      'place_count',
    )
    expectRefusal(
      await consumer.complete(where.resource, bookingOf(slot!, { place_count: 5 })),
      400,
      'invalid-field',
      'place_count',
    )
    await consumer.complete(where.resource, bookingOf(slot!, { place_count: 3 }))
    const [group] = await slots(where)
    expectRefusal(await consumer.reserve(where.resource, holdOf(group!, { place_count: 3 })), 412, '201')
    expectRefusal(await consumer.complete(where.resource, bookingOf(group!, { place_count: 3 })), 412, '201')
    expect((await consumer.complete(where.resource, bookingOf(group!, { place_count: 2 }))).status).toBe(201)
    expect(await left(where)).toEqual([5])
  })

  it('can be changed when completing, while enough are free', async () => {
    const where = await makeClass()
    const [slot] = await slots(where)
    const held = await consumer.reserve(where.resource, holdOf(slot!, { place_count: 2 }))
    const placeholder_id = held.body.participation.customer_uuid
    const { body } = await consumer.complete(
      where.resource,
      bookingOf(slot!, { placeholder_id, place_count: 4 }),
    )
    expect(body.createdAppointment).toMatchObject({ place_count: 4, capacity_left: 1 })
  })

  it('have names where the Product asks for them', async () => {
    const where = await makeClass()
    await setProduct(holdfast, practice.productUuid, { placeNamesRequired: true })
    const { body: listed } = await consumer.send('POST', `/products/active_products?ref=${where.resource}`)
    expect(listed.products[0]).toMatchObject({ maxPlaces: 4, placeNamesRequired: true })
    const [slot] = await slots(where)
    const held = await consumer.reserve(where.resource, holdOf(slot!, { place_count: 2 }))
    const booking = { placeholder_id: held.body.participation.customer_uuid, locale: 'en' }
    const person = bookingOf(slot!, booking)
    const missing = await consumer.complete(where.resource, { ...person, place_names: ['Mia', ' '] })
    expectRefusal(missing, 400, 'missing-field', 'place_names[1]')
    const place_names = ['Mia', 'Tom ']
    expect((await consumer.complete(where.resource, { ...person, place_names })).status).toBe(201)
    const [record] = (await recordsOf(where))[0]!.participations
    expect(record).toMatchObject({ places: 2, placeNames: ['Mia', 'Tom'] })
    for (const address of [person.email, 'desk@example.org'])
      expect((await mailsTo(holdfast, address)).at(-1)!.text).toContain('Tom')
    const customer = `${practice.path}/customers/${encodeURIComponent(record!.customerReference as string)}`
    expect((await holdfast.crm.delete(`${customer}?ignoreFutureAppointments`)).status).toBe(204)
    const rows = await holdfast.query(`select from participation where place_names is not null`)
    expect(rows).toEqual([])
    await setProduct(holdfast, practice.productUuid, { placeNamesRequired: false })
  })

  it('move together, and only where all of them fit', async () => {
    const where = await makeClass('2030-01-07T09:30')
    const [first, second, third] = await slots(where)
    await consumer.complete(where.resource, bookingOf(second!, { place_count: 3 }))
    const { body } = await consumer.complete(where.resource, bookingOf(first!, { place_count: 3 }))
    const booked = body.createdAppointment
    const full = (await slots(where))[1]!
    expectRefusal(await moveBooking(consumer, booked, full), 412, '201')
    await setProduct(holdfast, practice.productUuid, { maxPlaces: 2 })
    expect((await moveBooking(consumer, booked, third!)).status).toBe(200)
    await setProduct(holdfast, practice.productUuid, { maxPlaces: 4 })
    expect(await left(where)).toEqual([5, 2, 2])
  })

  it('of a request count until it is declined', async () => {
    const where = await makeClass()
    await setChannel(holdfast, where.resourceUuid, { bookingProcess: 'REQUESTED' })
    const [slot] = await slots(where)
    const { body } = await consumer.complete(where.resource, bookingOf(slot!, { place_count: 4 }))
    expect(await left(where)).toEqual([1, 5])
    await consumer.cancel(body.createdAppointment.cancelLink)
    expect(await left(where)).toEqual([5, 5])
  })
})

describe('places of a Participation over the CRM’s API', () => {
  it('count against the capacity and can be changed', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const { reference } = await makeAppointment(holdfast.crm, where, { capacity: 4 })
    const { customerReference } = await makeCustomer(holdfast.crm, practice, { email: 'group@example.org' })
    const own = { customerReference, places: 3, placeNames: ['Ann'] }
    const made = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', own)
    const path = `${practice.path}/participations/${encodeURIComponent(made.reference)}`
    const change = (body: object) => holdfast.crm.post(path, { state: 'BOOKED', ...body })
    expectRefusal(await change({ places: 5 }), 409, 'capacity-exceeded')
    const { body } = await change({ places: 4 })
    expect(body.participation).toMatchObject({ places: 4, placeNames: ['Ann'] })
    expect((await change({ places: 4 })).body.participation.places).toBe(4)
    expectRefusal(await change({ placeNames: ['a', 'b', 'c', 'd', 'e'] }), 400, 'invalid-field', 'placeNames')
    const kinds = (await mailsTo(holdfast, 'group@example.org')).map(mail => mail.kind)
    expect(kinds).toEqual(['booked', 'changed'])
    const other = await makeCustomer(holdfast.crm, practice)
    const full = await holdfast.crm.post(`${practice.path}/participations`, {
      reference: 'late@plat',
      appointmentReference: reference,
      customerReference: other.customerReference,
      state: 'BOOKED',
    })
    expectRefusal(full, 409, 'capacity-exceeded')
    const { body: log } = await holdfast.crm.get('/events?kinds=participation.changed&limit=500')
    expect(log.events.at(-1).data.participation).toMatchObject({ places: 4 })
  })
})

describe('cancelling', () => {
  it('can keep some of the places, by name or number, and tells both sides once', async () => {
    const where = await makeClass()
    await setProduct(holdfast, practice.productUuid, { placeNamesRequired: true })
    const [slot] = await slots(where)
    const person = bookingOf(slot!, { place_count: 3, place_names: ['Mia', 'Tom', 'Lea'], locale: 'en' })
    const { body } = await consumer.complete(where.resource, person)
    await setProduct(holdfast, practice.productUuid, { placeNamesRequired: false })
    const { cancelLink, cancelToken, appointment_uuid } = body.createdAppointment
    const path = new URL(cancelLink).pathname
    const { text } = await consumer.send('GET', path)
    expect(text).toContain('Tom')
    const kept = await consumer.send('POST', path, 'stay=name+0&stay=name+2', { headers: form })
    expect(kept.text).toContain('Mia, Lea')
    expect((await recordsOf(where))[0]!.participations).toMatchObject([
      { state: 'BOOKED', places: 2, placeNames: ['Mia', 'Lea'] },
    ])
    expect(await left(where)).toEqual([3, 5])
    const one = `/customers/${crypto.randomUUID()}/appointments/${appointment_uuid}?keep=1`
    const signed = { headers: { 'x-signed-app-customer': cancelToken } }
    for (let repeated = 0; repeated < 2; repeated++)
      expect((await consumer.send('DELETE', one, undefined, signed)).status).toBe(200)
    expect(await left(where)).toEqual([4, 5])
    const mails = await mailsTo(holdfast, person.email)
    expect(mails.map(mail => mail.kind)).toEqual(['booked', 'changed', 'changed'])
    await consumer.cancel(cancelLink)
    expect(await left(where)).toEqual([5, 5])
  })
})

describe('everyone in a class', () => {
  it('gets one message in their language, and attendance is saved for all at once', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const { reference } = await makeAppointment(holdfast.crm, where, { capacity: 4 })
    const people = [
      { email: 'anna@example.org', language: 'de' },
      { email: 'bob@example.org', language: 'en' },
      { email: null },
    ]
    for (const fields of people) {
      const { customerReference } = await makeCustomer(holdfast.crm, practice, fields)
      await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', { customerReference })
    }
    const path = `${where.path}/appointments/${encodeURIComponent(reference)}`
    const said = await holdfast.crm.post(`${path}/message`, { message: 'Bring a towel.' })
    expect(said.body).toMatchObject({ sent: 2, withoutAddress: 1 })
    const [german] = (await mailsTo(holdfast, 'anna@example.org')).slice(-1)
    expect([german!.kind, german!.subject]).toEqual(['message', expect.stringContaining('Zu Ihrem Termin')])
    expect(german!.text).toContain('Bring a towel.')
    expect((await mailsTo(holdfast, 'bob@example.org')).at(-1)!.subject).toContain('About your appointment')

    const { body: record } = await holdfast.crm.get(path)
    const inConsole = (method: string, end = '', body?: object) =>
      consoleCall(holdfast.app, method, `/appointments/${record.appointment.uuid}${end}`, body)
    const { body: page } = await inConsole('GET')
    const marks = page.entry.people.map(({ uuid }: { uuid: string }) => ({ uuid, attendance: 'ATTENDED' }))
    const all = await inConsole('POST', '/attendance', { people: marks })
    expect(all.body.entry.people.map((one: { attendance: string }) => one.attendance)).toEqual(
      people.map(() => 'ATTENDED'),
    )
    const stranger = [
      { ...marks[0], attendance: null },
      { uuid: crypto.randomUUID(), attendance: null },
    ]
    expect((await inConsole('POST', '/attendance', { people: stranger })).status).toBe(404)
    expect((await inConsole('POST', '/message', { message: ' ' })).status).toBe(400)
    await holdfast.crm.delete(path, { appointment_reference: reference })
  })
})

it('a person who waits for an earlier time is offered only as many places as they have', async () => {
  const where = await makeClass('2030-01-07T10:00')
  await setChannel(holdfast, where.resourceUuid, { waitingList: true })
  const [early, _second, late] = await slots(where)
  const { body: full } = await consumer.complete(where.resource, bookingOf(early!, { place_count: 4 }))
  const { body } = await consumer.complete(where.resource, bookingOf(late!, { place_count: 3 }))
  const { body: records } = await holdfast.crm.get(`${where.path}/appointments?resourceRef=${where.resource}`)
  const mine = records.find((one: { uuid: string }) => one.uuid === body.createdAppointment.appointment_uuid)
  const [{ reference, customerReference }] = mine.participations
  const entry = await holdfast.crm.post(`${where.path}/waiting_list`, {
    customerReference,
    productReference: practice.product,
    from: '2030-01-07',
    to: '2030-01-07',
    timeTo: '08:30',
    participationReference: reference,
  })
  expect(entry.body.entry).toMatchObject({ places: 3, state: 'WAITING' })
  await consumer.send(
    'DELETE',
    `/customers/x/appointments/${full.createdAppointment.appointment_uuid}?keep=3`,
    undefined,
    {
      headers: { 'x-signed-app-customer': full.createdAppointment.cancelToken },
    },
  )
  expect(await left(where)).toEqual([2, 5, 2, 5])
  await consumer.cancel(full.createdAppointment.cancelLink)
  expect(await left(where)).toEqual([2, 5, 2, 5])
})

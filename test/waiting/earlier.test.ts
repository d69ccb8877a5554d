import { beforeEach, expect, it } from 'vitest'
import { makeAppointment, makePractice, setChannel } from '../support/build.ts'
import { bookingOf, newPerson, slotsOf } from '../support/consumer.ts'
import { bookAt, moveBooking } from '../support/moves.ts'
import { consoleCall, useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

// "Earlier than mine", and other people who have a booking already.

const holdfast = await useService()
const { crm } = holdfast
const practice = await makePractice(crm, { language: 'en' })
const { room, wait, entry, offers, consumer, job, list } = waitingAt(holdfast, practice)
const outcomes = async (uuid: string) => (await offers(uuid)).map(([_start, outcome]) => outcome)
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

/** A person with the last of three times in a room, who waits for an earlier one. The other two are booked as well. */
async function waitsForEarlier(fields: object = {}) {
  const where = await room({ start: '2030-01-07T08:00', end: '2030-01-07T11:00', raster: 60 })
  const [first, second, last] = slotsOf(await consumer.list(where.resource))
  const others = [await bookAt(consumer, first!), await bookAt(consumer, second!)] as const
  const mine = await bookAt(consumer, last!)
  const [place] = await holdfast.query(
    `select participation.reference, customer.reference as customer from participation
     join customer on customer.id = customer_id where participation.email = $1`,
    [mine.email],
  )
  const { body } = await crm.post(list, {
    customerReference: place.customer,
    productReference: practice.product,
    resourceReferences: [where.resource],
    participationReference: place.reference,
    from: '2030-01-07',
    to: '2030-01-11',
    ...fields,
  })
  return { where, mine, uuid: body.entry.uuid as string, others }
}

it('nothing is offered to a person whose own booking is too near to be moved', async () => {
  const { where, uuid, others } = await waitsForEarlier()
  holdfast.clock.shiftMs = Date.parse('2030-01-06T10:00Z') - Date.now()
  await setChannel(holdfast, where.resourceUuid, { changeNoticeMinutes: 1440 })
  const path = `/appointments/${others[0].appointment_uuid}/cancel`
  expect((await consoleCall(holdfast.app, 'POST', path, {})).status).toBe(200)
  await job()
  expect(await offers(uuid)).toEqual([])
  await setChannel(holdfast, where.resourceUuid, { changeNoticeMinutes: 60 })
  await job()
  expect(await outcomes(uuid)).toEqual(['OPEN'])
})

it('an offer ends with the booking that it would replace, and goes to the next one', async () => {
  const { where, mine, uuid, others } = await waitsForEarlier()
  const ben = await wait(where, { timeTo: '09:00' })
  await consumer.cancel(others[0].cancelLink)
  expect(await outcomes(uuid)).toEqual(['OPEN'])
  await consumer.cancel(mine.cancelLink)
  await job()
  expect(await outcomes(uuid)).toEqual(['WITHDRAWN'])
  expect((await entry(uuid)).state).toBe('ENDED')
  expect(await outcomes(ben.uuid)).toEqual(['OPEN'])
})

it('a person waits on after the practice has accepted another time', async () => {
  const { where, mine, uuid, others } = await waitsForEarlier({ timeTo: '09:00' })
  await setChannel(holdfast, where.resourceUuid, { bookingProcess: 'REQUESTED' })
  await consumer.cancel(others[1].cancelLink)
  const [nine] = slotsOf(await consumer.list(where.resource))
  expect((await moveBooking(consumer, mine, nine!)).status).toBe(200)
  const [request] = await holdfast.query(
    `select reference from participation where email = $1 and state = 'REQUESTED'`,
    [mine.email],
  )
  const path = `${practice.path}/participations/${encodeURIComponent(request.reference)}`
  expect((await crm.post(path, { state: 'BOOKED' })).status).toBe(200)
  await consumer.cancel(others[0].cancelLink)
  expect(await outcomes(uuid)).toEqual(['OPEN'])
})

it('no second place is offered to a person who is in the class', async () => {
  const where = await room({ start: '2030-01-07T20:00', end: '2030-01-07T21:00', raster: 60 })
  const lesson = await makeAppointment(crm, where, {
    start: '2030-01-07T08:00',
    end: '2030-01-07T09:00',
    capacity: 2,
    acceptBookings: true,
  })
  const slot = slotsOf(await consumer.list(where.resource)).find(one => one.appointment_uuid === lesson.uuid)!
  const [mine, other] = [newPerson(), newPerson()]
  const booked = await consumer.complete(where.resource, bookingOf(slot, mine))
  expect(booked.status).toBe(201)
  const { cancelLink } = (await consumer.complete(where.resource, bookingOf(slot, other))).body
    .createdAppointment
  const [customer] = await holdfast.query('select reference from customer where email = $1', [mine.email])
  const wish = { productReference: practice.product, resourceReferences: [where.resource] }
  const period = { from: '2030-01-07', to: '2030-01-11', timeTo: '12:00' }
  const { body } = await crm.post(list, { customerReference: customer.reference, ...wish, ...period })
  const ben = await wait(where, { timeTo: '12:00' })
  await consumer.cancel(cancelLink)
  expect(await offers(body.entry.uuid)).toEqual([])
  expect(await outcomes(ben.uuid)).toEqual(['OPEN'])
})

it('a person whose address comes back is offered what is free', async () => {
  const where = await room({ start: '2030-01-07T08:00', end: '2030-01-07T09:00', raster: 60 })
  const full = await room({ start: '2030-01-07T08:00', end: '2030-01-07T09:00', raster: 60 })
  await bookAt(consumer, slotsOf(await consumer.list(full.resource))[0]!)
  await wait(full)
  const [slot] = slotsOf(await consumer.list(where.resource))
  const { cancelLink } = await bookAt(consumer, slot!)
  const ann = await wait(where)
  const [row] = await holdfast.query('select uuid from customer where reference = $1', [ann.customer])
  const change = (email: string | null) =>
    consoleCall(holdfast.app, 'PATCH', `/customers/${row.uuid}`, { email })
  expect((await change(null)).status).toBe(200)
  await consumer.cancel(cancelLink)
  await job()
  expect(await offers(ann.uuid)).toEqual([])
  expect((await change(ann.email)).status).toBe(200)
  await job()
  expect(await outcomes(ann.uuid)).toEqual(['OPEN'])
})

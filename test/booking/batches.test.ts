// Concurrent reserves share a transaction. Each must have the same outcome as it would alone.

import { expect, it } from 'vitest'
import { makeAppointment, makePractice, setProduct } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp } from '../support/consumer.ts'
import { expectRefusal } from '../support/refusals.ts'
import { holdBodyAt, roomsOf } from '../support/rooms.ts'
import { useService } from '../support/service.ts'
import { transactionsOf, whileLocked } from '../support/transactions.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))

const { roomWith, slots, reserve } = roomsOf(() => ({ holdfast, practice, consumer }))

it('share a few transactions, and each gets its own slot', async () => {
  const rooms = await Promise.all([roomWith(), roomWith(), roomWith()])
  const all = (
    await Promise.all(rooms.map(async room => (await slots(room)).map(slot => ({ room, slot }))))
  ).flat()
  let answers: Awaited<ReturnType<typeof reserve>>[] = []
  const count = await transactionsOf(holdfast, async () => {
    answers = await Promise.all(all.map(({ room, slot }) => reserve(room, holdOf(slot))))
  })
  expect(answers.map(answer => answer.status)).toEqual(Array(12).fill(200))
  expect(count).toBeLessThan(6)
  const starts = answers.map(({ body }) => `${body.participation.resource_uuid} ${body.participation.from}`)
  expect(new Set(starts).size).toBe(12)
  for (const room of rooms) expect((await consumer.list(room.resource)).status).toBe(204)
})

it('for one slot: one succeeds, and the others are refused', async () => {
  const room = await roomWith()
  const [slot] = await slots(room)
  const answers = await Promise.all(Array.from({ length: 20 }, () => reserve(room, holdOf(slot!))))
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, ...Array(19).fill(412)])
})

it('for one group slot share an Appointment, each with its own count of places left', async () => {
  const room = await roomWith({ defaultCapacity: 5 })
  const [slot] = await slots(room)
  const answers = await Promise.all(Array.from({ length: 8 }, () => reserve(room, holdOf(slot!))))
  const granted = answers.filter(answer => answer.status === 200).map(answer => answer.body.participation)
  expect(granted.map(one => one.appointment_capacity_left).toSorted()).toEqual([0, 1, 2, 3, 4])
  expect(new Set(granted.map(one => one.appointment_uuid)).size).toBe(1)
  expect((await slots(room))[0]).toMatchObject({ start: expect.stringContaining('T08:30') })
})

it('refuses only the invalid requests of a batch', async () => {
  const [room, other] = [await roomWith(), await roomWith()]
  const good = holdBodyAt(room, '07:00', '07:30')
  const answers = await Promise.all([
    reserve(room, good),
    reserve(room, { ...good, timeslot_uuid: '00000000-0000-4000-8000-000000000000' }),
    reserve(room, { ...good, product_uuid: '00000000-0000-4000-8000-000000000000' }),
    consumer.reserve('nobody@plat', holdBodyAt(other, '07:00', '07:30')),
    reserve(other, holdBodyAt(other, '07:10', '07:40')),
    reserve(other, holdBodyAt(other, '08:00', '08:30')),
  ])
  expect(answers.map(answer => answer.status)).toEqual([200, 404, 404, 404, 412, 200])
})

it('keep the old hold if the new slot is not available', async () => {
  const [room, other] = [await roomWith(), await roomWith()]
  const held = await reserve(room, holdBodyAt(room, '07:00', '07:30'))
  const placeholder_id = held.body.participation.customer_uuid
  const [refused, granted] = await Promise.all([
    reserve(room, { ...holdBodyAt(room, '07:15', '07:45'), placeholder_id }),
    reserve(other, holdBodyAt(other, '07:00', '07:30')),
  ])
  expect([refused!.status, granted!.status]).toEqual([412, 200])
  expect((await slots(room)).map(slot => slot.start.slice(11, 16))).toEqual(['08:30', '09:00', '09:30'])
})

it('can take the place that another hold leaves; no other client gets it', async () => {
  const room = await roomWith({ defaultCapacity: 2 })
  const [first, second] = await slots(room)
  const held = await reserve(room, holdOf(first!))
  const placeholder_id = held.body.participation.customer_uuid
  const [left, came] = await Promise.all([
    reserve(room, { ...holdOf(second!), placeholder_id }),
    reserve(room, holdOf(first!)),
  ])
  expect([left!.status, came!.status]).toEqual([200, 200])
  const mine = came!.body.participation
  expect(mine.appointment_uuid).toBe(held.body.participation.appointment_uuid)
  expect((await slots(room))[0]).toMatchObject({ start: first!.start, capacity_left: 1 })
  const request = bookingOf(first!, { ...newPerson(), placeholder_id: mine.customer_uuid })
  const booked = await consumer.complete(room.resource, request)
  expect([booked.status, booked.body.createdAppointment.appointment_uuid]).toEqual([
    201,
    mine.appointment_uuid,
  ])
})

it('do not wait for a Resource locked elsewhere', async () => {
  const [stuck, free] = [await roomWith(), await roomWith()]
  let late = false
  const waiting = await whileLocked(holdfast, stuck.resourceUuid, async () => {
    const answer = reserve(stuck, holdBodyAt(stuck, '07:00', '07:30')).finally(() => {
      late = true
    })
    expect((await reserve(free, holdBodyAt(free, '07:00', '07:30'))).status).toBe(200)
    expect(late).toBe(false)
    return { answer }
  })
  expect((await waiting.answer).status).toBe(200)
})

it('that end between two raster lines block time up to the next one, where the provider may have an Appointment', async () => {
  const room = await roomWith()
  await setProduct(holdfast, room.productUuid, { maxDuration: 45 })
  await makeAppointment(holdfast.crm, room, { start: '2030-01-07T08:50', end: '2030-01-07T09:00' })
  expectRefusal(await reserve(room, holdBodyAt(room, '07:00', '07:45')), 412, '201')
  await setProduct(holdfast, room.productUuid, { maxDuration: null })
})

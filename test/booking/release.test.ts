import { beforeEach, describe, expect, it } from 'vitest'
import { makeAppointment, makePractice, makeRoom, makeTimeslot, type Practice } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { harmless } from '../support/hostile.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

async function roomWith(fields = {}) {
  const where = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, where, { end: '2030-01-07T10:00', ...fields })
  return where
}
const slots = async (where: Practice) => slotsOf(await consumer.list(where.resource))
const first = async (where: Practice) => (await slots(where))[0]!

async function hold(where: Practice, slot: Slot) {
  const { body } = await consumer.reserve(where.resource, holdOf(slot))
  return body.participation as { customer_uuid: string; appointment_uuid: string }
}
const release = (where: Practice, placeholder: string, appointment?: string) =>
  consumer.release(where.resource, placeholder, appointment)

const appointments = async (where: Practice) =>
  (await holdfast.crm.get(`${practice.path}/appointments?resourceRef=${where.resource}`)).body

const done = { 'api-info': { version: '1' } }

it('frees the slot immediately, under both prefixes', async () => {
  const where = await roomWith()
  for (const prefix of ['', '/rest/1']) {
    const { customer_uuid, appointment_uuid } = await hold(where, await first(where))
    expect(await slots(where)).toHaveLength(3)
    const answer = await asConsumer(overApp(holdfast.app), prefix).release(
      where.resource,
      customer_uuid,
      appointment_uuid,
    )
    expect([answer.status, answer.body]).toEqual([200, done])
    expect((await slots(where)).map(slot => slot.kind)).toEqual(Array(4).fill('models.Bookable'))
  }
})

it('frees it under the lock of the Resource it was just moved to', async () => {
  const [where, there] = [await roomWith(), await roomWith()]
  const { customer_uuid, appointment_uuid } = await hold(where, await first(where))
  const { pool } = holdfast.service.db
  const revision = async () => {
    const { rows } = await pool.query('select revision::int from resource where uuid = $1', [
      there.resourceUuid,
    ])
    return rows[0].revision
  }
  const before = await revision()
  const rooms = [where.resourceUuid, there.resourceUuid]
  const { status } = await whileWaiting(
    holdfast,
    {
      async before(rival) {
        await rival.query('update resource set revision = revision + 1 where uuid = any ($1)', [rooms])
        const room = '(select id from resource where uuid = $2)'
        await rival.query(`update appointment set resource_id = ${room} where uuid = $1`, [
          appointment_uuid,
          there.resourceUuid,
        ])
      },
    },
    () => release(where, customer_uuid),
  )
  expect(status).toBe(200)
  // Raised by the move and again by the release: lists of that Resource are rebuilt.
  expect(await revision()).toBe(before + 2)
  expect(await appointments(there)).toEqual([])
})

it('leaves no Appointment behind if it only ever had holds', async () => {
  const where = await roomWith({ defaultCapacity: 3 })
  const { customer_uuid } = await hold(where, await first(where))
  await release(where, customer_uuid)
  expect(await appointments(where)).toEqual([])
})

it('leaves none behind if its only other hold has expired', async () => {
  const where = await roomWith({ defaultCapacity: 3 })
  await hold(where, await first(where))
  holdfast.clock.shiftMs = 120_000
  const { customer_uuid } = await hold(where, await first(where))
  holdfast.clock.shiftMs = 200_000
  // Released by a second reserve elsewhere, so nothing locks this Resource and cleans up first.
  const there = await roomWith()
  await consumer.reserve(there.resource, holdOf(await first(there), { placeholder_id: customer_uuid }))
  expect(await appointments(where)).toEqual([])
  expect((await slots(where)).map(slot => slot.kind)).toEqual(Array(4).fill('models.Bookable'))
})

it('keeps the other participants of a group', async () => {
  const where = await roomWith({ defaultCapacity: 3 })
  const slot = await first(where)
  const one = await hold(where, slot)
  const two = await hold(where, slot)
  await release(where, one.customer_uuid)
  expect(await first(where)).toMatchObject({ appointment_uuid: two.appointment_uuid, capacity_left: 2 })
})

it('cancels the Appointment if its last booking was already cancelled', async () => {
  const where = await roomWith({ defaultCapacity: 3 })
  const slot = await first(where)
  const booked = await consumer.complete(where.resource, bookingOf(slot))
  const { customer_uuid } = await hold(where, slot)
  await consumer.cancel(booked.body.createdAppointment.cancelLink)
  expect((await first(where)).kind).toBe('models.LotAppointment')
  await release(where, customer_uuid)
  expect(await appointments(where)).toMatchObject([{ state: 'CANCELLED' }])
  expect((await first(where)).kind).toBe('models.Bookable')
})

it('frees a place in a provider’s Appointment, which stays', async () => {
  const where = await makeRoom(holdfast.crm, practice)
  await makeAppointment(holdfast.crm, where, { acceptBookings: true })
  const { customer_uuid } = await hold(where, await first(where))
  await release(where, customer_uuid)
  expect((await first(where)).capacity_left).toBe(10)
})

it('is idempotent: repeated or after expiry, it returns 200 and changes nothing', async () => {
  const where = await roomWith()
  const slot = await first(where)
  const { customer_uuid } = await hold(where, slot)
  for (let time = 0; time < 3; time++) expect((await release(where, customer_uuid)).status).toBe(200)
  const late = await hold(where, slot)
  holdfast.clock.shiftMs = 181_000
  const other = await hold(where, slot)
  expect((await release(where, late.customer_uuid)).status).toBe(200)
  expect(await slots(where)).toHaveLength(3)
  expect(
    (await consumer.complete(where.resource, bookingOf(slot, { placeholder_id: other.customer_uuid })))
      .status,
  ).toBe(201)
})

it('never affects a booking that was just completed', async () => {
  const where = await roomWith()
  const slot = await first(where)
  const held = await hold(where, slot)
  const person = newPerson()
  await consumer.complete(where.resource, bookingOf(slot, { ...person, placeholder_id: held.customer_uuid }))
  for (let time = 0; time < 2; time++)
    expect((await release(where, held.customer_uuid, held.appointment_uuid)).status).toBe(200)
  expect((await appointments(where))[0].participations).toMatchObject([
    { state: 'BOOKED', email: person.email },
  ])
  expect(await slots(where)).toHaveLength(3)
  expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
})

it('races a completion: the slot ends up either booked or free', async () => {
  for (let round = 0; round < 10; round++) {
    const where = await roomWith({ end: '2030-01-07T08:30' })
    const slot = await first(where)
    const { customer_uuid } = await hold(where, slot)
    const [completed, released] = await Promise.all([
      consumer.complete(where.resource, bookingOf(slot, { placeholder_id: customer_uuid })),
      release(where, customer_uuid),
    ])
    // If the release comes first, the completion still books the free slot.
    expect([completed.status, released.status]).toEqual([201, 200])
    expect(await slots(where)).toEqual([])
  }
})

describe('ignores', () => {
  it.each([
    '',
    'undefined',
    'nonsense',
    '00000000-0000-4000-8000-000000000000',
    ...harmless.map(([_key, text]) => text.slice(0, 90)),
  ])('the placeholder %j', async placeholder => {
    const where = await roomWith()
    await hold(where, await first(where))
    expect((await release(where, placeholder)).status).toBe(200)
    expect(await slots(where)).toHaveLength(3)
  })

  it('a missing placeholder, the appointment_id and the ref', async () => {
    const where = await roomWith()
    const { customer_uuid, appointment_uuid } = await hold(where, await first(where))
    const url = `/resources/${where.resource}/revoke_reservation`
    for (const body of [{}, { placeholder_id: null }, { appointment_id: appointment_uuid }])
      expect((await consumer.send('POST', url, body)).status).toBe(200)
    expect(await slots(where)).toHaveLength(3)
    expect((await consumer.release('nobody@plat', customer_uuid)).status).toBe(200)
    expect(await slots(where)).toHaveLength(4)
  })

  it('reports a missing body', async () => {
    const url = `/resources/${practice.resource}/revoke_reservation`
    expectRefusal(await consumer.send('POST', url, '{"placeholder_id":'), 400, 'invalid-json')
    expectRefusal(
      await consumer.send('POST', url, { placeholder_id: 7 }),
      400,
      'invalid-field',
      'placeholder_id',
    )
  })
})

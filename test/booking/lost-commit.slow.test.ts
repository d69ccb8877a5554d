// The connection breaks between a commit and its answer. The booking exists, but the client does not know. Its retry must
// not be refused because of the client's own booking.

import { expect, it } from 'vitest'
import { openDb } from '../../src/db/base/pool.ts'
import { makePractice } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp } from '../support/consumer.ts'
import { startCutProxy } from '../support/cut-proxy.ts'
import { startSecondInstance } from '../support/instances.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { roomsOf, statusesOf } from '../support/rooms.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0' })
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))

const { roomWith, first, slots, hold, appointments } = roomsOf(() => ({ holdfast, practice, consumer }))

/** A consumer of an instance whose database connection can be cut. */
async function overAWeakWire() {
  const proxy = await startCutProxy(holdfast.connection)
  const app = await startSecondInstance(holdfast, { db: openDb(proxy.connection, holdfast.clock) })
  return { ...proxy, weak: asConsumer(overApp(app)) }
}

it('returns a hold whose first response was lost', async () => {
  const { weak, cut, cuts } = await overAWeakWire()
  const room = await roomWith()
  const slot = await first(room)
  cut('after the commit')
  const held = await weak.reserve(room.resource, holdOf(slot))
  expect([held.status, cuts()]).toEqual([200, 1])
  const { customer_uuid: placeholder_id, appointment_uuid } = held.body.participation
  expect((await appointments(room)).map(one => one.uuid)).toEqual([appointment_uuid])
  const body = bookingOf(slot, { placeholder_id })
  expect((await consumer.complete(room.resource, body)).status).toBe(201)
})

it.each([
  ['with a hold', true],
  ['without one', false],
])('a booking %s that was made is answered, once, with one mail', async (_, isHeld) => {
  const { weak, cut, cuts } = await overAWeakWire()
  const room = await roomWith()
  const slot = await first(room)
  const placeholder_id = isHeld ? (await hold(room, slot)).placeholder_id : null
  const person = newPerson()
  cut('after the commit')
  const booked = await weak.complete(room.resource, bookingOf(slot, { placeholder_id, ...person }))
  expect([booked.status, cuts()]).toEqual([201, 1])
  const [appointment, ...others] = await appointments(room)
  expect(others).toEqual([])
  expect(appointment!.uuid).toBe(booked.body.createdAppointment.appointment_uuid)
  expect(appointment!.participations).toHaveLength(1)
  expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
})

it('returns each of several holds that were committed together', async () => {
  const { weak, cut, cuts } = await overAWeakWire()
  const room = await roomWith()
  const wanted = await slots(room)
  cut('after the commit')
  const held = await Promise.all(wanted.map(slot => weak.reserve(room.resource, holdOf(slot))))
  expect([statusesOf(held), cuts()]).toEqual([[200, 200, 200, 200], 1])
  cut('after the commit')
  const booked = await Promise.all(
    wanted.map((slot, index) => {
      const placeholder_id = held[index]!.body.participation.customer_uuid
      return weak.complete(room.resource, bookingOf(slot, { placeholder_id }))
    }),
  )
  expect([statusesOf(booked), cuts()]).toEqual([[201, 201, 201, 201], 2])
  expect(await appointments(room)).toHaveLength(4)
})

it('returns 412 if another client has taken the slot since', async () => {
  const { weak } = await overAWeakWire()
  const room = await roomWith()
  const slot = await first(room)
  await hold(room, slot)
  expectRefusal(await weak.reserve(room.resource, holdOf(slot)), 412, '201')
})

it('returns 503 and books nothing if the connection is lost before anything was written', async () => {
  const { weak, cut } = await overAWeakWire()
  const room = await roomWith()
  const wanted = await slots(room)
  await weak.list(room.resource)
  const { pool } = holdfast.service.db
  await pool.query(`create function break_wire() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`)
  await pool.query(`create trigger break_wire before update on resource execute function break_wire()`)
  const answers = await Promise.all(wanted.map(slot => weak.reserve(room.resource, holdOf(slot))))
  await pool.query('drop trigger break_wire on resource; drop function break_wire()')
  for (const answer of answers) expectRefusal(answer, 503, 'unavailable')
  expect(await slots(room)).toHaveLength(4)
  // Lost before PostgreSQL received the commit: nothing was written, so the retry does it.
  cut('before the commit')
  expect((await weak.reserve(room.resource, holdOf(wanted[0]!))).status).toBe(200)
})

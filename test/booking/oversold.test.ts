// One place: every way to fill it against every way to claim it. Once it is filled, no other request gets it.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAppointment, makeCustomer, makeParticipation, makePractice, unique } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp } from '../support/consumer.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { type Room, roomsOf } from '../support/rooms.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0' })
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

const { roomWith, first, slots, hold, reserve, complete, appointments } = roomsOf(() => ({
  holdfast,
  practice,
  consumer,
}))

const nowhere = '00000000-0000-4000-8000-000000000000'
const eight = { start: '2030-01-07T08:00', end: '2030-01-07T08:30', capacity: 1, acceptBookings: true }

/** Who fills the only place at eight, in an Appointment of the provider or one of consumers. */
const ofProvider = (room: Room, fields = {}) => makeAppointment(holdfast.crm, room, { ...eight, ...fields })
const inline = (state: string) => (room: Room) =>
  ofProvider(room, {
    participations: [{ reference: unique('inline'), name: 'Bo', email: 'bo@example.org', state }],
  })
const created = (state: string) => async (room: Room) => {
  const { reference } = await ofProvider(room)
  await makeParticipation(holdfast.crm, room, reference, state, { query: '' })
}
/** The consumer who made the Appointment has left, and a Participation added by the CRM remains. */
const leftBehind = (state: string) => async (room: Room) => {
  const held = await hold(room, await first(room))
  const [{ reference }] = (await appointments(room)) as [{ reference: string }]
  await makeParticipation(holdfast.crm, room, reference, state)
  await consumer.release(room.resource, held.placeholder_id)
}
const fillers: [string, (room: Room) => Promise<unknown>][] = [
  ['a consumer’s hold', async room => hold(room, await first(room))],
  ['a consumer’s booking', async room => complete(room, bookingOf(await first(room)))],
  ...['RESERVED', 'REQUESTED', 'BOOKED'].flatMap((state): typeof fillers => [
    [`${state} by Create Participation`, created(state)],
    [`${state} that came with the Appointment`, inline(state)],
    [`${state} in what a consumer began`, leftBehind(state)],
  ]),
]

/** Placeholders a caller may send. None of them opens a place that is filled. */
const placeholders: [string, (room: Room) => Promise<string | null>][] = [
  ['no', async () => null],
  ['an unknown', async () => nowhere],
  ['an expired', async () => expired],
  ['an own', async room => (await hold(room, (await slots(room)).at(-1)!)).placeholder_id],
  ['a foreign', async () => (await hold(other, (await slots(other)).at(-1)!)).placeholder_id],
]
let expired: string
let other: Room
beforeAll(async () => {
  other = await roomWith({ end: '2030-01-07T18:00' })
  expired = (await hold(other, await first(other))).placeholder_id
  await holdfast.query(
    `update participation set expires_at = now() - interval '1 second' where placeholder = $1`,
    [expired],
  )
})

describe.each(fillers)('a place filled by %s', (_, fill) => {
  async function filled() {
    const room = await roomWith()
    const slot = await first(room)
    await fill(room)
    const [appointment] = (await appointments(room)).filter(one => one.state === 'ACTIVE')
    return { room, slot, appointment: appointment! }
  }

  it.each(placeholders)('is refused to who reserves or completes with %s placeholder', async (_, make) => {
    const { room, slot, appointment } = await filled()
    const placeholder_id = await make(room)
    const byUuid = { ...slot, appointment_uuid: appointment.uuid as string }
    const answers = await Promise.all([
      reserve(room, holdOf(slot, { placeholder_id })),
      reserve(room, holdOf(byUuid, { placeholder_id })),
      complete(room, bookingOf(slot, { placeholder_id })),
      complete(room, bookingOf(byUuid, { placeholder_id })),
    ])
    for (const answer of answers) {
      expectRefusal(answer, 412, '201')
      expect(messageOf(answer)).toMatch(/overlaps with another Appointment/)
    }
    expect(await takenIn(room)).toBe(1)
  })

  it('is refused to the CRM, and kept when its own move is confirmed', async () => {
    const { room, appointment } = await filled()
    for (const state of ['RESERVED', 'REQUESTED', 'BOOKED']) {
      const { customerReference } = await makeCustomer(holdfast.crm, room)
      const fields = { appointmentReference: appointment.reference, customerReference, state }
      const answer = await create(room, fields)
      expectRefusal(answer, 409, 'capacity-exceeded')
    }
    const [filler] = appointment.participations.filter((one: { state: string }) => one.state !== 'CANCELED')
    const moved = await holdfast.crm.post(
      `${room.path}/participations/${encodeURIComponent(filler.reference)}`,
      {
        state: 'BOOKED',
      },
    )
    expect(moved.status).toBe(filler.email === null ? 409 : 200)
    expectRefusal(await complete(room, bookingOf(await lastSlot(room, appointment))), 412, '201')
    expect(await takenIn(room)).toBe(1)
  })

  it('is not listed', async () => {
    const { room } = await filled()
    expect((await slots(room)).map(one => one.start.slice(11, 16))).toEqual(['08:30', '09:00', '09:30'])
  })
})

const create = (room: Room, fields: object) =>
  holdfast.crm.post(`${room.path}/participations`, { reference: unique('participation'), ...fields })

const lastSlot = async (room: Room, { start, end, uuid }: Record<string, string>) => ({
  ...(await first(room)),
  start: start!,
  end: end!,
  appointment_uuid: uuid!,
})

/** Taken places at eight, as the database counts them. */
async function takenIn({ resourceUuid }: Room): Promise<number> {
  const rows = await holdfast.query(
    `select count(*)::int as taken from participation join appointment on appointment.id = appointment_id
     join resource on resource.id = resource_id
     where resource.uuid = $1 and appointment.state = 'ACTIVE' and appointment.deleted_at is null
       and start_at = '2030-01-07T07:00Z' and takes_place(participation.state, expires_at, now())`,
    [resourceUuid],
  )
  return rows[0].taken
}

it('the holder’s own hold does not block: they take the place once', async () => {
  const room = await roomWith()
  const slot = await first(room)
  const { placeholder_id } = await hold(room, slot)
  const again: Answer = await reserve(room, holdOf(slot, { placeholder_id }))
  expect(again.status).toBe(200)
  const body = bookingOf(slot, { placeholder_id: again.body.participation.customer_uuid })
  expect((await complete(room, body)).status).toBe(201)
  expect(await takenIn(room)).toBe(1)
})

it('what the CRM had reserved can be had from the moment it expires, and the CRM then comes too late', async () => {
  const room = await roomWith()
  const slot = await first(room)
  const { reference } = await ofProvider(room)
  const reserved = await makeParticipation(holdfast.crm, room, reference, 'RESERVED', { query: '' })
  holdfast.clock.shiftMs += 181_000
  expect((await complete(room, bookingOf(slot, newPerson()))).status).toBe(201)
  const late = await holdfast.crm.post(`${room.path}/participations/${reserved.reference}`, {
    state: 'BOOKED',
  })
  expectRefusal(late, 404, 'not-found')
})

it('PostgreSQL itself refuses a second Appointment of consumers in one slot', async () => {
  const room = await roomWith()
  await hold(room, await first(room))
  const twin = holdfast.service.db.pool.query(`
    insert into appointment (provider_id, resource_id, product_id, timeslot_id, reference, origin, start_at, end_at, blocked_from,
      blocked_to, capacity, accept_bookings)
    select provider_id, resource_id, product_id, timeslot_id, 'twin', origin, start_at, end_at, blocked_from,
      blocked_to, capacity, accept_bookings
    from appointment order by id desc limit 1
  `)
  await expect(twin).rejects.toMatchObject({ constraint: 'appointment_no_overlap' })
})

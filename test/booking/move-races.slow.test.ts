// Moves against each other and against everything else that can happen to a booking at the same moment.

import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  makePractice,
  makeProduct,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { type Booked, bookAt, holdToMove, moveBooking } from '../support/moves.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
let practice: Practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(async () => {
  holdfast.clock.shiftMs = 0
  practice = await makeRoom(holdfast.crm, practice)
})

const list = async (room = practice) => slotsOf(await consumer.list(room.resourceUuid))
const move = (booked: Booked, slot: Slot, fields = {}) => moveBooking(consumer, booked, slot, fields)
const countOf = (answers: Answer[], status: number) => answers.filter(one => one.status === status).length

/** Where people are, as the database says it: `BOOKED 2030-01-07T09:00:00.000Z`. */
async function placesOf(email: string): Promise<string[]> {
  const rows = await holdfast.query(
    `select participation.state, start_at from participation join appointment on appointment.id = appointment_id
     where lower(participation.email) = $1 and participation.state in ('BOOKED', 'REQUESTED')
       and appointment.state = 'ACTIVE' and appointment.deleted_at is null order by start_at`,
    [email],
  )
  return rows.map(row => `${row.state} ${new Date(row.start_at).toISOString()}`)
}
const booked = (slot: Slot) => `BOOKED ${new Date(slot.start).toISOString()}`

async function oversold(): Promise<number> {
  const rows = await holdfast.query(
    `select count(*)::int as count from appointment where state = 'ACTIVE' and deleted_at is null and capacity < (
       select count(*) from participation where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED'))`,
  )
  return rows[0].count
}

/** Bookings that overlap one another, which no Resource can keep. */
async function collisions(): Promise<number> {
  const rows = await holdfast.query(
    `with taken as (
       select distinct appointment.id, resource_id, blocked_from, blocked_to
       from participation join appointment on appointment.id = appointment_id
       where participation.state = 'BOOKED' and appointment.state = 'ACTIVE' and appointment.deleted_at is null)
     select count(*)::int as count from taken as one join taken as other on other.resource_id = one.resource_id
       and other.id > one.id and other.blocked_from < one.blocked_to and other.blocked_to > one.blocked_from`,
  )
  return rows[0].count
}

it('100 concurrent moves into one place: one wins, 99 keep their old place', async () => {
  await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T18:00', raster: 5 })
  const [wanted, ...slots] = await list()
  const rivals: Booked[] = []
  for (const slot of slots.slice(0, 100)) rivals.push(await bookAt(consumer, slot))
  const answers = await Promise.all(rivals.map(one => move(one, wanted!)))
  expect([countOf(answers, 200), countOf(answers, 412)]).toEqual([1, 99])
  for (const [index, one] of rivals.entries())
    expect(await placesOf(one.email)).toEqual([
      booked(answers[index]!.status === 200 ? wanted! : slots[index]!),
    ])
}, 60_000)

describe('of two simultaneous moves of one booking, one wins and the other is refused:', () => {
  type Mover = (one: Booked, slot: Slot) => Promise<Answer>
  const times = ({ start, end }: Slot) => ({ start, end })
  const movers: Record<string, Mover> = {
    consumer: move,
    CRM: (one, slot) => {
      const reference = encodeURIComponent(`${one.appointment_uuid}@consumer`)
      return holdfast.crm.post(`${practice.path}/appointments/${reference}/move`, times(slot))
    },
    console: (one, slot) =>
      consoleCall(holdfast.app, 'POST', `/appointments/${one.appointment_uuid}/move`, times(slot)),
  }

  it.each([
    ['consumer', 'consumer'],
    ['CRM', 'CRM'],
    ['console', 'console'],
    ['consumer', 'CRM'],
    ['consumer', 'console'],
    ['CRM', 'console'],
  ])('%s and %s', async (one, other) => {
    await makeTimeslot(holdfast.crm, practice)
    for (let round = 0; round < 3; round++) {
      const [from, here, there] = await list()
      const booking = await bookAt(consumer, from!)
      const answers = await Promise.all([movers[one]!(booking, here!), movers[other]!(booking, there!)])
      expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
      const isFirst = answers[0]!.status === 200
      expect(await placesOf(booking.email)).toEqual([booked(isFirst ? here! : there!)])
      const [problem] = answers.find(answer => answer.status === 409)!.body.errors
      // A consumer who moves out alone leaves a cancelled Appointment behind.
      expect(['changed', 'appointment-cancelled']).toContain(problem.errorCode)
      if (problem.errorCode === 'changed') expect(problem.message).toContain('is now from 2030-01-0')
    }
  })

  it('eight of them, to two Resources', async () => {
    const room = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, room, { start: '2030-01-08T08:00', end: '2030-01-08T18:00' })
    const [from, ...here] = await list()
    const requests = [...here.slice(0, 4), ...(await list(room)).slice(0, 4)]
    const booking = await bookAt(consumer, from!)
    const answers = await Promise.all(requests.map(slot => move(booking, slot)))
    expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, 7])
    const won = answers.findIndex(answer => answer.status === 200)
    expect(await placesOf(booking.email)).toEqual([booked(requests[won]!)])
  })

  it('unless both have the same target, which is moved and reported once', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const [from, to] = await list()
    const booking = await bookAt(consumer, from!)
    const answers = await Promise.all([move(booking, to!), move(booking, to!)])
    expect(countOf(answers, 200)).toBe(2)
    expect(await placesOf(booking.email)).toEqual([booked(to!)])
    expect(await mailKindsTo(holdfast, booking.email)).toEqual(['booked', 'moved'])
  })

  it('on a channel that requires confirmation, one request is pending', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const [from, here, there] = await list()
    const booking = await bookAt(consumer, from!)
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const answers = await Promise.all([move(booking, here!), move(booking, there!)])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
    const requested = answers[0]!.status === 200 ? here! : there!
    expect(await placesOf(booking.email)).toEqual([
      booked(from!),
      booked(requested).replace('BOOKED', 'REQUESTED'),
    ])
  })

  it('a client that sends old_start is refused later too', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const [from, here, there] = await list()
    const booking = await bookAt(consumer, from!)
    expect((await move(booking, here!, { old_start: from!.start })).status).toBe(200)
    expectRefusal(await move(booking, there!, { old_start: from!.start }), 409, 'changed')
    expect((await move(booking, there!, { old_start: here!.start })).status).toBe(200)
    expectRefusal(await move(booking, from!, { old_start: 'soon' }), 400, 'invalid-field', 'old_start')
    expect(await placesOf(booking.email)).toEqual([booked(there!)])
  })
})

describe('a move at the same moment as', () => {
  const others: [string, (one: Booked) => Promise<Answer>][] = [
    ['the consumer’s cancellation', one => consumer.cancel(one.cancelLink)],
    [
      'Cancel Appointments',
      one =>
        holdfast.crm.delete(`${practice.path}/appointments`, {
          appointmentReference: `${one.appointment_uuid}@consumer`,
        }),
    ],
    [
      'Delete Resource',
      () =>
        holdfast.crm.delete(
          `${practice.path}/resources/${encodeURIComponent(practice.resource)}?ignoreFutureAppointments`,
        ),
    ],
  ]
  it.each(others)('%s: the responses match the final state', async (name, rival) => {
    for (let round = 0; round < 5; round++) {
      practice = await makeRoom(holdfast.crm, practice)
      const there = await makeRoom(holdfast.crm, practice)
      await makeTimeslot(holdfast.crm, practice)
      await makeTimeslot(holdfast.crm, there)
      const [from] = await list()
      const [to] = await list(there)
      const one = await bookAt(consumer, from!)
      const [moved, other] = await Promise.all([move(one, to!), rival(one)])
      expect([200, 404]).toContain(moved.status)
      const places = await placesOf(one.email)
      // A cancel link cancels the consumer's current booking, not an Appointment that they have already left.
      const isKept = moved.status === 200 && !(name.includes('cancellation') && other.status === 200)
      expect([name, places]).toEqual([name, isKept ? [booked(to!)] : []])
    }
  })

  it('the expiry of the customer’s hold: the place is taken once or not at all', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const [from, to] = await list()
    const [one, rival] = [await bookAt(consumer, from!), await bookAt(consumer, (await list())[3]!)]
    const { body } = await consumer.reserve(practice.resourceUuid, holdOf(to!))
    const placeholder_id = body.participation.customer_uuid
    holdfast.clock.shiftMs = 181_000
    const answers = await Promise.all([move(one, to!, { placeholder_id }), move(rival, to!)])
    expect([countOf(answers, 200), countOf(answers, 412)]).toEqual([1, 1])
    expect(await oversold()).toBe(0)
  })
})

describe('a place held for a move, at the same moment as', () => {
  const overlapping = async () => {
    const { uuid } = await makeProduct(holdfast.crm, practice, { minDuration: 30 })
    await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T12:00', raster: 15 })
    const slots = slotsOf(await consumer.list(practice.resourceUuid, { prdRef: uuid }))
    return { booking: await bookAt(consumer, slots[2]!), slots }
  }
  const rivals: [string, (slot: Slot) => Promise<Answer>][] = [
    ['a rival’s hold', slot => consumer.reserve(practice.resourceUuid, holdOf(slot))],
    ['a rival’s booking', slot => consumer.complete(practice.resourceUuid, bookingOf(slot))],
  ]
  it.each(rivals)('%s: one wins, and the customer with the hold moves', async (_, rival) => {
    const { booking, slots } = await overlapping()
    for (const [mine, theirs] of [
      [3, 4],
      [5, 6],
      [8, 7],
    ] as const) {
      const [held, other] = await Promise.all([
        holdToMove(consumer, booking, slots[mine]!),
        rival(slots[theirs]!),
      ])
      const isMine = held.status === 200
      expect([isMine, other.status < 300]).toEqual([isMine, !isMine])
      if (isMine) {
        const placeholder_id = held.body.participation.customer_uuid
        const moving = Promise.all([move(booking, slots[mine]!, { placeholder_id }), rival(slots[theirs]!)])
        expect((await moving).map(one => one.status)).toEqual([200, 412])
      }
      expect((await placesOf(booking.email)).length).toBe(1)
    }
    expect(await collisions()).toBe(0)
  })

  it('another hold of the same customer: holds may overlap the booking, but not each other', async () => {
    const { booking, slots } = await overlapping()
    const requests = [1, 2, 3, 4].map(index => slots[index]!)
    const answers = await Promise.all(requests.map(slot => holdToMove(consumer, booking, slot)))
    const starts = requests
      .filter((_, index) => answers[index]!.status === 200)
      .map(one => Date.parse(one.start))
    expect(starts.length).toBeGreaterThan(0)
    for (const one of starts) expect(starts.filter(other => Math.abs(other - one) < 1_800_000)).toEqual([one])
    expect([countOf(answers, 412), await placesOf(booking.email)]).toEqual([
      4 - starts.length,
      [booked(slots[2]!)],
    ])
  })

  it('the move or the cancellation of the booking itself: nothing is sold twice', async () => {
    for (const end of ['move', 'cancel'] as const) {
      practice = await makeRoom(holdfast.crm, practice)
      const { booking, slots } = await overlapping()
      const [held] = await Promise.all([
        holdToMove(consumer, booking, slots[3]!),
        end === 'move' ? move(booking, slots[10]!) : consumer.cancel(booking.cancelLink),
      ])
      const rival = await consumer.complete(practice.resourceUuid, bookingOf(slots[2]!))
      expect([held.status, rival.status]).toEqual(held.status === 200 ? [200, 412] : [404, 201])
    }
    expect(await collisions()).toBe(0)
  })
})

it('after any sequence of book, hold, move and cancel, each person has exactly the promised places', async () => {
  const step = fc.record({
    verb: fc.constantFrom(
      ...['book', 'move', 'hold', 'hold and move', 'move to the hold', 'book the hold', 'cancel'],
      ...['hold as a stranger', 'hold and outlive a stranger', 'wait', 'expire'],
    ),
    who: fc.nat(3),
    where: fc.nat(7),
  })
  const { uuid: prdRef } = await makeProduct(holdfast.crm, practice, { minDuration: 30 })
  const quarter = 900_000
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2 }),
      fc.array(step, { minLength: 4, maxLength: 20 }),
      async (capacity, steps) => {
        holdfast.clock.shiftMs = 0
        practice = await makeRoom(holdfast.crm, practice)
        const day = { start: '2030-01-07T08:00', end: '2030-01-07T10:15', raster: 15 }
        await makeTimeslot(holdfast.crm, practice, { ...day, defaultCapacity: capacity })
        const show = async () => slotsOf(await consumer.list(practice.resourceUuid, { prdRef }))
        const slots = await show()
        const promised = new Map<number, { booked: Booked; slot: Slot }>()
        /** Holds made for a move; `from` is the consumer's place at that time. */
        const holds = new Map<number, { placeholder_id: string; slot: Slot; from: Slot; until: number }>()
        for (const { verb, who, where } of steps) {
          const has = promised.get(who)
          const slot = slots[where]!
          if (verb === 'book' && !has) {
            const made = await bookAt(consumer, slot).catch(() => null)
            if (made) promised.set(who, { booked: made, slot })
          } else if (verb === 'move' && has) {
            const { status } = await move(has.booked, slot)
            expect([200, 412]).toContain(status)
            if (status === 200) promised.set(who, { booked: has.booked, slot })
          } else if (verb === 'move to the hold' && has && holds.has(who)) {
            const { slot, from, until, placeholder_id } = holds.get(who)!
            const { status } = await move(has.booked, slot, { placeholder_id })
            expect([200, 412]).toContain(status)
            // While they are where they were, a hold is a promise.
            if (from === has.slot && until > holdfast.clock.shiftMs) expect(status).toBe(200)
            if (status === 200) promised.set(who, { booked: has.booked, slot })
            holds.delete(who)
          } else if (verb === 'hold as a stranger') {
            expect([200, 412]).toContain((await consumer.reserve(practice.resourceUuid, holdOf(slot))).status)
          } else if (verb === 'wait') {
            holdfast.clock.shiftMs += 100_000
          } else if (verb.includes('hold') && has) {
            const outlives = verb.includes('outlive')
            if (outlives) await consumer.reserve(practice.resourceUuid, holdOf(slot))
            if (outlives) holdfast.clock.shiftMs += 100_000
            const held = await holdToMove(consumer, has.booked, slot)
            expect([200, 412]).toContain(held.status)
            if (held.status !== 200) continue
            const placeholder_id = held.body.participation.customer_uuid
            const until = holdfast.clock.shiftMs + 180_000
            if (verb === 'hold') holds.set(who, { placeholder_id, slot, from: has.slot, until })
            if (outlives) holdfast.clock.shiftMs += 100_000
            if (verb === 'hold and move' || outlives) {
              // A hold is a promise.
              expect((await move(has.booked, slot, { placeholder_id })).status).toBe(200)
              promised.set(who, { booked: has.booked, slot })
            } else if (verb === 'book the hold') {
              const person = { ...newPerson(), placeholder_id }
              const { status, body } = await consumer.complete(practice.resourceUuid, bookingOf(slot, person))
              expect([201, 412]).toContain(status)
              const made = { ...body.createdAppointment, email: person.email }
              if (status === 201) promised.set(100 + promised.size * 10 + who, { booked: made, slot })
            }
          } else if (verb === 'expire') {
            holdfast.clock.shiftMs += 181_000
          } else if (verb === 'cancel' && has) {
            expect((await consumer.cancel(has.booked.cancelLink)).status).toBe(200)
            promised.delete(who)
            holds.delete(who)
            expect(await placesOf(has.booked.email)).toEqual([])
          }
        }
        holdfast.clock.shiftMs += 181_000
        for (const { booked: one, slot } of promised.values())
          expect(await placesOf(one.email)).toEqual([booked(slot)])
        const free = await show()
        for (const slot of slots) {
          const distances = [...promised.values()].map(
            one => Math.abs(Date.parse(one.slot.start) - Date.parse(slot.start)) / quarter,
          )
          const taken = distances.filter(one => one === 0).length
          const left = free.find(one => one.start === slot.start)?.capacity_left ?? 0
          expect([slot.start, left]).toEqual([slot.start, distances.includes(1) ? 0 : capacity - taken])
        }
        expect([await oversold(), await collisions()]).toEqual([0, 0])
      },
    ),
    { numRuns: 60 },
  )
}, 60_000)

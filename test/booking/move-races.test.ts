// Moves against each other and against everything else that can happen to a booking at the same moment.

import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePractice, makeRoom, makeTimeslot, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, holdOf, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { type Booked, bookAt, moveBooking } from '../support/moves.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'

const test = await useService()
let practice: Practice = await makePractice(test.crm)
const consumer = asConsumer(overApp(test.app))
beforeEach(async () => {
  test.clock.shiftMs = 0
  practice = await makeRoom(test.crm, practice)
})

const list = async (room = practice) => slotsOf(await consumer.list(room.resourceUuid))
const move = (booked: Booked, slot: Slot, fields = {}) => moveBooking(consumer, booked, slot, fields)
const countOf = (answers: Answer[], status: number) => answers.filter(one => one.status === status).length

/** Where people are, as the database says it: `BOOKED 2030-01-07T09:00:00.000Z`. */
async function placesOf(email: string): Promise<string[]> {
  const { rows } = await test.service.db.pool.query(
    `select participation.state, start_at from participation join appointment on appointment.id = appointment_id
     where lower(participation.email) = $1 and participation.state in ('BOOKED', 'REQUESTED')
       and appointment.state = 'ACTIVE' and appointment.deleted_at is null order by start_at`,
    [email],
  )
  return rows.map(row => `${row.state} ${new Date(row.start_at).toISOString()}`)
}
const booked = (slot: Slot) => `BOOKED ${new Date(slot.start).toISOString()}`

async function oversold(): Promise<number> {
  const { rows } = await test.service.db.pool.query(
    `select count(*)::int as count from appointment where state = 'ACTIVE' and deleted_at is null and capacity < (
       select count(*) from participation where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED'))`,
  )
  return rows[0].count
}

it('100 rivals move into one place: one wins, 99 keep what they had', async () => {
  await makeTimeslot(test.crm, practice, { end: '2030-01-07T18:00', raster: 5 })
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

describe('of two moves of one booking at the same moment one wins, and the other is told so:', () => {
  type Mover = (one: Booked, slot: Slot) => Promise<Answer>
  const times = ({ start, end }: Slot) => ({ start, end })
  const movers: Record<string, Mover> = {
    consumer: move,
    CRM: (one, slot) => {
      const reference = encodeURIComponent(`${one.appointment_uuid}@consumer`)
      return test.crm.post(`${practice.path}/appointments/${reference}/move`, times(slot))
    },
    console: (one, slot) =>
      consoleCall(test.app, 'POST', `/appointments/${one.appointment_uuid}/move`, times(slot)),
  }

  it.each([
    ['consumer', 'consumer'],
    ['CRM', 'CRM'],
    ['console', 'console'],
    ['consumer', 'CRM'],
    ['consumer', 'console'],
    ['CRM', 'console'],
  ])('%s and %s', async (one, other) => {
    await makeTimeslot(test.crm, practice)
    for (let round = 0; round < 3; round++) {
      const [from, here, there] = await list()
      const booking = await bookAt(consumer, from!)
      const answers = await Promise.all([movers[one]!(booking, here!), movers[other]!(booking, there!)])
      expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
      const isFirst = answers[0]!.status === 200
      expect(await placesOf(booking.email)).toEqual([booked(isFirst ? here! : there!)])
      const [told] = answers.find(answer => answer.status === 409)!.body.errors
      // Whoever moves out by themselves leaves the provider with an Appointment that is over.
      expect(['changed', 'appointment-cancelled']).toContain(told.errorCode)
      if (told.errorCode === 'changed') expect(told.message).toContain('is now from 2030-01-0')
    }
  })

  it('eight of them, to two Resources', async () => {
    const room = await makeRoom(test.crm, practice)
    await makeTimeslot(test.crm, practice)
    await makeTimeslot(test.crm, room, { start: '2030-01-08T08:00', end: '2030-01-08T18:00' })
    const [from, ...here] = await list()
    const wishes = [...here.slice(0, 4), ...(await list(room)).slice(0, 4)]
    const booking = await bookAt(consumer, from!)
    const answers = await Promise.all(wishes.map(slot => move(booking, slot)))
    expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, 7])
    const won = answers.findIndex(answer => answer.status === 200)
    expect(await placesOf(booking.email)).toEqual([booked(wishes[won]!)])
  })

  it('unless both want the same, which is done and told once', async () => {
    await makeTimeslot(test.crm, practice)
    const [from, to] = await list()
    const booking = await bookAt(consumer, from!)
    const answers = await Promise.all([move(booking, to!), move(booking, to!)])
    expect(countOf(answers, 200)).toBe(2)
    expect(await placesOf(booking.email)).toEqual([booked(to!)])
    expect(await mailKindsTo(test, booking.email)).toEqual(['booked', 'moved'])
  })

  it('where moves are asked for, one request waits', async () => {
    await makeTimeslot(test.crm, practice)
    const [from, here, there] = await list()
    const booking = await bookAt(consumer, from!)
    await setChannel(test, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const answers = await Promise.all([move(booking, here!), move(booking, there!)])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
    const asked = answers[0]!.status === 200 ? here! : there!
    expect(await placesOf(booking.email)).toEqual([
      booked(from!),
      booked(asked).replace('BOOKED', 'REQUESTED'),
    ])
  })

  it('whoever says what they saw is refused later, too', async () => {
    await makeTimeslot(test.crm, practice)
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
        test.crm.delete(`${practice.path}/appointments`, {
          appointmentReference: `${one.appointment_uuid}@consumer`,
        }),
    ],
    [
      'Delete Resource',
      () =>
        test.crm.delete(
          `${practice.path}/resources/${encodeURIComponent(practice.resource)}?ignoreFutureAppointments`,
        ),
    ],
  ]
  it.each(others)('%s: what the answers say is what is so', async (name, rival) => {
    for (let round = 0; round < 5; round++) {
      practice = await makeRoom(test.crm, practice)
      const there = await makeRoom(test.crm, practice)
      await makeTimeslot(test.crm, practice)
      await makeTimeslot(test.crm, there)
      const [from] = await list()
      const [to] = await list(there)
      const one = await bookAt(consumer, from!)
      const [moved, other] = await Promise.all([move(one, to!), rival(one)])
      expect([200, 404]).toContain(moved.status)
      const places = await placesOf(one.email)
      // Whoever cancels by their link cancels what they have by then; an Appointment that they have left does not take them along.
      const isKept = moved.status === 200 && !(name.includes('cancellation') && other.status === 200)
      expect([name, places]).toEqual([name, isKept ? [booked(to!)] : []])
    }
  })

  it('the end of the mover’s hold: the place is had once or not at all', async () => {
    await makeTimeslot(test.crm, practice)
    const [from, to] = await list()
    const [one, rival] = [await bookAt(consumer, from!), await bookAt(consumer, (await list())[3]!)]
    const { body } = await consumer.reserve(practice.resourceUuid, holdOf(to!))
    const placeholder_id = body.participation.customer_uuid
    test.clock.shiftMs = 181_000
    const answers = await Promise.all([move(one, to!, { placeholder_id }), move(rival, to!)])
    expect([countOf(answers, 200), countOf(answers, 412)]).toEqual([1, 1])
    expect(await oversold()).toBe(0)
  })
})

it('after any sequence of book, move and cancel, everybody has exactly the places that the answers promised', async () => {
  const step = fc.record({
    verb: fc.constantFrom('book', 'move', 'move', 'cancel'),
    who: fc.nat(5),
    where: fc.nat(7),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2 }),
      fc.array(step, { maxLength: 14 }),
      async (capacity, steps) => {
        practice = await makeRoom(test.crm, practice)
        await makeTimeslot(test.crm, practice, { end: '2030-01-07T12:00', defaultCapacity: capacity })
        const slots = await list()
        const promised = new Map<number, { booked: Booked; slot: Slot }>()
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
          } else if (verb === 'cancel' && has) {
            expect((await consumer.cancel(has.booked.cancelLink)).status).toBe(200)
            promised.delete(who)
            expect(await placesOf(has.booked.email)).toEqual([])
          }
        }
        for (const { booked: one, slot } of promised.values())
          expect(await placesOf(one.email)).toEqual([booked(slot)])
        const free = await list()
        for (const slot of slots) {
          const taken = [...promised.values()].filter(one => one.slot === slot).length
          const left = free.find(one => one.start === slot.start)?.capacity_left ?? 0
          expect([slot.start, left]).toEqual([slot.start, capacity - taken])
        }
        expect(await oversold()).toBe(0)
      },
    ),
    { numRuns: 25 },
  )
}, 60_000)

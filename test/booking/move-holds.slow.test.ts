// A consumer who moves a booking holds the new place first, as for a new booking. Their own booking does not block it.

import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  makeCustomer,
  makePractice,
  makeProduct,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
  setClock,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { type Booked, bookAt, holdToMove, moveBooking, signedBy } from '../support/moves.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()
let practice: Practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
let product = ''
beforeEach(async () => {
  holdfast.clock.shiftMs = 0
  practice = await makeRoom(holdfast.crm, practice)
})

/** Half an hour long, every quarter of an hour: most moves overlap the old place. */
async function openRoom(fields: Record<string, unknown> = {}) {
  practice = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, practice, { raster: 15, ...fields })
  product = (await makeProduct(holdfast.crm, practice, { minDuration: 30 })).uuid
}

const at = (time: string) => `2030-01-07T${time}:00+01:00`
const list = async (options = {}) => {
  const path = `/resources/${practice.resourceUuid}/upcoming_bookables?prdRef=${product}`
  return slotsOf(await consumer.send('GET', path, undefined, options))
}
async function slotAt(time: string, options = {}): Promise<Slot> {
  const found = (await list(options)).find(one => one.start === at(time))
  if (!found) throw new Error(`no slot at ${time}`)
  return found
}
const isFree = async (time: string) => (await list()).some(one => one.start === at(time))
const book = async (time: string) => bookAt(consumer, await slotAt(time))
const seenBy = (booked: Booked, time: string) => slotAt(time, signedBy(booked))
const placeholderOf = ({ body }: Answer) => ({ placeholder_id: body.participation.customer_uuid })

/** Books 10:00, then holds 10:15 in order to move there. */
async function holdLater(capacity = 1) {
  await openRoom({ defaultCapacity: capacity })
  const booked = await book('10:00')
  const slot = await seenBy(booked, '10:15')
  const held = await holdToMove(consumer, booked, slot)
  expect([held.status, held.body.participation.state]).toEqual([200, 'RESERVED'])
  return { booked, slot, held, mine: placeholderOf(held) }
}

async function placesOf(email: string): Promise<string[]> {
  const rows = await holdfast.query(
    `select participation.state, start_at from participation join appointment on appointment.id = appointment_id
     where lower(participation.email) = $1 and participation.state in ('BOOKED', 'REQUESTED')
       and appointment.state = 'ACTIVE' and appointment.deleted_at is null order by start_at`,
    [email],
  )
  const zone = { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' } as const
  return rows.map(row => `${row.state} ${new Date(row.start_at).toLocaleTimeString('en-GB', zone)}`)
}

/** Pairs of conflicting bookings: of different people, or both confirmed. */
async function collisions(): Promise<number> {
  const rows = await holdfast.query(
    `with taken as (
       select participation.id, participation.state, appointment_id, resource_id, blocked_from, blocked_to, replaces
       from participation join appointment on appointment.id = appointment_id
       where participation.state in ('BOOKED', 'REQUESTED') and appointment.state = 'ACTIVE' and appointment.deleted_at is null
         and origin = 'consumer')
     select count(*)::int as count from taken as one join taken as other
       on other.resource_id = one.resource_id and other.id > one.id and other.appointment_id <> one.appointment_id
       and other.blocked_from < one.blocked_to and other.blocked_to > one.blocked_from
     where (one.state = 'BOOKED' and other.state = 'BOOKED') or coalesce(other.replaces, 0) <> one.id`,
  )
  return rows[0].count
}

/** Appointments that overlap another one: none, once no request is pending. */
const claims = async () =>
  (
    await holdfast.query(
      `select count(*)::int as count from appointment join resource on resource.id = resource_id
       where resource.uuid = $1 and claim is not null and state = 'ACTIVE' and appointment.deleted_at is null`,
      [practice.resourceUuid],
    )
  )[0].count

describe('a place held for a move', () => {
  it.each([1, 2])(
    'may overlap the customer’s own booking (capacity %i); no other client gets either',
    async capacity => {
      const { booked, slot, mine } = await holdLater(capacity)
      expect(await Promise.all(['09:45', '10:00', '10:15', '10:30'].map(isFree))).toEqual(
        Array(4).fill(false),
      )
      for (const time of ['10:00', '10:15', '10:30']) {
        const request = {
          ...slot,
          appointment_uuid: undefined,
          start: at(time),
          end: at(`${time.slice(0, 3)}59`),
        }
        const end = new Date(Date.parse(at(time)) + 1_800_000).toISOString()
        const there = { ...request, end } as unknown as Slot
        expectRefusal(await consumer.reserve(practice.resourceUuid, holdOf(there)), 412, '201')
        expectRefusal(await consumer.complete(practice.resourceUuid, bookingOf(there)), 412, '201')
      }
      const moved = await moveBooking(consumer, booked, slot, mine)
      expect([moved.status, moved.body.createdAppointment.start]).toEqual([200, at('10:15')])
      expect([await placesOf(booked.email), await claims()]).toEqual([['BOOKED 10:15'], 0])
      expect([await isFree('09:45'), await isFree('10:00'), await isFree('10:45')]).toEqual([
        true,
        false,
        true,
      ])
      // The hold has become the booking: it does not count twice.
      const left = (await list()).find(one => one.start === at('10:15'))?.capacity_left ?? 0
      expect(left).toBe(capacity - 1)
    },
  )

  it('requires the token of the conflicting booking', async () => {
    await openRoom()
    const [booked, other] = [await book('10:00'), await book('12:00')]
    const slot = await seenBy(booked, '10:15')
    expectRefusal(await consumer.reserve(practice.resourceUuid, holdOf(slot)), 412, '201')
    expectRefusal(await holdToMove(consumer, other, slot), 412, '201')
    const cancelToken = { moveLink: booked.cancelLink.split('?')[0]! }
    expectRefusal(await holdToMove(consumer, cancelToken, slot), 412, '201')
    expectRefusal(await holdToMove(consumer, { moveLink: 'http://x/move/no.token' }, slot), 412, '201')
  })

  it('is refused at once for a booking that cannot be moved', async () => {
    await openRoom()
    const booked = await book('10:00')
    const slot = await slotAt('12:00')
    setClock(holdfast, at('08:00'))
    await setChannel(holdfast, practice.resourceUuid, { changeNoticeMinutes: 120 })
    expectRefusal(await holdToMove(consumer, booked, slot), 403, 'change-notice')
    await setChannel(holdfast, practice.resourceUuid, { changeNoticeMinutes: 119 })
    expect((await holdToMove(consumer, booked, slot)).status).toBe(200)
    await setChannel(holdfast, practice.resourceUuid, { changeNoticeMinutes: 0 })
    await consumer.cancel(booked.cancelLink)
    expectRefusal(await holdToMove(consumer, booked, slot), 404, 'invalid-token')
  })

  it.each(['given back', 'expired'])(
    'once %s, leaves the booking as it was and frees the rest',
    async how => {
      const { booked, mine } = await holdLater()
      if (how === 'expired') holdfast.clock.shiftMs = 181_000
      else await consumer.release(practice.resourceUuid, mine.placeholder_id)
      expect([await isFree('10:15'), await isFree('10:30')]).toEqual([false, true])
      expect(await placesOf(booked.email)).toEqual(['BOOKED 10:00'])
    },
  )

  it('can still be moved to after it expired, unless it is taken', async () => {
    const { booked, slot, mine } = await holdLater()
    holdfast.clock.shiftMs = 181_000
    expect((await moveBooking(consumer, booked, slot, mine)).status).toBe(200)
    const later = await seenBy(booked, '10:30')
    const again = placeholderOf(await holdToMove(consumer, booked, later))
    holdfast.clock.shiftMs = 400_000
    const rival = await bookAt(consumer, await slotAt('10:45'))
    expectRefusal(await moveBooking(consumer, booked, later, again), 412, '201')
    expect([await placesOf(booked.email), await placesOf(rival.email)]).toEqual([
      ['BOOKED 10:15'],
      ['BOOKED 10:45'],
    ])
  })

  it.each(['IMMEDIATE', 'REQUESTED'])(
    'stays, whose hold beside it has expired (%s)',
    async bookingProcess => {
      await openRoom({ defaultCapacity: 3 })
      const booked = await book('12:00')
      await setChannel(holdfast, practice.resourceUuid, { bookingProcess })
      // In the same Appointment: another consumer came first and let the hold expire.
      expect((await consumer.reserve(practice.resourceUuid, holdOf(await slotAt('10:00')))).status).toBe(200)
      holdfast.clock.shiftMs = 100_000
      const slot = await seenBy(booked, '10:00')
      expect(slot.capacity_left).toBe(2)
      const mine = placeholderOf(await holdToMove(consumer, booked, slot))
      holdfast.clock.shiftMs = 190_000
      expect((await moveBooking(consumer, booked, slot, mine)).status).toBe(200)
      const kept = bookingProcess === 'IMMEDIATE' ? ['BOOKED 10:00'] : ['REQUESTED 10:00', 'BOOKED 12:00']
      expect(await placesOf(booked.email)).toEqual(kept)
      expect((await slotAt('10:00')).capacity_left).toBe(2)
    },
  )

  it('is released under the lock of the Resource it was just moved to', async () => {
    const { booked, held, mine } = await holdLater()
    const there = await makeRoom(holdfast.crm, practice)
    const slot = await seenBy(booked, '11:00')
    const { pool } = holdfast.service.db
    const revision = async () => {
      const query = 'select revision::int from resource where uuid = $1'
      return (await pool.query(query, [there.resourceUuid])).rows[0].revision
    }
    const before = await revision()
    const rooms = [practice.resourceUuid, there.resourceUuid]
    const { status } = await whileWaiting(
      holdfast,
      {
        async before(rival) {
          await rival.query('update resource set revision = revision + 1 where uuid = any ($1)', [rooms])
          const room = '(select id from resource where uuid = $2)'
          await rival.query(`update appointment set resource_id = ${room}, claim = null where uuid = $1`, [
            held.body.participation.appointment_uuid,
            there.resourceUuid,
          ])
        },
      },
      () => moveBooking(consumer, booked, slot, mine),
    )
    expect([status, await placesOf(booked.email)]).toEqual([200, ['BOOKED 11:00']])
    expect(await revision()).toBe(before + 2)
  })

  it('cannot be booked in addition to the customer’s booking, only instead of it', async () => {
    const { booked, slot, mine } = await holdLater()
    const request = bookingOf(slot, { ...newPerson(), ...mine })
    expectRefusal(await consumer.complete(practice.resourceUuid, request), 412, '201')
    // Also with concurrent requests.
    const answers = await Promise.all([1, 2].map(() => consumer.complete(practice.resourceUuid, request)))
    for (const one of answers) expectRefusal(one, 412, '201')
    await consumer.cancel(booked.cancelLink)
    expect((await consumer.complete(practice.resourceUuid, request)).status).toBe(201)
    expect([await placesOf(request.email), await collisions()]).toEqual([['BOOKED 10:15'], 0])
  })

  it.each(['IMMEDIATE', 'REQUESTED'])(
    'cannot be used by another consumer who moves (%s)',
    async bookingProcess => {
      const { booked, slot, mine } = await holdLater()
      const other = await book('12:00')
      await setChannel(holdfast, practice.resourceUuid, { bookingProcess })
      expectRefusal(await moveBooking(consumer, other, slot, mine), 412, '201')
      expect([await placesOf(booked.email), await placesOf(other.email)]).toEqual([
        ['BOOKED 10:00'],
        ['BOOKED 12:00'],
      ])
    },
  )

  it('is lost if the provider has since filled the old place', async () => {
    const { booked, slot, mine } = await holdLater(2)
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    const { status } = await holdfast.crm.post(`${practice.path}/participations?ignoreCapacity`, {
      reference: crypto.randomUUID(),
      appointmentReference: `${booked.appointment_uuid}@consumer`,
      customerReference,
      state: 'BOOKED',
    })
    expect(status).toBe(201)
    expectRefusal(await moveBooking(consumer, booked, slot, mine), 412, '201')
    expect(await placesOf(booked.email)).toEqual(['BOOKED 10:00'])
  })

  it('can be exchanged for another one with its placeholder', async () => {
    const { booked, mine } = await holdLater()
    const before = await seenBy(booked, '09:30')
    const again = await holdToMove(consumer, booked, before, mine)
    expect([again.status, await isFree('10:30')]).toEqual([200, true])
    expect((await moveBooking(consumer, booked, before, placeholderOf(again))).status).toBe(200)
    expect(await placesOf(booked.email)).toEqual(['BOOKED 09:30'])
  })

  it('at the booking’s current place is released, and nothing changes', async () => {
    await openRoom({ defaultCapacity: 3 })
    const booked = await book('10:00')
    const slot = await seenBy(booked, '10:00')
    const mine = placeholderOf(await holdToMove(consumer, booked, slot))
    expect((await moveBooking(consumer, booked, slot, mine)).status).toBe(200)
    expect([await placesOf(booked.email), (await slotAt('10:00')).capacity_left]).toEqual([
      ['BOOKED 10:00'],
      2,
    ])
    // In a group with others, it takes a free place.
    await book('10:00')
    const shared = await seenBy(booked, '10:00')
    expect([shared.capacity_left, (await holdToMove(consumer, booked, shared)).status]).toEqual([1, 200])
    expect(await list(signedBy(booked)).then(all => all.some(one => one.start === at('10:00')))).toBe(false)
    expectRefusal(await holdToMove(consumer, booked, shared), 412, '201')
  })
})

describe('on a channel that requires confirmation', () => {
  async function askLater() {
    const { booked, slot, mine } = await holdLater()
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    expect((await moveBooking(consumer, booked, slot, mine)).status).toBe(200)
    expect(await placesOf(booked.email)).toEqual(['BOOKED 10:00', 'REQUESTED 10:15'])
    return booked
  }
  const accept = async () => {
    const { body } = await holdfast.crm.get(
      `${practice.path}/appointments?resourceRef=${encodeURIComponent(practice.resource)}`,
    )
    const requested = body
      .flatMap((one: Answer['body']) => one.participations)
      .find((one: Answer['body']) => one.state === 'REQUESTED')
    return holdfast.crm.post(`${practice.path}/participations/${encodeURIComponent(requested.reference)}`, {
      state: 'BOOKED',
    })
  }

  it('the hold becomes the request, and both places are kept until it is answered', async () => {
    const booked = await askLater()
    expect((await accept()).status).toBe(200)
    expect([await placesOf(booked.email), await collisions()]).toEqual([['BOOKED 10:15'], 0])
  })

  it('a customer with only a request sees the places left in other Appointments and can join them', async () => {
    await openRoom({ defaultCapacity: 2 })
    for (const time of ['11:00', '12:00', '12:00']) await book(time)
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const requested = await book('10:00')
    const stranger = await consumer.reserve(practice.resourceUuid, holdOf(await slotAt('10:00')))
    const shown = await list(signedBy(requested))
    const left = (time: string) => shown.find(one => one.start === at(time))?.capacity_left ?? 0
    expect(['10:00', '10:15', '11:00', '12:00'].map(left)).toEqual([0, 0, 1, 0])
    const beside = { ...(await slotAt('13:00')), start: at('10:15'), end: at('10:45') }
    expectRefusal(await holdToMove(consumer, requested, beside, { product_uuid: product }), 412, '201')
    expect((await moveBooking(consumer, requested, await slotAt('11:00'))).status).toBe(200)
    const { placeholder_id } = placeholderOf(stranger)
    const request = bookingOf(await slotAt('10:00'), { placeholder_id })
    expect((await consumer.complete(practice.resourceUuid, request)).status).toBe(201)
    expect([await placesOf(requested.email), await placesOf(request.email), await collisions()]).toEqual([
      ['REQUESTED 11:00'],
      ['REQUESTED 10:00'],
      0,
    ])
  })

  it('another time can be held besides both, even one between them', async () => {
    await openRoom()
    const booked = await book('10:00')
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    expect((await moveBooking(consumer, booked, await slotAt('10:30'))).status).toBe(200)
    const between = await seenBy(booked, '10:15')
    const held = await holdToMove(consumer, booked, between)
    expect(held.status).toBe(200)
    expect((await moveBooking(consumer, booked, between, placeholderOf(held))).status).toBe(200)
    expect(await placesOf(booked.email)).toEqual(['BOOKED 10:00', 'REQUESTED 10:15'])
    await accept()
    expect([await placesOf(booked.email), await collisions()]).toEqual([['BOOKED 10:15'], 0])
  })
})

it('the list for a move shows exactly what can be held for it', async () => {
  const times = Array.from({ length: 13 }, (_, index) => index * 15)
  const clock = (minutes: number) =>
    `${String(9 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  const someone = fc.record({ when: fc.constantFrom(...times), isRequest: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(...times),
      fc.array(someone, { maxLength: 4 }),
      fc.option(fc.constantFrom(...times)),
      async (capacity, mine, others, requested) => {
        await openRoom({ start: '2030-01-07T09:00', end: '2030-01-07T12:30', defaultCapacity: capacity })
        const booked = await book(clock(mine))
        for (const { when } of others) await book(clock(when)).catch(() => {})
        const token = signedBy(booked)
        if (requested !== null) {
          await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
          await slotAt(clock(requested), token).then(
            slot => moveBooking(consumer, booked, slot),
            () => {},
          )
        }
        const shown = await list(token)
        const { timeslot_uuid, resource_uuid, products } = shown[0] ?? (await list())[0] ?? {}
        if (!timeslot_uuid) return
        for (const minutes of times) {
          const slot = shown.find(one => one.start === at(clock(minutes)))
          const end = new Date(Date.parse(at(clock(minutes))) + 1_800_000).toISOString()
          const any = { timeslot_uuid, resource_uuid, products, start: at(clock(minutes)), end } as Slot
          const held = await holdToMove(consumer, booked, slot ?? any, { product_uuid: product })
          expect([clock(minutes), held.status]).toEqual([clock(minutes), slot ? 200 : 412])
          if (!slot) continue
          const { placeholder_id } = placeholderOf(held)
          await consumer.release(practice.resourceUuid, placeholder_id)
        }
        expect(await list(token)).toEqual(shown)
      },
    ),
    { numRuns: 12 },
  )
}, 60_000)

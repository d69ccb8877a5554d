// A consumer moves their booking: the new place is taken and the old one released in one transaction.

import { beforeEach, describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makePractice,
  makeProduct,
  makeRoom,
  makeTimeslot,
  type Practice,
  setProduct,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService()
let practice: Practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(async () => {
  holdfast.clock.shiftMs = 0
  practice = await makeRoom(holdfast.crm, practice)
})

const at = (time: string) => `2030-01-07T${time}:00+01:00`
const list = async (room = practice, headers = {}) =>
  slotsOf(
    await consumer.send('GET', `/resources/${room.resourceUuid}/upcoming_bookables`, undefined, { headers }),
  )
async function slotAt(time: string, room = practice, headers = {}): Promise<Slot> {
  const found = (await list(room, headers)).find(one => one.start === at(time))
  if (!found) throw new Error(`no slot at ${time}`)
  return found
}

async function book(slot: Slot, fields: Record<string, unknown> = {}) {
  const person = { ...newPerson(), ...fields }
  const { status, body } = await consumer.complete(slot.resource_uuid, bookingOf(slot, person))
  expect(status).toBe(201)
  return { ...body.createdAppointment, email: person.email }
}

const tokenIn = (link: string) => new URL(link).pathname.split('/').at(-1)!
const headersFor = (booked: { moveLink: string }) => ({ 'x-signed-app-customer': tokenIn(booked.moveLink) })

/** To this slot, with the token of the booking's link. */
function move(booked: { moveLink: string }, slot: Slot, fields: Record<string, unknown> = {}) {
  const { timeslot_uuid, appointment_uuid, start, end } = slot
  const body = { timeslot_uuid: appointment_uuid ?? timeslot_uuid, start, end, ...fields }
  const path = `/resources/${slot.resource_uuid}/move_appointment`
  return consumer.send('POST', path, body, { headers: headersFor(booked) })
}

const appointments = async (): Promise<Answer['body'][]> =>
  (
    await holdfast.crm.get(
      `${practice.path}/appointments?resourceRef=${encodeURIComponent(practice.resource)}`,
    )
  ).body
const placesOf = async (email: string) =>
  (await appointments()).flatMap(one =>
    one.participations
      .filter((person: Answer['body']) => person.email === email)
      .map((person: Answer['body']) => `${person.state} ${one.start.slice(11, 16)} ${one.state}`),
  )

describe('a booking moves', () => {
  it('to a free slot: the old one becomes free, and the response has both times', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const booked = await book(await slotAt('10:00'))
    const { status, body } = await move(booked, await slotAt('11:00'))
    expect(status).toBe(200)
    expect([body.createdAppointment.start, body.createdAppointment.end]).toEqual([at('11:00'), at('11:30')])
    expect(body.replaced).toEqual({
      appointment_uuid: booked.appointment_uuid,
      start: at('10:00'),
      end: at('10:30'),
    })
    expect(await placesOf(booked.email)).toEqual(['BOOKED 10:00 ACTIVE'])
    const starts = (await list()).map(one => one.start)
    expect([starts.includes(at('10:00')), starts.includes(at('11:00'))]).toEqual([true, false])
  })

  it('by a quarter of an hour, overlapping its own place, which is listed for this customer', async () => {
    await makeTimeslot(holdfast.crm, practice, { raster: 15 })
    const { uuid } = await makeProduct(holdfast.crm, practice, { minDuration: 30 })
    const room = practice
    const query = { prdRef: uuid }
    const half = async (time: string, headers = {}) => {
      const path = `/resources/${room.resourceUuid}/upcoming_bookables?prdRef=${query.prdRef}`
      const slots = slotsOf(await consumer.send('GET', path, undefined, { headers }))
      return slots.find(one => one.start === at(time))
    }
    const booked = await book((await half('10:00'))!)
    expect(await half('10:15')).toBeUndefined()
    const slot = await half('10:15', headersFor(booked))
    expect((await move(booked, slot!)).status).toBe(200)
    expect(await placesOf(booked.email)).toEqual(['BOOKED 09:15 ACTIVE'])
  })

  it('sent twice changes nothing and sends no email the second time', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const booked = await book(await slotAt('10:00'))
    const slot = await slotAt('11:00')
    const answers = [await move(booked, slot), await move(booked, slot)]
    expect(answers.map(one => [one.status, one.body.createdAppointment.start])).toEqual([
      [200, at('11:00')],
      [200, at('11:00')],
    ])
    expect(await mailKindsTo(holdfast, booked.email)).toEqual(['booked', 'moved'])
  })

  it('and back again', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const slot = await slotAt('10:00')
    const booked = await book(slot)
    await move(booked, await slotAt('11:00'))
    expect((await move(booked, slot)).status).toBe(200)
    expect(await placesOf(booked.email)).toEqual(['BOOKED 09:00 ACTIVE'])
  })

  it('to another Resource of the same Provider, but not to another Provider', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const there = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, there)
    const booked = await book(await slotAt('10:00'))
    expect((await move(booked, await slotAt('10:00', there))).status).toBe(200)
    expect((await list()).map(one => one.start)).toContain(at('10:00'))
    expect((await list(there)).map(one => one.start)).not.toContain(at('10:00'))
    const stranger = await makePractice(holdfast.crm)
    await makeTimeslot(holdfast.crm, stranger)
    expectRefusal(await move(booked, await slotAt('12:00', stranger)), 404, 'not-found', 'timeslot_uuid')
  })

  it('to another Product of the same length, and keeps its own if none is given', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const other = await makeProduct(holdfast.crm, practice)
    const booked = await book(await slotAt('10:00'), { product_uuid: practice.productUuid })
    const kept = await move(booked, await slotAt('11:00'))
    expect(kept.body.createdAppointment.product_uuid).toBe(booked.product_uuid)
    const moved = await move(booked, await slotAt('12:00'), { product_uuid: other.uuid })
    expect(moved.body.createdAppointment.product_uuid).toBe(other.uuid)
  })

  it('with its buffers, which other bookings can still block', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const { uuid } = await makeProduct(holdfast.crm, practice)
    await setProduct(holdfast, uuid, { leadTimeMinutes: 30, followUpTimeMinutes: 30 })
    const buffered = async (time: string, headers = {}) => {
      const path = `/resources/${practice.resourceUuid}/upcoming_bookables?prdRef=${uuid}`
      return slotsOf(await consumer.send('GET', path, undefined, { headers })).find(
        one => one.start === at(time),
      )!
    }
    const rival = await buffered('14:00')
    const booked = await book(await buffered('10:00'))
    await book(rival)
    // Half an hour later falls within its own buffer.
    expect((await move(booked, await buffered('10:30', headersFor(booked)))).status).toBe(200)
    expectRefusal(await move(booked, { ...rival, start: at('13:30'), end: at('14:00') }), 412, '201')
    expect(await placesOf(booked.email)).toEqual(['BOOKED 09:30 ACTIVE'])
  })

  it('out of a group, where the others stay, or into a group, where it takes a place', async () => {
    await makeTimeslot(holdfast.crm, practice, { defaultCapacity: 2 })
    const ann = await book(await slotAt('10:00'))
    const ben = await book(await slotAt('10:00'))
    const cleo = await book(await slotAt('11:00'))
    expect((await move(ann, await slotAt('11:00'))).status).toBe(200)
    expect((await slotAt('10:00')).capacity_left).toBe(1)
    expect((await list()).some(one => one.start === at('11:00'))).toBe(false)
    expect(await placesOf(ben.email)).toEqual(['BOOKED 09:00 ACTIVE'])
    const full = { ...(await slotAt('10:00')), start: at('11:00'), end: at('11:30') }
    expectRefusal(
      await move(ben, {
        ...full,
        appointment_uuid: undefined,
        timeslot_uuid: cleo.timeslot_uuid,
      } as unknown as Slot),
      412,
      '201',
    )
    expect(await placesOf(ben.email)).toEqual(['BOOKED 09:00 ACTIVE'])
  })

  it('into a provider’s Appointment, which stays when the last participant moves out', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const made = await makeAppointment(holdfast.crm, practice, {
      start: '2030-01-07T15:00',
      end: '2030-01-07T15:30',
      acceptBookings: true,
      capacity: 1,
    })
    const booked = await book(await slotAt('10:00'))
    expect((await move(booked, await slotAt('15:00'))).body.createdAppointment.appointment_uuid).toBe(
      made.uuid,
    )
    expect((await move(booked, await slotAt('10:00'))).status).toBe(200)
    expect((await slotAt('15:00')).appointment_uuid).toBe(made.uuid)
  })

  it('with the customer’s own hold, which others cannot take', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const booked = await book(await slotAt('10:00'))
    const slot = await slotAt('11:00')
    const { body } = await consumer.reserve(practice.resourceUuid, holdOf(slot))
    const placeholder_id = body.participation.customer_uuid
    const rival = await book(await slotAt('12:00'))
    expectRefusal(await move(rival, slot), 412, '201')
    const moved = await move(booked, slot, { placeholder_id })
    expect([moved.status, moved.body.createdAppointment.start]).toEqual([200, at('11:00')])
    expect(await placesOf(booked.email)).toEqual(['BOOKED 10:00 ACTIVE'])
    // Held one slot, moved to another: the hold is released.
    const other = await consumer.reserve(practice.resourceUuid, holdOf(await slotAt('13:00')))
    await move(booked, await slotAt('14:00'), { placeholder_id: other.body.participation.customer_uuid })
    expect((await list()).map(one => one.start)).toContain(at('13:00'))
  })
})

describe('a move is refused, and everything stays as it was', () => {
  it('if the place is taken, past or unknown, or the customer already has a place there', async () => {
    await makeTimeslot(holdfast.crm, practice, { defaultCapacity: 2 })
    const taken = await slotAt('11:00')
    const person = newPerson()
    const booked = await book(await slotAt('10:00'), person)
    const second = await book(taken, person)
    expectRefusal(await move(booked, taken), 412, '202')
    await book(taken)
    expectRefusal(await move(booked, taken), 412, '201')
    expectRefusal(
      await move(booked, { ...taken, timeslot_uuid: crypto.randomUUID() }),
      404,
      'not-found',
      'timeslot_uuid',
    )
    expect(await placesOf(person.email)).toEqual(['BOOKED 09:00 ACTIVE', 'BOOKED 10:00 ACTIVE'])
    expect(second.moveLink).not.toBe(booked.moveLink)
  })

  it('with the token of another link, of a cancelled booking, or none', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const booked = await book(await slotAt('10:00'))
    const slot = await slotAt('11:00')
    for (const moveLink of [booked.cancelLink.split('?')[0], 'http://x/move/none'])
      expectRefusal(await move({ moveLink }, slot), 404, 'invalid-token')
    expect((await consumer.cancel(booked.cancelLink)).status).toBe(200)
    expectRefusal(await move(booked, slot), 404, 'invalid-token')
  })

  it('and a repeated completion no longer returns the old time', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const slot = await slotAt('10:00')
    const held = await consumer.reserve(practice.resourceUuid, holdOf(slot))
    const request = bookingOf(slot, { placeholder_id: held.body.participation.customer_uuid })
    const { body } = await consumer.complete(practice.resourceUuid, request)
    await move(body.createdAppointment, await slotAt('11:00'))
    expectRefusal(await consumer.complete(practice.resourceUuid, request), 412, '202')
    expect(await placesOf(request.email)).toEqual(['BOOKED 10:00 ACTIVE'])
  })
})

// A move that is sent again, or whose answer was lost on the way, is answered as it was the first time.

import { beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/base/pool.ts'
import { makePractice, makeRoom, makeTimeslot, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, overApp, slotsOf } from '../support/consumer.ts'
import { startCutProxy } from '../support/cut-proxy.ts'
import { startSecondInstance } from '../support/instances.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { bookAt, holdToMove, moveBooking } from '../support/moves.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0' })
let practice: Practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(async () => {
  practice = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, practice)
})

const slotAt = async (time: string) =>
  slotsOf(await consumer.list(practice.resourceUuid)).find(
    one => one.start === `2030-01-07T${time}:00+01:00`,
  )!

/** Booked at ten, and three times to go to. */
async function booked(process = 'IMMEDIATE') {
  const [ten, eleven, noon, one] = await Promise.all(['10:00', '11:00', '12:00', '13:00'].map(slotAt))
  const booking = await bookAt(consumer, ten!)
  await setChannel(holdfast, practice.resourceUuid, { bookingProcess: process })
  const start = { appointment_uuid: booking.appointment_uuid, start: ten!.start, end: ten!.end }
  return { booking, start, ten: ten!, eleven: eleven!, noon: noon!, one: one! }
}

describe('sent again', () => {
  it.each(['IMMEDIATE', 'REQUESTED'])('on a channel that is %s', async process => {
    const { booking, start, eleven, noon } = await booked(process)
    const once = await moveBooking(consumer, booking, eleven)
    expect([once.status, once.body.replaced]).toEqual([200, start])
    expect((await moveBooking(consumer, booking, eleven)).body).toEqual(once.body)
    // And from there on.
    const { appointment_uuid } = once.body.createdAppointment
    const further = await moveBooking(consumer, booking, noon, { old_start: eleven.start })
    expect(further.body.replaced).toEqual({ appointment_uuid, start: eleven.start, end: eleven.end })
    const again = await moveBooking(consumer, booking, noon, { old_start: eleven.start })
    expect(again.body).toEqual(further.body)
    expect(await mailKindsTo(holdfast, booking.email)).toHaveLength(3)
  })

  it('to what they held', async () => {
    const { booking, start, eleven } = await booked()
    const held = await holdToMove(consumer, booking, eleven)
    const fields = { placeholder_id: held.body.participation.customer_uuid, old_start: start.start }
    const once = await moveBooking(consumer, booking, eleven, fields)
    expect([once.status, once.body.replaced]).toEqual([200, start])
    expect((await moveBooking(consumer, booking, eleven, fields)).body).toEqual(once.body)
  })

  it('to another Resource at the same time', async () => {
    const { booking, start } = await booked()
    practice = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, practice)
    const there = await slotAt('10:00')
    const once = await moveBooking(consumer, booking, there, { old_start: start.start })
    expect([once.status, once.body.replaced]).toEqual([200, start])
    expect((await moveBooking(consumer, booking, there, { old_start: start.start })).body).toEqual(once.body)
  })

  it('by a customer who withdraws the request', async () => {
    const { booking, ten, eleven } = await booked('REQUESTED')
    await moveBooking(consumer, booking, eleven)
    const once = await moveBooking(consumer, booking, ten)
    expect([once.status, once.body.replaced.start]).toEqual([200, eleven.start])
    expect((await moveBooking(consumer, booking, ten)).body).toEqual(once.body)
  })

  it('leaves nothing else if the customer asks for their current place', async () => {
    const { booking, eleven } = await booked()
    await moveBooking(consumer, booking, eleven)
    const { body } = await moveBooking(consumer, booking, eleven, { old_start: eleven.start })
    expect(body.replaced.start).toBe(eleven.start)
  })

  it('and so it is once the provider has moved it', async () => {
    const { booking, noon, eleven } = await booked()
    const { appointment_uuid } = (await moveBooking(consumer, booking, eleven)).body.createdAppointment
    const to = { start: '2030-01-07T12:00', end: '2030-01-07T12:30' }
    const path = `${practice.path}/appointments/${appointment_uuid}@consumer/move`
    expect((await holdfast.crm.post(path, to)).status).toBe(200)
    expect((await moveBooking(consumer, booking, noon)).body.replaced.start).toBe(noon.start)
  })
})

describe('whose commit was made, and its answer lost', () => {
  const overAWeakWire = async () => {
    const proxy = await startCutProxy(holdfast.connection)
    const app = await startSecondInstance(holdfast, { db: openDb(proxy.connection, holdfast.clock) })
    return { ...proxy, weak: asConsumer(overApp(app)) }
  }

  it.each(['IMMEDIATE', 'REQUESTED'])('names what was left, on a channel that is %s', async process => {
    const { weak, cut, cuts } = await overAWeakWire()
    const { booking, start, eleven } = await booked(process)
    cut('after the commit')
    const { status, body } = await moveBooking(weak, booking, eleven)
    expect([status, cuts(), body.replaced]).toEqual([200, 1, start])
  })

  it('and so does each of several', async () => {
    const { weak, cut, cuts } = await overAWeakWire()
    const all = [await booked(), await bookedElsewhere(), await bookedElsewhere()]
    cut('after the commit')
    const moved = await Promise.all(all.map(({ booking, eleven }) => moveBooking(weak, booking, eleven)))
    expect(cuts()).toBeGreaterThan(0)
    expect(moved.map(one => one.body.replaced)).toEqual(all.map(one => one.start))
  })

  async function bookedElsewhere() {
    practice = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, practice)
    return booked()
  }
})

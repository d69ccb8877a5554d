// Moves that arrive at the same moment. Each must end as if it had been alone.

import { beforeEach, expect, it } from 'vitest'
import { makePractice, makeRoom, makeTimeslot, type Practice } from '../support/build.ts'
import { asConsumer, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { type Booked, bookAt, moveBooking } from '../support/moves.ts'
import { statusesOf } from '../support/rooms.ts'
import { type Answer, useService } from '../support/service.ts'
import { whileLocked } from '../support/transactions.ts'

const holdfast = await useService()
let practice: Practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(async () => {
  practice = await makeRoom(holdfast.crm, practice)
})

const list = async (room = practice) => slotsOf(await consumer.list(room.resourceUuid))
const startsOf = (slots: Slot[]) => slots.map(one => one.start)

/** Eight slots, of which the first four are booked. */
async function roomWithFour() {
  const room = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, room, { end: '2030-01-07T12:00', raster: 30 })
  const slots = await list(room)
  const booked = await Promise.all(slots.slice(0, 4).map(slot => bookAt(consumer, slot)))
  return { room, booked, old: slots.slice(0, 4), free: slots.slice(4) }
}

const moveAll = (booked: Booked[], slots: Slot[]) =>
  Promise.all(booked.map((one, index) => moveBooking(consumer, one, slots[index]!)))

const replacedStarts = (answers: Answer[]) => answers.map(one => one.body.replaced.start)

it('are each moved, answered and emailed', async () => {
  const rooms = await Promise.all([roomWithFour(), roomWithFour(), roomWithFour()])
  const booked = rooms.flatMap(one => one.booked)
  const [old, free] = [rooms.flatMap(one => one.old), rooms.flatMap(one => one.free)]
  // The lists are cached, so the moves must change them.
  for (const { room } of rooms) expect(await list(room)).toHaveLength(4)
  const answers = await moveAll(booked, free)
  expect(statusesOf(answers)).toEqual(Array(12).fill(200))
  expect(replacedStarts(answers)).toEqual(startsOf(old))
  expect(answers.map(one => one.body.createdAppointment.start)).toEqual(startsOf(free))
  for (const [index, one] of booked.entries()) {
    const mails = (await mailsTo(holdfast, one.email)).filter(mail => mail.kind === 'moved')
    expect(mails).toHaveLength(1)
    expect(mails[0]!.text).toContain(answers[index]!.body.createdAppointment.moveLink.split('?')[0])
  }
  for (const { room, old } of rooms) expect(startsOf(await list(room))).toEqual(startsOf(old))
})

/** The number of events of each kind that the work records. */
async function eventCountsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const { pool } = holdfast.service.db
  const { rows: before } = await pool.query('select max(id) as id from event')
  await work()
  const { rows } = await pool.query(
    'select kind, count(*)::int as count from event where id > $1 group by kind order by kind',
    [before[0].id],
  )
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

it('are reported as one move, one new Appointment and one that ended', async () => {
  const { booked, free } = await roomWithFour()
  expect(await eventCountsOf(() => moveAll(booked, free))).toEqual({
    'appointment.cancelled': 4,
    'appointment.created': 4,
    'participation.moved': 4,
  })
})

it('into places that others leave: each gets what is free by then, and none is lost', async () => {
  const { room, booked, old, free } = await roomWithFour()
  const wanted = [...old.slice(1), free[0]!]
  const answers = await moveAll(booked, wanted)
  expect(answers.at(-1)!.status).toBe(200)
  const places = answers.map((one, index) => (one.status === 200 ? wanted[index]! : old[index]!).start)
  expect(new Set(places).size).toBe(4)
  expect(startsOf(await list(room))).toEqual(startsOf([...old, ...free]).filter(one => !places.includes(one)))
})

it('of one booking to two places: one of them', async () => {
  const { room, booked, old, free } = await roomWithFour()
  const answers = await moveAll([booked[0]!, booked[0]!, booked[1]!], free)
  expect(statusesOf(answers.slice(0, 2)).toSorted()).toEqual([200, 409])
  expect(answers[2]!.status).toBe(200)
  expect(startsOf(await list(room))).toContain(old[0]!.start)
  expect(await list(room)).toHaveLength(4)
})

it('out of one Appointment by all participants: the last one ends it, reported once', async () => {
  await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T11:00', raster: 30, defaultCapacity: 2 })
  const [slot, ...free] = await list()
  const first = await bookAt(consumer, slot!)
  const second = await bookAt(consumer, { ...slot!, appointment_uuid: first.appointment_uuid! })
  const other = await roomWithFour()
  let answers: Answer[] = []
  const counts = await eventCountsOf(async () => {
    answers = await moveAll([first, second, other.booked[0]!], [free[0]!, free[1]!, other.free[0]!])
  })
  expect(statusesOf(answers)).toEqual([200, 200, 200])
  // The first to leave changes the shared Appointment.
  expect(counts).toEqual({
    'appointment.cancelled': 2,
    'appointment.changed': 1,
    'appointment.created': 3,
    'participation.moved': 3,
  })
  const freed = (await list()).find(one => one.start === slot!.start)
  expect(freed).toMatchObject({ kind: 'models.Bookable', capacity_left: 2 })
})

it('do not wait: a move to a locked Resource runs later', async () => {
  const [locked, other] = await Promise.all([roomWithFour(), roomWithFour()])
  const moving: Promise<Answer[]>[] = []
  await whileLocked(holdfast, locked.room.resourceUuid, async () => {
    moving.push(moveAll(locked.booked.slice(0, 2), locked.free))
    expect(statusesOf(await moveAll(other.booked, other.free))).toEqual(Array(4).fill(200))
  })
  expect(statusesOf(await moving[0]!)).toEqual([200, 200])
})

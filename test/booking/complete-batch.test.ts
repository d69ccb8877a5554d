// Concurrent completions share a transaction. Each must have the same outcome as it would alone.

import { expect, it } from 'vitest'
import {
  makeAppointment,
  makeConsumer,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeRoom,
  makeTimeslot,
  makeUser,
  setChannel,
} from '../support/build.ts'
import { asConsumer, newPerson, overApp } from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { type Hold, roomsOf, statusesOf } from '../support/rooms.ts'
import { useService } from '../support/service.ts'
import { transactionsOf, whileLocked } from '../support/transactions.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))

const {
  roomWith,
  slots,
  hold: holdIn,
  holdFirst,
  completeHold: complete,
} = roomsOf(() => ({ holdfast, practice, consumer }))

it('share a few transactions; each gets its own booking, response and email', async () => {
  const rooms = await Promise.all([roomWith(), roomWith(), roomWith()])
  const held: Hold[] = []
  for (const room of rooms) for (const slot of await slots(room)) held.push(await holdIn(room, slot))
  const people = held.map(() => newPerson())
  let answers: Awaited<ReturnType<typeof complete>>[] = []
  const count = await transactionsOf(holdfast, async () => {
    answers = await Promise.all(held.map((one, index) => complete(one, people[index])))
  })
  expect(statusesOf(answers)).toEqual(Array(12).fill(201))
  expect(count).toBeLessThan(5)
  for (const [index, { room, slot }] of held.entries()) {
    const { start, resource_uuid, cancelLink } = answers[index]!.body.createdAppointment
    expect({ start, resource_uuid }).toEqual({ start: slot.start, resource_uuid: room.resourceUuid })
    const [mail, ...others] = await mailsTo(holdfast, people[index]!.email)
    expect([mail!.kind, others]).toEqual(['booked', []])
    expect(mail!.text).toContain(cancelLink.split('?')[0])
    expect(mail!.text).toContain(people[index]!.lastname)
  }
  for (const room of rooms) expect((await consumer.list(room.resource)).status).toBe(204)
})

it('the same request sent five times is one booking and one email, with the same response', async () => {
  const [mine, other] = await Promise.all([holdFirst(await roomWith()), holdFirst(await roomWith())])
  const person = newPerson()
  const answers = await Promise.all([
    complete(other),
    ...Array(5)
      .fill(mine)
      .map(one => complete(one, person)),
  ])
  expect(statusesOf(answers)).toEqual(Array(6).fill(201))
  expect(new Set(answers.slice(1).map(answer => answer.text)).size).toBe(1)
  expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
})

it('refuses the second of two requests with the same hold', async () => {
  const held = await holdFirst(await roomWith())
  const answers = await Promise.all([
    complete(held),
    complete(held),
    complete(await holdFirst(await roomWith())),
  ])
  expect(statusesOf(answers).toSorted()).toEqual([201, 201, 412])
})

it('refuses a person the provider has already added to the Appointment', async () => {
  const room = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, room)
  const fields = { start: '2030-01-07T08:00', end: '2030-01-07T09:00', capacity: 5, acceptBookings: true }
  const { reference } = await makeAppointment(holdfast.crm, room, fields)
  const person = newPerson()
  const known = await makeParticipation(holdfast.crm, room, reference, 'BOOKED')
  // The Customer has a new address; the Participation keeps the one it was created with.
  const rename = 'update participation set email = $1 where reference = $2'
  await holdfast.query(rename, [person.email, known.reference])
  const slot = (await slots(room)).find(one => one.appointment_uuid)!
  const held = [await holdIn(room, slot), await holdFirst(await roomWith())]
  const answers = await Promise.all([complete(held[0]!, person), complete(held[1]!)])
  expect(statusesOf(answers)).toEqual([412, 201])
})

it('give each person one place in a group Appointment', async () => {
  const room = await roomWith({ defaultCapacity: 5 })
  const [slot] = await slots(room)
  const held = [await holdIn(room, slot!), await holdIn(room, slot!), await holdIn(room, slot!)]
  const person = newPerson()
  const [first, again, somebodyElse] = await Promise.all([
    complete(held[0]!, person),
    complete(held[1]!, { ...person, email: person.email.toUpperCase() }),
    complete(held[2]!),
  ])
  expect(statusesOf([first!, again!, somebodyElse!])).toEqual([201, 412, 201])
  expect(again!.body.errors[0].errorCode).toBe('202')
})

it('by one new person at several Resources create one Customer', async () => {
  const held = [await holdFirst(await roomWith()), await holdFirst(await roomWith())]
  const person = newPerson()
  expect(statusesOf(await Promise.all(held.map(one => complete(one, person))))).toEqual([201, 201])
  const rows = await holdfast.query('select from customer where email = $1', [person.email])
  expect(rows).toHaveLength(1)
})

it('that are invalid, late or without a hold each get their own response', async () => {
  const rooms = await Promise.all([roomWith(), roomWith(), roomWith(), roomWith()])
  const held = await Promise.all(rooms.map(holdFirst))
  await consumer.release(rooms[1]!.resource, held[1]!.placeholder_id)
  const nowhere = '00000000-0000-4000-8000-000000000000'
  const answers = await Promise.all([
    complete(held[0]!),
    complete(held[1]!),
    complete(held[2]!, { product_uuid: nowhere }),
    complete(held[3]!, { timeslot_uuid: nowhere }),
    complete({ ...held[0]!, placeholder_id: nowhere }),
  ])
  expect(statusesOf(answers)).toEqual([201, 201, 404, 404, 412])
})

it('bookings and requests each get their own kind of email', async () => {
  const [plain, asking] = await Promise.all([roomWith(), roomWith()])
  await setChannel(holdfast, asking.resourceUuid, { bookingProcess: 'REQUESTED' })
  const held = await Promise.all([plain, asking].map(holdFirst))
  const people = [newPerson(), newPerson()]
  await Promise.all(held.map((one, index) => complete(one, people[index])))
  expect(await mailKindsTo(holdfast, people[0]!.email)).toEqual(['booked'])
  expect(await mailKindsTo(holdfast, people[1]!.email)).toEqual(['requested'])
})

it.each([
  ['in the same group', 0],
  ['before them', 20],
])('do not wait for a Resource locked elsewhere: %s', async (_, pause) => {
  const rooms = await Promise.all([roomWith(), roomWith(), roomWith()])
  const [stuck, ...free] = await Promise.all(rooms.map(holdFirst))
  let late = false
  const waiting = await whileLocked(holdfast, rooms[0]!.resourceUuid, async () => {
    const answer = complete(stuck!).finally(() => {
      late = true
    })
    if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause))
    expect(statusesOf(await Promise.all(free.map(one => complete(one))))).toEqual([201, 201])
    expect(late).toBe(false)
    return { answer }
  })
  expect((await waiting.answer).status).toBe(201)
})

it('a failure of one does not undo the others', async () => {
  const { pool } = holdfast.service.db
  await pool.query(`alter table participation add constraint trap check (note <> 'boom') not valid`)
  const held = await Promise.all([holdFirst(await roomWith()), holdFirst(await roomWith())])
  const person = newPerson()
  const answers = await Promise.all([complete(held[0]!, { message: 'boom' }), complete(held[1]!, person)])
  await pool.query('alter table participation drop constraint trap')
  expect(statusesOf(answers)).toEqual([500, 201])
  expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
})

it('known, partly known and new people in one batch are each matched correctly', async () => {
  const rooms = await Promise.all(Array.from({ length: 5 }, () => roomWith()))
  const held = await Promise.all(rooms.map(holdFirst))
  const stranger = newPerson()
  const customer = await makeCustomer(holdfast.crm, practice, { language: 'fr' })
  const user = await makeUser(holdfast.crm, { language: 'de' })
  const consumer = { ...newPerson(), email: 'half.known@example.org' }
  await makeConsumer(holdfast, consumer.email)
  const byNumber = await makeCustomer(holdfast.crm, practice, {
    mobile: '+49 170 5',
    email: null,
    language: 'it',
  })
  const people = [
    stranger,
    { ...newPerson(), email: customer.email.toUpperCase() },
    { ...newPerson(), email: user.email, mobile: '+49 170 6' },
    consumer,
    { ...newPerson(), mobile: '+49 170 5' },
  ]
  const answers = await Promise.all(held.map((one, index) => complete(one, people[index])))
  expect(statusesOf(answers)).toEqual(Array(5).fill(201))

  const rows = await holdfast.query(
    `select participation.email, customer.reference, app_user.reference as user, app_user.first_name, app_user.mobile,
       mail.language
     from participation join customer on customer.id = customer_id join app_user on app_user.id = user_id
     join mail on mail.participation_id = participation.id and kind = 'booked'
     where participation.email = any ($1) order by array_position($1, participation.email)`,
    [people.map(one => one.email)],
  )
  const ours = expect.stringMatching(/@consumer$/)
  expect(rows.map(row => [row.reference, row.user, row.language])).toEqual([
    [ours, null, 'en'],
    [customer.customerReference, null, 'fr'],
    [ours, user.reference, 'en'],
    [ours, null, 'it'],
    [byNumber.customerReference, null, 'it'],
  ])
  // Missing details of the User are filled in; known ones stay.
  expect(rows[2]).toMatchObject({ first_name: people[2]!.firstname, mobile: '+49 170 6' })
})

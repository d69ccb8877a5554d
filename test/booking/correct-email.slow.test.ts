// A consumer who mistyped their address puts it right; one who has lost the mail with the links gets it again.

import { describe, expect, it } from 'vitest'
import {
  makeCustomer,
  makePractice,
  makeRoom,
  makeTimeslot,
  makeUser,
  type Practice,
  setChannel,
} from '../support/build.ts'
import { asConsumer, bookingOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { moveBooking } from '../support/moves.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

let desk = 0
const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org' })
const consumer = asConsumer(overApp(holdfast.app))

async function book(fields: Record<string, unknown> = {}, where?: Practice) {
  const room = where ?? (await makeRoom(holdfast.crm, practice))
  if (!where)
    await makeTimeslot(holdfast.crm, room, {
      start: '2030-01-07T09:00',
      end: '2030-01-07T12:00',
      defaultCapacity: 5,
    })
  const person = newPerson()
  const [slot] = slotsOf(await consumer.list(room.resource))
  const { status, body } = await consumer.complete(room.resource, bookingOf(slot!, { ...person, ...fields }))
  if (status !== 201) throw new Error(JSON.stringify(body))
  const token = body.createdAppointment.confirmationLink.split('/').at(-1)!
  const { cancelLink, moveLink, appointment_uuid } = body.createdAppointment
  return { room, token, cancelLink, moveLink, appointment_uuid, email: person.email, ...fields }
}

const correct = (token: string, email: string) =>
  consumer.send('POST', '/bookings/email', { email }, { headers: { 'x-signed-app-customer': token } })
const customers = async (email: string) =>
  (await holdfast.crm.get(`${practice.path}/customers?email=${encodeURIComponent(email)}`)).body.map(
    (one: { userName: string }) => one.userName,
  )
const fresh = () => `right${++desk}@example.org`

describe('a mistyped address', () => {
  it('is corrected once: emails go to the new address only, and no orphan remains', async () => {
    const { token, email, cancelLink } = await book({ mobile: '+49 170 1112223' })
    const right = fresh()
    const notices = (await mailKindsTo(holdfast, 'desk@example.org')).length
    const answer = await correct(token, right)
    expect([answer.status, answer.body.email]).toEqual([200, right])
    const [mail] = await mailsTo(holdfast, right)
    expect([mail!.kind, mail!.ics?.method]).toEqual(['booked', 'REQUEST'])
    const sentNotices = (await mailsTo(holdfast, 'desk@example.org')).slice(notices)
    expect(sentNotices.map(one => one.kind)).toEqual(['booking-notice'])
    expect(sentNotices[0]!.text).toContain(right)
    expect(await customers(email)).toEqual([])
    expect(await customers(right)).toHaveLength(1)
    expectRefusal(await correct(token, fresh()), 409, 'transition-not-allowed', 'email')
    // A client that got no answer sends it again.
    expect((await correct(token, right)).status).toBe(200)

    await consumer.cancel(cancelLink)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
    expect(await mailKindsTo(holdfast, right)).toEqual(['booked', 'cancelled'])
  })

  it('gives the booking to the person who already has the right address', async () => {
    const first = await book()
    const { token, email, room } = await book()
    expect((await correct(token, first.email)).status).toBe(200)
    expect([await customers(email), (await customers(first.email)).length]).toEqual([[], 1])
    // Two places of one person in one Appointment are one too many.
    const twin = await book({}, room)
    expectRefusal(await correct(twin.token, first.email), 412, '202')
    expect(await mailKindsTo(holdfast, first.email)).toEqual(['booked', 'booked'])
  })

  it('keeps a person who books once more at the same moment', async () => {
    const first = await book()
    const { token, email } = await book()
    const { status } = await whileWaiting(
      holdfast,
      {
        before: rival => rival.query('select from customer where email = $1 for key share', [email]),
        meanwhile: rival =>
          rival.query(
            `insert into participation (provider_id, appointment_id, customer_id, reference, name, email, state)
            select participation.provider_id, appointment_id, (select id from customer where email = $1), 'once-more', name, $1, 'BOOKED'
            from participation where email = $2`,
            [email, first.email],
          ),
      },
      () => correct(token, first.email),
    )
    expect(status).toBe(200)
    expect([(await customers(email)).length, (await customers(first.email)).length]).toEqual([1, 1])
  })

  it('leaves what others know of a person alone', async () => {
    const first = await book()
    const { token } = await book({ email: first.email })
    const right = fresh()
    expect((await correct(token, right)).status).toBe(200)
    expect([(await customers(first.email)).length, (await customers(right)).length]).toEqual([1, 1])
    expect(await mailKindsTo(holdfast, right)).toEqual(['booked'])
  })

  it('those who follow the events hear who came, who went, and whose booking it is', async () => {
    const heard = async (token: string, email: string) => {
      const { next } = (await holdfast.crm.get('/events?after=now')).body
      expect((await correct(token, email)).status).toBe(200)
      const { events } = (await holdfast.crm.get(`/events?after=${next}`)).body
      return events.map((one: { kind: string }) => one.kind)
    }
    const first = await book()
    const slip = await book()
    expect(await heard(slip.token, first.email)).toEqual([
      'customer.erased',
      'customer.changed',
      'appointment.changed',
    ])
    const { email } = await makeUser(holdfast.crm)
    const filling = await book({ mobile: '+49 170 4445556' })
    expect(await heard(filling.token, email)).toEqual([
      'user.changed',
      'customer.created',
      'customer.erased',
      'customer.changed',
      'appointment.changed',
    ])
    const other = await book({ email: first.email })
    expect(await heard(other.token, fresh())).toEqual([
      'customer.created',
      'customer.changed',
      'appointment.changed',
    ])
    const alone = await book()
    expect(await heard(alone.token, fresh())).toEqual(['customer.changed', 'appointment.changed'])
  })

  it('of a request sends the request again', async () => {
    const room = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, room, { start: '2030-01-07T09:00', end: '2030-01-07T12:00' })
    await setChannel(holdfast, room.resourceUuid, { bookingProcess: 'REQUESTED' })
    const { token } = await book({}, room)
    const right = fresh()
    expect((await correct(token, right)).status).toBe(200)
    expect(await mailKindsTo(holdfast, right)).toEqual(['requested'])
  })

  it.each(['booking', 'request'])(
    'with a pending move is corrected in both, by the link of the %s',
    async which => {
      const room = await makeRoom(holdfast.crm, practice)
      await makeTimeslot(holdfast.crm, room, { start: '2030-01-07T09:00', end: '2030-01-07T12:00' })
      const booked = await book({}, room)
      await setChannel(holdfast, room.resourceUuid, { bookingProcess: 'REQUESTED' })
      const other = slotsOf(await consumer.list(room.resource)).at(-1)!
      const { createdAppointment: asked } = (await moveBooking(consumer, booked, other)).body
      const tokens = { booking: booked.token, request: asked.confirmationLink.split('/').at(-1)! }
      const right = fresh()
      expect((await correct(tokens[which as keyof typeof tokens], right)).status).toBe(200)
      const people = () =>
        holdfast.query(
          `select state, email, (select email from customer where id = customer_id) as of
            from participation where email = any ($1) order by id`,
          [[booked.email, right]],
        )
      expect(await people()).toEqual([
        { state: 'BOOKED', email: right, of: right },
        { state: 'REQUESTED', email: right, of: right },
      ])
      expect(await customers(booked.email)).toEqual([])
      expectRefusal(await correct(tokens.booking, fresh()), 409, 'transition-not-allowed', 'email')
      expectRefusal(await correct(tokens.request, fresh()), 409, 'transition-not-allowed', 'email')
      const sentKinds = [...(await mailKindsTo(holdfast, right))]
      expect(sentKinds).toEqual(['booked', 'requested'])
      const path = `${room.path}/participations`
      const { body } = await holdfast.crm.get(
        `${room.path}/appointments?resourceRef=${encodeURIComponent(room.resource)}`,
      )
      const { reference } = body
        .flatMap((one: { participations: { state: string; reference: string }[] }) => one.participations)
        .find((one: { state: string }) => one.state === 'REQUESTED')
      expect(
        (await holdfast.crm.post(`${path}/${encodeURIComponent(reference)}`, { state: 'BOOKED' })).status,
      ).toBe(200)
      expect(await mailKindsTo(holdfast, booked.email)).toEqual(['booked', 'requested'])
      expect(await mailKindsTo(holdfast, right)).toEqual([...sentKinds, 'moved'])
    },
  )

  it('that is put right while they ask to move is right in the request', async () => {
    const room = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, room, { start: '2030-01-07T09:00', end: '2030-01-07T12:00' })
    const booked = await book({}, room)
    await setChannel(holdfast, room.resourceUuid, { bookingProcess: 'REQUESTED' })
    const other = slotsOf(await consumer.list(room.resource)).at(-1)!
    const right = fresh()
    const values = [booked.email, right]
    const { status } = await whileWaiting(
      holdfast,
      {
        before: rival => rival.query('select from participation where email = $1 for update', [booked.email]),
        meanwhile: rival => rival.query('update participation set email = $2 where email = $1', values),
      },
      () => moveBooking(consumer, booked, other),
    )
    expect(status).toBe(200)
    const count = 'select count(*)::int as count from participation where email = $1'
    expect(await holdfast.query(count, [right])).toEqual([{ count: 2 }])
  })

  it('cannot be corrected for a Customer of the CRM, after ten minutes, or without a token', async () => {
    const { email } = newPerson()
    await makeCustomer(holdfast.crm, practice, { email })
    const known = await book({ email })
    expectRefusal(await correct(known.token, fresh()), 409, 'transition-not-allowed', 'email')
    const late = await book()
    await holdfast.query(`update mail set created_at = now() - interval '11 minutes'`)
    expectRefusal(await correct(late.token, fresh()), 409, 'transition-not-allowed', 'email')
    expectRefusal(await correct('nothing', fresh()), 404, 'invalid-token')
    expectRefusal(await correct(late.cancelLink.split('/').at(-1)!, fresh()), 404, 'invalid-token')
    expectRefusal(await correct(late.token, 'no address'), 400, 'invalid-field', 'email')
  })

  it('is corrected by one of many who try at once', async () => {
    const { token } = await book()
    const answers = await Promise.all(Array.from({ length: 8 }, () => correct(token, fresh())))
    expect(answers.map(one => one.status).sort()).toEqual([200, ...Array(7).fill(409)])
  })
})

describe('links to a booking that were lost', () => {
  const ask = (appointment_uuid: string, email: string) =>
    consumer.send('POST', '/bookings/links', { appointment_uuid, email })

  it('go to its address once more, once in ten minutes, also when many ask at once', async () => {
    const { appointment_uuid, email } = await book()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask(appointment_uuid, email.toUpperCase())),
    )
    expect(answers.map(one => one.status)).toEqual([202, 202, 202, 202, 202])
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'reminder'])
    const [_first, mail] = await mailsTo(holdfast, email)
    for (const link of ['move', 'cancel']) expect(mail!.text).toContain(`/${link}/`)
  })

  it('of a request speak of a request', async () => {
    const room = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, room, { start: '2030-01-07T09:00', end: '2030-01-07T12:00' })
    await setChannel(holdfast, room.resourceUuid, { bookingProcess: 'REQUESTED' })
    const { appointment_uuid, email } = await book({}, room)
    await ask(appointment_uuid, email)
    expect(await mailKindsTo(holdfast, email)).toEqual(['requested', 'requested'])
  })

  it('go to no other address, and the answer reveals nothing', async () => {
    const { appointment_uuid, email, cancelLink } = await book()
    const other = fresh()
    const [known, unknown] = [await ask(appointment_uuid, other), await ask(crypto.randomUUID(), email)]
    expect([known.status, known.text]).toEqual([202, unknown.text])
    expect([await mailKindsTo(holdfast, email), await mailKindsTo(holdfast, other)]).toEqual([['booked'], []])
    await consumer.cancel(cancelLink)
    expect((await ask(appointment_uuid, email)).status).toBe(202)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'cancelled'])
    expectRefusal(await ask('nothing', email), 400, 'invalid-field', 'appointment_uuid')
  })
})

// The calendar: bookings by staff, concurrent changes, live updates.

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { liveStreams } from '../../src/http/console/calendar/live-streams.ts'
import {
  eventCount,
  makeAppointment,
  makeCustomer,
  makePractice,
  makeRoom,
  makeTimeslot,
  makeUser,
  type Practice,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { cookieOf, staffSession } from '../support/logins.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { call, consoleToken, eventually, othersCommitted, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

let practice: Practice
const holdfast = await useService()

beforeEach(async () => {
  practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice)
})

const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  call(holdfast.app, method, `/console/api${path}`, body, {
    headers: { authorization: `Bearer ${consoleToken}`, ...headers },
  })

const calendar = async (query = 'from=2030-01-07') =>
  (await ask('GET', `/providers/${practice.uuid}/calendar?${query}`)).body

const walkIn = (fields: object = {}, query = '') =>
  ask('POST', `/providers/${practice.uuid}/appointments${query}`, {
    resourceUuid: practice.resourceUuid,
    productUuid: practice.productUuid,
    start: '2030-01-07T09:00',
    end: '2030-01-07T09:30',
    customer: { name: 'Walter Inn', email: 'walter@example.org' },
    ...fields,
  })

const mailsTo = async (address: string) =>
  (await ask('GET', `/mails?to=${address}`)).body.mails.map((mail: { kind: string }) => mail.kind)

describe('the calendar', () => {
  it('shows a Product that is created while it is read', async () => {
    const { db } = holdfast.service
    const { query } = db
    onTestFinished(() => {
      db.query = query
    })
    db.query = async statement => {
      const rows = await query<never>(statement)
      return /select uuid from product/.test(statement.text) ? rows.slice(0, -1) : rows
    }
    const { products } = await calendar()
    expect(products).toMatchObject([{ uuid: practice.productUuid, color: 0 }])
  })

  it('shows Resources, Timeslots, Appointments and live holds of its days, and nothing of others', async () => {
    await makeAppointment(holdfast.crm, practice, { start: '2030-01-08T10:00', end: '2030-01-08T10:30' })
    const consumer = asConsumer(overApp(holdfast.app))
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    await consumer.reserve(practice.resourceUuid, holdOf(slot!))
    const { resources, timeslots, entries, products } = await calendar()
    expect(resources).toMatchObject([{ uuid: practice.resourceUuid, products: [] }])
    expect(products).toMatchObject([{ uuid: practice.productUuid }])
    expect(timeslots).toMatchObject([{ resourceUuid: practice.resourceUuid, state: 'BOOKABLE', raster: 30 }])
    expect(entries).toMatchObject([{ people: [{ state: 'RESERVED', expiresAt: expect.any(String) }] }])
  })
})

describe('a walk-in', () => {
  it('is booked with a new Customer, who gets an email', async () => {
    const { status, body } = await walkIn()
    expect(status).toBe(201)
    expect(body).toMatchObject({ capacity: 1, people: [{ name: 'Walter Inn', state: 'BOOKED' }] })
    expect(await mailsTo('walter@example.org')).toEqual(['booked'])
    const found = await ask('GET', `/providers/${practice.uuid}/customers?search=walter`)
    expect(found.body.customers).toMatchObject([{ name: 'Walter Inn' }])
  })

  it('may be for a known Customer, of this Provider only', async () => {
    await makeCustomer(holdfast.crm, practice, { userName: 'Ann Known' })
    const { body } = await ask('GET', `/providers/${practice.uuid}/customers?search=known`)
    const byUuid = { customer: undefined, customerUuid: body.customers[0].uuid }
    const known = await walkIn(byUuid)
    expect([known.status, known.body.people]).toMatchObject([201, [{ name: 'Ann Known' }]])
    practice = await makePractice(holdfast.crm)
    expectRefusal(await walkIn(byUuid), 404, 'not-found')
  })

  it('blocks the time for consumers immediately', async () => {
    await walkIn()
    const starts = slotsOf(await asConsumer(overApp(holdfast.app)).list(practice.resourceUuid)).map(
      one => one.start,
    )
    expect(starts).not.toContain('2030-01-07T09:00:00+01:00')
  })

  it('sends no email if notifications are off', async () => {
    const customer = { name: 'Silent Sam', email: 'sam@example.org' }
    expect((await walkIn({ customer }, '?sendMails=false')).status).toBe(201)
    expect(await mailsTo('sam@example.org')).toEqual([])
  })

  it.each([
    ['overlaps another Appointment', {}, /overlaps/],
    ['lies outside the Timeslots', { start: '2030-01-07T19:00', end: '2030-01-07T19:30' }, /No Timeslot/],
    ['lies in the past', { start: '2020-01-07T09:00', end: '2020-01-07T09:30' }, /past/],
  ])('that %s is refused once, and done if staff say so', async (_, fields, sentence) => {
    expect((await walkIn()).status).toBe(201)
    const refused = await walkIn(fields)
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([409, 'conflict'])
    expect(refused.body.errors[0].message).toMatch(sentence)
    expect((await walkIn(fields, '?ignoreConflicts=true')).status).toBe(201)
  })

  it('that lies in a closure is refused once', async () => {
    const closure = { from: '2030-01-07', to: '2030-01-08', reason: 'Stocktaking' }
    expect((await ask('POST', `/providers/${practice.uuid}/closures`, closure)).status).toBe(201)
    expect((await calendar()).closures).toMatchObject([{ reason: 'Stocktaking', resources: null }])
    expect((await walkIn()).body.errors[0].message).toMatch(/closed then: Stocktaking/)
    expect((await walkIn({}, '?ignoreConflicts=true')).status).toBe(201)
  })

  it('leaves no Customer behind when it is refused', async () => {
    await walkIn()
    await walkIn({ customer: { name: 'Never Was' } })
    const { body } = await ask('GET', `/providers/${practice.uuid}/customers?search=never`)
    expect(body.customers).toEqual([])
  })

  it('cannot be put into another Provider’s Resource, with its Product or Customer', async () => {
    const other = await makePractice(holdfast.crm)
    expect((await walkIn({ resourceUuid: other.resourceUuid })).status).toBe(404)
    expect((await walkIn({ productUuid: other.productUuid })).status).toBe(404)
  })
})

describe('a walk-in in a class', () => {
  const evening = { start: '2030-01-07T19:00', end: '2030-01-07T20:00' }
  const listed = async () =>
    slotsOf(await asConsumer(overApp(holdfast.app)).list(practice.resourceUuid)).find(
      one => one.start === '2030-01-07T19:00:00+01:00',
    )

  beforeEach(async () => {
    await makeTimeslot(holdfast.crm, practice, { ...evening, raster: 60, defaultCapacity: 3 })
  })

  it('takes one of its places and leaves the others to consumers', async () => {
    const { status, body } = await walkIn(evening)
    expect(status).toBe(201)
    expect(body).toMatchObject({ capacity: 3, acceptBookings: true, joined: false })
    expect(await listed()).toMatchObject({ capacity: 3, capacity_left: 2 })
  })

  it('joins the group that consumers began, until it is full', async () => {
    const consumer = asConsumer(overApp(holdfast.app))
    const slot = (await listed())!
    expect((await consumer.complete(practice.resourceUuid, bookingOf(slot))).status).toBe(201)
    const second = await walkIn({ ...evening, notes: 'Brings a mat' })
    expect([second.status, second.body.joined]).toEqual([201, true])
    expect(second.body.people).toHaveLength(2)
    expect(second.body.notes).toBe('Brings a mat')
    const [_first, walter] = second.body.people
    expect(second.body.participationUuid).toBe(walter.uuid)
    const third = await walkIn({ ...evening, customer: { name: 'Third' }, notes: 'New' })
    expect([third.status, third.body.notes]).toEqual([201, 'Brings a mat\nNew'])
    expect(await listed()).toBeUndefined()
    const fourth = await walkIn({ ...evening, customer: { name: 'Fourth' } })
    expectRefusal(fourth, 409, 'conflict')
    expect(messageOf(fourth)).toMatch(/All 3 places are taken/)
    const anyway = await walkIn({ ...evening, customer: { name: 'Fourth' } }, '?ignoreConflicts=true')
    expect([anyway.status, anyway.body.people.length]).toEqual([201, 4])
    expect((await calendar()).entries).toHaveLength(1)
  })

  it('has as many places as staff say, where they say so', async () => {
    const { body } = await walkIn({ ...evening, capacity: 1 })
    expect(body).toMatchObject({ capacity: 1, acceptBookings: false, joined: false })
  })
})

describe('two people in the same Appointment', () => {
  it('the second save is refused, and the first one stays', async () => {
    const { uuid } = (await walkIn()).body
    const { etag } = (await ask('GET', `/appointments/${uuid}`)).headers as { etag: string }
    const save = (notes: string) => ask('PATCH', `/appointments/${uuid}`, { notes }, { 'if-match': etag })
    const answers = await Promise.all([save('first'), save('second')])
    expect(answers.map(one => one.status).sort()).toEqual([200, 409])
    const { entry } = (await ask('GET', `/appointments/${uuid}`)).body
    expect(entry.notes).toBe(answers[0]!.status === 200 ? 'first' : 'second')
    expect((await ask('PATCH', `/appointments/${uuid}`, { capacity: 3 })).body.entry.capacity).toBe(3)
  })
})

describe('an Appointment', () => {
  it('shows its history and emails', async () => {
    const { uuid } = (await walkIn()).body
    await ask('PATCH', `/appointments/${uuid}`, { notes: 'Brings a dog.' })
    const { body } = await ask('POST', `/appointments/${uuid}/cancel`, { message: 'The room is flooded.' })
    expect(body.entry).toMatchObject({ state: 'CANCELLED', notes: 'Brings a dog.' })
    expect(body.history.map((line: { kind: string }) => line.kind).sort()).toEqual([
      'appointment.cancelled',
      'appointment.changed',
      'appointment.created',
      'participation.booked',
      'participation.cancelled',
    ])
    expect(body.history.find((line: { kind: string }) => line.kind === 'participation.booked').person).toBe(
      'Walter Inn',
    )
    expect(body.mails.map((mail: { kind: string }) => mail.kind)).toEqual(['cancelled', 'booked'])
  })

  it('takes a new participant; a full one only if staff override it', async () => {
    const { uuid } = (await walkIn()).body
    const add = (query = '') =>
      ask('POST', `/appointments/${uuid}/participations${query}`, { customer: { name: 'Second Sue' } })
    expect((await add()).body.errors[0].errorCode).toBe('capacity-exceeded')
    expect((await add('?ignoreConflicts=true')).body.entry.people).toMatchObject([
      { name: 'Walter Inn' },
      { name: 'Second Sue' },
    ])
  })
})

describe('two that trade places', () => {
  const at = async (uuid: string) => (await ask('GET', `/appointments/${uuid}`)).body.entry
  const swap = (uuid: string, withUuid: string, query = '') =>
    ask('POST', `/appointments/${uuid}/swap${query}`, { withUuid, message: 'We had to change the order.' })

  /** Two Appointments booked by consumers: these must never overlap. */
  async function twoBooked() {
    const consumer = asConsumer(overApp(holdfast.app))
    const slots = slotsOf(await consumer.list(practice.resourceUuid))
    const booked: string[] = []
    for (const [index, slot] of [slots[0]!, slots[4]!].entries()) {
      const person = { firstname: 'Swap', lastname: `Nr${index}`, email: `swap${index}@example.org` }
      const { body } = await consumer.complete(practice.resourceUuid, { ...bookingOf(slot), ...person })
      booked.push(body.createdAppointment.appointment_uuid)
    }
    return { booked: booked as [string, string], slots }
  }

  it('trade times, notify both, and remain the consumers’', async () => {
    const { booked, slots } = await twoBooked()
    const before = await Promise.all(booked.map(at))
    expect((await swap(...booked)).status).toBe(200)
    const after = await Promise.all(booked.map(at))
    expect(after.map(one => [one.start, one.end])).toEqual(before.map(one => [one.start, one.end]).reverse())
    expect(after.map(one => one.origin)).toEqual(['consumer', 'consumer'])
    for (const index of [0, 1]) expect(await mailsTo(`swap${index}@example.org`)).toContain('moved')
    const free = slotsOf(await asConsumer(overApp(holdfast.app)).list(practice.resourceUuid))
    expect(free).toHaveLength(slots.length - 2)
  })

  it('also trade between two Resources, without an email if notifications are off', async () => {
    const room = await makeRoom(holdfast.crm, practice)
    const one = (await walkIn()).body.uuid
    const place = { resourceUuid: room.resourceUuid, start: '2030-01-08T10:00', end: '2030-01-08T11:00' }
    const customer = { name: 'Olga Other', email: 'olga@example.org' }
    const other = (await walkIn({ ...place, customer }, '?ignoreConflicts=true&sendMails=false')).body.uuid
    expect((await swap(one, other, '?sendMails=false')).status).toBe(200)
    expect(await at(one)).toMatchObject({
      start: '2030-01-08T09:00:00Z',
      end: '2030-01-08T09:30:00Z',
      resource: { uuid: room.resourceUuid },
    })
    expect(await at(other)).toMatchObject({
      start: '2030-01-07T08:00:00Z',
      end: '2030-01-07T09:00:00Z',
      resource: { uuid: practice.resourceUuid },
    })
    expect(await mailsTo('olga@example.org')).toEqual([])
  })

  it('are refused together if a third Appointment conflicts, and nothing changes', async () => {
    const one = (await walkIn({ end: '2030-01-07T10:00' })).body.uuid
    const other = (await walkIn({ start: '2030-01-07T12:00', end: '2030-01-07T12:30' })).body.uuid
    await walkIn({ start: '2030-01-07T12:30', end: '2030-01-07T13:00' })
    expectRefusal(await swap(one, other), 409, 'conflict')
    expect([(await at(one)).start, (await at(other)).start]).toEqual([
      '2030-01-07T08:00:00Z',
      '2030-01-07T11:00:00Z',
    ])
    expect((await swap(one, other, '?ignoreConflicts=true')).status).toBe(200)
    expect((await at(one)).start).toBe('2030-01-07T11:00:00Z')
  })

  it('at the same time and place stay where they are, without an email', async () => {
    const customer = { name: 'Still There', email: 'still@example.org' }
    const one = (await walkIn({ customer })).body.uuid
    const other = (await walkIn({}, '?ignoreConflicts=true')).body.uuid
    const before = await eventCount(holdfast)
    expect((await swap(one, other, '?ignoreConflicts=true')).status).toBe(200)
    expect(await eventCount(holdfast)).toBe(before)
    expect(await mailsTo('still@example.org')).not.toContain('moved')
  })

  it('of which one is where it was: only those in the other one hear of it', async () => {
    const one = (await walkIn()).body.uuid
    const other = (await walkIn({ end: '2030-01-07T10:00' }, '?ignoreConflicts=true')).body.uuid
    expect((await swap(one, other, '?ignoreConflicts=true')).status).toBe(200)
    const rows = await holdfast.query(
      `select appointment.uuid from event join appointment on appointment.id = subject
      where kind = 'appointment.moved' and appointment.uuid = any ($1)`,
      [[one, other]],
    )
    expect(rows).toEqual([{ uuid: one }])
  })

  it('cannot be one and the same, cancelled, or another Provider’s', async () => {
    const one = (await walkIn()).body.uuid
    expectRefusal(await swap(one, one), 400, 'invalid-field', 'withUuid')
    const other = (await walkIn({ start: '2030-01-07T12:00', end: '2030-01-07T12:30' })).body.uuid
    await ask('POST', `/appointments/${other}/cancel`, {})
    const refused = await swap(one, other)
    expectRefusal(refused, 409, 'appointment-cancelled', 'appointmentReference')
    expect(messageOf(refused)).toContain('cannot be moved')
    practice = await makePractice(holdfast.crm)
    const elsewhere = (await walkIn({}, '?ignoreConflicts=true')).body.uuid
    expectRefusal(await swap(one, elsewhere), 404, 'not-found')
  })

  it('are not swapped if one was just moved, at this Resource or another: the request is outdated', async () => {
    const there = await makeRoom(holdfast.crm, practice)
    const { booked } = await twoBooked()
    for (const { resourceUuid } of [practice, there]) {
      const answer = await whileWaiting(
        holdfast,
        {
          async before(rival) {
            const room = '(select id from resource where uuid = $2)'
            await rival.query('update resource set revision = revision + 1 where uuid = $1', [
              practice.resourceUuid,
            ])
            // Moved on another instance, which this process does not know of.
            await rival.query(
              `update appointment set resource_id = ${room}, start_at = start_at + interval '3 hours',
                end_at = end_at + interval '3 hours', blocked_from = blocked_from + interval '3 hours',
                blocked_to = blocked_to + interval '3 hours' where uuid = $1`,
              [booked[0], resourceUuid],
            )
          },
        },
        () => swap(...booked),
      )
      expectRefusal(answer, 409, 'changed')
    }
  })

  it('end up in one of the two orders, however many swap and move them at once', async () => {
    const { booked } = await twoBooked()
    const [early, late] = (await Promise.all(booked.map(at))).map(one => one.start)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => swap(booked[index % 2]!, booked[1 - (index % 2)]!)),
    )
    expect(new Set(answers.map(one => one.status)).difference(new Set([200, 409])).size).toBe(0)
    const starts = (await Promise.all(booked.map(at))).map(one => one.start)
    const isTraded = answers.filter(one => one.status === 200).length % 2 === 1
    expect(starts).toEqual(isTraded ? [late, early] : [early, late])
  })
})

it('deletes a mistaken booking without notifying anyone', async () => {
  const { uuid } = (await walkIn({}, '?sendMails=false')).body
  expect((await ask('DELETE', `/appointments/${uuid}`)).status).toBe(204)
  expect((await calendar()).entries).toEqual([])
  expect((await ask('GET', `/appointments/${uuid}`)).status).toBe(404)
})

describe('changes', () => {
  it('come with a booking elsewhere, not at the end of the wait, and only what changed', async () => {
    await makeAppointment(holdfast.crm, practice, { start: '2030-01-07T15:00', end: '2030-01-07T15:30' })
    await othersCommitted(holdfast.service)
    const { next } = await calendar()
    const waiting = ask(
      'GET',
      `/providers/${practice.uuid}/changes?wait=25&after=${encodeURIComponent(next)}`,
    )
    const consumer = asConsumer(overApp(holdfast.app))
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    await consumer.complete(practice.resourceUuid, bookingOf(slot!))
    const { body } = await waiting
    expect(body.entries).toMatchObject([{ start: slot!.start.replace(/T.*/, 'T07:00:00Z') }])
    expect(body).toMatchObject({ gone: false, background: false })
  })

  it('tell of a hold while it is there, and when it is given up', async () => {
    const changes = async (query: string) =>
      (await ask('GET', `/providers/${practice.uuid}/changes?from=2030-01-07&${query}`)).body
    const first = await changes('')
    expect(first).toMatchObject({ entries: [], holds: [] })
    const after = `after=${encodeURIComponent(first.next)}`
    const still = await changes(`${after}&pulse=${first.pulse}`)
    expect(still).toMatchObject({ pulse: first.pulse, holds: null })

    const waiting = changes(`${after}&pulse=${first.pulse}&wait=25`)
    const consumer = asConsumer(overApp(holdfast.app))
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    const held = await consumer.reserve(practice.resourceUuid, holdOf(slot!))
    const second = await waiting
    expect(second.holds).toMatchObject([{ people: [{ state: 'RESERVED' }] }])
    const elsewhen = await ask('GET', `/providers/${practice.uuid}/changes?from=2030-01-08`)
    expect(elsewhen.body.holds).toEqual([])

    await consumer.release(practice.resourceUuid, held.body.participation.customer_uuid)
    expect((await changes(`${after}&pulse=${second.pulse}`)).holds).toEqual([])
  })

  it('report changed Timeslots, and nothing of other Providers', async () => {
    await othersCommitted(holdfast.service)
    const { next } = await calendar()
    const other = await makePractice(holdfast.crm)
    await makeTimeslot(holdfast.crm, other)
    const changes = async (after: string) =>
      (await ask('GET', `/providers/${practice.uuid}/changes?after=${encodeURIComponent(after)}`)).body
    const first = await changes(next)
    expect(first).toMatchObject({ entries: [], background: false })
    const opened = { start: '2030-01-08T08:00', end: '2030-01-08T09:00', raster: 30 }
    expect((await ask('POST', `/resources/${practice.resourceUuid}/timeslots`, opened)).status).toBe(201)
    await othersCommitted(holdfast.service)
    expect(await changes(first.next)).toMatchObject({ entries: [], background: true })
  })
})

describe('a stream of changes', () => {
  type Changes = {
    next: string
    entries: object[]
    timeslots: object[] | null
    holds: object[] | null
    background: boolean
  }

  async function stream(provider: Practice, headers: Record<string, string>, after = '') {
    const url = `/console/api/providers/${provider.uuid}/changes?stream=true&from=2030-01-07&after=${encodeURIComponent(after || 'now')}`
    const response = await holdfast.app.inject({ url, headers, payloadAsStream: true })
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream'])
    const messages: Changes[] = []
    const state = { messages, isOver: false, close: () => response.stream().destroy() }
    response.stream().on('data', (chunk: Buffer) => {
      for (const [_match, json] of String(chunk).matchAll(/^data: (.*)$/gm)) messages.push(JSON.parse(json!))
    })
    response.stream().once('end', () => Object.assign(state, { isOver: true }))
    onTestFinished(() => void state.close())
    return state
  }
  const asOperator = { authorization: `Bearer ${consoleToken}` }
  const consumer = asConsumer(overApp(holdfast.app))

  it('reaches all who show the same days with one read, and no others', async () => {
    const other = await makePractice(holdfast.crm)
    const [one, two, elsewhere] = [
      await stream(practice, asOperator),
      await stream(practice, asOperator),
      await stream(other, asOperator),
    ]
    const query = vi.spyOn(holdfast.service.db, 'query')
    onTestFinished(() => query.mockRestore())
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    const held = await consumer.reserve(practice.resourceUuid, holdOf(slot!))
    await eventually(async () => one.messages.at(-1)?.holds?.length === 1)
    const placeholder_id = held.body.participation.customer_uuid
    await consumer.complete(practice.resourceUuid, bookingOf(slot!, { placeholder_id }))
    await eventually(async () => [one, two].every(all => all.messages.some(sent => sent.entries.length > 0)))
    expect(one.messages.slice(1)).toEqual(two.messages.slice(1))
    const reads = query.mock.calls.filter(([{ text }]) => text.includes('select unnest($1::bigint[])'))
    expect(reads.length).toBeLessThan(3)
    expect(elsewhere.messages.flatMap(sent => sent.entries)).toEqual([])
  })

  it('sends changed Timeslots instead of asking for the whole calendar', async () => {
    const all = await stream(practice, asOperator)
    const opened = { start: '2030-01-07T20:00', end: '2030-01-07T21:00', raster: 30 }
    await ask('POST', `/resources/${practice.resourceUuid}/timeslots`, opened)
    await eventually(async () => all.messages.some(sent => sent.timeslots?.length === 2))
    expect(all.messages.some(sent => sent.background)).toBe(false)
  })

  it('begins with what has changed since a cursor', async () => {
    const { next } = await calendar()
    await walkIn()
    const { messages } = await stream(practice, asOperator, next)
    await eventually(async () => messages.length > 0)
    expect(messages[0]!.entries).toHaveLength(1)
  })

  it('ends with the session and with a change of the team', async () => {
    const { cookie } = cookieOf(await staffSession(holdfast, practice.owner))
    const [mine, operators] = [await stream(practice, { cookie }), await stream(practice, asOperator)]
    await liveStreams(holdfast.service).beat()
    expect([mine.isOver, operators.isOver]).toEqual([false, false])
    await call(holdfast.app, 'POST', '/console/api/session/logout', {}, { headers: { cookie } })
    await liveStreams(holdfast.service).beat()
    await eventually(async () => mine.isOver)
    expect(operators.isOver).toBe(false)
    const { reference: userReference } = await makeUser(holdfast.crm)
    await holdfast.crm.post(`${practice.path}/staff`, { userReference })
    await eventually(async () => operators.isOver)
  })
})

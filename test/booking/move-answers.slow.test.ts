// What comes with a move: requests that wait for an answer, mails and calendar entries, reminders, links that end in time.

import ICAL from 'ical.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { remind } from '../../src/actions/scheduling/housekeeping.ts'
import {
  makeCustomer,
  makePractice,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
  setClock,
} from '../support/build.ts'
import {
  asConsumer,
  bookingOf,
  form,
  holdOf,
  newPerson,
  overApp,
  type Slot,
  slotsOf,
} from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { bookAt, holdToMove, moveBooking, pathOf } from '../support/moves.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()
let practice: Practice = await makePractice(holdfast.crm, { phone: '+49 30 555', email: 'desk@example.org' })
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(async () => {
  holdfast.clock.shiftMs = 0
  practice = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, practice)
})

const at = (time: string) => `2030-01-07T${time}:00+01:00`
const slotAt = async (time: string) =>
  slotsOf(await consumer.list(practice.resourceUuid)).find(one => one.start === at(time))!
const isFree = async (time: string) => (await slotAt(time)) !== undefined
const people = async (email: string): Promise<Answer['body'][]> => {
  const query = `resourceRef=${encodeURIComponent(practice.resource)}`
  const { body } = await holdfast.crm.get(`${practice.path}/appointments?${query}`)
  return body.flatMap((one: Answer['body']) =>
    one.participations
      .filter((person: Answer['body']) => person.email === email)
      .map((person: Answer['body']) => ({
        ...person,
        start: one.start.slice(11, 16),
        appointment: one.uuid,
      })),
  )
}
/** Which ones they are in, in the order of time. */
const appointmentsOf = async (email: string): Promise<string[]> =>
  (await people(email)).map(one => one.appointment)
const placesOf = async (email: string) => (await people(email)).map(one => `${one.state} ${one.start}`)
const decide = async (email: string, state: string) => {
  const { reference } = (await people(email)).find(one => one.state === 'REQUESTED')
  return holdfast.crm.post(`${practice.path}/participations/${encodeURIComponent(reference)}`, { state })
}

describe('on a channel that requires confirmation', () => {
  async function askToMove() {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const moved = await moveBooking(consumer, booked, await slotAt('11:00'))
    expect([moved.status, moved.body.createdAppointment.start, moved.body.replaced.start]).toEqual([
      200,
      at('11:00'),
      at('10:00'),
    ])
    expect([await isFree('10:00'), await isFree('11:00')]).toEqual([false, false])
    expect(await placesOf(booked.email)).toEqual(['BOOKED 09:00', 'REQUESTED 10:00'])
    return booked
  }

  it('the customer keeps both places until the provider accepts, which frees the old one', async () => {
    const booked = await askToMove()
    expect((await decide(booked.email, 'BOOKED')).body.participation.state).toBe('BOOKED')
    expect([await isFree('10:00'), await isFree('11:00')]).toEqual([true, false])
    expect(await placesOf(booked.email)).toEqual(['DELETED 09:00', 'BOOKED 10:00'])
    expect(await mailKindsTo(holdfast, booked.email)).toEqual(['booked', 'requested', 'moved'])
  })

  it('accepted while the old booking is being moved: released under the lock of its current Resource', async () => {
    const booked = await askToMove()
    const [old, requested] = await people(booked.email)
    const [second, third] = [await makeRoom(holdfast.crm, practice), await makeRoom(holdfast.crm, practice)]
    const bring = `update appointment set resource_id = (select id from resource where uuid = $1) where uuid = $2`
    const { pool } = holdfast.service.db
    await pool.query(bring, [second.resourceUuid, old.appointment])
    const revision = async () => {
      const query = 'select revision::int from resource where uuid = $1'
      return (await pool.query(query, [third.resourceUuid])).rows[0].revision
    }
    const before = await revision()
    const [customer] = (await holdfast.crm.get(`${practice.path}/customers?email=${booked.email}`)).body
    const request = {
      reference: requested.reference,
      appointmentReference: `${requested.appointment}@consumer`,
      customerReference: customer.customerReference,
      state: 'BOOKED',
    }
    const { status } = await whileWaiting(
      holdfast,
      {
        async before(rival) {
          const rooms = [second.resourceUuid, third.resourceUuid]
          await rival.query('update resource set revision = revision + 1 where uuid = any ($1)', [rooms])
          await rival.query(bring, [third.resourceUuid, old.appointment])
        },
      },
      () => holdfast.crm.post(`${practice.path}/participations`, request),
    )
    expect(status).toBe(200)
    expect(await revision()).toBe(before + 2)
  })

  it('or declines, which leaves everything as before', async () => {
    const booked = await askToMove()
    await decide(booked.email, 'CANCELED')
    expect([await isFree('10:00'), await isFree('11:00')]).toEqual([false, true])
    expect((await placesOf(booked.email))[0]).toBe('BOOKED 09:00')
    expect(await mailKindsTo(holdfast, booked.email)).toEqual(['booked', 'requested', 'declined'])
    const [_first, requested, declined] = await mailsTo(holdfast, booked.email)
    const flat = (text: string) => text.replace(/\s+/g, ' ')
    expect(flat(requested!.text)).toContain('Until then, your current appointment stays as it is.')
    expect(flat(declined!.text)).toContain('Your current appointment stays as it is.')
    expect(flat(declined!.text)).toMatch(/Still booked: .*10:00/)
  })

  describe('a move that overlaps the booking keeps both places, and no other client gets either', () => {
    /** Of an hour, on a raster of half an hour. */
    async function askForHalfAnHourLater(capacity = 1) {
      practice = await makeRoom(holdfast.crm, practice)
      await makeTimeslot(holdfast.crm, practice, { defaultCapacity: capacity })
      const slot = await slotAt('10:00')
      const hour = { ...slot, end: at('11:00') }
      const booked = await bookAt(consumer, hour)
      await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
      const later = { ...hour, appointment_uuid: undefined, start: at('10:30'), end: at('11:30') } as Slot
      const moved = await moveBooking(consumer, booked, later)
      expect([moved.status, await placesOf(booked.email)]).toEqual([200, ['BOOKED 09:00', 'REQUESTED 09:30']])
      return { booked, hour, later }
    }
    const free = async () => {
      const all = slotsOf(await consumer.list(practice.resourceUuid)).map(one => Date.parse(one.start))
      return ['09:30', '10:00', '10:30', '11:00', '11:30'].filter(time => all.includes(Date.parse(at(time))))
    }

    it.each([1, 2])('with %i places', async capacity => {
      const { booked, hour, later } = await askForHalfAnHourLater(capacity)
      expect(await free()).toEqual(['09:30', '11:30'])
      const rival = bookingOf(hour, newPerson())
      for (const one of [hour, later, { ...later, start: at('11:00'), end: at('11:30') }])
        expectRefusal(
          await consumer.complete(practice.resourceUuid, { ...rival, start: one.start, end: one.end }),
          412,
          '201',
        )
      await decide(booked.email, 'BOOKED')
      expect(await placesOf(booked.email)).toEqual(['DELETED 09:00', 'BOOKED 09:30'])
      expect(await free()).toEqual(
        capacity === 1 ? ['09:30', '10:00', '11:30'] : ['09:30', '10:00', '10:30', '11:30'],
      )
    })

    it('not even the provider, unless they ignore the conflict; the request then cannot be accepted', async () => {
      const { booked } = await askForHalfAnHourLater(2)
      const { customerReference } = await makeCustomer(holdfast.crm, practice)
      const put = (query = '') =>
        holdfast.crm.post(`${practice.path}/participations${query}`, {
          reference: `${customerReference}-there`,
          appointmentReference: `${booked.appointment_uuid}@consumer`,
          customerReference,
          state: 'BOOKED',
        })
      expectRefusal(await put(), 409, 'capacity-exceeded')
      expect((await put('?ignoreCapacity')).status).toBe(201)
      expectRefusal(await decide(booked.email, 'BOOKED'), 409, 'conflict')
      // The link in the mail says the same, and that the request is still open.
      const [notice] = (await mailsTo(holdfast, 'desk@example.org')).slice(-1)
      const accept = pathOf(/http:\S+\/accept\/[\w.-]+/.exec(notice!.text)![0])
      const page = await consumer.send('POST', accept, 'message=', { headers: form })
      expect([page.status, page.text.includes('can’t be accepted right now')]).toEqual([409, true])
      expect(page.text).toContain(accept.replace('/accept/', '../decline/'))
      expect(await placesOf(booked.email)).toEqual(['BOOKED 09:00', 'REQUESTED 09:30'])
      expect((await decide(booked.email, 'CANCELED')).status).toBe(200)
    })

    it.each([
      ['the booking', ''],
      ['the booking', '?ignoreConflicts=true'],
      ['the request', '?ignoreConflicts=true'],
    ])('%s swaps places with a third one in either order%s', async (which, query) => {
      for (const isFirst of [true, false]) {
        const { booked } = await askForHalfAnHourLater()
        const [own, requested] = await appointmentsOf(booked.email)
        const mine = which === 'the booking' ? own! : requested!
        const third = await bookAt(consumer, await slotAt('14:00'))
        const pair = isFirst ? [mine, third.appointment_uuid!] : [third.appointment_uuid!, mine]
        const { status } = await consoleCall(holdfast.app, 'POST', `/appointments/${pair[0]}/swap${query}`, {
          withUuid: pair[1],
        })
        expect(status).toBe(200)
        const kept =
          which === 'the booking' ? ['REQUESTED 09:30', 'BOOKED 13:00'] : ['BOOKED 09:00', 'REQUESTED 13:00']
        expect(await placesOf(booked.email)).toEqual(kept)
        expect((await decide(booked.email, 'BOOKED')).status).toBe(200)
      }
    })

    it('declined: the old place is unchanged, and the rest is free', async () => {
      const { booked } = await askForHalfAnHourLater()
      await decide(booked.email, 'CANCELED')
      expect([(await placesOf(booked.email))[0], await free()]).toEqual([
        'BOOKED 09:00',
        ['09:30', '11:00', '11:30'],
      ])
    })

    it('can be changed again, withdrawn, or moved on from once accepted', async () => {
      const { booked, hour, later } = await askForHalfAnHourLater()
      const byAnother = (minutes: number) => ({
        ...later,
        start: new Date(Date.parse(later.start) + minutes * 60_000).toISOString(),
        end: new Date(Date.parse(later.end) + minutes * 60_000).toISOString(),
      })
      // Replaces the first request; both the booking and that request would otherwise be in the way.
      expect((await moveBooking(consumer, booked, byAnother(-60))).status).toBe(200)
      expect(await placesOf(booked.email)).toEqual(['REQUESTED 08:30', 'BOOKED 09:00'])
      expect((await moveBooking(consumer, booked, hour)).status).toBe(200)
      expect(await placesOf(booked.email)).toEqual(['CANCELED 08:30', 'BOOKED 09:00'])
      expect((await moveBooking(consumer, booked, later)).status).toBe(200)
      await decide(booked.email, 'BOOKED')
      const link = (await mailsTo(holdfast, booked.email)).at(-1)!.text.match(/http\S+\/move\/\S+/)![0]
      expect((await moveBooking(consumer, { moveLink: link }, byAnother(30))).status).toBe(200)
      expect((await placesOf(booked.email)).slice(-2)).toEqual(['BOOKED 09:30', 'REQUESTED 10:00'])
    })
  })

  it('requesting yet another time changes the request', async () => {
    const booked = await askToMove()
    // They may still see the booking, or what they have asked for.
    for (const [old, time] of [
      ['10:00', '13:00'],
      ['13:00', '12:00'],
    ] as const) {
      const seen = { old_start: at(old) }
      expect((await moveBooking(consumer, booked, await slotAt(time), seen)).status).toBe(200)
    }
    const gone = { old_start: at('13:00') }
    expectRefusal(await moveBooking(consumer, booked, await slotAt('11:00'), gone), 409, 'changed')
    expect(await placesOf(booked.email)).toEqual(['BOOKED 09:00', 'REQUESTED 11:00'])
    // What they keep is the booking, and not what they had asked for before.
    const text = (await mailsTo(holdfast, booked.email)).at(-1)!.text.replace(/\s+/g, ' ')
    expect(text).toContain('Until then, your current appointment stays as it is.')
    expect(text).toMatch(/Currently: [^:]*10:00/)
    await decide(booked.email, 'BOOKED')
    expect(await placesOf(booked.email)).toEqual(['DELETED 09:00', 'BOOKED 11:00'])
    expect(await isFree('10:00')).toBe(true)
  })

  it('offers a slot held on another day again after returning', async () => {
    await makeTimeslot(holdfast.crm, practice, { start: '2030-01-08T08:00', end: '2030-01-08T10:00' })
    const booked = await askToMove()
    const ten = { ...(await slotAt('12:00')), start: at('10:00'), end: at('10:30') }
    const nextDay = async () =>
      slotsOf(await consumer.list(practice.resourceUuid)).find(
        one => one.start === '2030-01-08T08:00:00+01:00',
      )
    const held = await holdToMove(consumer, booked, (await nextDay())!)
    expect([held.status, await nextDay()]).toEqual([200, undefined])
    const placeholder_id = held.body.participation.customer_uuid
    expect((await moveBooking(consumer, booked, ten, { placeholder_id })).status).toBe(200)
    expect(await nextDay()).toBeDefined()
  })

  it('requesting the current place withdraws the request', async () => {
    const booked = await askToMove()
    const ten = { ...(await slotAt('12:00')), start: at('10:00'), end: at('10:30') }
    const { status, body } = await moveBooking(consumer, booked, ten)
    expect([
      status,
      body.createdAppointment.start,
      body.createdAppointment.state,
      body.replaced.start,
    ]).toEqual([200, at('10:00'), 'BOOKED', at('11:00')])
    expect(await placesOf(booked.email)).toEqual(['BOOKED 09:00', 'CANCELED 10:00'])
    expect([await isFree('10:00'), await isFree('11:00')]).toEqual([false, true])
    const [_first, _second, declined] = await mailsTo(holdfast, booked.email)
    expect(declined!.text.replace(/\s+/g, ' ')).toMatch(/Still booked: .*10:00/)
    expect((await mailKindsTo(holdfast, 'desk@example.org')).at(-1)).toBe('cancel-notice')
    // Repeating it changes nothing, and a new request works.
    expect((await moveBooking(consumer, booked, ten)).status).toBe(200)
    expect((await mailsTo(holdfast, booked.email)).length).toBe(3)
    expect((await moveBooking(consumer, booked, await slotAt('11:00'))).body.createdAppointment.state).toBe(
      'REQUESTED',
    )
  })

  it('a request accepted after the booking was cancelled becomes a booking', async () => {
    const booked = await askToMove()
    await consumer.cancel(booked.cancelLink)
    expect((await decide(booked.email, 'BOOKED')).status).toBe(200)
    expect((await placesOf(booked.email)).includes('BOOKED 10:00')).toBe(true)
  })
})

describe('emails about a move', () => {
  const entry = (content: string) => {
    const event = new ICAL.Event(new ICAL.Component(ICAL.parse(content)).getFirstSubcomponent('vevent')!)
    return { uid: event.uid, sequence: event.sequence, start: event.startDate.toJSDate().toISOString() }
  }

  it('name both times, and update the calendar entry instead of adding a second one', async () => {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    for (const time of ['11:00', '12:00']) await moveBooking(consumer, booked, await slotAt(time))
    const mails = await mailsTo(holdfast, booked.email)
    expect(mails.map(one => [one.kind, one.ics!.method])).toEqual([
      ['booked', 'REQUEST'],
      ['moved', 'REQUEST'],
      ['moved', 'REQUEST'],
    ])
    for (const part of ['11:00', '10:00']) expect(mails[1]!.text).toContain(part)
    const { uid } = entry(mails[0]!.ics!.content)
    expect(mails.map(one => entry(one.ics!.content))).toEqual([
      { uid, sequence: 0, start: '2030-01-07T09:00:00.000Z' },
      { uid, sequence: 1, start: '2030-01-07T10:00:00.000Z' },
      { uid, sequence: 2, start: '2030-01-07T11:00:00.000Z' },
    ])
    expect((await mailKindsTo(holdfast, 'desk@example.org')).slice(-3)).toEqual([
      'booking-notice',
      'move-notice',
      'move-notice',
    ])
  })

  it('do the same for a move that the provider had to accept', async () => {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    await moveBooking(consumer, booked, await slotAt('11:00'))
    await decide(booked.email, 'BOOKED')
    const mails = (await mailsTo(holdfast, booked.email)).filter(one => one.ics)
    const [first, second] = mails.map(one => entry(one.ics!.content))
    expect(second).toEqual({ ...first, sequence: 1, start: '2030-01-07T10:00:00.000Z' })
  })

  it('still send a newer calendar entry if the provider has moved the booking in between', async () => {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    await moveBooking(consumer, booked, await slotAt('11:00'))
    for (const time of ['12:00', '13:00'])
      await holdfast.crm.post(`${practice.path}/appointments/${booked.appointment_uuid}@consumer/move`, {
        start: `2030-01-07T${time}`,
        end: `2030-01-07T${time.replace(':00', ':30')}`,
      })
    await decide(booked.email, 'BOOKED')
    const mails = (await mailsTo(holdfast, booked.email)).filter(one => one.ics)
    expect(mails.map(one => entry(one.ics!.content).sequence)).toEqual([0, 1, 2, 3])
  })

  it('have a separate calendar entry if accepted after the booking was cancelled', async () => {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    await moveBooking(consumer, booked, await slotAt('11:00'))
    await consumer.cancel(booked.cancelLink)
    await decide(booked.email, 'BOOKED')
    const mails = (await mailsTo(holdfast, booked.email)).filter(one => one.ics)
    expect(mails.map(one => one.ics!.method)).toEqual(['REQUEST', 'CANCEL', 'REQUEST'])
    const [first, second, third] = mails.map(one => entry(one.ics!.content).uid)
    expect([second === first, third === first]).toEqual([true, false])
  })

  it.each(['is cancelled', 'is deleted with its Resource'])(
    'to a place that %s: declined, and the calendar entry of the booking stays',
    async how => {
      const booked = await bookAt(consumer, await slotAt('10:00'))
      const room = await makeRoom(holdfast.crm, practice)
      await makeTimeslot(holdfast.crm, room)
      await setChannel(holdfast, room.resourceUuid, { bookingProcess: 'REQUESTED' })
      const slot = slotsOf(await consumer.list(room.resourceUuid)).find(one => one.start === at('11:00'))!
      const { createdAppointment: requested } = (await moveBooking(consumer, booked, slot)).body
      expect(requested.state).toBe('REQUESTED')
      const { next } = (await holdfast.crm.get('/events?after=now')).body
      const { status } =
        how === 'is cancelled'
          ? await holdfast.crm.delete(`${practice.path}/appointments?message=Closed+that+day`, {
              appointmentReference: `${requested.appointment_uuid}@consumer`,
            })
          : await holdfast.crm.delete(
              `${practice.path}/resources/${encodeURIComponent(room.resource)}?ignoreFutureAppointments=true`,
            )
      expect(status).toBeLessThan(300)
      expect(await placesOf(booked.email)).toContain('BOOKED 09:00')
      const last = (await mailsTo(holdfast, booked.email)).at(-1)!
      expect([last.kind, last.ics]).toEqual(['declined', null])
      expect(last.text.replace(/\s+/g, ' ')).toMatch(/Still booked: .*10:00/)
      const { events } = (await holdfast.crm.get(`/events?after=${next}&kinds=participation.declined`)).body
      expect(events).toHaveLength(1)
    },
  )

  it('to an erased customer do not say that either place stays', async () => {
    const requested = practice
    await setChannel(holdfast, requested.resourceUuid, { bookingProcess: 'REQUESTED' })
    const slot = await slotAt('11:00')
    practice = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, practice)
    const booked = await bookAt(consumer, await slotAt('10:00'))
    expect((await moveBooking(consumer, booked, slot)).body.createdAppointment.state).toBe('REQUESTED')
    const [customer] = (await holdfast.crm.get(`${practice.path}/customers?email=${booked.email}`)).body
    const path = `${practice.path}/customers/${encodeURIComponent(customer.customerReference)}`
    expect((await holdfast.crm.delete(`${path}?ignoreFutureAppointments=true`)).status).toBe(204)
    const last = (await mailsTo(holdfast, booked.email)).slice(-2)
    expect(last.map(one => [one.kind, one.text.includes('Still booked')])).toEqual([
      ['cancelled', false],
      ['cancelled', false],
    ])
  })

  it('reminders follow the new time', async () => {
    await makeTimeslot(holdfast.crm, practice, { start: '2030-01-14T08:00', end: '2030-01-14T18:00' })
    const booked = await bookAt(consumer, await slotAt('10:00'))
    setClock(holdfast, '2030-01-06T12:00:00Z')
    await remind(holdfast.service)
    const later = slotsOf(await consumer.list(practice.resourceUuid)).find(one =>
      one.start.startsWith('2030-01-14'),
    )!
    expect((await moveBooking(consumer, booked, later)).status).toBe(200)
    setClock(holdfast, '2030-01-13T12:00:00Z')
    await remind(holdfast.service)
    expect(await mailKindsTo(holdfast, booked.email)).toEqual(['booked', 'reminder', 'moved', 'reminder'])
  })

  it('events contain what moved', async () => {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    const { body: before } = await holdfast.crm.get('/events?limit=500')
    await moveBooking(consumer, booked, await slotAt('11:00'))
    const { body } = await holdfast.crm.get(`/events?after=${before.next}`)
    expect(body.events.map((event: Answer['body']) => event.kind).sort()).toEqual([
      'appointment.cancelled',
      'appointment.created',
      'participation.moved',
    ])
  })

  it.each(['IMMEDIATE', 'REQUESTED'])(
    'reports that a held Appointment began with the person who joined it (%s)',
    async bookingProcess => {
      practice = await makeRoom(holdfast.crm, practice)
      await makeTimeslot(holdfast.crm, practice, { defaultCapacity: 2 })
      const booked = await bookAt(consumer, await slotAt('10:00'))
      await setChannel(holdfast, practice.resourceUuid, { bookingProcess })
      await consumer.reserve(practice.resourceUuid, holdOf(await slotAt('11:00')))
      const { next } = (await holdfast.crm.get('/events?after=now')).body
      expect((await moveBooking(consumer, booked, await slotAt('11:00'))).status).toBe(200)
      const begun = async (): Promise<string[]> => {
        const { events } = (await holdfast.crm.get(`/events?after=${next}&kinds=appointment.created`)).body
        return events.map((one: Answer['body']) => one.data.reference)
      }
      const first = await begun()
      expect(first).toHaveLength(1)
      // The next consumer does not create it again.
      const other = await bookAt(consumer, await slotAt('12:00'))
      await holdfast.query(`delete from participation where state = 'RESERVED'`)
      expect((await moveBooking(consumer, other, await slotAt('11:00'))).status).toBe(200)
      expect((await begun()).filter(reference => reference === first[0])).toHaveLength(1)
    },
  )

  it.each([
    ['leaves', ['appointment.created', 'appointment.cancelled']],
    ['books', ['appointment.created', 'appointment.cancelled', 'appointment.created']],
  ])(
    'reports that the old Appointment ended, although a place there is held and the holder %s',
    async (what, kinds) => {
      practice = await makeRoom(holdfast.crm, practice)
      await makeTimeslot(holdfast.crm, practice, { defaultCapacity: 3 })
      const { next } = (await holdfast.crm.get('/events?after=now')).body
      const slot = await slotAt('10:00')
      const booked = await bookAt(consumer, slot)
      const { body: held } = await consumer.reserve(practice.resourceUuid, holdOf(slot))
      const { appointment_uuid, customer_uuid: placeholder_id } = held.participation
      expect(appointment_uuid).toBe(booked.appointment_uuid)
      expect((await moveBooking(consumer, booked, await slotAt('11:00'))).status).toBe(200)
      if (what === 'leaves') await consumer.release(practice.resourceUuid, placeholder_id)
      else await consumer.complete(practice.resourceUuid, bookingOf(slot, { placeholder_id }))
      const { events } = (await holdfast.crm.get(`/events?after=${next}`)).body
      const about: Answer['body'][] = events.filter((one: Answer['body']) =>
        one.kind.startsWith('appointment.'),
      )
      const { reference } = about[0].data
      expect(about.filter(one => one.data.reference === reference).map(one => one.kind)).toEqual(kinds)
    },
  )
})

describe('the page behind the move link', () => {
  const open = (link: string, query = '', method = 'GET') => consumer.send(method, pathOf(link) + query)

  const post = (link: string, fields: Record<string, string>) =>
    consumer.send('POST', pathOf(link), String(new URLSearchParams(fields)), { headers: form })
  const slotIn = (text: string, time: string) =>
    new RegExp(`name="slot" value="([^"]+)"[^>]*>${time}`).exec(text)![1]!
  const hiddenIn = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(one => one.slice(1)),
    )

  it('shows the old time and the available ones, holds the chosen one until it is confirmed, and moves', async () => {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    for (const method of ['GET', 'HEAD']) expect((await open(booked.moveLink, '', method)).status).toBe(200)
    const { text } = await open(booked.moveLink)
    expect(text).toContain('10:00')
    const slot = slotIn(text, '11:00')
    // Opening the page alone changes nothing.
    await open(booked.moveLink, `?slot=${encodeURIComponent(slot)}`)
    expect([await isFree('11:00'), await placesOf(booked.email)]).toEqual([true, ['BOOKED 09:00']])
    const requested = await post(booked.moveLink, { slot })
    expect([requested.status, requested.text]).toEqual([
      200,
      expect.stringMatching(/Reserved for you until \d/),
    ])
    expect([await isFree('11:00'), await placesOf(booked.email)]).toEqual([false, ['BOOKED 09:00']])
    const other = await bookAt(consumer, await slotAt('14:00'))
    const held = await post(other.moveLink, { slot })
    expect([held.status, held.text.includes('role="alert"')]).toEqual([200, true])
    const answer = hiddenIn(requested.text)
    expect((await post(booked.moveLink, answer)).status).toBe(200)
    expect(await placesOf(booked.email)).toEqual(['BOOKED 10:00'])
    // To where it is: sent twice.
    expect((await post(booked.moveLink, answer)).status).toBe(200)
    // A second window, open since before the move, shows the new time and moves nothing.
    const old = await post(booked.moveLink, { ...answer, slot: slotIn(text, '12:00') })
    expect([old.status, old.text.includes('has since been rescheduled')]).toEqual([409, true])
    expect(await placesOf(booked.email)).toEqual(['BOOKED 10:00'])
    // No hold is needed. If the time has been taken, the page shows the times again with a notice.
    const lost = await post(other.moveLink, { slot, held: '' })
    expect([lost.status, lost.text.includes('role="alert"')]).toEqual([200, true])
  })

  it('offers the current place again while another one is requested', async () => {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    await moveBooking(consumer, booked, await slotAt('11:00'))
    const { text } = await open(booked.moveLink)
    const requested = await post(booked.moveLink, { slot: slotIn(text, '10:00') })
    const done = await post(booked.moveLink, hiddenIn(requested.text))
    expect([done.status, await placesOf(booked.email)]).toEqual([200, ['BOOKED 09:00', 'CANCELED 10:00']])
    expect([await isFree('10:00'), await isFree('11:00')]).toEqual([false, true])
  })

  it('explains what is over, and refuses links that we did not sign', async () => {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    await consumer.cancel(booked.cancelLink)
    expect((await open(booked.moveLink)).status).toBe(410)
    expect((await open('http://x/move/none')).status).toBe(404)
    for (const slot of ['x', '1 0 y', '9e99 9e99'])
      expect((await post(booked.moveLink, { slot })).status).toBe(410)
  })

  it('is linked on the confirmation page and in the email', async () => {
    const booked = await bookAt(consumer, await slotAt('10:00'))
    const { text } = await consumer.send('GET', pathOf(booked.confirmationLink!))
    expect(text).toContain(booked.moveLink)
    expect((await mailsTo(holdfast, booked.email))[0]!.text).toContain(booked.moveLink)
  })
})

describe('a channel with a deadline for changes', () => {
  it('announces it, and then closes both links and shows the number to call', async () => {
    await setChannel(holdfast, practice.resourceUuid, { changeNoticeMinutes: 120 })
    const booked = await bookAt(consumer, await slotAt('10:00'))
    const slot = await slotAt('14:00')
    expect((await mailsTo(holdfast, booked.email))[0]!.text).toContain('08:00')
    for (const link of [booked.moveLink, booked.cancelLink])
      expect((await consumer.send('GET', pathOf(link))).text).toContain('08:00')
    setClock(holdfast, '2030-01-07T07:00:01Z')
    const refused = await moveBooking(consumer, booked, slot)
    expectRefusal(refused, 403, 'change-notice')
    expect(messageOf(refused)).toContain('+49 30 555')
    for (const link of [booked.moveLink, booked.cancelLink]) {
      const page = await consumer.send('GET', pathOf(link))
      expect([page.status, page.text.includes('tel:+4930555')]).toEqual([403, true])
    }
    expect((await consumer.cancel(booked.cancelLink)).status).toBe(403)
    expect(await placesOf(booked.email)).toEqual(['BOOKED 09:00'])
    const { reference } = (await people(booked.email))[0]
    const byCrm = await holdfast.crm.post(
      `${practice.path}/participations/${encodeURIComponent(reference)}`,
      {
        state: 'CANCELED',
      },
    )
    expect(byCrm.status).toBe(200)
  })
})

// Undoing a cancellation: participants get their places back, unless the places have been taken.

import { beforeEach, describe, expect, it } from 'vitest'
import { makePractice, makeRoom, makeTimeslot, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { mailsTo as lettersTo } from '../support/mailbox.ts'
import { bookAt, moveBooking } from '../support/moves.ts'
import { expectRefusal } from '../support/refusals.ts'
import { consoleCall, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

let practice: Practice
const holdfast = await useService()
const consumer = asConsumer(overApp(holdfast.app))

beforeEach(async () => {
  practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice)
})

const ask = (method: string, path: string, body?: object) => consoleCall(holdfast.app, method, path, body)

const offered = async (): Promise<Slot[]> => slotsOf(await consumer.list(practice.resourceUuid))
const entryOf = async (uuid: string) => (await ask('GET', `/appointments/${uuid}`)).body.entry
const mailsTo = async (address: string) =>
  (await ask('GET', `/mails?to=${address}`)).body.mails.map((mail: { kind: string }) => mail.kind)

/** A consumer's booking at the first free time. */
async function booked(email: string) {
  const [slot] = await offered()
  const person = { firstname: 'Rosa', lastname: 'Restored', email }
  const { body } = await consumer.complete(practice.resourceUuid, { ...bookingOf(slot!), ...person })
  return { slot: slot!, entry: await entryOf(body.createdAppointment.appointment_uuid) }
}

type Entry = { uuid: string; people: { uuid: string; state: string }[] }

const cancel = ({ uuid }: Entry) => ask('POST', `/appointments/${uuid}/cancel?sendMails=false`, {})
const restore = ({ uuid, people }: Entry, query = '?sendMails=false') =>
  ask('POST', `/appointments/${uuid}/restore${query}`, {
    people: people.map(({ uuid, state }) => ({ uuid, state })),
  })

describe('an Appointment that was cancelled in silence', () => {
  it('has its participants and time back, without an email', async () => {
    const { slot, entry } = await booked('rosa@example.org')
    await cancel(entry)
    expect((await offered()).map(one => one.start)).toContain(slot.start)
    const { status, body } = await restore(entry)
    expect([status, body.entry]).toEqual([200, entry])
    expect((await offered()).map(one => one.start)).not.toContain(slot.start)
    expect(await mailsTo('rosa@example.org')).toEqual(['booked'])
    const kinds = body.history.map((line: { kind: string }) => line.kind)
    expect(kinds.slice(0, 2).sort()).toEqual(['appointment.changed', 'participation.booked'])
  })

  it('emails a confirmation to selected participants', async () => {
    const { entry } = await booked('heard@example.org')
    await cancel(entry)
    expect((await restore(entry, '')).status).toBe(200)
    expect(await mailsTo('heard@example.org')).toEqual(['booked', 'booked'])
  })

  it('whose time was taken is refused once, and can then be forced', async () => {
    const { slot, entry } = await booked('late@example.org')
    await cancel(entry)
    const again = (await offered()).find(one => one.start === slot.start)!
    const other = { firstname: 'Tom', lastname: 'Taker', email: 'tom@example.org' }
    expect((await consumer.complete(practice.resourceUuid, { ...bookingOf(again), ...other })).status).toBe(
      201,
    )
    expectRefusal(await restore(entry), 409, 'conflict')
    expect(await entryOf(entry.uuid)).toMatchObject({ state: 'CANCELLED', people: [{ state: 'CANCELED' }] })
    const { status, body } = await restore(entry, '?sendMails=false&ignoreConflicts=true')
    expect([status, body.entry.state, body.entry.origin]).toEqual([200, 'ACTIVE', 'provider'])
  })

  it('never shares its time with a concurrent hold or booking', async () => {
    for (let round = 0; round < 5; round++) {
      const { slot, entry } = await booked(`race${round}@example.org`)
      await cancel(entry)
      const again = (await offered()).find(one => one.start === slot.start)!
      const [back, held] = await Promise.all([
        restore(entry),
        consumer.reserve(practice.resourceUuid, holdOf(again)),
      ])
      // The second one was refused.
      expect([back.status, held.status].sort()).toEqual(back.status === 200 ? [200, 412] : [200, 409])
    }
  })

  it('without participants becomes the provider’s, and can be booked as the list says', async () => {
    const { slot, entry } = await booked('gone@example.org')
    await cancel(entry)
    expect((await restore({ ...entry, people: [] })).body.entry).toMatchObject({
      state: 'ACTIVE',
      origin: 'provider',
    })
    const again = (await offered()).find(one => one.start === slot.start)!
    expect(again).toMatchObject({ appointment_uuid: entry.uuid, capacity_left: 1 })
    expect((await consumer.reserve(practice.resourceUuid, holdOf(again))).status).toBe(200)
  })

  it('gives places back only to those who were cancelled in it', async () => {
    const { entry } = await booked('one@example.org')
    expectRefusal(await restore(entry), 400, 'invalid-field', 'people')
    await cancel(entry)
    practice = await makePractice(holdfast.crm)
    await makeTimeslot(holdfast.crm, practice)
    const { entry: other } = await booked('two@example.org')
    await cancel(other)
    expectRefusal(await restore({ ...entry, people: other.people }), 400, 'invalid-field', 'people')
    expect((await entryOf(entry.uuid)).state).toBe('CANCELLED')
  })

  it('returns an error for an invalid person uuid', async () => {
    const { entry } = await booked('nobody@example.org')
    await cancel(entry)
    const unknown = [{ uuid: 'unknown', state: 'BOOKED' }]
    expectRefusal(await restore({ ...entry, people: unknown }), 400, 'invalid-field', 'people[0].uuid')
  })

  it('does not restore the place of a person erased since', async () => {
    const { entry } = await booked('forgotten@example.org')
    await cancel(entry)
    const found = await ask('GET', `/providers/${practice.uuid}/customers?search=forgotten@example.org`)
    const erased = await ask('DELETE', `/customers/${found.body.customers[0].uuid}`)
    expect(erased.status).toBe(204)
    expectRefusal(await restore(entry), 400, 'invalid-field', 'people')
    expect((await restore({ ...entry, people: [] })).status).toBe(200)
  })

  const erase = async (email: string) => {
    const found = await ask('GET', `/providers/${practice.uuid}/customers?search=${email}`)
    return () => ask('DELETE', `/customers/${found.body.customers[0].uuid}`)
  }

  it('does not restore the place of a person who is being erased', async () => {
    const { entry } = await booked('going@example.org')
    await cancel(entry)
    const forget = await erase('going@example.org')
    const [erased, restored] = await whileWaiting(
      holdfast,
      // Keeps the erasure from its end.
      {
        before: rival => rival.query(`select from mail where recipient = 'going@example.org' for update`),
      },
      async () => {
        const erasing = forget()
        await new Promise(resolve => setTimeout(resolve, 100))
        return Promise.all([erasing, restore(entry)])
      },
    )
    expect(erased.status).toBe(204)
    expectRefusal(restored, 400, 'invalid-field', 'people')
  })

  it('removes a person who is erased while their place is being restored', async () => {
    const { entry } = await booked('coming@example.org')
    await cancel(entry)
    const forget = await erase('coming@example.org')
    const erased = await whileWaiting(
      holdfast,
      {
        async before(rival) {
          await rival.query(`update appointment set state = 'ACTIVE' where uuid = $1`, [entry.uuid])
          await rival.query(`update participation set state = 'BOOKED' where uuid = $1`, [
            entry.people[0].uuid,
          ])
        },
      },
      forget,
    )
    expect(erased.status).toBe(204)
    expect(await entryOf(entry.uuid)).toMatchObject({ state: 'CANCELLED', people: [{ state: 'CANCELED' }] })
  })
})

describe('a participant whose place in a group was cancelled', () => {
  const walkIn = async (name: string, capacity = 1) => {
    const fields = {
      resourceUuid: practice.resourceUuid,
      productUuid: practice.productUuid,
      start: '2030-01-07T09:00',
      end: '2030-01-07T09:30',
      capacity,
      customer: { name },
    }
    return (await ask('POST', `/providers/${practice.uuid}/appointments`, fields)).body as Entry
  }
  const leave = (uuid: string) =>
    ask('POST', `/participations/${uuid}/decide`, { answer: 'cancel', sendMails: false })

  it('has it again while it is free, and is refused once where it is taken', async () => {
    const entry = await walkIn('Gina Group')
    await leave(entry.people[0]!.uuid)
    expect((await restore(entry)).body.entry.people).toMatchObject([{ state: 'BOOKED' }])
    await leave(entry.people[0]!.uuid)
    await ask('POST', `/appointments/${entry.uuid}/participations`, { customer: { name: 'Tom Taker' } })
    expectRefusal(await restore(entry), 409, 'capacity-exceeded')
    expect((await entryOf(entry.uuid)).people).toMatchObject([{ state: 'CANCELED' }, { state: 'BOOKED' }])
    expect((await restore(entry, '?sendMails=false&ignoreConflicts=true')).status).toBe(200)
  })
})

describe('a participant who had asked to move', () => {
  /** They are booked at one Resource, and would rather be at another. */
  async function requestMove() {
    const other = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, other)
    await setChannel(holdfast, other.resourceUuid, { bookingProcess: 'REQUESTED' })
    const booked = await bookAt(consumer, (await offered())[0]!)
    const [slot] = slotsOf(await consumer.list(other.resourceUuid))
    const { body } = await moveBooking(consumer, booked, slot!)
    const places = [booked.appointment_uuid!, body.createdAppointment.appointment_uuid] as const
    const [old, wanted] = await Promise.all(places.map(entryOf))
    return { email: booked.email, old, wanted }
  }
  const decide = ({ people }: Entry, answer: string) =>
    ask('POST', `/participations/${people[0]!.uuid}/decide`, { answer })
  const cancelAloud = ({ uuid }: Entry) => ask('POST', `/appointments/${uuid}/cancel`, {})

  it('and has moved does not get back the place that they gave back themselves', async () => {
    const { email, old, wanted } = await requestMove()
    expect((await decide(wanted, 'accept')).status).toBe(200)
    // An Appointment without participants has ended.
    expect((await entryOf(old.uuid)).state).toBe('CANCELLED')
    await holdfast.crm.post(`${practice.path}/participations/${old.people[0].reference}`, {
      state: 'CANCELED',
    })
    expectRefusal(await restore(old, ''), 400, 'invalid-field', 'people')
    expect((await restore({ ...old, people: [] }, '')).status).toBe(200)
    expect((await lettersTo(holdfast, email)).map(one => one.kind)).toEqual(['booked', 'requested', 'moved'])
    // The new one is theirs, and may come back.
    await cancelAloud(wanted)
    const back = { ...wanted, people: wanted.people.map((one: object) => ({ ...one, state: 'BOOKED' })) }
    expect((await restore(back, '')).status).toBe(200)
    const entries = (await lettersTo(holdfast, email)).flatMap(one => one.ics ?? [])
    expect(entries.map(one => /SEQUENCE:(\d+)/.exec(one.content)![1])).toEqual(['0', '1', '2', '3'])
  })

  it('and got both has two bookings: the one ends without a word about the other', async () => {
    const { email, old, wanted } = await requestMove()
    await cancelAloud(old)
    expect((await decide(wanted, 'accept')).status).toBe(200)
    expect((await restore(old, '')).status).toBe(200)
    await cancelAloud(wanted)
    const letters = await lettersTo(holdfast, email)
    expect(letters.map(one => one.kind)).toEqual([
      'booked',
      'requested',
      'cancelled',
      'booked',
      'booked',
      'cancelled',
    ])
    const [first, _second, _third, second, _fifth, last] = letters.map(
      one => one.ics && /UID:(\S+)/.exec(one.ics.content)![1],
    )
    expect([first === second, last === second]).toEqual([false, true])
  })

  it('and was refused may ask again, but is not booked twice by it', async () => {
    const { old, wanted } = await requestMove()
    expect((await decide(wanted, 'decline')).status).toBe(200)
    const people = wanted.people.map((one: object) => ({ ...one, state: 'BOOKED' }))
    expectRefusal(await restore({ ...wanted, people }), 400, 'invalid-field', 'people')
    expect((await restore(wanted)).status).toBe(200)
    expect((await decide(wanted, 'accept')).status).toBe(200)
    expect((await entryOf(old.uuid)).state).toBe('CANCELLED')
  })
})

describe('time that staff offered', () => {
  const open = async () => {
    const body = { start: '2030-01-08T10:00', end: '2030-01-08T12:00', raster: 30 }
    return (await ask('POST', `/resources/${practice.resourceUuid}/timeslots`, body)).body.uuid as string
  }
  const onDay = async () =>
    (await offered()).map(one => one.start.slice(0, 16)).filter(start => start.startsWith('2030-01-08'))

  it('can be moved and extended, and is offered there immediately', async () => {
    const uuid = await open()
    const to = { start: '2030-01-08T14:00', end: '2030-01-08T15:30' }
    const { status, body } = await ask('PATCH', `/timeslots/${uuid}`, to)
    expect([status, body]).toMatchObject([
      200,
      { start: '2030-01-08T13:00:00Z', end: '2030-01-08T14:30:00Z' },
    ])
    expect(await onDay()).toEqual(['2030-01-08T14:00', '2030-01-08T14:30', '2030-01-08T15:00'])
  })

  it('cannot be moved while a participant is booked in it', async () => {
    const uuid = await open()
    const slot = (await offered()).find(one => one.start.startsWith('2030-01-08T11:30'))!
    await consumer.complete(practice.resourceUuid, bookingOf(slot))
    expectRefusal(
      await ask('PATCH', `/timeslots/${uuid}`, { end: '2030-01-08T11:30' }),
      409,
      'active-appointment',
    )
    expectRefusal(
      await ask('PATCH', `/timeslots/${uuid}`, { end: '2030-01-08T10:00' }),
      400,
      'invalid-field',
      'end',
    )
    expect((await ask('PATCH', `/timeslots/${uuid}`, { start: '2030-01-08T11:00' })).status).toBe(200)
    expect(await onDay()).toEqual(['2030-01-08T11:00'])
  })
})

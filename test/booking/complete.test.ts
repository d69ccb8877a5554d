import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tidy } from '../../src/actions/scheduling/housekeeping.ts'
import {
  makeAppointment,
  makeConsumer,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeProduct,
  makeProfile,
  makeRoom,
  makeTimeslot,
  makeUser,
  setChannel,
  setClock,
  setProduct,
  setProvider,
  unique,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp, type Slot } from '../support/consumer.ts'
import { controls, harmless, unstorable } from '../support/hostile.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { requires } from '../support/required.ts'
import { roomsOf } from '../support/rooms.ts'
import { type Answer, eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org' })
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

const nowhere = '00000000-0000-4000-8000-000000000000'

type Body = Record<string, Answer['body']>

const { roomWith, slots, first, starts, complete, hold, book, appointments } = roomsOf(() => ({
  holdfast,
  practice,
  consumer,
}))
const taken = (answer: Answer) => expectRefusal(answer, 412, '201')
const already = (answer: Answer) => expectRefusal(answer, 412, '202')

async function query(text: string, ...values: unknown[]): Promise<Body[]> {
  return await holdfast.query(text, values)
}
const usersWith = (email: string) =>
  query(`select * from app_user where lower(email) = lower($1) order by id`, email)
const customersWith = (email: string) =>
  query(`select * from customer where lower(email) = lower($1) order by id`, email)

describe('the answer', () => {
  it('is the Appointment with a cancel link, without personal data', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    const { status, body } = await complete(where, bookingOf(await first(where)))
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(status).toBe(201)
    expect(body).toEqual({
      'api-info': { version: '1' },
      createdAppointment: {
        appointment_uuid: uuid,
        start: '2030-01-07T08:00:00+01:00',
        end: '2030-01-07T08:30:00+01:00',
        timeslot_uuid: where.timeslot,
        product_uuid: practice.productUuid,
        product_name: 'Talk',
        products: [{ uuid: practice.productUuid, name: 'Talk' }],
        resource_uuid: where.resourceUuid,
        resource_name: 'Room',
        contact_channel: { type: 'email', value: 'desk@example.org' },
        capacity: 3,
        capacity_left: 2,
        kind: 'models.LotAppointment',
        state: 'BOOKED',
        moveLink: expect.stringMatching(/^http:\/\/holdfast\.test\/move\//),
        cancelLink: expect.stringMatching(/^http:\/\/holdfast\.test\/cancel\//),
        cancelToken: expect.stringMatching(/^[\w.-]{20,}$/),
        moveToken: expect.stringMatching(/^[\w.-]{20,}$/),
        confirmationLink: expect.stringMatching(/^http:\/\/holdfast\.test\/booked\//),
        answersMissing: false,
        place_count: 1,
        answersLink: null,
      },
    })
  })

  it('is the same under both prefixes', async () => {
    const where = await roomWith()
    const old = asConsumer(overApp(holdfast.app), '/rest/1')
    expect((await old.complete(where.resource, bookingOf(await first(where)))).status).toBe(201)
    expect((await complete(where, bookingOf(await first(where)))).status).toBe(201)
  })

  it('has its times in timeFormat, in the consumer’s language', async () => {
    const where = await roomWith()
    const body = bookingOf(await first(where), { locale: 'fr' })
    const { createdAppointment } = (await complete(where, body, { timeFormat: "EEEE d MMMM 'à' HH:mm" })).body
    expect([createdAppointment.start, createdAppointment.end]).toEqual([
      'lundi 7 janvier à 08:00',
      'lundi 7 janvier à 08:30',
    ])
  })

  it.each(['x', "'open", 'YYYY'])('refuses the timeFormat %s and books nothing', async timeFormat => {
    const where = await roomWith()
    const answer = await complete(where, bookingOf(await first(where)), { timeFormat })
    expectRefusal(answer, 400, 'invalid-field', 'timeFormat')
    expect(await appointments(where)).toEqual([])
  })

  it.each(['undefined', ''])('timeFormat=%s means the default format', async timeFormat => {
    const where = await roomWith()
    const { body } = await complete(where, bookingOf(await first(where)), {
      timeFormat,
      additionalParams: 'undefined',
    })
    expect(body.createdAppointment.start).toBe('2030-01-07T08:00:00+01:00')
  })

  it('shows the contact of the Resource', async () => {
    const profile = await makeProfile(holdfast.crm, practice, practice.owner)
    const where = await roomWith(
      {},
      await makeRoom(holdfast.crm, practice, {
        contact: practice.owner,
        contactProfileReference: profile.reference,
      }),
    )
    const booked = await book(where, await first(where))
    expect(booked.contact_channel).toEqual({ type: 'email', value: 'profile@example.org' })
  })
})

describe('with a live hold', () => {
  it('the hold becomes the booking', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const held = await hold(where, slot)
    const booked = await book(where, slot, { placeholder_id: held.placeholder_id })
    expect(booked.appointment_uuid).toBe(held.body.participation.appointment_uuid)
    const [appointment] = await appointments(where)
    expect(appointment!.participations).toHaveLength(1)
    expect(appointment!.participations[0]).toMatchObject({ state: 'BOOKED', messages: null })
  })

  it('is never lost when the hold would have expired later', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const held = await hold(where, slot)
    await book(where, slot, { placeholder_id: held.placeholder_id })
    holdfast.clock.shiftMs = 3_600_000
    expect(await starts(where)).toEqual(['08:30', '09:00', '09:30'])
    // Another client's reserve cleans up under the lock.
    await hold(where, await first(where))
    expect((await appointments(where))[0]!.participations[0].state).toBe('BOOKED')
  })

  it('a client’s own hold never hides the slot from that client, not even in a group', async () => {
    const where = await roomWith({ defaultCapacity: 2 })
    const slot = await first(where)
    const mine = await hold(where, slot)
    const theirs = await hold(where, slot)
    taken(await complete(where, bookingOf(slot)))
    const one = await book(where, slot, { placeholder_id: mine.placeholder_id })
    const two = await book(where, slot, { placeholder_id: theirs.placeholder_id })
    expect([one.capacity_left, two.capacity_left]).toEqual([0, 0])
    expect(one.appointment_uuid).toBe(two.appointment_uuid)
  })

  it('timeslot_uuid may be the Appointment’s', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { placeholder_id, body } = await hold(where, slot)
    const timeslot_uuid = body.participation.appointment_uuid.toUpperCase()
    const booked = await book(where, slot, { placeholder_id: placeholder_id.toUpperCase(), timeslot_uuid })
    expect(booked).toMatchObject({
      timeslot_uuid: where.timeslot,
      appointment_uuid: body.participation.appointment_uuid,
    })
  })

  it('the Product may be omitted, even when several are offered', async () => {
    const shop = await makePractice(holdfast.crm)
    const other = await makeProduct(holdfast.crm, shop)
    const where = await roomWith({}, shop)
    const slot = { ...(await first(where)), product_uuid: other.uuid }
    const { placeholder_id } = await hold(where, slot)
    const booked = await book(where, slot, { placeholder_id, product_uuid: undefined })
    expect(booked.product_uuid).toBe(other.uuid)
  })

  it('books another Product if requested, never silently the one that was held', async () => {
    const shop = await makePractice(holdfast.crm)
    const other = await makeProduct(holdfast.crm, shop)
    const where = await roomWith({}, shop)
    const slot = await first(where)
    const { placeholder_id } = await hold(where, slot)
    expectRefusal(
      await complete(where, bookingOf(slot, { placeholder_id, product_uuid: nowhere })),
      404,
      'not-found',
      'product_uuid',
    )
    const booked = await book(where, slot, { placeholder_id, product_uuid: other.uuid })
    expect(booked.product_uuid).toBe(other.uuid)
    expect(await appointments(where)).toHaveLength(1)
  })

  it('is honoured even if the channel was hidden or the Timeslot closed in between', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const holds = [await hold(where, one!), await hold(where, two!)]
    await setChannel(holdfast, where.resourceUuid, { visible: false })
    await book(where, one!, { placeholder_id: holds[0]!.placeholder_id })
    await query(`update timeslot set state = 'CREATED' where uuid = $1`, where.timeslot)
    await book(where, two!, { placeholder_id: holds[1]!.placeholder_id })
  })

  // One alone is decided on all that is around it, several at once on their holds.
  describe.each([
    ['alone', 1],
    ['among others', 3],
  ])('%s', (_, count) => {
    const held = async () => {
      const rooms = await Promise.all(Array.from({ length: count }, () => roomWith()))
      return Promise.all(
        rooms.map(async where => {
          const slot = await first(where)
          const { placeholder_id } = await hold(where, slot)
          const body = bookingOf(slot, { placeholder_id })
          return { where, send: () => complete(where, body) }
        }),
      )
    }
    const sendAll = (all: Awaited<ReturnType<typeof held>>) => Promise.all(all.map(one => one.send()))

    it('is refused at an archived Resource', async () => {
      const all = await held()
      for (const { where } of all)
        await holdfast.crm.post(`${practice.path}/resources/${encodeURIComponent(where.resource)}`, {
          archived: true,
        })
      for (const answer of await sendAll(all)) {
        taken(answer)
        expect(messageOf(answer)).toMatch(/archived/)
      }
    })

    it('is refused once the start has passed', async () => {
      setClock(holdfast, '2030-01-07T06:59:00Z')
      const all = await held()
      holdfast.clock.shiftMs += 61_000
      for (const answer of await sendAll(all)) {
        taken(answer)
        expect(messageOf(answer)).toMatch(/has passed/)
      }
    })

    it('a repeated request gets the same response, and is refused once its booking was cancelled', async () => {
      const all = await held()
      const answers = await sendAll(all)
      expect((await sendAll(all)).map(one => one.text)).toEqual(answers.map(one => one.text))
      for (const { body } of answers) await consumer.cancel(body.createdAppointment.cancelLink)
      for (const answer of await sendAll(all)) {
        taken(answer)
        expect(messageOf(answer)).toMatch(/cancelled since/)
      }
    })
  })

  it('if completed through another channel, that channel must offer it too', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { placeholder_id } = await hold(where, slot)
    await setChannel(holdfast, where.resourceUuid, { visible: false }, 'RESOURCE_EXCLUSIVE')
    await setChannel(holdfast, where.resourceUuid, { products: [] }, 'RESOURCE_REFERENCE')
    const through = (channelKey: string) => complete(where, bookingOf(slot, { placeholder_id, channelKey }))
    expectRefusal(await through('RESOURCE_EXCLUSIVE'), 403, 'channel-hidden')
    taken(await through('RESOURCE_REFERENCE'))
    expect((await through('CALENDAR_PUBLIC')).status).toBe(201)
  })
})

describe('without a live hold', () => {
  it.each([
    ['no placeholder', undefined],
    ['a null one', null],
    ['an empty one', ''],
    ['"undefined"', 'undefined'],
    ['an unknown one', nowhere],
    ['any text', 'nonsense'],
  ])('%s: booked if still free, else 412', async (_, placeholder_id) => {
    const where = await roomWith()
    const slot = await first(where)
    expect((await complete(where, bookingOf(slot, { placeholder_id }))).status).toBe(201)
    taken(await complete(where, bookingOf(slot)))
  })

  it('books a slot that is still free after the hold expired', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { placeholder_id } = await hold(where, slot)
    holdfast.clock.shiftMs = 181_000
    await book(where, slot, { placeholder_id })
    expect(await appointments(where)).toHaveLength(1)
  })

  it.each([
    ['before any cleanup', async () => {}],
    ['after the cleanup job', async () => tidy(holdfast.service)],
  ])(
    'late, by the uuid of the Appointment that the hold had made, %s: booked while it is free',
    async (_, clean) => {
      const where = await roomWith()
      const [one, two] = await slots(where)
      const held = [await hold(where, one!), await hold(where, two!)]
      const late = (index: number) => {
        const { placeholder_id, body } = held[index]!
        const { appointment_uuid } = body.participation
        const fields = { placeholder_id, timeslot_uuid: appointment_uuid, product_uuid: null }
        return complete(where, bookingOf([one!, two!][index]!, fields))
      }
      holdfast.clock.shiftMs = 181_000
      await clean()
      await book(where, two!)
      expect((await late(0)).body.createdAppointment).toMatchObject({
        start: one!.start,
        timeslot_uuid: where.timeslot,
        product_uuid: practice.productUuid,
      })
      const answer = await late(1)
      taken(answer)
      expect(messageOf(answer)).toMatch(/overlaps with another Appointment/)
    },
  )

  it.each([
    ['released their hold', false],
    ['cancelled their booking', true],
  ])(
    'late, with one participant left in the Appointment (%s): the Appointment is gone, the Timeslot still works',
    async (_, isBooked) => {
      for (const clean of [async () => {}, () => tidy(holdfast.service)]) {
        const where = await roomWith({ defaultCapacity: 2 })
        const slot = await first(where)
        const { placeholder_id, body } = await hold(where, slot)
        holdfast.clock.shiftMs += 100_000
        const other = isBooked ? null : (await hold(where, slot)).placeholder_id
        const booked = isBooked ? await book(where, slot) : null
        holdfast.clock.shiftMs += 81_000
        await clean()
        if (booked) await consumer.cancel(booked.cancelLink)
        else await consumer.release(where.resource, other!)
        const person = newPerson()
        const late = (timeslot_uuid: string) =>
          complete(where, bookingOf(slot, { ...person, placeholder_id, timeslot_uuid }))
        const answer = await late(body.participation.appointment_uuid)
        taken(answer)
        expect(messageOf(answer)).toMatch(/gone or cancelled/)
        expect((await late(body.participation.timeslot_uuid)).status).toBe(201)
      }
    },
  )

  it('an hour after the hold expired, the uuid of its Appointment is unknown', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { body } = await hold(where, slot)
    holdfast.clock.shiftMs = 181_000
    await tidy(holdfast.service)
    holdfast.clock.shiftMs += 3_700_000
    const answer = await complete(
      where,
      bookingOf(slot, { timeslot_uuid: body.participation.appointment_uuid }),
    )
    taken(answer)
    expect(messageOf(answer)).toMatch(/gone or cancelled/)
  })

  it('returns 412 if another client has booked or holds it by then', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const holds = [await hold(where, one!), await hold(where, two!)]
    holdfast.clock.shiftMs = 181_000
    await book(where, one!)
    await hold(where, two!)
    taken(await complete(where, bookingOf(one!, { placeholder_id: holds[0]!.placeholder_id })))
    taken(await complete(where, bookingOf(two!, { placeholder_id: holds[1]!.placeholder_id })))
  })

  it('joins a group that has places left', async () => {
    const where = await roomWith({ defaultCapacity: 2 })
    const slot = await first(where)
    const { placeholder_id } = await hold(where, slot)
    holdfast.clock.shiftMs = 181_000
    const other = await book(where, slot)
    const mine = await book(where, slot, { placeholder_id })
    expect(mine.appointment_uuid).toBe(other.appointment_uuid)
  })

  it('returns 412 while live holds of others fill the slot', async () => {
    const where = await roomWith({ defaultCapacity: 2 })
    const slot = await first(where)
    await hold(where, slot)
    await book(where, slot)
    taken(await complete(where, bookingOf(slot)))
  })

  it('refuses a slot that is past, off the raster, too short, in a hidden channel or for a Product not offered', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const from = (start: string, end: string) => bookingOf(slot, { start, end })
    taken(await complete(where, from('2030-01-07T08:10:00+01:00', '2030-01-07T08:40:00+01:00')))
    taken(await complete(where, from('2030-01-07T08:00:00+01:00', '2030-01-07T08:20:00+01:00')))
    taken(await complete(where, from('2031-01-07T08:00:00+01:00', '2031-01-07T08:30:00+01:00')))
    await setChannel(holdfast, where.resourceUuid, { visible: false }, 'CALENDAR_PUBLIC')
    expectRefusal(
      await complete(where, bookingOf(slot, { channelKey: 'CALENDAR_PUBLIC' })),
      403,
      'channel-hidden',
    )
    await setChannel(holdfast, where.resourceUuid, { products: [] }, 'RESOURCE_EXCLUSIVE')
    taken(await complete(where, bookingOf(slot, { channelKey: 'RESOURCE_EXCLUSIVE' })))
    setClock(holdfast, '2030-01-07T07:00:01Z')
    taken(await complete(where, bookingOf(slot)))
    expect(await appointments(where)).toEqual([])
  })

  it('without a Product, uses the channel’s first one that fits the time, or that of the Appointment', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProduct(holdfast, shop.productUuid, { minDuration: 60 })
    const short = await makeProduct(holdfast.crm, shop, { maxDuration: 30 })
    const where = await roomWith({ defaultCapacity: 2, end: '2030-01-07T12:00' }, shop)
    const at = (from: string, to: string) => ({
      timeslot_uuid: where.timeslot,
      start: `2030-01-07T${from}:00+01:00`,
      end: `2030-01-07T${to}:00+01:00`,
    })
    const booking = async (body: Body) =>
      (await complete(where, { ...body, ...newPerson() })).body.createdAppointment?.product_uuid
    expect(await booking(at('08:00', '08:30'))).toBe(short.uuid)
    expect(await booking(at('09:00', '10:00'))).toBe(shop.productUuid)
    // The slot has become an Appointment: what is joined is its Product.
    await setProduct(holdfast, shop.productUuid, { minDuration: null })
    expect(await booking(at('08:00', '08:30'))).toBe(short.uuid)
    expect(await booking(at('10:00', '10:30'))).toBe(shop.productUuid)
    taken(await complete(where, { ...at('10:00', '10:10'), ...newPerson() }))
  })

  it('accepts any length that the Product allows, and blocks its buffers', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProduct(holdfast, shop.productUuid, {
      minDuration: 30,
      maxDuration: 75,
      followUpTimeMinutes: 30,
    })
    const where = await roomWith({ end: '2030-01-07T12:00' }, shop)
    const slot = await first(where)
    const booked = await book(where, slot, { end: '2030-01-07T09:15:00+01:00' })
    expect(booked.end).toBe('2030-01-07T09:15:00+01:00')
    // Up to the raster line at 09:30, and half an hour more.
    expect((await starts(where))[0]).toBe('10:00')
  })

  it('times without a zone are local times of the Provider', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const booked = await book(where, slot, { start: '2030-01-07T08:30', end: '2030-01-07T09:00' })
    expect(booked.start).toBe('2030-01-07T08:30:00+01:00')
  })
})

describe('when end differs from that of the hold', () => {
  const lasting = (slot: Slot, minutes: number) => ({
    ...slot,
    end: new Date(Date.parse(slot.start) + minutes * 60_000).toISOString(),
  })

  it('the booking has the requested length if that time is free', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { placeholder_id } = await hold(where, slot)
    const booked = await book(where, lasting(slot, 60), { placeholder_id })
    expect(booked.end).toBe('2030-01-07T09:00:00+01:00')
    expect(await starts(where)).toEqual(['09:00', '09:30'])
  })

  it('by the uuid of its Appointment too', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { placeholder_id, body } = await hold(where, slot)
    const fields = { placeholder_id, timeslot_uuid: body.participation.appointment_uuid }
    expect((await book(where, lasting(slot, 60), fields)).end).toBe('2030-01-07T09:00:00+01:00')
    expect(await appointments(where)).toHaveLength(1)
  })

  it('returns 412 if another booking follows or the Product does not allow it; the hold stays', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const { placeholder_id } = await hold(where, one!)
    await book(where, two!)
    taken(await complete(where, bookingOf(lasting(one!, 60), { placeholder_id })))
    taken(await complete(where, bookingOf(lasting(one!, 20), { placeholder_id })))
    expect(await starts(where)).toEqual(['09:00', '09:30'])
    await book(where, one!, { placeholder_id })
  })

  it('cannot change the times of an Appointment with other participants', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    await book(where, await first(where))
    const slot = await first(where)
    taken(await complete(where, bookingOf(lasting(slot, 60))))
    expect((await appointments(where))[0]!.participations).toHaveLength(1)
  })
})

describe('when start differs from that of the hold', () => {
  it('the hold moves there if that slot is free', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const { placeholder_id } = await hold(where, one!)
    const booked = await book(where, two!, { placeholder_id })
    expect(booked.start).toBe(two!.start)
    expect(await starts(where)).toEqual(['08:00', '09:00', '09:30'])
    expect(await appointments(where)).toHaveLength(1)
  })

  it('to a time that overlaps the held one', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProduct(holdfast, shop.productUuid, { minDuration: 60 })
    const where = await roomWith({}, shop)
    const [one, two] = await slots(where)
    const { placeholder_id } = await hold(where, one!)
    expect((await book(where, two!, { placeholder_id })).start).toBe(two!.start)
  })

  it('otherwise 412, and the hold stays', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    await book(where, two!)
    const { placeholder_id } = await hold(where, one!)
    taken(await complete(where, bookingOf(two!, { placeholder_id })))
    taken(await complete(where, bookingOf(one!)))
    await book(where, one!, { placeholder_id })
  })

  it('to another Resource too', async () => {
    const here = await roomWith()
    const there = await roomWith()
    const { placeholder_id } = await hold(here, await first(here))
    const booked = await book(there, await first(there), { placeholder_id })
    expect(booked.resource_uuid).toBe(there.resourceUuid)
    expect(await starts(here)).toHaveLength(4)
  })

  it('to another Resource at the same time, even from a provider’s Appointment', async () => {
    const here = await makeRoom(holdfast.crm, practice)
    await makeAppointment(holdfast.crm, here, { acceptBookings: true })
    const there = await roomWith({ start: '2030-01-07T10:00', end: '2030-01-07T11:00' })
    const { placeholder_id } = await hold(here, await first(here))
    const booked = await book(there, await first(there), { placeholder_id })
    expect(booked.resource_uuid).toBe(there.resourceUuid)
  })

  it('and a repeat of the moved booking gets the same response', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const { placeholder_id } = await hold(where, one!)
    const body = bookingOf(two!, { placeholder_id })
    const answer = await complete(where, body)
    expect((await complete(where, body)).text).toBe(answer.text)
  })
})

describe('groups', () => {
  it('the first booking creates the Appointment, and later ones join it', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    const slot = await first(where)
    const one = await book(where, slot)
    const two = await book(where, slot)
    const three = await book(where, await first(where))
    expect(new Set([one, two, three].map(booked => booked.appointment_uuid)).size).toBe(1)
    expect([one, two, three].map(booked => booked.capacity_left)).toEqual([2, 1, 0])
    taken(await complete(where, bookingOf(slot)))
    const [appointment] = await appointments(where)
    expect(appointment!.participations).toHaveLength(3)
  })

  it('a person cannot book twice: 412/202, by email in upper or lower case, by mobile, with and without a hold', async () => {
    const where = await roomWith({ defaultCapacity: 9 })
    const slot = await first(where)
    const person = { ...newPerson(), mobile: '+49 170 1' }
    await book(where, slot, person)
    already(await complete(where, bookingOf(slot, person)))
    already(await complete(where, bookingOf(slot, { ...person, email: person.email.toUpperCase() })))
    already(await complete(where, bookingOf(await first(where), { ...newPerson(), mobile: '+49 170 1' })))
    const { placeholder_id } = await hold(where, slot)
    already(await complete(where, bookingOf(slot, { ...person, placeholder_id })))
    const [appointment] = await appointments(where)
    expect(appointment!.participations.filter((one: Body) => one.state === 'BOOKED')).toHaveLength(1)
    await book(where, (await slots(where))[1]!, person)
  })

  it('one created by the provider can be joined by its uuid or by the Timeslot around it, and is named after that', async () => {
    const where = await roomWith()
    const made = await makeAppointment(holdfast.crm, where, {
      start: '2030-01-07T08:00',
      end: '2030-01-07T08:30',
      acceptBookings: true,
      productName: 'Tasting',
    })
    const slot = await first(where)
    const { placeholder_id } = await hold(where, slot)
    const held = await book(where, slot, { placeholder_id, timeslot_uuid: where.timeslot })
    const direct = await book(where, slot, { timeslot_uuid: made.uuid })
    const around = await book(where, slot, { timeslot_uuid: where.timeslot })
    for (const booked of [held, direct, around])
      expect(booked).toMatchObject({
        appointment_uuid: made.uuid,
        timeslot_uuid: where.timeslot,
        product_name: 'Tasting',
      })
    expect(around.capacity_left).toBe(7)
  })

  it('one outside any Timeslot is named by its own uuid', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const made = await makeAppointment(holdfast.crm, where, { acceptBookings: true })
    const slot = await first(where)
    const { placeholder_id, body } = await hold(where, slot)
    const booked = await book(where, slot, {
      placeholder_id,
      timeslot_uuid: body.participation.timeslot_uuid,
    })
    expect(booked.timeslot_uuid).toBe(made.uuid)
  })

  it('a person added by the provider already has a place', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const made = await makeAppointment(holdfast.crm, where, { acceptBookings: true })
    const { email } = await makeParticipation(holdfast.crm, practice, made.reference, 'BOOKED')
    already(await complete(where, bookingOf(await first(where), { email })))
  })

  it('a person who cancelled may book again', async () => {
    const where = await roomWith({ defaultCapacity: 2 })
    const slot = await first(where)
    const person = newPerson()
    await book(where, slot)
    const booked = await book(where, slot, person)
    await consumer.cancel(booked.cancelLink)
    expect((await book(where, slot, person)).appointment_uuid).toBe(booked.appointment_uuid)
  })
})

describe('a retry', () => {
  const held = async (fields: Body = {}) => {
    const where = await roomWith(fields)
    const slot = await first(where)
    const { placeholder_id } = await hold(where, slot)
    const person = newPerson()
    return { where, slot, person, body: bookingOf(slot, { ...person, placeholder_id }) }
  }

  it('with the same body gets the same 201, books once and sends one email', async () => {
    const { where, person, body } = await held()
    const one = await complete(where, body)
    const two = await complete(where, body)
    expect([one.status, two.status]).toEqual([201, 201])
    expect(two.text).toBe(one.text)
    expect((await appointments(where))[0]!.participations).toHaveLength(1)
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
  })

  it('sent five times at once books once and sends one email', async () => {
    const { where, person, body } = await held({ defaultCapacity: 9 })
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete(where, body)))
    expect(answers.map(answer => answer.status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect((await appointments(where))[0]!.participations).toHaveLength(1)
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
  })

  it('ignores field order, unknown fields and the prefix', async () => {
    const { where, body } = await held()
    const one = await complete(where, body)
    const reordered = Object.fromEntries(Object.entries({ ...body, utm: 'x' }).reverse())
    const old = asConsumer(overApp(holdfast.app), '/rest/1')
    expect((await old.complete(where.resource, reordered)).text).toBe(one.text)
  })

  it('with another body is 412/202', async () => {
    const { where, slot, body } = await held({ defaultCapacity: 9 })
    await complete(where, body)
    already(await complete(where, { ...body, email: newPerson().email }))
    already(await complete(where, { ...body, message: 'one more thing' }))
    already(await complete(where, { ...body, start: slot.end, end: '2030-01-07T09:00:00+01:00' }))
    expect((await appointments(where))[0]!.participations).toHaveLength(1)
  })

  it('without a hold, but with a placeholder chosen by the client, is recognised too', async () => {
    const where = await roomWith({ defaultCapacity: 9 })
    const placeholder_id = crypto.randomUUID()
    const body = bookingOf(await first(where), { placeholder_id })
    const one = await complete(where, body)
    expect((await complete(where, body)).text).toBe(one.text)
    already(await complete(where, { ...body, ...newPerson() }))
  })

  it('after the hold expired is recognised too', async () => {
    const { where, body } = await held()
    holdfast.clock.shiftMs = 181_000
    const one = await complete(where, body)
    expect(one.status).toBe(201)
    expect((await complete(where, body)).text).toBe(one.text)
  })

  it('after the booking was cancelled books nothing and confirms nothing', async () => {
    const { where, person, body } = await held()
    const one = await complete(where, body)
    await consumer.cancel(one.body.createdAppointment.cancelLink)
    taken(await complete(where, body))
    taken(await complete(where, { ...body, message: 'again' }))
    expect(await starts(where)).toHaveLength(4)
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked', 'cancelled'])
  })

  it('after the Timeslot was deleted still gets its response', async () => {
    const { where, body } = await held()
    const one = await complete(where, body)
    await holdfast.query('delete from timeslot where uuid = $1', [where.timeslot])
    expect((await complete(where, body)).text).toBe(one.text)
  })
})

it('a hold is kept when its Product is no longer offered there', async () => {
  const shop = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, shop)
  const slot = await first(shop)
  const { placeholder_id } = await hold(shop, slot)
  const other = await makeProduct(holdfast.crm, shop)
  const path = `${shop.path}/resources/${encodeURIComponent(shop.resource)}`
  expect((await holdfast.crm.post(path, { products: [other.reference] })).status).toBe(202)
  expect((await complete(shop, bookingOf(slot, { placeholder_id }))).status).toBe(201)
})

describe('the consumer', () => {
  it('becomes a User without a reference and a Customer of the Provider', async () => {
    const where = await roomWith()
    const person = { ...newPerson(), mobile: '+49 171 2' }
    await book(where, await first(where), { ...person, locale: 'fr-CA' })
    expect(await usersWith(person.email)).toMatchObject([
      {
        reference: null,
        first_name: 'Ann',
        last_name: person.lastname,
        mobile: '+49 171 2',
        language: 'fr',
        verified_at: null,
      },
    ])
    const [customer] = await customersWith(person.email)
    expect(customer!.reference).toMatch(/^[0-9a-f-]{36}@consumer$/)
    const { body } = await holdfast.crm.get(
      `${practice.path}/customers/${encodeURIComponent(customer!.reference)}`,
    )
    expect(body.customer).toMatchObject({
      userName: `Ann ${person.lastname}`,
      email: person.email,
      mobile: '+49 171 2',
      language: 'fr',
    })
  })

  it('gets no verification email', async () => {
    const where = await roomWith()
    const person = newPerson()
    await book(where, await first(where), person)
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
  })

  it('is recognised the next time, by email in upper or lower case', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const person = newPerson()
    await book(where, one!, person)
    await book(where, two!, { ...person, email: person.email.toUpperCase() })
    expect(await usersWith(person.email)).toHaveLength(1)
    expect(await customersWith(person.email)).toHaveLength(1)
  })

  it('is found by mobile when the email is new', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const person = { ...newPerson(), mobile: '+49 172 3' }
    const other = { ...newPerson(), mobile: '+49 172 3' }
    await book(where, one!, person)
    await book(where, two!, other)
    expect(await usersWith(other.email)).toEqual([])
    expect(await customersWith(other.email)).toEqual([])
    expect(await mailKindsTo(holdfast, other.email)).toEqual(['booked'])
  })

  it('is matched by email before mobile', async () => {
    const where = await roomWith()
    const [one, two, three] = await slots(where)
    const ann = { ...newPerson(), mobile: '+49 173 4' }
    const bob = newPerson()
    await book(where, one!, ann)
    await book(where, two!, bob)
    await book(where, three!, { ...bob, mobile: '+49 173 4' })
    const names = (await appointments(where)).flatMap(one => one.participations.map((who: Body) => who.name))
    expect(names).toHaveLength(3)
    const rows = await query(
      `select count(distinct customer_id)::int as people from participation where email = any ($1)`,
      [ann.email, bob.email],
    )
    expect(rows[0]!.people).toBe(2)
  })

  it('has missing attributes filled in and existing ones never overwritten', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const email = 'partial@example.org'
    await query(
      `insert into app_user (crm_id, email, first_name, language) select id, $1, 'Known', 'de' from crm where name = 'crm'`,
      email,
    )
    const person = { email, firstname: 'New', lastname: 'Name' }
    await book(where, one!, { ...person, mobile: '+49 174 5', locale: 'fr' })
    const user = { first_name: 'Known', last_name: 'Name', mobile: '+49 174 5', language: 'de' }
    expect(await usersWith(email)).toMatchObject([user])
    await book(where, two!, { ...person, firstname: 'X', lastname: 'Y', mobile: '+49 999' })
    expect(await usersWith(email)).toMatchObject([user])
    expect(await customersWith(email)).toMatchObject([{ name: 'New Name', mobile: '+49 174 5' }])
  })

  it('may be a User of the CRM, whose data stays unchanged', async () => {
    const where = await roomWith()
    const user = await makeUser(holdfast.crm, { firstName: 'Paul', phone: '030 1' })
    await book(where, await first(where), { email: user.email, mobile: '+49 175 6' })
    expect(await usersWith(user.email)).toMatchObject([
      {
        reference: user.reference,
        first_name: 'Paul',
        last_name: 'Berg',
        mobile: '+49 175 6',
        phone: '030 1',
      },
    ])
  })

  it('leaves another CRM’s User alone', async () => {
    const where = await roomWith()
    await makeConsumer(holdfast, 'both@example.org', 'other')
    await book(where, await first(where), { email: 'both@example.org', mobile: '+49 176 7' })
    const users = await usersWith('both@example.org')
    expect(users.map(user => user.mobile)).toEqual([null, '+49 176 7'])
  })

  it('may be a Customer created by the CRM: by email, then by mobile', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const byEmail = await makeCustomer(holdfast.crm, practice, { userName: 'Kept Name' })
    const byMobile = await makeCustomer(holdfast.crm, practice, { mobile: '+49 177 8', email: null })
    await book(where, one!, { email: byEmail.email })
    const person = { ...newPerson(), mobile: '+49 177 8' }
    await book(where, two!, person)
    expect(await customersWith(byEmail.email)).toMatchObject([
      { reference: byEmail.customerReference, name: 'Kept Name' },
    ])
    expect(await customersWith(person.email)).toEqual([])
    const { body } = await holdfast.crm.get(
      `${practice.path}/customers/${encodeURIComponent(byMobile.customerReference)}`,
    )
    expect(body.customer).toMatchObject({ userName: 'Ann Winter', mobile: '+49 177 8' })
  })

  it('an erased Customer is not found again', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const person = newPerson()
    await book(where, one!, person)
    const [customer] = await customersWith(person.email)
    await holdfast.crm.delete(
      `${practice.path}/customers/${encodeURIComponent(customer!.reference)}?ignoreFutureAppointments`,
    )
    await book(where, two!, person)
    const [again] = await customersWith(person.email)
    expect(again!.id).not.toBe(customer!.id)
  })

  it('reveals nothing about a matched User or Customer to the client', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const known = await makeCustomer(holdfast.crm, practice, {
      userName: 'Secret Name',
      mobile: '+49 178 9',
      note: 'hidden note',
      email: 'secret@example.org',
    })
    const found = await complete(where, bookingOf(one!, { ...newPerson(), mobile: '+49 178 9' }))
    const named = await complete(where, {
      ...bookingOf(two!, { customer_id: known.customerReference }),
      email: undefined,
      firstname: undefined,
      lastname: undefined,
    })
    for (const answer of [found, named]) {
      expect(answer.status).toBe(201)
      for (const secret of ['Secret', '+49', '178 9', 'hidden', 'secret@'])
        expect(decodeURIComponent(answer.text)).not.toContain(secret)
    }
  })

  it('known and unknown people get answers of the same shape', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const known = await makeCustomer(holdfast.crm, practice)
    const shape = (answer: Answer) => Object.keys(answer.body.createdAppointment)
    const a = await complete(where, bookingOf(one!, { email: known.email }))
    const b = await complete(where, bookingOf(two!))
    expect(shape(a)).toEqual(shape(b))
  })

  it('who books for the first time at five Resources at once is one person', async () => {
    const rooms = await Promise.all(Array.from({ length: 5 }, () => roomWith()))
    const person = { ...newPerson(), mobile: '+49 179 1' }
    const answers = await Promise.all(
      rooms.map(async where => complete(where, bookingOf(await first(where), person))),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(5).fill(201))
    expect(await usersWith(person.email)).toHaveLength(1)
    expect(await customersWith(person.email)).toHaveLength(1)
  })

  it('who is a Customer created by the CRM is one person too, at five Resources at once', async () => {
    const rooms = await Promise.all(Array.from({ length: 5 }, () => roomWith()))
    const { email } = await makeCustomer(holdfast.crm, practice)
    const answers = await Promise.all(
      rooms.map(async where => complete(where, bookingOf(await first(where), { email }))),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(5).fill(201))
    expect(await usersWith(email)).toHaveLength(1)
    expect(await customersWith(email)).toHaveLength(1)
  })

  const meanwhile: [string, string][] = [
    ['erased', `reference = 'erased-' || uuid, name = '', email = null, user_id = null, erased_at = now()`],
    ['given another address', `reference = 'moved-' || uuid, email = 'moved@example.org', user_id = null`],
  ]
  it.each(meanwhile)(
    'a person who books while their Customer is being %s becomes a new one',
    async (_, change) => {
      const where = await roomWith()
      const [one, two] = await slots(where)
      const person = newPerson()
      await book(where, one!, person)
      const [old] = await customersWith(person.email)
      const { pool } = holdfast.service.db
      const rival = await pool.connect()
      await rival.query('begin')
      await rival.query(`update customer set ${change} where id = $1`, [old!.id])
      const booking = complete(where, bookingOf(two!, person))
      await eventually(async () => {
        const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        return (await pool.query(waiting)).rows.length > 0
      }).finally(() => rival.query('commit'))
      rival.release()
      expect((await booking).status).toBe(201)
      const [made, ...others] = await customersWith(person.email)
      expect(others).toEqual([])
      const booked = await query(
        `select customer_id from participation where email = $1 order by id`,
        person.email,
      )
      expect(booked.map(row => row.customer_id)).toEqual([old!.id, made!.id])
      expect(made!.id).not.toBe(old!.id)
    },
  )

  it('can become a User of the CRM later, whatever locale the booking named', async () => {
    const where = await roomWith()
    const person = newPerson()
    await book(where, await first(where), { ...person, locale: 'pl-PL' })
    const made = await holdfast.crm.post('/user', {
      reference: 'later@plat',
      email: person.email,
      username: 'later',
      lastName: 'L',
    })
    expect(made.status).toBe(200)
    expect((await mailsTo(holdfast, person.email)).map(mail => mail.kind)).toEqual(['booked', 'verification'])
  })
})

describe('customer_id', () => {
  const nameless = { email: undefined, firstname: undefined, lastname: undefined }

  it('books for that Customer of the Provider: nothing else is needed', async () => {
    const where = await roomWith()
    const known = await makeCustomer(holdfast.crm, practice, {
      userName: 'Greta Known',
      mobile: '+49 1',
      language: 'it',
    })
    const body = bookingOf(await first(where), {
      ...nameless,
      customer_id: known.customerReference,
      locale: undefined,
    })
    expect((await complete(where, body)).status).toBe(201)
    expect((await appointments(where))[0]!.participations[0]).toMatchObject({
      name: 'Greta Known',
      email: known.email,
      mobile: '+49 1',
    })
    const [mail] = await mailsTo(holdfast, known.email)
    expect([mail!.kind, mail!.language]).toEqual(['booked', 'it'])
  })

  it('twice in one Appointment is 412/202', async () => {
    const where = await roomWith({ defaultCapacity: 5 })
    const known = await makeCustomer(holdfast.crm, practice)
    const body = bookingOf(await first(where), { ...nameless, customer_id: known.customerReference })
    expect((await complete(where, body)).status).toBe(201)
    already(await complete(where, body))
    already(await complete(where, bookingOf(await first(where), { email: known.email })))
  })

  it('of a Customer without an email books, and emails the provider only', async () => {
    const where = await roomWith()
    const known = await makeCustomer(holdfast.crm, practice, { email: null })
    const body = bookingOf(await first(where), { ...nameless, customer_id: known.customerReference })
    expect((await complete(where, body)).status).toBe(201)
  })

  it('unknown, or of another Provider, is 404 and books nothing', async () => {
    const where = await roomWith()
    const other = await makePractice(holdfast.crm)
    const theirs = await makeCustomer(holdfast.crm, other)
    for (const customer_id of ['nobody@plat', theirs.customerReference]) {
      const answer = await complete(where, bookingOf(await first(where), { ...nameless, customer_id }))
      expectRefusal(answer, 404, 'not-found', 'customer_id')
    }
    expect(await appointments(where)).toEqual([])
  })

  it.each([null, ''])('%j means none: email and name are then required', async customer_id => {
    const where = await roomWith()
    const { status, body } = await complete(
      where,
      bookingOf(await first(where), { ...nameless, customer_id }),
    )
    expect([status, body.errors.map((one: { field: string }) => one.field)]).toEqual([
      400,
      ['email', 'firstname', 'lastname'],
    ])
  })
})

describe('a full slot', () => {
  it('does not reveal who is in it or who is a Customer: always 412/201', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const customer = await makeCustomer(holdfast.crm, practice)
    await book(where, slot, { email: customer.email })
    const bookWith = (fields: Body) => complete(where, bookingOf(slot, fields))
    const answers = [
      await bookWith({}),
      await bookWith({ email: customer.email }),
      await bookWith({ email: null, customer_id: customer.customerReference }),
      await bookWith({ email: null, customer_id: 'nobody@plat' }),
    ]
    await setChannel(holdfast, where.resourceUuid, { customersOnly: true })
    answers.push(await bookWith({}), await bookWith({ email: customer.email }))
    for (const answer of answers) taken(answer)
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
  })
})

describe('customersOnly', () => {
  const invited = async () => {
    const where = await roomWith()
    await setChannel(holdfast, where.resourceUuid, { customersOnly: true })
    return where
  }

  it('can be viewed and held by every client', async () => {
    const where = await invited()
    expect(await starts(where)).toHaveLength(4)
    await hold(where, await first(where))
  })

  it('completing requires a Customer: by email, mobile or customer_id; otherwise 403', async () => {
    const where = await invited()
    const [one, two, three, four] = await slots(where)
    const known = await makeCustomer(holdfast.crm, practice, { mobile: '+49 160 1' })
    expectRefusal(await complete(where, bookingOf(one!)), 403, 'not-invited')
    expectRefusal(await complete(where, bookingOf(one!, { mobile: '+49 160 2' })), 403, 'not-invited')
    await book(where, one!, { email: known.email.toUpperCase() })
    await book(where, two!, { mobile: '+49 160 1' })
    await book(where, three!, {
      customer_id: known.customerReference,
      email: undefined,
      firstname: undefined,
      lastname: undefined,
    })
    expectRefusal(
      await complete(where, bookingOf(four!, { customer_id: 'nobody@plat', email: undefined })),
      403,
      'not-invited',
    )
    expect(await appointments(where)).toHaveLength(3)
  })

  it('with a live hold as well', async () => {
    const where = await invited()
    const slot = await first(where)
    const { placeholder_id } = await hold(where, slot)
    expectRefusal(await complete(where, bookingOf(slot, { placeholder_id })), 403, 'not-invited')
    const known = await makeCustomer(holdfast.crm, practice)
    await book(where, slot, { placeholder_id, email: known.email })
  })

  it('a person who only booked elsewhere is not invited until the CRM accepts them as a Customer', async () => {
    const where = await invited()
    const open = await roomWith()
    const person = { ...newPerson(), mobile: '+49 160 77' }
    await book(open, await first(open), person)
    const slot = await first(where)
    const attempt = (fields: Body) => complete(where, bookingOf(slot, fields))
    expectRefusal(await attempt(person), 403, 'not-invited')
    expectRefusal(await attempt({ mobile: person.mobile }), 403, 'not-invited')

    const [{ reference }] = (await customersWith(person.email)) as [{ reference: string }]
    const path = `${practice.path}/customers/${encodeURIComponent(reference)}`
    expect((await holdfast.crm.put(path, { note: 'A regular' })).status).toBe(200)
    expect((await attempt(person)).status).toBe(201)
  })

  it('Create Customer with the reference of a consumer accepts them too', async () => {
    const where = await invited()
    const open = await roomWith()
    const person = newPerson()
    await book(open, await first(open), person)
    const [{ reference }] = (await customersWith(person.email)) as [{ reference: string }]
    const body = {
      customerReference: reference,
      providerReference: practice.reference,
      userName: 'Someone Else',
    }
    expect((await holdfast.crm.post(`${practice.path}/customers`, body)).status).toBe(200)
    await book(where, await first(where), person)
  })

  it('a Customer of another Provider is not invited', async () => {
    const where = await invited()
    const other = await makePractice(holdfast.crm)
    const { email } = await makeCustomer(holdfast.crm, other)
    expectRefusal(await complete(where, bookingOf(await first(where), { email })), 403, 'not-invited')
  })

  it('applies to its own channel only', async () => {
    const where = await invited()
    await book(where, await first(where), { channelKey: 'CALENDAR_PUBLIC' })
  })
})

describe('terms that the provider requires', () => {
  it('are accepted with agbs, or the booking is refused and the hold stays', async () => {
    const where = await roomWith({ defaultCapacity: 2 }, await makePractice(holdfast.crm))
    await setProvider(holdfast, where.uuid, { terms: 'Be on time.', termsRequired: true })
    const [one, two, three, four] = await slots(where)
    const held = await hold(where, one!)
    const mine = bookingOf(one!, { placeholder_id: held.placeholder_id })
    for (const agbs of [undefined, false, '', 'no'])
      expectRefusal(await complete(where, { ...mine, agbs }), 400, 'missing-field', 'agbs')
    expect((await slots(where))[0]).toMatchObject({ start: one!.start, capacity_left: 1 })
    expect((await complete(where, { ...mine, agbs: true })).status).toBe(201)
    // Without a hold, and in a group, it is the same.
    for (const slot of [one!, two!])
      expectRefusal(await complete(where, bookingOf(slot)), 400, 'missing-field', 'agbs')
    for (const [slot, agbs] of [
      [two!, true],
      [three!, 'true'],
      [four!, 1],
    ] as const)
      await book(where, slot, { agbs })
  })

  it('do not apply to other Providers', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    await book(where, one!, { agbs: { odd: [] } })
    await book(where, two!, { agbs: false })
  })
})

describe('the booking process', () => {
  it('IMMEDIATE: BOOKED, with a confirmation and a notice', async () => {
    const where = await roomWith({}, await makePractice(holdfast.crm))
    const person = newPerson()
    await book(where, await first(where), person)
    expect((await appointments(where))[0]!.participations[0].state).toBe('BOOKED')
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
    expect(await mailKindsTo(holdfast, where.ownerEmail)).toContain('booking-notice')
  })

  it('REQUESTED: asks for confirmation, takes a place, and emails both sides', async () => {
    const where = await roomWith({}, await makePractice(holdfast.crm))
    await setChannel(holdfast, where.resourceUuid, { bookingProcess: 'REQUESTED' })
    const slot = await first(where)
    const person = newPerson()
    const booked = await book(where, slot, person)
    expect(booked.capacity_left).toBe(0)
    expect((await appointments(where))[0]!.participations[0].state).toBe('REQUESTED')
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['requested'])
    expect(await mailKindsTo(holdfast, where.ownerEmail)).toContain('request-notice')
    taken(await complete(where, bookingOf(slot)))
    expect(await starts(where)).toEqual(['08:30', '09:00', '09:30'])
  })

  it('REQUESTED with a hold, and its retry, does the same once', async () => {
    const where = await roomWith({})
    await setChannel(holdfast, where.resourceUuid, { bookingProcess: 'REQUESTED' })
    const slot = await first(where)
    const person = newPerson()
    const { placeholder_id } = await hold(where, slot)
    const body = bookingOf(slot, { ...person, placeholder_id })
    expect((await complete(where, body)).text).toBe((await complete(where, body)).text)
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['requested'])
  })

  it('is that of the channel: channelKey, channelId and the channel in the path decide', async () => {
    const where = await roomWith()
    const channel = await setChannel(
      holdfast,
      where.resourceUuid,
      { bookingProcess: 'REQUESTED' },
      'RESOURCE_EXCLUSIVE',
    )
    const [one, two, three, four] = await slots(where)
    await book(where, one!, { channelKey: 'RESOURCE_EXCLUSIVE' })
    await book(where, two!, { channelId: 'RESOURCE_EXCLUSIVE' })
    await consumer.complete(channel.uuid, bookingOf(three!))
    await book(where, four!, { channelId: 'undefined' })
    const states = (await appointments(where)).map(one => one.participations[0].state)
    expect(states.sort()).toEqual(['BOOKED', 'REQUESTED', 'REQUESTED', 'REQUESTED'])
  })

  it.each(['channelKey', 'channelId'])('refuses an unknown %s', async name => {
    const where = await roomWith()
    const answer = await complete(where, bookingOf(await first(where), { [name]: 'nonsense' }))
    expectRefusal(answer, 400, 'invalid-field', 'channelKey')
  })
})

describe('message and language', () => {
  it('the message becomes the note and is included in the provider’s notice', async () => {
    const where = await roomWith({}, await makePractice(holdfast.crm))
    const message = 'I bring <b>two</b> dogs'
    await book(where, await first(where), { message })
    expect((await appointments(where))[0]!.participations[0].note).toBe(message)
    const notice = (await mailsTo(holdfast, where.ownerEmail)).at(-1)!
    expect(notice.text).toContain(message)
    expect(notice.html).not.toContain('<b>two')
  })

  it('the message may be sent in the query, as widgets do; the body takes precedence', async () => {
    const where = await roomWith()
    const [one, two, three] = await slots(where)
    await complete(where, bookingOf(one!), { message: 'from the query' })
    await complete(where, bookingOf(two!, { message: 'from the body' }), { message: 'from the query' })
    await complete(where, bookingOf(three!), { message: 'undefined' })
    const notes = (await appointments(where)).map(one => one.participations[0].note)
    expect(notes).toEqual(['from the query', 'from the body', null])
  })

  it('1024 characters are allowed, emoji too; one more is 400', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    await book(where, one!, { message: '🙂'.repeat(1024) })
    await complete(where, bookingOf(two!), { message: 'ä'.repeat(1024) }).then(answer =>
      expect(answer.status).toBe(201),
    )
    const over = await complete(where, bookingOf(one!, { message: 'x'.repeat(1025) }))
    expectRefusal(over, 400, 'invalid-field', 'message')
    expectRefusal(
      await complete(where, bookingOf(one!), { message: 'x'.repeat(1025) }),
      400,
      'invalid-field',
      'message',
    )
  })

  it.each([
    ['fr', 'fr'],
    ['es-MX', 'es'],
    ['IT', 'it'],
    ['de_AT', 'de'],
    ['pl', 'en'],
    ['undefined', 'en'],
    [undefined, 'en'],
  ])('locale %s: the mail is written in %s', async (locale, language) => {
    const where = await roomWith()
    const person = newPerson()
    await book(where, await first(where), { ...person, locale })
    expect((await mailsTo(holdfast, person.email))[0]!.language).toBe(language)
  })

  it('the locale of this booking takes precedence over the Customer’s language', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const known = await makeCustomer(holdfast.crm, practice, { language: 'it' })
    await book(where, one!, { email: known.email, locale: 'fr' })
    await book(where, two!, { email: known.email })
    expect((await mailsTo(holdfast, known.email)).map(mail => mail.language)).toEqual(['fr', 'it'])
  })

  it('a User keeps the language of Create User: as contact, as owner, and as a consumer without a locale', async () => {
    const headers = { cookie: 'PLAY_LANG=it' }
    const name = unique('speaker').replace('@plat', '')
    const user = {
      reference: `${name}@plat`,
      email: `${name}@example.org`,
      username: name,
      lastName: 'Rossi',
    }
    await holdfast.crm.post('/user', user, { headers })
    const shop = await makePractice(holdfast.crm)
    await setProvider(holdfast, shop.uuid, { language: 'de' })
    const where = await roomWith({}, await makeRoom(holdfast.crm, shop, { contact: user.reference }))
    const slot = await first(where)
    await book(where, slot, { email: user.email })
    expect((await mailsTo(holdfast, user.email)).map(one => [one.kind, one.language])).toEqual([
      ['verification', 'it'],
      ['booked', 'it'],
      ['booking-notice', 'it'],
    ])
    const noContact = await roomWith({}, shop)
    await book(noContact, await first(noContact))
    const [_first, notice] = await mailsTo(holdfast, shop.ownerEmail)
    expect([notice!.kind, notice!.language]).toEqual(['booking-notice', 'en'])
  })

  it('does not store where the request came from', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { participation } = (await consumer.reserve(where.resource, holdOf(slot))).body
    const kept = (change: string) =>
      holdfast.service.db.pool.query(`${change} where placeholder = $1 returning client`, [
        participation.customer_uuid,
      ])
    await kept(`update participation set client = '203.0.113.9'`)
    await book(where, slot, { placeholder_id: participation.customer_uuid })
    expect((await kept('update participation set note = note')).rows).toEqual([{ client: null }])
  })

  it('the notice is written in the Provider’s language, to its contact', async () => {
    const shop = await makePractice(holdfast.crm, { email: 'praxis@example.org' })
    await setProvider(holdfast, shop.uuid, { language: 'de' })
    const where = await roomWith({}, shop)
    await book(where, await first(where), { locale: 'fr' })
    const [notice] = await mailsTo(holdfast, 'praxis@example.org')
    expect([notice!.kind, notice!.language]).toEqual(['booking-notice', 'de'])
  })

  it('the email names the zone and contains the true instant', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProvider(holdfast, shop.uuid, { timeZone: 'America/New_York' })
    const where = await roomWith({}, shop)
    const person = newPerson()
    await book(where, await first(where), person)
    const [mail] = await mailsTo(holdfast, person.email)
    expect(mail!.text).toMatch(/New York|Eastern|America\/New_York/)
    expect(mail!.ics!.method).toBe('REQUEST')
    expect(mail!.ics!.content).toContain('DTSTART:20300107T130000Z')
    expect(mail!.text).toContain('/cancel/')
  })

  it('a booking and its emails are written together: without the email there is no booking', async () => {
    const where = await roomWith()
    const slot = await first(where)
    await query(`create function no_mail() returns trigger language plpgsql as $$ begin raise 'no'; end $$`)
    await query(`create trigger no_mail before insert on mail for each row when (new.recipient = 'lost@example.org')
      execute function no_mail()`)
    const { placeholder_id } = await hold(where, slot)
    const failed = await complete(where, bookingOf(slot, { placeholder_id, email: 'lost@example.org' }))
    expectRefusal(failed, 500, 'internal')
    expect((await appointments(where))[0]!.participations).toMatchObject([{ state: 'RESERVED' }])
    await book(where, slot, { placeholder_id })
  })

  it('a refused booking sends no email', async () => {
    const where = await roomWith()
    const slot = await first(where)
    await book(where, slot)
    const person = newPerson()
    taken(await complete(where, bookingOf(slot, person)))
    expect(await mailKindsTo(holdfast, person.email)).toEqual([])
    expect(await usersWith(person.email)).toEqual([])
  })
})

describe('bad input', () => {
  let where: Awaited<ReturnType<typeof roomWith>>
  let slot: Slot
  beforeAll(async () => {
    where = await roomWith()
    slot = await first(where)
  })

  requires(
    { start: 'text', end: 'text', timeslot_uuid: 'text', email: 'text' },
    () => ({ ...bookingOf(slot), extra: 1 }),
    body => complete(where, body),
  )

  it.each(['firstname', 'lastname'])('requires %s', async name => {
    for (const value of [undefined, null, '', '  '])
      expectRefusal(await complete(where, { ...bookingOf(slot), [name]: value }), 400, 'missing-field', name)
    for (const value of [7, true, {}, []])
      expectRefusal(await complete(where, { ...bookingOf(slot), [name]: value }), 400, 'invalid-field', name)
  })

  it('accepts firstName and lastName too', async () => {
    const room = await roomWith()
    const body = { ...bookingOf(await first(room)), firstname: undefined, lastname: '' }
    expect((await complete(room, { ...body, firstName: 'Eva', lastName: 'Lind' })).status).toBe(201)
    expect((await appointments(room))[0]!.participations[0].name).toBe('Eva Lind')
  })

  it.each([
    'ann',
    'ann@',
    '@example.org',
    'a b@example.org',
    'a@b@c',
    'ann@exa mple.org',
    `${'x'.repeat(250)}@e.org`,
  ])('refuses the email %s', async email => {
    expectRefusal(await complete(where, bookingOf(slot, { email })), 400, 'invalid-field', 'email')
  })

  it.each([
    'mobile',
    'message',
    'locale',
    'product_uuid',
    'placeholder_id',
    'customer_id',
    'channelKey',
    'channelId',
  ])('takes text for %s: anything else is 400, null is the same as not sent', async name => {
    for (const value of [7, true, {}, []])
      expectRefusal(await complete(where, bookingOf(slot, { [name]: value })), 400, 'invalid-field', name)
    const room = await roomWith()
    expect((await complete(room, bookingOf(await first(room), { [name]: null }))).status).toBe(201)
  })

  it.each(['today', '2030-01-07', '2030-13-01T10:00:00Z', '2030-01-07T10:61:00Z', '10:00'])(
    'refuses the time %s, and names the field',
    async text => {
      for (const name of ['start', 'end'])
        expectRefusal(await complete(where, bookingOf(slot, { [name]: text })), 400, 'invalid-field', name)
    },
  )

  it('refuses an end that is not after the start', async () => {
    expectRefusal(await complete(where, bookingOf(slot, { end: slot.start })), 400, 'invalid-field', 'end')
  })

  it('refuses a body that is not an object or not JSON', async () => {
    expectRefusal(await complete(where, '{"start":'), 400, 'invalid-json')
    expectRefusal(await complete(where, 'null'), 400, 'missing-field', 'body')
    expectRefusal(await complete(where, []), 400, 'missing-field', 'body')
  })

  it('unknown Timeslots, Products and refs are 404', async () => {
    for (const timeslot_uuid of [nowhere, 'nonsense'])
      expectRefusal(
        await complete(where, bookingOf(slot, { timeslot_uuid })),
        404,
        'not-found',
        'timeslot_uuid',
      )
    for (const product_uuid of [nowhere, 'nonsense'])
      expectRefusal(
        await complete(where, bookingOf(slot, { product_uuid })),
        404,
        'not-found',
        'product_uuid',
      )
    expectRefusal(await consumer.complete('nobody@plat', bookingOf(slot)), 404, 'not-found', 'ref')
    const elsewhere = await makePractice(holdfast.crm)
    expectRefusal(
      await consumer.complete(elsewhere.resource, bookingOf(slot)),
      404,
      'not-found',
      'timeslot_uuid',
    )
  })

  it.each([...harmless, ...controls])('keeps hostile text as it is: %s', async (_, text) => {
    const room = await roomWith()
    const body = bookingOf(await first(room), {
      firstname: text,
      lastname: text,
      message: text,
      mobile: text.slice(0, 100),
    })
    const answer = await complete(room, body)
    expect(answer.status).toBe(201)
    const [participation] = (await appointments(room))[0]!.participations
    expect(participation).toMatchObject({ name: `${text.trim()} ${text.trim()}`, note: text })
    const [mail] = await mailsTo(holdfast, body.email)
    expect(mail!.html).not.toMatch(/<script|<img[^>]+onerror/)
  })

  it.each(unstorable)('refuses %s', async (_, text) => {
    for (const name of [
      'firstname',
      'lastname',
      'message',
      'mobile',
      'locale',
      'placeholder_id',
      'timeslot_uuid',
    ])
      expectRefusal(await complete(where, bookingOf(slot, { [name]: text })), 400, 'invalid-field', name)
  })

  it('none of these requests booked anything', async () => {
    expect(await appointments(where)).toEqual([])
  })
})

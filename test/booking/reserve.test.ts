import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Config } from '../../src/config.ts'
import {
  makeAppointment,
  makePractice,
  makeProduct,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
  setClock,
  setProduct,
  setProvider,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { harmless } from '../support/hostile.ts'
import { expectRefusal } from '../support/refusals.ts'
import { requires } from '../support/required.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService({ TRUST_PROXY: 'true' })
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

/** Changes settings until the test ends. The service reads them on each request. */
function withSettings(change: Partial<Config>) {
  const before = { ...holdfast.service.config }
  Object.assign(holdfast.service.config, change)
  onTestFinished(() => void Object.assign(holdfast.service.config, before))
}

const nowhere = '00000000-0000-4000-8000-000000000000'

/** A Resource with four slots: Monday from 08:00 to 10:00 in Berlin. */
async function roomWith(fields: Record<string, unknown> = {}, where?: Practice) {
  const place = where ?? (await makeRoom(holdfast.crm, practice))
  const timeslot = await makeTimeslot(holdfast.crm, place, { end: '2030-01-07T10:00', ...fields })
  return { ...place, timeslot: timeslot.uuid, timeslotReference: timeslot.reference }
}
type Room = Awaited<ReturnType<typeof roomWith>>

const slots = async (where: Practice) => slotsOf(await consumer.list(where.resource))
const first = async (where: Practice) => (await slots(where))[0]!
const starts = async (where: Practice) => (await slots(where)).map(slot => slot.start.slice(11, 16))

/** A snake_case body in true UTC; Berlin is an hour ahead in winter. */
const holdBody = (where: Room, from: string, to: string, fields: Record<string, unknown> = {}) => ({
  timeslot_uuid: where.timeslot,
  product_uuid: where.productUuid,
  from: `2030-01-07T${from}:00Z`,
  to: `2030-01-07T${to}:00Z`,
  ...fields,
})
const reserve = (where: Practice, body: unknown, query = {}) => consumer.reserve(where.resource, body, query)
const taken = (answer: Awaited<ReturnType<typeof reserve>>) => expectRefusal(answer, 412, '201')

async function countHolds(where: Practice): Promise<number> {
  const rows = await holdfast.query(
    `select count(*)::int as count from participation
     join appointment on appointment.id = appointment_id join resource on resource.id = resource_id
     where resource.uuid = $1 and participation.state = 'RESERVED'`,
    [where.resourceUuid],
  )
  return rows[0].count
}

describe('the answer', () => {
  it('describes the hold and the Appointment, without personal data', async () => {
    const where = await roomWith({ defaultCapacity: 3, address: 'Room 5' })
    const { status, body } = await reserve(where, holdOf(await first(where)))
    const uuid = expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      'api-info': { version: '1' },
      participation: {
        uuid,
        appointment_uuid: uuid,
        timeslot_uuid: where.timeslot,
        resource_uuid: where.resourceUuid,
        product_uuid: practice.productUuid,
        from: '2030-01-07T07:00:00Z',
        to: '2030-01-07T07:30:00Z',
        appointment_capacity: 3,
        appointment_capacity_left: 2,
        place_count: 1,
        customer_uuid: uuid,
        customer_mobile: null,
        customer_fullName: null,
        customer_email: null,
        customer_note: null,
        state: 'RESERVED',
        formatedAddress: expect.toSatisfy(value => value === null || typeof value === 'string'),
        messages: [],
        expiresAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/),
      },
      appointments: [
        {
          uuid: body.participation.appointment_uuid,
          kind: 'models.LotAppointment',
          product_id: practice.productUuid,
          product_name: 'Talk',
          resource_id: where.resourceUuid,
          from: '2030-01-07T07:00:00Z',
          to: '2030-01-07T07:30:00Z',
          state: 'ACTIVE',
          capacity: 3,
          capacity_left: 2,
          customers: [
            {
              customer_placeholder_id: body.participation.customer_uuid,
              customer_uuid: body.participation.customer_uuid,
              participationState: 'RESERVED',
              participation_id: body.participation.uuid,
            },
          ],
        },
      ],
    })
  })

  it('contains the address of the Timeslot, or else of the Resource', async () => {
    const address = { city: 'Bonn', zip: '53111', street: 'Markt', number: '1' }
    const resource = await makeRoom(holdfast.crm, practice, { address })
    const plain = await roomWith({}, resource)
    const own = await roomWith(
      { start: '2030-01-08T08:00', end: '2030-01-08T10:00', address: 'Video call' },
      resource,
    )
    const [one, two] = [await first(plain), (await slots(own)).at(-1)!]
    expect((await reserve(plain, holdOf(one))).body.participation.formatedAddress).toContain('Bonn')
    expect((await reserve(own, holdOf(two))).body.participation.formatedAddress).toBe('Video call')
  })

  it('is the same under both prefixes', async () => {
    const where = await roomWith()
    const old = asConsumer(overApp(holdfast.app), '/rest/1')
    expect((await old.reserve(where.resource, holdOf(await first(where)))).status).toBe(200)
    expect((await consumer.reserve(where.resource, holdOf(await first(where)))).status).toBe(200)
    expect(await starts(where)).toEqual(['09:00', '09:30'])
  })

  it('contains only the caller’s own placeholder, because it gives access to the hold', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    const one = await reserve(where, holdOf(await first(where)))
    const two = await reserve(where, holdOf(await first(where)))
    expect(two.body.participation.appointment_uuid).toBe(one.body.participation.appointment_uuid)
    expect(two.body.appointments[0].customers).toHaveLength(1)
    expect(two.text).not.toContain(one.body.participation.customer_uuid)
    expect(two.text).not.toContain(one.body.participation.uuid)
  })
})

describe('a hold', () => {
  it('lasts HOLD_SECONDS and returns its expiry', async () => {
    withSettings({ holdSeconds: 600 })
    const where = await roomWith()
    setClock(holdfast, '2029-06-01T12:00:00Z')
    const { body } = await reserve(where, holdOf(await first(where)))
    const seconds = (Date.parse(body.participation.expiresAt) - Date.parse('2029-06-01T12:00:00Z')) / 1000
    expect(seconds).toBeGreaterThanOrEqual(600)
    expect(seconds).toBeLessThan(610)
    setClock(holdfast, '2029-06-01T12:09:55Z')
    expect(await starts(where)).toHaveLength(3)
    setClock(holdfast, '2029-06-01T12:10:15Z')
    expect(await starts(where)).toHaveLength(4)
  })

  it('lasts three minutes by default', async () => {
    const where = await roomWith()
    const { body } = await reserve(where, holdOf(await first(where)))
    const left = Date.parse(body.participation.expiresAt) - Date.now()
    expect(left).toBeGreaterThan(170_000)
    expect(left).toBeLessThanOrEqual(180_000)
  })

  it('blocks the slot for other clients while it lasts', async () => {
    const where = await roomWith()
    const slot = await first(where)
    expect((await reserve(where, holdOf(slot))).status).toBe(200)
    taken(await reserve(where, holdOf(slot)))
    taken(await consumer.complete(where.resource, bookingOf(slot)))
  })

  it('blocks nothing after it has expired, cleaned up or not', async () => {
    const where = await roomWith()
    const slot = await first(where)
    await reserve(where, holdOf(slot))
    holdfast.clock.shiftMs = 181_000
    expect((await reserve(where, holdOf(slot))).status).toBe(200)
    expect(await countHolds(where)).toBe(1)
  })

  it('takes one place of a group', async () => {
    const where = await roomWith({ defaultCapacity: 2 })
    await reserve(where, holdOf(await first(where)))
    expect(await first(where)).toMatchObject({ kind: 'models.LotAppointment', capacity_left: 1 })
    await reserve(where, holdOf(await first(where)))
    expect(await starts(where)).toEqual(['08:30', '09:00', '09:30'])
  })

  it('leaves nothing behind when it expires alone: the slot is a models.Bookable', async () => {
    const where = await roomWith({ defaultCapacity: 2 })
    await reserve(where, holdOf(await first(where)))
    holdfast.clock.shiftMs = 181_000
    expect(await first(where)).toMatchObject({ kind: 'models.Bookable', capacity_left: 2 })
    expect(
      (await holdfast.crm.get(`${practice.path}/appointments?resourceRef=${where.resource}`)).body,
    ).toEqual([])
  })

  it('expires by the database clock, not by the cleanup job', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { body } = await reserve(where, holdOf(slot))
    holdfast.clock.shiftMs = 181_000
    const other = await reserve(where, holdOf(slot))
    expect(other.body.participation.appointment_uuid).not.toBe(body.participation.appointment_uuid)
  })
})

describe('a second reserve with the first one’s placeholder', () => {
  const again = (body: Answer['body']) => ({ placeholder_id: body.participation.customer_uuid })

  it('replaces it', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const { body } = await reserve(where, holdOf(one!))
    const moved = await reserve(where, holdOf(two!, again(body)))
    expect(moved.status).toBe(200)
    expect(moved.body.participation.customer_uuid).not.toBe(body.participation.customer_uuid)
    expect(await starts(where)).toEqual(['08:00', '09:00', '09:30'])
    expect(await countHolds(where)).toBe(1)
  })

  it('may take the same slot, which its own hold does not block', async () => {
    const where = await roomWith()
    const slot = await first(where)
    const { body } = await reserve(where, holdOf(slot))
    expect((await reserve(where, holdOf(slot, again(body)))).status).toBe(200)
    expect(await countHolds(where)).toBe(1)
  })

  it('may take time that overlaps the first, buffers included', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProduct(holdfast, shop.productUuid, { leadTimeMinutes: 30, followUpTimeMinutes: 30 })
    const where = await roomWith({}, shop)
    const [one, two] = await slots(where)
    const { body } = await reserve(where, holdOf(one!))
    taken(await reserve(where, holdOf(two!)))
    expect((await reserve(where, holdOf(two!, again(body)))).status).toBe(200)
  })

  it('may be on another Resource', async () => {
    const here = await roomWith()
    const there = await roomWith()
    const { body } = await reserve(here, holdOf(await first(here)))
    expect((await reserve(there, holdOf(await first(there), again(body)))).status).toBe(200)
    expect([await countHolds(here), await countHolds(there)]).toEqual([0, 1])
  })

  it('keeps the first one when the second is refused', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    await reserve(where, holdOf(two!))
    const { body } = await reserve(where, holdOf(one!))
    taken(await reserve(where, holdOf(two!, again(body))))
    expect(await countHolds(where)).toBe(2)
    expect((await consumer.complete(where.resource, bookingOf(one!, again(body)))).status).toBe(201)
  })

  it('never touches a completed booking', async () => {
    const where = await roomWith()
    const [one, two] = await slots(where)
    const { body } = await reserve(where, holdOf(one!))
    await consumer.complete(where.resource, bookingOf(one!, again(body)))
    expect((await reserve(where, holdOf(two!, again(body)))).status).toBe(200)
    expect(await starts(where)).toEqual(['09:00', '09:30'])
  })

  it.each(['undefined', '', 'nonsense', nowhere])(
    'with the placeholder "%s" replaces nothing',
    async placeholder => {
      const where = await roomWith()
      const answer = await reserve(where, holdOf(await first(where), { placeholder_id: placeholder }))
      expect(answer.status).toBe(200)
    },
  )

  it('keeps the other participants of the group it leaves', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    const [one, two] = await slots(where)
    const mine = await reserve(where, holdOf(one!))
    await reserve(where, holdOf(await first(where)))
    await reserve(where, holdOf(two!, again(mine.body)))
    const list = await slots(where)
    expect(list.slice(0, 2).map(slot => [slot.kind, slot.capacity_left])).toEqual([
      ['models.LotAppointment', 2],
      ['models.LotAppointment', 2],
    ])
  })
})

describe('a hold with a placeholder chosen by the client', () => {
  const holdAs = (where: Room, name: string, fields: object = {}) =>
    reserve(where, holdBody(where, '07:00', '07:30', { new_placeholder_id: name, ...fields }))

  it('has that placeholder, and can be replaced or released with it even if the response was lost', async () => {
    const where = await roomWith()
    const name = randomUUID()
    expect((await holdAs(where, name)).body.participation.customer_uuid).toBe(name)
    const again = await holdAs(where, name, { placeholder_id: name })
    expect([again.status, again.body.participation.customer_uuid]).toEqual([200, name])
    expect(await countHolds(where)).toBe(1)
    expect(await starts(where)).toHaveLength(3)
    await consumer.release(where.resource, name)
    expect([await countHolds(where), (await starts(where)).length]).toEqual([0, 4])
  })

  it('can be booked with it once: a used placeholder is refused, and the booking stays', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    const name = randomUUID()
    await holdAs(where, name)
    const booked = await consumer.complete(
      where.resource,
      bookingOf(await first(where), { placeholder_id: name }),
    )
    expect(booked.status).toBe(201)
    expectRefusal(await holdAs(where, name), 412, '202')
    expectRefusal(await holdAs(where, name, { placeholder_id: name }), 412, '202')
    expect((await first(where)).capacity_left).toBe(2)
  })

  it('is granted once, even if requested twice at once', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    const name = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => holdAs(where, name, { placeholder_id: name })),
    )
    expect(answers.map(one => one.status)).toEqual(Array(5).fill(200))
    expect(await countHolds(where)).toBe(1)
  })

  it('is the same hold when the identical request is repeated', async () => {
    const where = await roomWith()
    const name = randomUUID()
    const answers = [await holdAs(where, name), await holdAs(where, name)]
    expect(answers.map(one => [one.status, one.body.participation.customer_uuid])).toEqual(
      Array(2).fill([200, name]),
    )
    expect([await countHolds(where), (await starts(where)).length]).toEqual([1, 3])
  })

  it('gets a generated placeholder if the given one is empty, and is refused if it is not a uuid', async () => {
    const where = await roomWith()
    const { body } = await holdAs(where, '')
    expect(body.participation.customer_uuid).toMatch(/^[0-9a-f-]{36}$/)
    for (const name of ['undefined', 'nonsense'])
      expectRefusal(await holdAs(where, name), 400, 'invalid-field', 'new_placeholder_id')
  })
})

describe('a hold with an Idempotency-Key', () => {
  const holdWith = (where: Room, key: string, from = '07:00', to = '07:30') =>
    consumer.send('POST', `/resources/${where.resource}/reserve_appointment`, holdBody(where, from, to), {
      headers: { 'idempotency-key': key },
    })

  it('is the same hold when the identical request is repeated', async () => {
    const where = await roomWith()
    const answers = [await holdWith(where, 'try 1'), await holdWith(where, 'try 1')]
    const names = answers.map(one => one.body.participation.customer_uuid)
    expect(names[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect([names[1], await countHolds(where)]).toEqual([names[0], 1])
  })

  it('is another one for another slot, or with another key', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    await holdWith(where, 'try 1')
    await holdWith(where, 'try 1', '07:30', '08:00')
    await holdWith(where, 'try 2')
    expect(await countHolds(where)).toBe(3)
  })
})

describe('joining a group', () => {
  it('by the Timeslot, when the slot has become an Appointment with places left: both share one Appointment', async () => {
    const where = await roomWith({ defaultCapacity: 2 })
    const slot = await first(where)
    const one = await reserve(where, holdOf(slot))
    const two = await reserve(where, holdOf(slot))
    expect(two.body.participation.appointment_uuid).toBe(one.body.participation.appointment_uuid)
    expect(two.body.participation.appointment_capacity_left).toBe(0)
    taken(await reserve(where, holdOf(slot)))
  })

  it('by its uuid: the Appointment’s own times apply', async () => {
    const where = await roomWith({ defaultCapacity: 2 })
    await reserve(where, holdOf(await first(where)))
    const slot = await first(where)
    const { status, body } = await reserve(where, {
      appointment_uuid: slot.appointment_uuid,
      product_uuid: slot.product_uuid,
      from: '2029-01-01T00:00:00Z',
      to: '2029-01-01T01:00:00Z',
    })
    expect([status, body.participation.from]).toEqual([200, '2030-01-07T07:00:00Z'])
  })

  it('made by the provider, by its uuid or by the Timeslot around it', async () => {
    const where = await roomWith()
    const made = await makeAppointment(holdfast.crm, where, {
      start: '2030-01-07T08:00',
      end: '2030-01-07T08:30',
      acceptBookings: true,
      productName: 'Tasting',
    })
    const slot = await first(where)
    const byUuid = await reserve(where, holdOf(slot, { timeslot_uuid: undefined }))
    const byTimeslot = await reserve(where, holdOf(slot, { appointment_uuid: undefined }))
    for (const { status, body } of [byUuid, byTimeslot]) {
      expect([status, body.participation.appointment_uuid]).toEqual([200, made.uuid])
      expect(body.participation.timeslot_uuid).toBe(where.timeslot)
      expect(body.appointments[0].product_name).toBe('Tasting')
    }
    expect(byTimeslot.body.participation.appointment_capacity_left).toBe(8)
  })

  it('outside any Timeslot: timeslot_uuid is the Appointment’s own uuid, never null', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const made = await makeAppointment(holdfast.crm, where, { acceptBookings: true })
    const { body } = await reserve(where, holdOf(await first(where)))
    expect(body.participation.timeslot_uuid).toBe(made.uuid)
  })

  it('of another Product is not possible', async () => {
    const shop = await makePractice(holdfast.crm)
    const other = await makeProduct(holdfast.crm, shop)
    const where = await roomWith({ defaultCapacity: 2 }, shop)
    const slot = await first(where)
    await reserve(where, holdOf(slot))
    taken(await reserve(where, holdOf(slot, { product_uuid: other.uuid })))
    taken(await reserve(where, holdOf(await first(where), { product_uuid: other.uuid })))
  })

  it.each([
    [
      'gone',
      async (where: Room, body: Answer['body']) =>
        consumer.release(where.resource, body.participation.customer_uuid),
    ],
    [
      'cancelled',
      async (where: Room, body: Answer['body']) => {
        await consumer.complete(where.resource, {
          ...bookingOf(await first(where)),
          placeholder_id: body.participation.customer_uuid,
        })
        const reference = (
          await holdfast.crm.get(`${practice.path}/appointments?resourceRef=${where.resource}`)
        ).body[0].reference
        await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: reference })
      },
    ],
  ])('that is %s is 412', async (_, end) => {
    const where = await roomWith({ defaultCapacity: 2 })
    const { body } = await reserve(where, holdOf(await first(where)))
    const slot = await first(where)
    await end(where, body)
    taken(await reserve(where, holdOf(slot)))
    taken(await consumer.complete(where.resource, bookingOf(slot)))
  })

  it('that never existed is 412, by uuid or by any text', async () => {
    const where = await roomWith()
    const slot = await first(where)
    for (const appointment_uuid of [nowhere, 'nonsense'])
      taken(await reserve(where, holdOf(slot, { appointment_uuid })))
  })

  it('that does not accept bookings is 412', async () => {
    const where = await roomWith()
    const made = await makeAppointment(holdfast.crm, where, {})
    taken(await reserve(where, holdBody(where, '09:00', '09:30', { appointment_uuid: made.uuid })))
  })
})

describe('times', () => {
  it('a start off the raster is 412', async () => {
    const where = await roomWith()
    for (const [from, to] of [
      ['07:05', '07:35'],
      ['06:30', '07:00'],
      ['09:00', '09:30'],
      ['10:00', '10:30'],
    ])
      taken(await reserve(where, holdBody(where, from!, to!)))
    taken(await reserve(where, { ...holdBody(where, '07:00', '07:30'), from: '2030-01-07T07:00:01Z' }))
    taken(
      await reserve(where, {
        ...holdBody(where, '07:00', '07:30'),
        from: '2031-01-07T07:00:00Z',
        to: '2031-01-07T07:30:00Z',
      }),
    )
  })

  it('an end outside the Timeslot is 412', async () => {
    const where = await roomWith()
    taken(await reserve(where, holdBody(where, '08:30', '09:30')))
    const short = await roomWith({ end: '2030-01-07T09:20' })
    taken(await reserve(short, holdBody(short, '08:00', '08:20')))
    taken(await reserve(short, holdBody(short, '08:00', '08:30')))
  })

  // raster 30; min, max; length in minutes; is it granted?
  it.each<[number | null, number | null, number, boolean]>([
    [null, null, 30, true],
    [null, null, 60, true],
    [null, null, 120, true],
    [null, null, 20, false],
    [null, null, 45, false],
    [45, null, 30, false],
    [45, null, 45, true],
    [45, null, 60, true],
    [45, null, 50, false],
    [45, null, 90, true],
    [30, 75, 30, true],
    [30, 75, 60, true],
    [30, 75, 75, true],
    [30, 75, 70, false],
    [30, 75, 90, false],
    [null, 60, 30, true],
    [null, 60, 60, true],
    [null, 60, 90, false],
    [60, 60, 60, true],
    [60, 60, 30, false],
    [10, null, 10, true],
    [10, null, 30, true],
  ])(
    'a Product of %s to %s minutes for %s minutes: %s',
    async (minDuration, maxDuration, minutes, granted) => {
      const shop = await makePractice(holdfast.crm)
      await setProduct(holdfast, shop.productUuid, { minDuration, maxDuration })
      const where = await roomWith({}, shop)
      const to = new Date(Date.parse('2030-01-07T07:00:00Z') + minutes * 60_000).toISOString()
      const answer = await reserve(where, { ...holdBody(where, '07:00', '07:30'), to })
      if (granted)
        expect([answer.status, Date.parse(answer.body.participation.to)]).toEqual([200, Date.parse(to)])
      else taken(answer)
    },
  )

  it('an end off the raster blocks up to the next raster line', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProduct(holdfast, shop.productUuid, { minDuration: 45 })
    const where = await roomWith({}, shop)
    await reserve(where, holdBody(where, '07:00', '07:45'))
    expect(await starts(where)).toEqual(['09:00'])
  })

  it('a slot that has started, is within the notice or beyond the horizon is 412', async () => {
    const where = await roomWith()
    await setChannel(holdfast, where.resourceUuid, { minimumNoticeMinutes: 60, horizonDays: 1 })
    taken(await reserve(where, holdBody(where, '07:00', '07:30')))
    setClock(holdfast, '2030-01-07T06:05:00Z')
    taken(await reserve(where, holdBody(where, '07:00', '07:30')))
    expect((await reserve(where, holdBody(where, '07:30', '08:00'))).status).toBe(200)
    setClock(holdfast, '2030-01-07T08:05:00Z')
    taken(await reserve(where, holdBody(where, '08:00', '08:30'), { channelKey: 'CALENDAR_PUBLIC' }))
  })

  it('a slot beside a booking needs room for both buffers', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProduct(holdfast, shop.productUuid, { leadTimeMinutes: 30, followUpTimeMinutes: 0 })
    const where = await roomWith({}, shop)
    await reserve(where, holdBody(where, '08:00', '08:30'))
    taken(await reserve(where, holdBody(where, '07:30', '08:00')))
    expect((await reserve(where, holdBody(where, '07:00', '07:30'))).status).toBe(200)
    taken(await reserve(where, holdBody(where, '08:30', '09:00')))
  })
})

describe('availability', () => {
  it('an archived Resource, a closed Timeslot or one without places: 412', async () => {
    const archived = await roomWith()
    await holdfast.crm.post(`${practice.path}/resources/${encodeURIComponent(archived.resource)}`, {
      archived: true,
    })
    taken(await reserve(archived, holdBody(archived, '07:00', '07:30')))
    for (const fields of [{ state: 'CREATED' }, { defaultAcceptBookings: false }, { defaultCapacity: 0 }]) {
      const where = await roomWith(fields)
      taken(await reserve(where, holdBody(where, '07:00', '07:30')))
    }
  })

  it('a hidden channel: 403', async () => {
    const where = await roomWith()
    await setChannel(holdfast, where.resourceUuid, { visible: false })
    expectRefusal(await reserve(where, holdBody(where, '07:00', '07:30')), 403, 'channel-hidden')
    const open = await reserve(where, holdBody(where, '07:00', '07:30'), { channelKey: 'CALENDAR_PUBLIC' })
    expect(open.status).toBe(200)
  })

  it('a Product that the channel or the Resource does not offer: 412', async () => {
    const shop = await makePractice(holdfast.crm)
    const other = await makeProduct(holdfast.crm, shop)
    const linked = await roomWith({}, await makeRoom(holdfast.crm, shop, { products: [shop.product] }))
    taken(await reserve(linked, holdBody(linked, '07:00', '07:30', { product_uuid: other.uuid })))
    const where = await roomWith({}, shop)
    await setChannel(holdfast, where.resourceUuid, { products: [other.uuid] })
    taken(await reserve(where, holdBody(where, '07:00', '07:30')))
    const sold = await reserve(
      where,
      holdBody(where, '07:00', '07:30', { product_uuid: other.uuid.toUpperCase() }),
    )
    expect([sold.status, sold.body.participation.product_uuid]).toEqual([200, other.uuid])
  })

  it('a channel in the path or in the query sets its key', async () => {
    const where = await roomWith()
    const hidden = await setChannel(holdfast, where.resourceUuid, { visible: false })
    const { body: channel } = await consoleCall(
      holdfast.app,
      'GET',
      `/resources/${where.resourceUuid}/channels/CALENDAR_PUBLIC`,
    )
    const body = holdBody(where, '07:00', '07:30')
    expectRefusal(
      await consumer.reserve(hidden.uuid, body, { channelKey: 'CALENDAR_PUBLIC' }),
      403,
      'channel-hidden',
    )
    expectRefusal(
      await reserve(where, body, { ref: hidden.uuid, channelKey: 'CALENDAR_PUBLIC' }),
      403,
      'channel-hidden',
    )
    expect((await consumer.reserve(channel.uuid, body)).status).toBe(200)
    expect((await reserve(where, holdBody(where, '07:30', '08:00'), { ref: channel.uuid })).status).toBe(200)
    expectRefusal(await reserve(where, body, { ref: 'nobody@plat' }), 404, 'not-found', 'ref')
  })

  it.each(['undefined', 'null', ''])('channelKey=%s means the default', async channelKey => {
    const where = await roomWith()
    expect(
      (await reserve(where, holdBody(where, '07:00', '07:30'), { channelKey, ref: channelKey })).status,
    ).toBe(200)
  })

  it('an unknown channelKey: 400', async () => {
    const where = await roomWith()
    const answer = await reserve(where, holdBody(where, '07:00', '07:30'), { channelKey: 'x' })
    expectRefusal(answer, 400, 'invalid-field', 'channelKey')
  })

  it('a slot may be requested through another Resource of the same Provider, as in "all resources" mode', async () => {
    const here = await roomWith()
    const there = await roomWith()
    const answer = await reserve(here, holdOf(await first(there)))
    expect([answer.status, answer.body.participation.resource_uuid]).toEqual([200, there.resourceUuid])
  })
})

describe('the wall-clock quirk', () => {
  const inZone = async (timeZone: string, date: string, fields: Record<string, unknown> = {}) => {
    const shop = await makePractice(holdfast.crm)
    await setProvider(holdfast, shop.uuid, { timeZone })
    return roomWith({ start: `${date}T08:00`, end: `${date}T18:00`, ...fields }, shop)
  }
  const camel = (where: Room, from: string, to: string) => ({
    timeslotUuid: where.timeslot,
    productUuid: where.productUuid,
    from,
    to,
  })

  it.each([
    ['Europe/Berlin', '2030-01-07', '2030-01-07T09:00:00Z'],
    ['Europe/Berlin', '2030-07-08', '2030-07-08T08:00:00Z'],
    ['America/New_York', '2030-01-07', '2030-01-07T15:00:00Z'],
    ['America/New_York', '2030-07-08', '2030-07-08T14:00:00Z'],
    ['Asia/Kolkata', '2030-01-07', '2030-01-07T04:30:00Z'],
  ])('camelCase: a visitor in %s who sees 10:00 on %s sends T10:00:00Z', async (zone, date, instant) => {
    const where = await inZone(zone, date)
    const { status, body } = await reserve(where, camel(where, `${date}T10:00:00Z`, `${date}T10:30:00Z`))
    expect([status, body.participation?.from]).toEqual([200, instant])
  })

  it.each(['.000Z', '', '+00:00', '+05:00'])('camelCase: ignores the zone in the text: %s', async offset => {
    const where = await inZone('Europe/Berlin', '2030-01-07')
    const { body } = await reserve(
      where,
      camel(where, `2030-01-07T10:00:00${offset}`, `2030-01-07T10:30:00${offset}`),
    )
    expect(body.participation?.from).toBe('2030-01-07T09:00:00Z')
  })

  it('camelCase: read as true UTC if no slot of the Timeslot starts at that wall-clock time', async () => {
    const where = await inZone('Europe/Berlin', '2030-01-07', {
      start: '2030-01-07T08:00',
      end: '2030-01-07T10:00',
    })
    const { status, body } = await reserve(
      where,
      camel(where, '2030-01-07T07:00:00Z', '2030-01-07T07:30:00Z'),
    )
    expect([status, body.participation?.from]).toEqual([200, '2030-01-07T07:00:00Z'])
  })

  it('camelCase: a taken wall-clock time is refused, even if true UTC would be free', async () => {
    const where = await inZone('Europe/Berlin', '2030-01-07')
    const body = camel(where, '2030-01-07T10:00:00Z', '2030-01-07T10:30:00Z')
    expect((await reserve(where, body)).status).toBe(200)
    taken(await reserve(where, body))
  })

  it('snake_case is true UTC, as the specification says', async () => {
    const where = await inZone('Europe/Berlin', '2030-01-07')
    const body = { timeslot_uuid: where.timeslot, product_uuid: where.productUuid }
    const times = { from: '2030-01-07T10:00:00Z', to: '2030-01-07T10:30:00Z' }
    expect((await reserve(where, { ...body, ...times })).body.participation.from).toBe('2030-01-07T10:00:00Z')
  })

  it('snake_case may have an offset; without one it is local time', async () => {
    const where = await inZone('Europe/Berlin', '2030-01-07')
    const body = { timeslot_uuid: where.timeslot, product_uuid: where.productUuid }
    const offset = { from: '2030-01-07T10:00:00+01:00', to: '2030-01-07T10:30+0100' }
    const local = { from: '2030-01-07T11:00', to: '2030-01-07T11:30' }
    expect((await reserve(where, { ...body, ...offset })).body.participation.from).toBe(
      '2030-01-07T09:00:00Z',
    )
    expect((await reserve(where, { ...body, ...local })).body.participation.from).toBe('2030-01-07T10:00:00Z')
  })

  it('camelCase: with an Appointment uuid, the Appointment’s own times apply', async () => {
    const where = await inZone('Europe/Berlin', '2030-01-07', { defaultCapacity: 2 })
    const one = await reserve(where, camel(where, '2030-01-07T10:00:00Z', '2030-01-07T10:30:00Z'))
    const two = await reserve(where, {
      ...camel(where, '2030-01-07T17:00:00Z', '2030-01-07T17:30:00Z'),
      appointmentUuid: one.body.participation.appointment_uuid,
    })
    expect([two.status, two.body.participation?.from]).toEqual([200, '2030-01-07T09:00:00Z'])
  })

  it('camelCase: an empty appointmentUuid means none', async () => {
    const where = await inZone('Europe/Berlin', '2030-01-07')
    for (const [appointmentUuid, hour] of [
      [null, '10'],
      ['', '11'],
    ] as const) {
      const body = camel(where, `2030-01-07T${hour}:00:00Z`, `2030-01-07T${hour}:30:00Z`)
      expect((await reserve(where, { ...body, appointmentUuid })).status).toBe(200)
    }
  })

  it('camelCase: every slot on both clock-change days can be reserved as shown', async () => {
    for (const [zone, start, end] of [
      ['Europe/Berlin', '2030-03-31T01:00', '2030-03-31T05:00'],
      ['Europe/Berlin', '2030-10-27T01:00', '2030-10-27T04:00'],
      ['America/New_York', '2030-11-03T00:00', '2030-11-03T03:00'],
      ['Australia/Lord_Howe', '2030-04-07T01:00', '2030-04-07T03:00'],
    ])
      for (const raster of [30, 60]) {
        const shop = await makePractice(holdfast.crm)
        await setProvider(holdfast, shop.uuid, { timeZone: zone })
        const where = await roomWith({ start, end, raster }, shop)
        const listed = await slots(where)
        for (const slot of listed) {
          const wall = (text: string) => `${text.slice(0, 19)}Z`
          const answer = await reserve(where, camel(where, wall(slot.start), wall(slot.end)))
          expect([zone, slot.start, answer.status]).toEqual([zone, slot.start, 200])
        }
        expect(await slots(where)).toEqual([])
      }
  })
})

describe('bad input', () => {
  let where: Room
  beforeAll(async () => {
    where = await roomWith()
  })

  requires(
    { from: 'text', to: 'text' },
    () => holdBody(where, '07:00', '07:30'),
    body => reserve(where, body),
  )

  it.each(['product_uuid', 'productUuid'])(
    'needs a Product: %s null, empty or missing is 400',
    async name => {
      for (const value of [null, '', undefined]) {
        const body = { ...holdBody(where, '07:00', '07:30'), product_uuid: undefined, [name]: value }
        expectRefusal(await reserve(where, body), 400, 'missing-field', 'product_uuid')
      }
    },
  )

  it('needs a Timeslot or an Appointment', async () => {
    for (const timeslot_uuid of [null, '', undefined])
      expectRefusal(
        await reserve(where, { ...holdBody(where, '07:00', '07:30'), timeslot_uuid }),
        400,
        'missing-field',
        'timeslot_uuid',
      )
  })

  it.each(['timeslot_uuid', 'timeslotUuid', 'appointment_uuid', 'product_uuid', 'placeholder_id'])(
    'accepts only text for %s: anything else is 400',
    async name => {
      for (const value of [7, true, {}, []])
        expectRefusal(
          await reserve(where, { ...holdBody(where, '07:00', '07:30'), [name]: value }),
          400,
          'invalid-field',
          name,
        )
    },
  )

  it.each([
    'yesterday',
    '2030-01-07',
    '10:00',
    '2030-02-30T10:00:00Z',
    '2030-01-07T24:30:00Z',
    '1893996000000',
    '2030-01-07T10:00:00+99:00',
  ])('refuses the time %s, and names the field', async text => {
    for (const name of ['from', 'to'])
      expectRefusal(
        await reserve(where, { ...holdBody(where, '07:00', '07:30'), [name]: text }),
        400,
        'invalid-field',
        name,
      )
  })

  it('refuses a to that is not after from', async () => {
    expectRefusal(await reserve(where, holdBody(where, '07:00', '07:00')), 400, 'invalid-field', 'to')
    expectRefusal(await reserve(where, holdBody(where, '07:30', '07:00')), 400, 'invalid-field', 'to')
    const camel = { timeslotUuid: where.timeslot, productUuid: where.productUuid }
    const times = { from: '2030-01-07T08:30:00Z', to: '2030-01-07T08:00:00Z' }
    expectRefusal(await reserve(where, { ...camel, ...times }), 400, 'invalid-field', 'to')
  })

  it('refuses a body that is not an object, not JSON or not of a JSON type', async () => {
    expectRefusal(await reserve(where, '{"from":'), 400, 'invalid-json')
    expectRefusal(await reserve(where, []), 400, 'missing-field', 'body')
    const url = `/resources/${where.resource}/reserve_appointment`
    expectRefusal(await consumer.send('POST', url), 400, 'missing-field', 'body')
    const headers = { 'content-type': 'text/plain' }
    expectRefusal(await consumer.send('POST', url, '{}', { headers }), 415, 'media-type')
  })

  it('unknown Timeslots, Products and refs are 404', async () => {
    for (const timeslot_uuid of [nowhere, 'nonsense'])
      expectRefusal(
        await reserve(where, holdBody(where, '07:00', '07:30', { timeslot_uuid })),
        404,
        'not-found',
        'timeslot_uuid',
      )
    const elsewhere = await makePractice(holdfast.crm)
    for (const product_uuid of [nowhere, 'nonsense', elsewhere.productUuid])
      expectRefusal(
        await reserve(where, holdBody(where, '07:00', '07:30', { product_uuid })),
        404,
        'not-found',
        'product_uuid',
      )
    for (const ref of ['nobody@plat', nowhere])
      expectRefusal(await consumer.reserve(ref, holdBody(where, '07:00', '07:30')), 404, 'not-found', 'ref')
    expectRefusal(
      await consumer.reserve(elsewhere.resource, holdBody(where, '07:00', '07:30')),
      404,
      'not-found',
      'timeslot_uuid',
    )
  })

  it.each(harmless)('hostile text in any field never ends in a 500: %s', async (_, text) => {
    for (const name of [
      'timeslot_uuid',
      'appointment_uuid',
      'product_uuid',
      'placeholder_id',
      'from',
      'to',
      'extra',
    ]) {
      const { status } = await reserve(where, { ...holdBody(where, '07:00', '07:30'), [name]: text })
      expect(status).toBeLessThan(500)
      await holdfast.query(`delete from participation where state = 'RESERVED'`)
      await holdfast.query(`delete from appointment where origin = 'consumer'`)
    }
  })

  it('accepts uuids in upper or lower case', async () => {
    const room = await roomWith({ defaultCapacity: 5 })
    const slot = await first(room)
    const upper = (fields: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(holdOf(slot, fields)).map(([name, value]) => [
          name,
          name.endsWith('uuid') ? String(value).toUpperCase() : value,
        ]),
      )
    const { status, body } = await reserve(room, upper({}))
    expect(status).toBe(200)
    const joined = await reserve(room, upper({ appointment_uuid: body.participation.appointment_uuid }))
    expect(joined.status).toBe(200)
  })
})

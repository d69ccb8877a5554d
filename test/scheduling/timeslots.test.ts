import pg from 'pg'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  asConsumerMade,
  makeAppointment,
  makeParticipation,
  makePractice,
  makeResource,
  makeTimeslot,
  timeslotBody,
  unique,
} from '../support/build.ts'
import { expectRefusal } from '../support/refusals.ts'
import { requires, withValue } from '../support/required.ts'
import { useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

type Body = Record<string, unknown>

const body = (fields: Body = {}) => timeslotBody(practice, fields)
const create = (...timeslots: unknown[]) => holdfast.crm.post(`${practice.path}/timeslots`, { timeslots })
const pathOf = (reference: string) => `${practice.path}/timeslots/${encodeURIComponent(reference)}`
const update = (reference: string, change: Body) => holdfast.crm.put(pathOf(reference), change)
const remove = (reference: string) => holdfast.crm.delete(pathOf(reference))

const listPath = (resource: string, from: string, to: string) =>
  `${practice.path}/resource/${encodeURIComponent(resource)}/timeslots?${new URLSearchParams({ from, to })}`
const list = (resource: string, from = '2000-01-01T00:00', to = '2100-01-01T00:00') =>
  holdfast.crm.get(listPath(resource, from, to))

/** A Resource without other changes. */
const freshResource = async () => (await makeResource(holdfast.crm, practice)).reference
const count = async (resource: string) => (await list(resource)).body.length

const address = { city: 'Wien', zip: '1010', street: 'Ring', number: '1' }

describe('Create Timeslots', () => {
  it('returns 201 with the whole record of each, times in UTC', async () => {
    const sent = body({ address: { ...address, country: 'AT' } })
    const { status, body: answer } = await create(sent)
    expect(status).toBe(201)
    expect(answer).toEqual({
      'api-info': { version: '1' },
      timeslots: [
        {
          ...sent,
          uuid: expect.stringMatching(
            /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
          ),
          start: '2030-01-07T07:00:00Z',
          end: '2030-01-07T17:00:00Z',
          address: { ...address, countryCode: 'AT' },
          appointments: [],
        },
      ],
    })
  })

  it('returns them in the order sent, whatever their times and references', async () => {
    const sent = ['2030-05-03', '2030-05-01', '2030-05-02'].map(day =>
      body({ reference: unique(day), start: `${day}T08:00`, end: `${day}T09:00` }),
    )
    const { body: answer } = await create(...sent)
    expect(answer.timeslots.map((one: Body) => one.reference)).toEqual(sent.map(one => one.reference))
  })

  it('generates a different reference for each if none is sent', async () => {
    const { status, body: answer } = await create(body({ reference: undefined }), body({ reference: null }))
    expect(status).toBe(201)
    const [first, second] = answer.timeslots.map((one: Body) => one.reference)
    expect(first).toMatch(/\S/)
    expect(second).toMatch(/\S/)
    expect(first).not.toBe(second)
  })

  it('has no address if none is sent', async () => {
    for (const none of [undefined, null])
      expect((await create(body({ address: none }))).body.timeslots[0].address).toBeNull()
  })

  it.each([
    ['an object with country', { ...address, country: 'CH' }, { ...address, countryCode: 'CH' }],
    ['an object with countryCode', { ...address, countryCode: 'CH' }, { ...address, countryCode: 'CH' }],
    ['an object without a country', address, { ...address, countryCode: 'DE' }],
    ['text', 'https://meet.example.org/x', 'https://meet.example.org/x'],
    ['text that looks like JSON null', 'null', 'null'],
    ['text that looks like a number', '17', '17'],
  ])('stores an address that is %s', async (_, sent, kept) => {
    const { body: answer } = await create(body({ address: sent }))
    expect(answer.timeslots[0].address).toEqual(kept)
  })

  it.each(['city', 'zip', 'street', 'number'])('refuses an address without %s', async part => {
    const { [part as 'city']: _, ...rest } = address
    expectRefusal(await create(body({ address: rest })), 400, 'missing-field', `timeslots[0].address.${part}`)
  })

  it.each([
    ['local time of the Provider', '2030-01-07T08:00', '2030-01-07T07:00:00Z'],
    ['local time in summer', '2030-01-06T08:00:30', '2030-01-06T07:00:30Z'],
    ['UTC', '2030-01-07T08:00Z', '2030-01-07T08:00:00Z'],
    ['an offset', '2030-01-07T08:00:00+05:30', '2030-01-07T02:30:00Z'],
    ['a negative offset', '2030-01-06T20:00:00-08:00', '2030-01-07T04:00:00Z'],
    ['milliseconds', '2030-01-07T08:00:00.250Z', '2030-01-07T08:00:00.250Z'],
  ])('reads a start in %s', async (_, start, utc) => {
    const { body: answer } = await create(body({ start }))
    expect(answer.timeslots[0].start).toBe(utc)
  })

  it.each([
    '2030-01-07',
    '08:00',
    'tomorrow',
    '2030-02-30T08:00',
    '2030-01-07T25:00',
    '2030-01-07 08:00',
    '0',
  ])('refuses %s for start and for end', async wrong => {
    expectRefusal(await create(body({ start: wrong })), 400, 'invalid-field', 'timeslots[0].start')
    expectRefusal(await create(body({ end: wrong })), 400, 'invalid-field', 'timeslots[0].end')
  })

  it.each([
    ['the last second', '9999-12-31T00:00Z', '9999-12-31T23:59:59Z', 201],
    ['beyond the last second', '9999-12-31T00:00Z', '9999-12-31T23:59-12:00', 400],
    ['the first minute', '1900-01-01T00:00+14:00', '1900-01-02T00:00Z', 201],
    ['before the first', '1899-12-31T23:59Z', '1900-01-02T00:00Z', 400],
    ['before computers', '1969-07-20T20:00Z', '1969-07-20T22:00Z', 201],
  ])('accepts the limits of the calendar: %s', async (_, start, end, expected) => {
    expect((await create(body({ start, end }))).status).toBe(expected)
    const from = expected === 201 ? start : '1900-01-01T00:00Z'
    expect((await list(practice.resource, from, '9999-12-31T23:59:59Z')).status).toBe(200)
  })
})

describe('the fields of a Timeslot', () => {
  const inBatch = (sent: unknown) => holdfast.crm.post(`${practice.path}/timeslots`, sent)
  requires(
    {
      'timeslots[0].resourceReference': 'text',
      'timeslots[0].raster': 'number',
      'timeslots[0].defaultCapacity': 'number',
      'timeslots[0].defaultAcceptBookings': 'boolean',
    },
    () => ({ timeslots: [body()] }),
    inBatch,
  )

  it.each(['end', 'state'])('needs %s', async field => {
    for (const none of [undefined, null, '', ' '])
      expectRefusal(
        await inBatch(withValue({ timeslots: [body()] }, `timeslots[0].${field}`, none)),
        400,
        field === 'state' && none !== undefined && none !== null ? expect.any(String) : 'missing-field',
        `timeslots[0].${field}`,
      )
  })

  it('names the invalid entry of the batch', async () => {
    expectRefusal(
      await create(body(), body(), body({ raster: null })),
      400,
      'missing-field',
      'timeslots[2].raster',
    )
  })

  it.each([
    ['no body', undefined],
    ['null', null],
    ['no object', { timeslots: {} }],
    ['nothing in it', { timeslots: [] }],
    ['something else in it', { timeslots: ['x'] }],
    ['null in it', { timeslots: [null] }],
  ])('refuses a batch with %s', async (_, sent) => {
    expect((await inBatch(sent)).status).toBe(400)
  })

  it.each([
    ['an unknown state', { state: 'OPEN' }, 'state'],
    ['a state in small letters', { state: 'bookable' }, 'state'],
    ['raster 0', { raster: 0 }, 'raster'],
    ['a negative raster', { raster: -30 }, 'raster'],
    ['half a minute', { raster: 7.5 }, 'raster'],
    ['raster 1441', { raster: 1441, end: '2030-01-20T08:00' }, 'raster'],
    ['a raster longer than the window', { raster: 601 }, 'raster'],
    ['an end before the start', { end: '2030-01-07T07:00' }, 'end'],
    ['an end at the start', { end: '2030-01-07T08:00' }, 'end'],
    ['a negative capacity', { defaultCapacity: -1 }, 'defaultCapacity'],
    ['capacity 100001', { defaultCapacity: 100_001 }, 'defaultCapacity'],
    ['half a place', { defaultCapacity: 1.5 }, 'defaultCapacity'],
    ['a window of more than 366 days', { end: '2031-01-08T08:01', raster: 1440 }, 'end'],
    ['more than 10,000 slots', { end: '2030-01-14T06:41', raster: 1 }, 'raster'],
    ['an address of another kind', { address: 5 }, 'address'],
  ])('refuses %s', async (_, wrong, field) => {
    expectRefusal(await create(body(wrong)), 400, 'invalid-field', `timeslots[0].${field}`)
  })

  it.each([
    ['raster 1440', { raster: 1440, end: '2030-01-08T08:00' }],
    ['raster 1', { raster: 1 }],
    ['a raster as long as the window', { raster: 600 }],
    ['a raster that leaves a rest', { raster: 7 }],
    ['capacity 0', { defaultCapacity: 0 }],
    ['capacity 100000', { defaultCapacity: 100_000 }],
    ['366 days', { end: '2031-01-08T08:00', raster: 1440 }],
    ['10,000 slots', { end: '2030-01-14T06:40', raster: 1 }],
    ['the state CREATED', { state: 'CREATED' }],
    ['a private Timeslot', { defaultAcceptBookings: false }],
  ])('accepts %s', async (_, fields) => {
    const { status, body: answer } = await create(body(fields))
    expect(status).toBe(201)
    expect(answer.timeslots[0]).toMatchObject({
      ...fields,
      ...('end' in fields ? { end: expect.any(String) } : {}),
    })
  })

  it('may overlap another Timeslot of the same Resource', async () => {
    const resourceReference = await freshResource()
    expect((await create(body({ resourceReference }), body({ resourceReference }))).status).toBe(201)
    expect(await count(resourceReference)).toBe(2)
  })
})

describe('a Timeslot without start', () => {
  // 2030-01-07T09:07:30 in Berlin.
  const now = Date.parse('2030-01-07T08:07:30Z')
  beforeEach(() => {
    holdfast.clock.shiftMs = now - Date.now()
  })

  it.each([
    [30, '2030-01-07T08:30:00Z'],
    [5, '2030-01-07T08:10:00Z'],
    [45, '2030-01-07T08:45:00Z'], // 9:45 is 13 times 45 minutes since midnight
    [7, '2030-01-07T08:13:00Z'], // 9:13 is 79 times 7 minutes
  ])('starts at the next multiple of the raster since local midnight: raster %s', async (raster, start) => {
    for (const none of [undefined, null]) {
      const { status, body: answer } = await create(body({ start: none, raster }))
      expect([status, answer.timeslots[0].start]).toEqual([201, start])
    }
  })

  it('is refused if nothing is left of the day it ends', async () => {
    expectRefusal(
      await create(body({ start: null, end: '2030-01-07T09:10' })),
      400,
      'invalid-field',
      'timeslots[0].end',
    )
  })

  it('returns 200 when repeated later, with the original start', async () => {
    const sent = body({ start: undefined })
    const first = await create(sent)
    holdfast.clock.shiftMs += 3 * 3_600_000
    const again = await create(sent)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
  })

  it('returns 200 even when repeated after its end', async () => {
    const sent = body({ start: undefined })
    const first = await create(sent)
    holdfast.clock.shiftMs += 48 * 3_600_000
    const again = await create(sent)
    expect([again.status, again.body]).toEqual([200, first.body])
  })

  it('returns 409 if other fields differ', async () => {
    const sent = body({ start: undefined })
    await create(sent)
    expectRefusal(await create({ ...sent, raster: 15 }), 409, 'reference-exists', 'timeslots[0].reference')
  })
})

describe('repeating Create Timeslots', () => {
  it('returns 200 with the existing one when the content is the same, however the times are written', async () => {
    const resourceReference = await freshResource()
    const sent = body({ resourceReference, address: { ...address, country: 'AT' } })
    const first = await create(sent)
    const again = await create({
      ...sent,
      start: '2030-01-07T07:00:00.000Z',
      end: '2030-01-07T19:00+02:00',
      address: { countryCode: 'AT', ...address },
    })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect(await count(resourceReference)).toBe(1)
  })

  it('returns 201 as soon as one of the batch is new', async () => {
    const [known, fresh] = [body(), body()]
    await create(known)
    const { status, body: answer } = await create(known, fresh)
    expect(status).toBe(201)
    expect(answer.timeslots.map((one: Body) => one.reference)).toEqual([known.reference, fresh.reference])
  })

  it.each([
    ['start', { start: '2030-01-07T08:30' }],
    ['end', { end: '2030-01-07T17:30' }],
    ['raster', { raster: 15 }],
    ['defaultCapacity', { defaultCapacity: 2 }],
    ['defaultAcceptBookings', { defaultAcceptBookings: false }],
    ['state', { state: 'CREATED' }],
    ['address', { address: 'Room 5' }],
  ])('returns 409 for another %s', async (_, other) => {
    const sent = body()
    await create(sent)
    expectRefusal(await create({ ...sent, ...other }), 409, 'reference-exists', 'timeslots[0].reference')
  })

  it('returns 409 if the reference belongs to another Resource', async () => {
    const sent = body()
    await create(sent)
    const resourceReference = await freshResource()
    expectRefusal(
      await create({ ...sent, resourceReference }),
      409,
      'reference-exists',
      'timeslots[0].reference',
    )
  })

  it('refuses the original content once the Timeslot was changed', async () => {
    const sent = body()
    await create(sent)
    await update(sent.reference, { raster: 60 })
    expectRefusal(await create(sent), 409, 'reference-exists', 'timeslots[0].reference')
    expect((await create({ ...sent, raster: 60 })).status).toBe(200)
  })
})

describe('all or nothing', () => {
  it.each([
    ['invalid', () => body({ raster: 601 }), 400],
    ['on an unknown Resource', () => body({ resourceReference: 'nobody@plat' }), 404],
    ['on a reference that is taken', async () => ({ ...(await taken()), raster: 15 }), 409],
  ])('creates nothing if one of the batch is %s', async (_, wrong, status) => {
    const resourceReference = await freshResource()
    const batch = [body({ resourceReference }), await wrong(), body({ resourceReference })]
    expect((await create(...batch)).status).toBe(status)
    expect(await count(resourceReference)).toBe(0)
  })

  async function taken() {
    const sent = body()
    await create(sent)
    return sent
  }

  it('names the unknown Resource', async () => {
    const answer = await create(body(), body({ resourceReference: 'nobody@plat' }))
    expectRefusal(answer, 404, 'not-found', 'timeslots[1].resourceReference')
  })

  it('spans several Resources', async () => {
    const [one, two] = [await freshResource(), await freshResource()]
    const { status } = await create(
      body({ resourceReference: two }),
      body({ resourceReference: one }),
      body({ resourceReference: two }),
    )
    expect([status, await count(one), await count(two)]).toEqual([201, 1, 2])
  })

  it('creates 1,000 in one request with one insert statement', async () => {
    const resourceReference = await freshResource()
    const start = Date.parse('2031-01-01T00:00Z')
    const sent = Array.from({ length: 1000 }, (_, index) =>
      body({
        resourceReference,
        start: new Date(start + index * 3_600_000).toISOString(),
        end: new Date(start + (index + 1) * 3_600_000).toISOString(),
      }),
    )
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const { status, body: answer } = await create(...sent)
    const texts = query.mock.calls.map(([first]) => (first as unknown as pg.QueryConfig).text)
    query.mockRestore()
    expect(status).toBe(201)
    expect(answer.timeslots.map((one: Body) => one.reference)).toEqual(sent.map(one => one.reference))
    expect(texts.filter(text => /insert into timeslot/.test(text))).toHaveLength(1)
    expect(texts.filter(text => /^\s*begin/.test(text))).toHaveLength(1)
    expect(texts.length).toBeLessThan(12)
    expect(await count(resourceReference)).toBe(1000)
  })
})

describe('Get Timeslots', () => {
  it('returns what overlaps [from, to), ordered by start', async () => {
    const resourceReference = await freshResource()
    const hours = [
      ['12:00', '13:00'],
      ['09:00', '10:00'],
      ['10:00', '11:00'],
      ['08:00', '12:30'],
      ['11:00', '12:00'],
    ]
    for (const [start, end] of hours)
      await makeTimeslot(holdfast.crm, practice, {
        resourceReference,
        start: `2030-02-04T${start}Z`,
        end: `2030-02-04T${end}Z`,
      })
    const { status, body: slots } = await list(resourceReference, '2030-02-04T10:00Z', '2030-02-04T12:00Z')
    expect(status).toBe(200)
    expect(slots.map((one: Body) => [one.start, one.end])).toEqual([
      ['2030-02-04T08:00:00Z', '2030-02-04T12:30:00Z'],
      ['2030-02-04T10:00:00Z', '2030-02-04T11:00:00Z'],
      ['2030-02-04T11:00:00Z', '2030-02-04T12:00:00Z'],
    ])
  })

  it('returns nothing for an empty period', async () => {
    const resourceReference = await freshResource()
    await makeTimeslot(holdfast.crm, practice, { resourceReference })
    const noon = '2030-01-07T12:00'
    expect((await list(resourceReference, noon, noon)).body).toEqual([])
    expect((await list(resourceReference, noon, '2030-01-07T12:01')).body).toHaveLength(1)
  })

  it("reads bounds without an offset as the Provider's local time", async () => {
    const resourceReference = await freshResource()
    await makeTimeslot(holdfast.crm, practice, { resourceReference })
    const found = async (from: string, to: string) => (await list(resourceReference, from, to)).body.length
    expect(await found('2030-01-07T17:59', '2030-01-07T19:00')).toBe(1)
    expect(await found('2030-01-07T18:00', '2030-01-07T19:00')).toBe(0)
    expect(await found('2030-01-07T07:00', '2030-01-07T08:00')).toBe(0)
    expect(await found('2030-01-07T07:00', '2030-01-07T08:01')).toBe(1)
  })

  it.each([
    ['from', { to: '2030-01-01T00:00' }],
    ['to', { from: '2030-01-01T00:00' }],
    ['from', { from: 'undefined', to: '2030-01-01T00:00' }],
    ['to', { from: '2030-01-01T00:00', to: '' }],
  ])('requires %s', async (field, query) => {
    const path = `${practice.path}/resource/${encodeURIComponent(practice.resource)}/timeslots`
    const answer = await holdfast.crm.get(`${path}?${new URLSearchParams(query as Record<string, string>)}`)
    expectRefusal(answer, 400, 'missing-field', field)
  })

  it.each(['from', 'to'])('refuses a %s that is no date-time', async field => {
    const query = { from: '2030-01-01T00:00', to: '2030-01-02T00:00', [field]: '2030-01-01' }
    const answer = await holdfast.crm.get(listPath(practice.resource, query.from!, query.to!))
    expectRefusal(answer, 400, 'invalid-field', field)
  })

  it('includes the Appointments in it, with their Participations', async () => {
    const resourceReference = await freshResource()
    const slot = await makeTimeslot(holdfast.crm, practice, { resourceReference })
    const inside = await makeAppointment(holdfast.crm, practice, { resourceReference })
    await makeAppointment(holdfast.crm, practice, {
      resourceReference,
      start: '2030-01-07T17:45',
      end: '2030-01-07T18:15',
    })
    await makeAppointment(holdfast.crm, practice)
    const { reference, email } = await makeParticipation(holdfast.crm, practice, inside.reference, 'BOOKED')
    const { body: slots } = await list(resourceReference)
    const appointments = await holdfast.crm.get(
      `${practice.path}/appointments?resourceRef=${encodeURIComponent(resourceReference)}`,
    )
    const record = appointments.body.find((one: Body) => one.reference === inside.reference)
    expect(slots).toEqual([{ ...slot, appointments: [record] }])
    expect(record.participations).toMatchObject([{ reference, email, state: 'BOOKED' }])
  })

  it('includes an Appointment in both of two overlapping Timeslots, and cancelled ones', async () => {
    const resourceReference = await freshResource()
    for (const raster of [30, 15]) await makeTimeslot(holdfast.crm, practice, { resourceReference, raster })
    const { reference } = await makeAppointment(holdfast.crm, practice, { resourceReference })
    await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: reference })
    const { body: slots } = await list(resourceReference)
    expect(slots.map((one: { appointments: Body[] }) => one.appointments.map(({ state }) => state))).toEqual([
      ['CANCELLED'],
      ['CANCELLED'],
    ])
  })

  it('leaves out deleted Appointments and those whose holds have all expired', async () => {
    const resourceReference = await freshResource()
    await makeTimeslot(holdfast.crm, practice, { resourceReference })
    const deleted = await makeAppointment(holdfast.crm, practice, { resourceReference })
    const held = await makeAppointment(holdfast.crm, practice, { resourceReference })
    await makeParticipation(holdfast.crm, practice, held.reference, 'RESERVED')
    await asConsumerMade(holdfast, held.uuid)
    await holdfast.crm.delete(`${practice.path}/appointments/withoutNotification`, {
      appointmentReference: deleted.reference,
    })
    const shown = async () =>
      (await list(resourceReference)).body[0].appointments.map((one: Body) => one.reference)
    expect(await shown()).toEqual([held.reference])
    holdfast.clock.shiftMs = 181_000
    expect(await shown()).toEqual([])
  })

  it('returns 404 for an unknown Resource', async () => {
    expectRefusal(await list('nobody@plat'), 404, 'not-found')
  })

  it('returns an empty array if there are none', async () => {
    expect(await list(await freshResource())).toMatchObject({ status: 200, body: [] })
  })
})

describe('Update Timeslot', () => {
  it.each([
    ['start', { start: '2030-01-07T09:00' }, { start: '2030-01-07T08:00:00Z' }],
    ['end', { end: '2030-01-07T19:00Z' }, { end: '2030-01-07T19:00:00Z' }],
    ['raster', { raster: 60 }, { raster: 60 }],
    ['defaultCapacity', { defaultCapacity: 0 }, { defaultCapacity: 0 }],
    ['defaultAcceptBookings', { defaultAcceptBookings: false }, { defaultAcceptBookings: false }],
    ['state', { state: 'CREATED' }, { state: 'CREATED' }],
    ['address', { address: 'Room 5' }, { address: 'Room 5' }],
    ['address to nothing', { address: null }, { address: null }],
    ['nothing', {}, {}],
  ])('changes %s and nothing else', async (_, change, changed) => {
    const before = (await create(body({ address: { ...address, country: 'AT' } }))).body.timeslots[0]
    const { status, body: answer } = await update(before.reference, change)
    expect(status).toBe(200)
    expect(answer).toEqual({ 'api-info': { version: '1' }, timeslot: { ...before, ...changed } })
    const { body: slots } = await list(practice.resource)
    expect(slots.find((one: Body) => one.reference === before.reference)).toEqual(answer.timeslot)
  })

  it('switches between both states', async () => {
    const { reference } = await makeTimeslot(holdfast.crm, practice)
    for (const state of ['CREATED', 'BOOKABLE', 'BOOKABLE', 'CREATED'])
      expect((await update(reference, { state })).body.timeslot.state).toBe(state)
  })

  it('changes neither reference nor Resource', async () => {
    const before = await makeTimeslot(holdfast.crm, practice)
    const { status, body: answer } = await update(before.reference, {
      reference: 'other@plat',
      resourceReference: 'other@plat',
    })
    expect([status, answer.timeslot]).toEqual([200, before])
  })

  it.each([
    ['start', null, 'missing-field'],
    ['end', null, 'missing-field'],
    ['raster', null, 'missing-field'],
    ['defaultCapacity', null, 'missing-field'],
    ['defaultAcceptBookings', null, 'missing-field'],
    ['state', null, 'missing-field'],
    ['start', 'x', 'invalid-field'],
    ['end', '2030-01-07T07:00', 'invalid-field'],
    ['raster', 0, 'invalid-field'],
    ['raster', 601, 'invalid-field'],
    ['raster', '30', 'invalid-field'],
    ['defaultCapacity', 100_001, 'invalid-field'],
    ['defaultAcceptBookings', 'true', 'invalid-field'],
    ['state', 'OPEN', 'invalid-field'],
  ])('refuses %s = %s', async (field, value, code) => {
    const before = await makeTimeslot(holdfast.crm, practice)
    expectRefusal(await update(before.reference, { [field]: value }), 400, code, field)
    expect((await update(before.reference, {})).body.timeslot).toEqual(before)
  })

  it('checks the new start against the old end', async () => {
    const { reference } = await makeTimeslot(holdfast.crm, practice)
    expectRefusal(await update(reference, { start: '2030-01-07T18:00' }), 400, 'invalid-field', 'end')
  })

  it.each([
    ['start', { start: '2030-01-07T10:01' }],
    ['end', { end: '2030-01-07T10:29' }],
    ['both', { start: '2030-01-08T08:00', end: '2030-01-08T18:00' }],
  ])('refuses to exclude an Appointment: %s', async (_, change) => {
    const resourceReference = await freshResource()
    const slot = await makeTimeslot(holdfast.crm, practice, { resourceReference })
    const { reference } = await makeAppointment(holdfast.crm, practice, { resourceReference })
    expectRefusal(await update(slot.reference, change), 409, 'active-appointment')
    expect((await list(resourceReference)).body[0]).toMatchObject({ start: slot.start, end: slot.end })

    await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: reference })
    expect((await update(slot.reference, change)).status).toBe(200)
  })

  it('may shrink to the times of its Appointment', async () => {
    const resourceReference = await freshResource()
    const slot = await makeTimeslot(holdfast.crm, practice, { resourceReference })
    await makeAppointment(holdfast.crm, practice, { resourceReference })
    const change = { start: '2030-01-07T10:00', end: '2030-01-07T10:30' }
    expect((await update(slot.reference, change)).status).toBe(200)
  })

  it('returns 404 for an unknown one', async () => {
    expectRefusal(await update('nobody@plat', {}), 404, 'not-found')
  })
})

describe('a Timeslot whose reference was reassigned while the lock was awaited', () => {
  it.each(['update', 'delete'])('to %s it takes the lock of where that one is', async verb => {
    const [here, there] = [
      await makeResource(holdfast.crm, practice),
      await makeResource(holdfast.crm, practice),
    ]
    const reference = unique('slot')
    await create(body({ reference, resourceReference: here.reference }))
    const revision = async () => {
      const query = 'select revision::int from resource where uuid = $1'
      return (await holdfast.query(query, [there.uuid]))[0].revision
    }
    const before = await revision()
    const { status } = await whileWaiting(
      holdfast,
      {
        async before(rival) {
          await rival.query('update resource set revision = revision + 1 where uuid = $1', [here.uuid])
          await rival.query(
            `update timeslot set resource_id = (select id from resource where uuid = $1), uuid = gen_random_uuid()
            where reference = $2`,
            [there.uuid, reference],
          )
        },
      },
      () => (verb === 'update' ? update(reference, { defaultCapacity: 3 }) : remove(reference)),
    )
    expect(status).toBe(verb === 'update' ? 200 : 204)
    expect(await revision()).toBe(before + 1)
  })
})

describe('Delete Timeslot', () => {
  it('returns 204 without a body, and it is gone', async () => {
    const resourceReference = await freshResource()
    const { reference } = await makeTimeslot(holdfast.crm, practice, { resourceReference })
    expect(await remove(reference)).toMatchObject({ status: 204, text: '' })
    expect(await count(resourceReference)).toBe(0)
    expectRefusal(await remove(reference), 404, 'not-found')
  })

  it('frees its reference', async () => {
    const sent = body({ resourceReference: await freshResource() })
    await create(sent)
    await remove(sent.reference)
    expect((await create({ ...sent, raster: 15 })).status).toBe(201)
  })

  it.each([
    ['cancelled', 'appointments'],
    ['deleted', 'appointments/withoutNotification'],
  ])('is refused until its Appointment is %s', async (_, path) => {
    const resourceReference = await freshResource()
    const slot = await makeTimeslot(holdfast.crm, practice, { resourceReference })
    const appointment = await makeAppointment(holdfast.crm, practice, { resourceReference })
    expectRefusal(await remove(slot.reference), 409, 'active-appointment')
    expect(await count(resourceReference)).toBe(1)
    await holdfast.crm.delete(`${practice.path}/${path}`, { appointmentReference: appointment.reference })
    expect((await remove(slot.reference)).status).toBe(204)
  })

  it('is refused for a past Appointment too', async () => {
    const resourceReference = await freshResource()
    const past = { resourceReference, start: '2020-01-06T08:00', end: '2020-01-06T18:00' }
    const slot = await makeTimeslot(holdfast.crm, practice, past)
    await makeAppointment(holdfast.crm, practice, { ...past, end: '2020-01-06T09:00' })
    expectRefusal(await remove(slot.reference), 409, 'active-appointment')
  })

  it('does not affect Appointments that only overlap it', async () => {
    const resourceReference = await freshResource()
    const slot = await makeTimeslot(holdfast.crm, practice, { resourceReference })
    await makeAppointment(holdfast.crm, practice, {
      resourceReference,
      start: '2030-01-07T17:45',
      end: '2030-01-07T18:15',
    })
    expect((await remove(slot.reference)).status).toBe(204)
  })

  it('keeps a cancelled Appointment booked in it', async () => {
    const resourceReference = await freshResource()
    const slot = await makeTimeslot(holdfast.crm, practice, { resourceReference })
    const { reference, uuid } = await makeAppointment(holdfast.crm, practice, { resourceReference })
    await holdfast.query(
      `update appointment set timeslot_id = (select id from timeslot where uuid = $1) where uuid = $2`,
      [slot.uuid, uuid],
    )
    await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: reference })
    expect((await remove(slot.reference)).status).toBe(204)
    const { body: appointments } = await holdfast.crm.get(
      `${practice.path}/appointments?resourceRef=${encodeURIComponent(resourceReference)}`,
    )
    expect(appointments).toMatchObject([{ reference, state: 'CANCELLED' }])
  })
})

describe('another Provider', () => {
  it('gets 404 everywhere, and can use the same reference', async () => {
    const stranger = await makePractice(holdfast.crm)
    const sent = body()
    await create(sent)
    const there = `${stranger.path}/timeslots/${encodeURIComponent(sent.reference)}`
    expectRefusal(await holdfast.crm.put(there, { raster: 15 }), 404, 'not-found')
    expectRefusal(await holdfast.crm.delete(there), 404, 'not-found')
    const foreignResource = await holdfast.crm.post(`${stranger.path}/timeslots`, { timeslots: [sent] })
    expectRefusal(foreignResource, 404, 'not-found', 'timeslots[0].resourceReference')
    const foreignList = await holdfast.crm.get(
      listPath(practice.resource, '2030-01-01T00:00', '2031-01-01T00:00').replace(
        practice.path,
        stranger.path,
      ),
    )
    expectRefusal(foreignList, 404, 'not-found')
    const own = { ...sent, resourceReference: stranger.resource, raster: 15 }
    expect((await holdfast.crm.post(`${stranger.path}/timeslots`, { timeslots: [own] })).status).toBe(201)
  })

  it('returns 404 for an unknown Provider, and for one of another CRM', async () => {
    for (const crm of [holdfast.crm, holdfast.otherCrm]) {
      const path = crm === holdfast.crm ? '/provider/unknown%40plat' : practice.path
      expectRefusal(await crm.post(`${path}/timeslots`, { timeslots: [body()] }), 404, 'not-found')
      expectRefusal(await crm.put(`${path}/timeslots/x`, {}), 404, 'not-found')
      expectRefusal(await crm.delete(`${path}/timeslots/x`), 404, 'not-found')
    }
  })
})

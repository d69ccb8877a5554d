import { beforeEach, describe, expect, it } from 'vitest'
import {
  appointmentBody,
  asConsumerMade,
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeProduct,
  makeProfile,
  makeResource,
  makeSeries,
  makeUser,
  setProduct,
  unique,
} from '../support/build.ts'
import { countMails, mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { allows, requires } from '../support/required.ts'
import { type Answer, useService } from '../support/service.ts'

const unset = {
  customerReference: null,
  attendance: null,
  messages: null,
  answers: {},
  answersMissing: false,
  places: 1,
  placeNames: [],
}

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

type Body = Record<string, Answer['body']>

const body = (fields: Body = {}) => appointmentBody(practice, fields)
const create = (sent: unknown) => holdfast.crm.post(`${practice.path}/appointments`, sent)
const list = async (query: Record<string, string> = {}, of = practice): Promise<Body[]> =>
  (await holdfast.crm.get(`${of.path}/appointments?${new URLSearchParams(query)}`)).body
const find = async (reference: string, query = {}) =>
  (await list(query)).find(one => one.reference === reference)
const cancel = (sent?: unknown, query = '') =>
  holdfast.crm.delete(`${practice.path}/appointments${query}`, sent)
const erase = (sent?: unknown, query = '') =>
  holdfast.crm.delete(`${practice.path}/appointments/withoutNotification${query}`, sent)
const freshResource = async (fields = {}) => (await makeResource(holdfast.crm, practice, fields)).reference

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const address = { city: 'Wien', zip: '1010', street: 'Ring', number: '1' }
const ann = (fields: Body = {}) => ({
  reference: unique('participation'),
  name: 'Ann Winter',
  email: 'ann@example.org',
  state: 'BOOKED',
  ...fields,
})

describe('Create Appointments, a single one', () => {
  it('returns 201 with the whole record, with null for unset fields', async () => {
    const sent = body()
    const { status, body: answer } = await create(sent)
    expect(status).toBe(201)
    expect(answer).toEqual({
      'api-info': { version: '1' },
      appointment: {
        uuid,
        reference: sent.reference,
        acceptBookings: false,
        address: null,
        archived: false,
        capacity: 0,
        contactReference: null,
        description: null,
        start: '2030-01-07T09:00:00Z',
        end: '2030-01-07T09:30:00Z',
        notes: null,
        participations: [],
        price: null,
        productReference: practice.product,
        resourceReference: practice.resource,
        seriesId: null,
        state: 'ACTIVE',
      },
    })
    expect(await find(sent.reference)).toEqual(answer.appointment)
  })

  it('stores everything that is sent', async () => {
    const contact = await makeUser(holdfast.crm)
    const participation = ann({ mobile: '+49 170 1', note: 'Ring twice' })
    const sent = body({
      capacity: 7,
      acceptBookings: true,
      contactReference: contact.reference,
      address: { ...address, country: 'AT' },
      participations: [participation],
      price: { value: 12.5, currency: 'CHF' },
      description: 'Bring tea',
      notes: 'VIP',
    })
    const { status, body: answer } = await create(sent)
    expect(status).toBe(201)
    expect(answer.appointment).toEqual({
      uuid,
      reference: sent.reference,
      acceptBookings: true,
      address: { ...address, countryCode: 'AT' },
      archived: false,
      capacity: 7,
      contactReference: contact.reference,
      description: 'Bring tea',
      start: '2030-01-07T09:00:00Z',
      end: '2030-01-07T09:30:00Z',
      notes: 'VIP',
      participations: [{ ...participation, ...unset }],
      price: { value: 12.5, currency: 'CHF' },
      productReference: practice.product,
      resourceReference: practice.resource,
      seriesId: null,
      state: 'ACTIVE',
    })
    expect(await find(sent.reference)).toEqual(answer.appointment)
  })

  it("defaults to the Resource's address, and keeps it when the Resource moves", async () => {
    const resourceReference = await freshResource({ address: { ...address, countryCode: 'CH' } })
    const sent = body({ resourceReference })
    const { body: answer } = await create(sent)
    expect(answer.appointment.address).toEqual({ ...address, countryCode: 'CH' })
    await holdfast.crm.post(`${practice.path}/resources/${encodeURIComponent(resourceReference)}`, {
      address: { ...address, city: 'Graz' },
    })
    expect((await find(sent.reference))!.address).toEqual({ ...address, countryCode: 'CH' })
  })

  it('accepts text as its address', async () => {
    const { body: answer } = await create(body({ address: 'https://meet.example.org/x' }))
    expect(answer.appointment.address).toBe('https://meet.example.org/x')
  })

  it.each([0, 0.01, 19.99, -5, 1_000_000, 1e-7])('keeps the price %s to the digit', async value => {
    const { body: answer } = await create(body({ price: { value, currency: 'EUR' } }))
    expect(answer.appointment.price).toEqual({ value, currency: 'EUR' })
  })

  it('uses productName for the Product in emails', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice, { productName: 'Grand Tour' })
    const { email } = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED')
    const [mail] = await mailsTo(holdfast, email)
    expect(mail!.text).toContain('Grand Tour')
    expect(mail!.text).not.toContain('Talk')
  })

  it('may overlap another Appointment of the same Resource', async () => {
    expect((await create(body())).status).toBe(201)
    expect((await create(body())).status).toBe(201)
  })

  requires({ resourceReference: 'text', productReference: 'text' }, () => body(), create)
  allows(
    {
      capacity: 'number',
      acceptBookings: 'boolean',
      productName: 'text',
      participations: 'array',
      price: 'object',
      description: 'text',
      notes: 'text',
    },
    () => body({ participations: [], price: { value: 1, currency: 'EUR' } }),
    sent => create({ ...sent, reference: unique('appointment') }),
  )

  it.each(['reference', 'start', 'end'])('needs %s', async field => {
    for (const none of [undefined, null])
      expectRefusal(await create(body({ [field]: none })), 400, 'missing-field', field)
    for (const empty of ['', '  '])
      expectRefusal(await create(body({ [field]: empty })), 400, expect.any(String), field)
  })

  it.each([
    ['a start that is no date-time', { start: '2030-01-07' }, 'start'],
    ['an end that is no date-time', { end: 'noon' }, 'end'],
    ['an end at the start', { end: '2030-01-07T10:00' }, 'end'],
    ['an end before the start', { end: '2030-01-07T09:00Z', start: '2030-01-07T09:00:00.001Z' }, 'end'],
    ['a negative capacity', { capacity: -1 }, 'capacity'],
    ['capacity 100001', { capacity: 100_001 }, 'capacity'],
    ['half a place', { capacity: 0.5 }, 'capacity'],
    ['dollars', { price: { value: 1, currency: 'USD' } }, 'price.currency'],
    ['a price that is text', { price: { value: '1', currency: 'EUR' } }, 'price.value'],
    ['an address of another kind', { address: 5 }, 'address'],
  ])('refuses %s', async (_, wrong, field) => {
    expectRefusal(await create(body(wrong)), 400, 'invalid-field', field)
  })

  it.each([
    ['price.value', { price: { currency: 'EUR' } }],
    ['price.currency', { price: { value: 1 } }],
    ['address.zip', { address: { ...address, zip: null } }],
  ])('refuses a missing %s', async (field, wrong) => {
    expectRefusal(await create(body(wrong)), 400, 'missing-field', field)
  })

  it.each([
    ['resourceReference', 'Resource'],
    ['productReference', 'Product'],
    ['contactReference', 'User'],
    ['contact', 'User'],
  ])('returns 404 for an unknown %s', async field => {
    expectRefusal(await create(body({ [field]: 'nobody@plat' })), 404, 'not-found', field)
  })

  it('accepts a contact with one of their own profiles', async () => {
    const { reference: contactReference } = await makeUser(holdfast.crm)
    const { reference: contactProfileReference } = await makeProfile(holdfast.crm, practice, contactReference)
    expect((await create(body({ contactReference, contactProfileReference }))).status).toBe(201)
    const other = await makeUser(holdfast.crm)
    const wrong = { contactReference: other.reference, contactProfileReference }
    expectRefusal(await create(body(wrong)), 400, 'invalid-field', 'contactProfileReference')
  })

  it('may end with the last possible second, even with a buffer after it', async () => {
    const buffered = await makePractice(holdfast.crm)
    await setProduct(holdfast, buffered.productUuid, { leadTimeMinutes: 60, followUpTimeMinutes: 60 })
    const sent = appointmentBody(buffered, { start: '9999-12-31T23:00:00Z', end: '9999-12-31T23:59:59Z' })
    expect((await holdfast.crm.post(`${buffered.path}/appointments`, sent)).status).toBe(201)
    expect((await list({}, buffered))[0]).toMatchObject({ start: sent.start, end: sent.end })
    const lists = await holdfast.app.inject(`/resources/${buffered.resource}/upcoming_bookables`)
    expect(lists.statusCode).toBeLessThan(300)
  })

  it('returns 404 for the Resource and the Product of another Provider, and for a deleted Resource', async () => {
    const stranger = await makePractice(holdfast.crm)
    const foreign = [{ resourceReference: stranger.resource }, { productReference: stranger.product }]
    for (const fields of foreign)
      expectRefusal(await create(body(fields)), 404, 'not-found', Object.keys(fields)[0])
    const resourceReference = await freshResource()
    await holdfast.crm.delete(`${practice.path}/resources/${encodeURIComponent(resourceReference)}`)
    expectRefusal(await create(body({ resourceReference })), 404, 'not-found', 'resourceReference')
  })
})

describe('an Appointment sent again', () => {
  it('returns 200 with the existing one when the content is the same', async () => {
    const sent = body({ address: { ...address, country: 'AT' }, participations: [ann()] })
    const first = await create(sent)
    const again = await create({
      ...Object.fromEntries(Object.entries(sent).reverse()),
      start: '2030-01-07T09:00:00.000Z',
      end: '2030-01-07T11:30+02:00',
      address: { countryCode: 'AT', ...address },
      capacity: 0,
      acceptBookings: false,
      notes: null,
      price: null,
    })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect((await list()).filter(one => one.reference === sent.reference)).toHaveLength(1)
  })

  it('treats missing participations as an empty list', async () => {
    const sent = body()
    await create(sent)
    expect((await create({ ...sent, participations: [] })).status).toBe(200)
  })

  it.each([
    ['start', { start: '2030-01-07T09:30' }],
    ['end', { end: '2030-01-07T11:00' }],
    ['capacity', { capacity: 1 }],
    ['acceptBookings', { acceptBookings: true }],
    ['productName', { productName: 'Other' }],
    ['address', { address: 'Room 5' }],
    ['price', { price: { value: 1, currency: 'EUR' } }],
    ['participations', { participations: [ann()] }],
    ['notes', { notes: 'x' }],
  ])('returns 409 when its %s differs', async (_, other) => {
    const sent = body()
    await create(sent)
    expectRefusal(await create({ ...sent, ...other }), 409, 'reference-exists', 'reference')
  })

  it('returns 409 for another Resource or Product', async () => {
    const sent = body()
    await create(sent)
    const { reference: productReference } = await makeProduct(holdfast.crm, practice)
    for (const other of [{ productReference }, { resourceReference: await freshResource() }])
      expectRefusal(await create({ ...sent, ...other }), 409, 'reference-exists', 'reference')
  })

  it('returns its current state: cancelled, or with more people', async () => {
    const sent = body()
    await create(sent)
    await makeParticipation(holdfast.crm, practice, sent.reference, 'BOOKED')
    await cancel({ appointmentReference: sent.reference })
    const again = await create(sent)
    expect(again).toMatchObject({ status: 200, body: { appointment: { state: 'CANCELLED' } } })
    expect(again.body.appointment.participations).toHaveLength(1)
  })

  it('creates a new one after the first was deleted', async () => {
    const sent = body()
    const first = await create(sent)
    await erase({ appointmentReference: sent.reference })
    const second = await create({ ...sent, capacity: 3 })
    expect(second.status).toBe(201)
    expect(second.body.appointment.uuid).not.toBe(first.body.appointment.uuid)
  })

  it('can have the same reference at another Provider', async () => {
    const stranger = await makePractice(holdfast.crm)
    const sent = body()
    await create(sent)
    const own = { ...sent, resourceReference: stranger.resource, productReference: stranger.product }
    expect((await holdfast.crm.post(`${stranger.path}/appointments`, own)).status).toBe(201)
  })
})

describe('participations given with an Appointment', () => {
  it('are stored unchanged, in order, beyond capacity, and cause no email', async () => {
    const before = await countMails(holdfast)
    const participations = ['RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED'].map(state =>
      ann({ state, email: 'ann@example.org', mobile: null, note: null }),
    )
    const { status, body: answer } = await create(body({ capacity: 1, participations }))
    expect(status).toBe(201)
    expect(answer.appointment.participations).toEqual(participations.map(one => ({ ...one, ...unset })))
    expect(await countMails(holdfast)).toBe(before)
  })

  it('disappear when they are RESERVED and the hold expires', async () => {
    const sent = body({ participations: [ann({ state: 'RESERVED' }), ann()] })
    await create(sent)
    expect((await find(sent.reference))!.participations).toHaveLength(2)
    holdfast.clock.shiftMs = 181_000
    expect((await find(sent.reference))!.participations).toMatchObject([{ state: 'BOOKED' }])
  })

  it.each(['reference', 'name', 'email', 'state'])('need %s', async field => {
    for (const none of [undefined, null])
      expectRefusal(
        await create(body({ participations: [ann(), ann({ [field]: none })] })),
        400,
        'missing-field',
        `participations[1].${field}`,
      )
  })

  it.each([
    ['state', 'CANCELLED'],
    ['email', 'no-at-sign'],
    ['note', 5],
    ['mobile', {}],
  ])('refuse %s = %s', async (field, value) => {
    const answer = await create(body({ participations: [ann({ [field]: value })] }))
    expectRefusal(answer, 400, 'invalid-field', `participations[0].${field}`)
  })

  it('refuse a reference that is taken, in the list or by another Appointment, and create nothing', async () => {
    const twice = ann()
    const sent = body({ participations: [twice, twice] })
    expectRefusal(await create(sent), 400, 'duplicate-reference', 'participations[1].reference')
    expect(await find(sent.reference)).toBeUndefined()

    const taken = ann()
    await create(body({ participations: [taken] }))
    const other = body({ participations: [ann(), taken] })
    expectRefusal(await create(other), 409, 'reference-exists', 'participations')
    expect(await find(other.reference)).toBeUndefined()
  })

  it('may take the reference of an expired hold', async () => {
    const held = ann({ state: 'RESERVED' })
    await create(body({ resourceReference: await freshResource(), participations: [held] }))
    expectRefusal(await create(body({ participations: [held] })), 409, 'reference-exists', 'participations')
    holdfast.clock.shiftMs = 181_000
    expect((await create(body({ participations: [held] }))).status).toBe(201)
  })

  it('can be moved like any other', async () => {
    const one = ann({ state: 'REQUESTED', email: 'inline@example.org' })
    await create(body({ participations: [one] }))
    const path = `${practice.path}/participations/${encodeURIComponent(one.reference)}`
    expect((await holdfast.crm.post(path, { state: 'BOOKED' })).status).toBe(200)
    expect(await mailKindsTo(holdfast, 'inline@example.org')).toEqual(['booked'])
  })
})

describe('Create Appointments, a series', () => {
  const week = ['1', '2', '3', '4', '5', '6', '7']
  const series = (data: Body, fields: Body = {}) => ({
    capacity: 3,
    acceptBookings: true,
    resourceReference: practice.resource,
    productReference: practice.product,
    ...fields,
    series_data: { raster: 60, ...data },
  })
  const times = ({ body: answer }: { body: Body }) =>
    answer.appointments.map((one: Body) => [one.start, one.end])

  it('returns 201 with the id of the series and every record', async () => {
    const sent = series({ from: '2030-01-07T09:00', to: '2030-01-07T11:00' }, { notes: 'n' })
    const { status, body: answer } = await create(sent)
    expect(status).toBe(201)
    expect(Object.keys(answer).toSorted()).toEqual(['api-info', 'appointments', 'seriesId'])
    expect(answer.seriesId).toEqual(uuid)
    expect(answer.appointments).toEqual(
      ['08', '09'].map(hour => ({
        uuid,
        reference: expect.stringMatching(/^[0-9a-f-]{36}@series$/),
        acceptBookings: true,
        address: null,
        archived: false,
        capacity: 3,
        contactReference: null,
        description: null,
        start: `2030-01-07T${hour}:00:00Z`,
        end: `2030-01-07T${hour === '08' ? '09' : '10'}:00:00Z`,
        notes: 'n',
        participations: [],
        price: null,
        productReference: practice.product,
        resourceReference: practice.resource,
        seriesId: answer.seriesId,
        state: 'ACTIVE',
      })),
    )
    const shown = await list()
    expect(shown.filter(one => one.seriesId === answer.seriesId)).toEqual(answer.appointments)
  })

  it('ignores reference, start and end', async () => {
    const reference = unique('ignored')
    const sent = series(
      { from: '2030-01-07T09:00', to: '2030-01-07T10:00' },
      { reference, start: 'x', end: 'y' },
    )
    const { body: answer } = await create(sent)
    expect(answer.appointments).toHaveLength(1)
    expect(answer.appointments[0].reference).not.toBe(reference)
  })

  it('requires from and to in series_data, which override those of the top level', async () => {
    const top = { from: '2030-01-07T09:00', to: '2030-01-07T10:00' }
    const { status, body } = await create(series({}, top))
    expect(status).toBe(400)
    expect(body.errors.map((one: Body) => [one.errorCode, one.field])).toEqual([
      ['missing-field', 'series_data.from'],
      ['missing-field', 'series_data.to'],
    ])
    const inner = { from: '2030-01-08T09:00', to: '2030-01-08T10:00' }
    expect(times(await create(series(inner, top)))).toEqual([
      ['2030-01-08T08:00:00Z', '2030-01-08T09:00:00Z'],
    ])
  })

  it.each(['', '..', 7, { a: 1 }, 'x'.repeat(300)])(
    'has no reference of its own: ignores %j',
    async reference => {
      const data = { from: '2030-01-07T09:00', to: '2030-01-07T10:00' }
      const { status, body: answer } = await create(series(data, { reference }))
      expect(status).toBe(201)
      expect(answer.appointments[0].reference).toMatch(/@series$/)
    },
  )

  it('uses each listed weekday from the first date to the last', async () => {
    const data = { from: '2030-01-07T09:00', to: '2030-01-16T10:00', weekdays: ['3', '1'] }
    const { body: answer } = await create(series(data))
    expect(answer.appointments.map((one: Body) => one.start)).toEqual([
      '2030-01-07T08:00:00Z',
      '2030-01-09T08:00:00Z',
      '2030-01-14T08:00:00Z',
      '2030-01-16T08:00:00Z',
    ])
  })

  it('drops a remainder shorter than the raster on each day', async () => {
    const data = { from: '2030-01-07T09:00', to: '2030-01-08T10:45', raster: 30, weekdays: week }
    expect(times(await create(series(data))).map(([start]: string[]) => start)).toEqual([
      '2030-01-07T08:00:00Z',
      '2030-01-07T08:30:00Z',
      '2030-01-07T09:00:00Z',
      '2030-01-08T08:00:00Z',
      '2030-01-08T08:30:00Z',
      '2030-01-08T09:00:00Z',
    ])
  })

  it('runs past midnight if the end of the day is not after its start', async () => {
    const data = { from: '2030-01-07T22:00', to: '2030-01-09T02:00', raster: 120, weekdays: week }
    expect(times(await create(series(data)))).toEqual([
      ['2030-01-07T21:00:00Z', '2030-01-07T23:00:00Z'],
      ['2030-01-07T23:00:00Z', '2030-01-08T01:00:00Z'],
      ['2030-01-08T21:00:00Z', '2030-01-08T23:00:00Z'],
      ['2030-01-08T23:00:00Z', '2030-01-09T01:00:00Z'],
    ])
  })

  it('can be a single night', async () => {
    const data = { from: '2030-01-07T22:00', to: '2030-01-08T02:00', raster: 240, weekdays: ['1'] }
    expect(times(await create(series(data)))).toEqual([['2030-01-07T21:00:00Z', '2030-01-08T01:00:00Z']])
  })

  it('requires no weekdays for one day', async () => {
    const data = { from: '2030-01-07T09:00', to: '2030-01-07T12:00' }
    expect((await create(series(data))).body.appointments).toHaveLength(3)
    expect((await create(series({ ...data, weekdays: null }))).body.appointments).toHaveLength(3)
  })

  it.each([
    ['weekdays for several days', { from: '2030-01-07T09:00', to: '2030-01-08T10:00' }, 'weekdays'],
    [
      'an empty list of weekdays',
      { from: '2030-01-07T09:00', to: '2030-01-08T10:00', weekdays: [] },
      'weekdays',
    ],
    [
      'a day that is none of the weekdays',
      { from: '2030-01-07T09:00', to: '2030-01-07T10:00', weekdays: ['2'] },
      'weekdays',
    ],
    ['a raster that fits the hours', { from: '2030-01-07T09:00', to: '2030-01-07T09:59' }, 'raster'],
    ['a from that is a date-time', { from: '2030-01-07', to: '2030-01-07T09:59' }, 'from'],
    ['a to that is a date-time', { from: '2030-01-07T09:00', to: 'x' }, 'to'],
    ['a to after from', { from: '2030-01-07T09:00', to: '2030-01-07T09:00' }, 'to'],
  ])('requires %s', async (_, data, field) => {
    expectRefusal(await create(series(data)), 400, 'invalid-field', `series_data.${field}`)
  })

  it.each([
    ['raster', { raster: 0 }],
    ['raster', { raster: 1441 }],
    ['raster', { raster: '60' }],
    ['weekdays[0]', { weekdays: ['0'] }],
    ['weekdays[1]', { weekdays: ['1', '8'] }],
    ['weekdays[0]', { weekdays: [1] }],
    ['weekdays', { weekdays: '1' }],
  ])('refuses an invalid %s: %s', async (field, data) => {
    const sent = series({ from: '2030-01-07T09:00', to: '2030-01-07T12:00', ...data })
    expectRefusal(await create(sent), 400, 'invalid-field', `series_data.${field}`)
  })

  it.each(['from', 'to', 'raster'])('refuses a missing %s', async field => {
    const data = { from: '2030-01-07T09:00', to: '2030-01-07T12:00', [field]: undefined }
    expectRefusal(await create(series(data)), 400, 'missing-field', `series_data.${field}`)
  })

  it('may have 5,000 Appointments but not more', async () => {
    const own = await makePractice(holdfast.crm)
    const send = (data: Body) =>
      holdfast.crm.post(`${own.path}/appointments`, {
        resourceReference: own.resource,
        productReference: own.product,
        series_data: data,
      })
    // 500 minutes on each of 10 days.
    const data = { from: '2030-01-07T00:00', to: '2030-01-16T08:20', raster: 1, weekdays: week }
    const { status, body: answer } = await send(data)
    expect([status, answer.appointments?.length]).toEqual([201, 5000])
    expectRefusal(await send({ ...data, to: '2030-01-16T08:21' }), 400, 'invalid-field', 'series_data')
    expect(await list({}, own)).toHaveLength(5000)
  })

  it('gives each Appointment its own Participations with their own references', async () => {
    const data = { from: '2030-01-07T09:00', to: '2030-01-07T11:00' }
    const participations = [ann(), ann({ reference: undefined, state: 'REQUESTED' })]
    const { status, body: answer } = await create(series(data, { participations }))
    expect(status).toBe(201)
    const all = answer.appointments.flatMap((one: Body) => one.participations)
    expect(all.map((one: Body) => one.state)).toEqual(['BOOKED', 'REQUESTED', 'BOOKED', 'REQUESTED'])
    expect(new Set(all.map((one: Body) => one.reference)).size).toBe(4)
  })

  it('may have 20,000 Participations in total but not more', async () => {
    const data = { from: '2030-01-07T00:00', to: '2030-01-16T08:20', raster: 1, weekdays: week }
    const participations = Array.from({ length: 5 }, () => ann({ reference: undefined }))
    expectRefusal(await create(series(data, { participations })), 400, 'invalid-field', 'participations')
  })

  it('is created completely or not at all', async () => {
    const before = (await list()).length
    const data = { from: '2030-01-07T09:00', to: '2030-01-07T11:00' }
    expectRefusal(
      await create(series(data, { productReference: 'nobody@plat' })),
      404,
      'not-found',
      'productReference',
    )
    expect(await list()).toHaveLength(before)
  })
})

describe('Get Appointments', () => {
  it('filters by Product, by Resource, and by both', async () => {
    const own = await makePractice(holdfast.crm)
    const resource = (await makeResource(holdfast.crm, own)).reference
    const product = (await makeProduct(holdfast.crm, own)).reference
    const made: Record<string, string> = {}
    for (const [name, fields] of Object.entries({
      plain: {},
      product: { productReference: product },
      resource: { resourceReference: resource },
      both: { productReference: product, resourceReference: resource },
    }))
      made[(await makeAppointment(holdfast.crm, own, fields)).reference] = name
    const names = async (query: Record<string, string>) =>
      (await list(query, own)).map(one => made[one.reference])
    expect(await names({})).toEqual(['plain', 'product', 'resource', 'both'])
    expect(await names({ productRef: product })).toEqual(['product', 'both'])
    expect(await names({ resourceRef: resource })).toEqual(['resource', 'both'])
    expect(await names({ productRef: product, resourceRef: resource })).toEqual(['both'])
    expect(await names({ productRef: 'nobody@plat' })).toEqual([])
    expect(await names({ resourceRef: 'nobody@plat' })).toEqual([])
    expect(await names({ productRef: 'undefined', resourceRef: '' })).toHaveLength(4)
  })

  it('sorts by start, then by creation', async () => {
    const own = await makePractice(holdfast.crm)
    const hours = ['12', '09', '11', '09', '10']
    const made: string[] = []
    for (const hour of hours)
      made.push(
        (
          await makeAppointment(holdfast.crm, own, {
            start: `2030-01-07T${hour}:00Z`,
            end: `2030-01-07T${hour}:30Z`,
          })
        ).reference,
      )
    expect((await list({}, own)).map(one => one.reference)).toEqual([1, 3, 4, 2, 0].map(index => made[index]))
  })

  it('returns what overlaps [from, to)', async () => {
    const own = await makePractice(holdfast.crm)
    await makeSeries(holdfast.crm, own, {
      series_data: { from: '2030-01-07T08:00Z', to: '2030-01-07T12:00Z' },
    })
    const starts = async (query: Record<string, string>) =>
      (await list(query, own)).map(one => one.start.slice(11, 13))
    expect(await starts({})).toEqual(['08', '09', '10', '11'])
    expect(await starts({ from: '2030-01-07T09:00Z' })).toEqual(['09', '10', '11'])
    expect(await starts({ from: '2030-01-07T08:59Z' })).toEqual(['08', '09', '10', '11'])
    expect(await starts({ to: '2030-01-07T10:00Z' })).toEqual(['08', '09'])
    expect(await starts({ to: '2030-01-07T10:01Z' })).toEqual(['08', '09', '10'])
    expect(await starts({ from: '2030-01-07T10:00', to: '2030-01-07T12:00' })).toEqual(['09', '10'])
    expect(await starts({ from: '2030-01-07T10:30Z', to: '2030-01-07T10:30Z' })).toEqual([])
    expect(await starts({ from: '2030-01-07T11:00+01:00', to: '2030-01-07T11:01+01:00' })).toEqual(['10'])
  })

  it.each(['from', 'to'])('refuses a %s that is no date-time', async field => {
    const answer = await holdfast.crm.get(`${practice.path}/appointments?${field}=monday`)
    expectRefusal(answer, 400, 'invalid-field', field)
  })

  it('leaves out archived ones by default', async () => {
    const own = await makePractice(holdfast.crm)
    const kept = await makeAppointment(holdfast.crm, own)
    const resource = (await makeResource(holdfast.crm, own)).reference
    const gone = await makeAppointment(holdfast.crm, own, { resourceReference: resource })
    await holdfast.crm.delete(
      `${own.path}/resources/${encodeURIComponent(resource)}?ignoreFutureAppointments`,
    )
    const references = async (query: Record<string, string>) =>
      (await list(query, own)).map(one => one.reference)
    expect(await references({})).toEqual([kept.reference])
    expect(await references({ includeArchived: 'false' })).toEqual([kept.reference])
    for (const yes of ['true', '1', ''])
      expect(await references({ includeArchived: yes })).toEqual([kept.reference, gone.reference])
    expectRefusal(
      await holdfast.crm.get(`${own.path}/appointments?includeArchived=maybe`),
      400,
      'invalid-field',
      'includeArchived',
    )
  })

  it('returns active and cancelled ones, not deleted ones', async () => {
    const own = await makePractice(holdfast.crm)
    const [active, cancelled, deleted] = [
      await makeAppointment(holdfast.crm, own),
      await makeAppointment(holdfast.crm, own),
      await makeAppointment(holdfast.crm, own),
    ]
    await holdfast.crm.delete(`${own.path}/appointments`, { appointmentReference: cancelled.reference })
    await holdfast.crm.delete(`${own.path}/appointments/withoutNotification`, {
      appointmentReference: deleted.reference,
    })
    expect((await list({ includeArchived: 'true' }, own)).map(one => [one.reference, one.state])).toEqual([
      [active.reference, 'ACTIVE'],
      [cancelled.reference, 'CANCELLED'],
    ])
  })

  it('returns a list of 2,501 completely, each once and in order', async () => {
    const own = await makePractice(holdfast.crm)
    // 250 minutes on each of 5 days, all of it twice, and one before: pages end between two of the same time.
    const early = await makeAppointment(holdfast.crm, own, {
      start: '2030-01-06T10:00',
      end: '2030-01-06T11:00',
    })
    const series_data = { from: '2030-01-07T00:00', to: '2030-01-11T04:10', raster: 1 }
    const first = await makeSeries(holdfast.crm, own, { series_data })
    const second = await makeSeries(holdfast.crm, own, { series_data })
    const made = [early, ...first.appointments, ...second.appointments]
    expect(made).toHaveLength(2501)
    const expected = made.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))
    const answer = await holdfast.crm.get(`${own.path}/appointments`)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual(expected)
  })

  it('returns an empty array if there are none, and 404 for an unknown Provider', async () => {
    expect(await holdfast.crm.get(`${(await makePractice(holdfast.crm)).path}/appointments`)).toMatchObject({
      status: 200,
      body: [],
    })
    expectRefusal(await holdfast.crm.get('/provider/unknown%40plat/appointments'), 404, 'not-found')
    expectRefusal(await holdfast.otherCrm.get(`${practice.path}/appointments`), 404, 'not-found')
  })

  it('never returns an expired hold, from the second it expires', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    await makeParticipation(holdfast.crm, practice, reference, 'RESERVED')
    await makeParticipation(holdfast.crm, practice, reference, 'DELETED')
    const states = async () => (await find(reference))!.participations.map((one: Body) => one.state)
    holdfast.clock.shiftMs = 175_000
    expect(await states()).toEqual(['RESERVED', 'DELETED'])
    holdfast.clock.shiftMs = 180_000
    expect(await states()).toEqual(['DELETED'])
  })

  it('leaves out consumer Appointments once their last hold has expired', async () => {
    const { reference, uuid } = await makeAppointment(holdfast.crm, practice)
    await makeParticipation(holdfast.crm, practice, reference, 'RESERVED')
    await asConsumerMade(holdfast, uuid)
    expect(await find(reference)).toMatchObject({ state: 'ACTIVE' })
    holdfast.clock.shiftMs = 180_000
    expect(await find(reference)).toBeUndefined()
  })
})

describe('Cancel Appointments', () => {
  it('returns 200 with the record: CANCELLED, with all Participations CANCELED', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    for (const state of ['RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED'])
      await makeParticipation(holdfast.crm, practice, reference, state)
    const before = (await find(reference))!
    const { status, body: answer } = await cancel({ appointmentReference: reference })
    expect(status).toBe(200)
    expect(answer).toEqual({
      'api-info': { version: '1' },
      appointment: {
        ...before,
        state: 'CANCELLED',
        participations: before.participations.map((one: Body) => ({ ...one, state: 'CANCELED' })),
      },
    })
    expect(await find(reference)).toEqual(answer.appointment)
  })

  it('emails only people with a promised place, including the message', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const emails: Record<string, string> = {}
    for (const state of ['RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED'])
      emails[state] = (
        await makeParticipation(holdfast.crm, practice, reference, state, { query: '?sendMails=false' })
      ).email
    const message = 'The heating is broken & we are “sorry”\nSee you <soon>'
    await cancel({ appointmentReference: reference }, `?message=${encodeURIComponent(message)}`)
    for (const state of ['RESERVED', 'CANCELED', 'DELETED'])
      expect(await mailKindsTo(holdfast, emails[state]!)).toEqual([])
    for (const state of ['REQUESTED', 'BOOKED']) {
      const [mail, ...more] = await mailsTo(holdfast, emails[state]!)
      expect(more).toEqual([])
      expect(mail).toMatchObject({ kind: 'cancelled', ics: { method: 'CANCEL' } })
      expect(mail!.text).toMatch(/The heating is broken & we are “sorry”\n *See you <soon>\n/)
      expect(mail!.html).toContain('See you &lt;soon&gt;')
    }
  })

  it('stores the message for its recipients', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', { message: 'See you' })
    for (const state of ['REQUESTED', 'CANCELED', 'RESERVED'])
      await makeParticipation(holdfast.crm, practice, reference, state)
    const { body: answer } = await cancel({ appointmentReference: reference }, '?message=The%20roof%20leaks')
    const messages = answer.appointment.participations.map((one: Body) => one.messages)
    expect(messages).toEqual([['See you', 'The roof leaks'], ['The roof leaks'], null, null])
  })

  it('sends no second email when repeated', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const { email } = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED')
    const first = await cancel({ appointmentReference: reference })
    const again = await cancel({ appointmentReference: reference })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'cancelled'])
  })

  it('accepts the reference in the query', async () => {
    const [byQuery, byBody, both] = [
      await makeAppointment(holdfast.crm, practice),
      await makeAppointment(holdfast.crm, practice),
      await makeAppointment(holdfast.crm, practice),
    ]
    const query = (reference: string) => `?appointmentReference=${encodeURIComponent(reference)}`
    expect((await cancel(undefined, query(byQuery.reference))).body.appointment.reference).toBe(
      byQuery.reference,
    )
    expect((await cancel({}, query(both.reference))).body.appointment.reference).toBe(both.reference)
    const { body: answer } = await cancel({ appointmentReference: byBody.reference }, query(both.reference))
    expect(answer.appointment.reference).toBe(byBody.reference)
  })

  it('returns 400 without a reference and 404 for an unknown one', async () => {
    for (const sent of [undefined, {}, { appointmentReference: null }, { seriesId: 'x' }])
      expectRefusal(await cancel(sent), 400, 'missing-field', 'appointmentReference')
    for (const wrong of ['', 5]) expect((await cancel({ appointmentReference: wrong })).status).toBe(400)
    expectRefusal(await cancel({ appointmentReference: 'x' }), 404, 'not-found', 'appointmentReference')
    expectRefusal(
      await cancel(undefined, '?appointmentReference=x'),
      404,
      'not-found',
      'appointmentReference',
    )
  })

  it('returns 404 for the Appointment of another Provider and does not change it', async () => {
    const stranger = await makePractice(holdfast.crm)
    const { reference } = await makeAppointment(holdfast.crm, practice)
    for (const path of ['appointments', 'appointments/withoutNotification'])
      expectRefusal(
        await holdfast.crm.delete(`${stranger.path}/${path}`, { appointmentReference: reference }),
        404,
        'not-found',
        'appointmentReference',
      )
    expect(await find(reference)).toMatchObject({ state: 'ACTIVE' })
  })

  it('accepts no more people', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    await cancel({ appointmentReference: reference })
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    for (const state of ['RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED']) {
      const answer = await holdfast.crm.post(`${practice.path}/participations?ignoreCapacity`, {
        reference: unique('participation'),
        appointmentReference: reference,
        customerReference,
        state,
      })
      expectRefusal(answer, 409, 'appointment-cancelled', 'appointmentReference')
    }
  })
})

describe('Delete without notification', () => {
  it('returns 204 and removes it from every list without an email', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const { email, reference: participation } = await makeParticipation(
      holdfast.crm,
      practice,
      reference,
      'BOOKED',
    )
    expect(await erase({ appointmentReference: reference })).toMatchObject({ status: 204, text: '' })
    expect(await find(reference, { includeArchived: 'true' })).toBeUndefined()
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
    const rows = await holdfast.query('select state from participation where reference = $1', [participation])
    expect(rows).toEqual([{ state: 'DELETED' }])
    expectRefusal(await erase({ appointmentReference: reference }), 404, 'not-found', 'appointmentReference')
    expectRefusal(await cancel({ appointmentReference: reference }), 404, 'not-found', 'appointmentReference')
  })

  it('deletes a whole series, including cancelled ones, and nothing else', async () => {
    const own = await makePractice(holdfast.crm)
    const [{ seriesId, appointments }, other] = [
      await makeSeries(holdfast.crm, own),
      await makeSeries(holdfast.crm, own),
    ]
    const { email } = await makeParticipation(holdfast.crm, own, appointments[1]!.reference, 'BOOKED')
    await holdfast.crm.delete(`${own.path}/appointments`, {
      appointmentReference: appointments[0]!.reference,
    })
    const path = `${own.path}/appointments/withoutNotification`
    expect((await holdfast.crm.delete(path, { seriesId })).status).toBe(204)
    expect(await list({ includeArchived: 'true' }, own)).toEqual(other.appointments)
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
    expectRefusal(await holdfast.crm.delete(path, { seriesId }), 404, 'not-found', 'seriesId')
  })

  it('deletes the rest of a series', async () => {
    const own = await makePractice(holdfast.crm)
    const { seriesId, appointments } = await makeSeries(holdfast.crm, own)
    const path = `${own.path}/appointments/withoutNotification`
    await holdfast.crm.delete(path, { appointmentReference: appointments[0]!.reference })
    expect(await list({}, own)).toHaveLength(2)
    expect((await holdfast.crm.delete(`${path}?seriesId=${seriesId}`)).status).toBe(204)
    expect(await list({}, own)).toEqual([])
  })

  it('accepts the reference in the query', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    expect((await erase(undefined, `?appointmentReference=${encodeURIComponent(reference)}`)).status).toBe(
      204,
    )
    expect(await find(reference)).toBeUndefined()
  })

  it('returns 404 for a series of another Provider, an unknown one and an invalid uuid', async () => {
    const stranger = await makePractice(holdfast.crm)
    const { seriesId } = await makeSeries(holdfast.crm, stranger)
    for (const id of [seriesId, '00000000-0000-4000-8000-000000000000', 'monday'])
      expectRefusal(await erase({ seriesId: id }), 404, 'not-found', 'seriesId')
    expect(await list({}, stranger)).toHaveLength(3)
  })

  it('returns 400 with neither field', async () => {
    for (const sent of [undefined, {}, { appointmentReference: null, seriesId: null }])
      expectRefusal(await erase(sent), 400, 'missing-field', 'appointmentReference')
    expectRefusal(await erase({ seriesId: 5 }), 400, 'invalid-field', 'seriesId')
  })
})

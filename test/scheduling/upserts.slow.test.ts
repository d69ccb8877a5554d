import { describe, expect, it } from 'vitest'
import {
  eventCount,
  makeAppointment,
  makePractice,
  makeRoom,
  makeTimeslot,
  timeslotBody,
  unique,
} from '../support/build.ts'
import { asConsumer, bookingOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))

const person = (fields: object = {}) => ({
  customerReference: unique('customer'),
  providerReference: practice.reference,
  userName: 'Ann Winter',
  ...fields,
})
const upsert = (customers: unknown[], query = '', headers = {}) =>
  holdfast.crm.post(`${practice.path}/customers/upsert${query}`, { customers }, { headers })
const upsertSlots = (timeslots: unknown[]) =>
  holdfast.crm.post(`${practice.path}/timeslots/upsert`, { timeslots })
type Result = { result: string; errors?: { errorCode: string; field?: string; reference?: string }[] }
const resultsOf = ({ body }: { body: { results: Result[] } }) => body.results.map(one => one.result)

/** Books online, and returns the address and the reference of the Customer that this made. */
async function visit() {
  const room = await makeRoom(holdfast.crm, practice)
  await makeTimeslot(holdfast.crm, room)
  const who = newPerson()
  const [slot] = slotsOf(await consumer.list(room.resource))
  expect((await consumer.complete(room.resource, bookingOf(slot!, who))).status).toBe(201)
  const { body } = await holdfast.crm.get(`${practice.path}/customers?email=${encodeURIComponent(who.email)}`)
  return { email: who.email, reference: body[0].customerReference as string, uuid: body[0].uuid as string }
}

describe('many Customers in one call', () => {
  it('saves the good ones and says of each what happened', async () => {
    const [known, same] = [person({ note: 'old' }), person({ email: 'same@example.org' })]
    await upsert([known, same])
    const batch = [
      person(),
      { ...known, note: 'new' },
      same,
      person({ email: 'nonsense' }),
      person({ providerReference: 'another@plat' }),
      null,
      { ...person(), userName: undefined },
    ]
    const { status, body } = await upsert(batch)
    expect(status).toBe(200)
    expect(resultsOf({ body })).toEqual([
      'created',
      'changed',
      'unchanged',
      'refused',
      'refused',
      'refused',
      'refused',
    ])
    expect(body).toMatchObject({ created: 1, changed: 1, unchanged: 1, refused: 4 })
    expect(body.results[1]).toMatchObject({
      index: 1,
      reference: known.customerReference,
      customer: { note: 'new' },
    })
    expect(
      body.results.slice(3).map((one: Result) => [one.errors![0]!.errorCode, one.errors![0]!.field]),
    ).toEqual([
      ['invalid-field', 'email'],
      ['invalid-field', 'providerReference'],
      ['missing-field', 'body'],
      ['missing-field', 'userName'],
    ])
    const before = await eventCount(holdfast)
    expect(resultsOf(await upsert(batch.slice(0, 3)))).toEqual(['unchanged', 'unchanged', 'unchanged'])
    expect(await eventCount(holdfast)).toBe(before)
  })

  it('refuses a reference that was merged into another Customer, who stays as they are', async () => {
    const [kept, merged] = [person(), person()]
    await upsert([kept, merged])
    const path = `${practice.path}/customers/${encodeURIComponent(kept.customerReference)}`
    await holdfast.crm.post(`${path}/merge`, { customerReference: merged.customerReference })
    const { body } = await upsert([{ ...merged, userName: 'Someone Else' }])
    expect(body.results[0].errors).toMatchObject([
      { errorCode: 'customer-merged', reference: kept.customerReference },
    ])
    expect((await holdfast.crm.get(path)).body.customer.userName).toBe('Ann Winter')
  })

  it('refuses a reference that occurs twice, and an empty list', async () => {
    const twice = person()
    expectRefusal(
      await upsert([twice, { ...twice, userName: 'B' }]),
      400,
      'duplicate-reference',
      'customers[1].customerReference',
    )
    expectRefusal(await upsert([]), 400, 'invalid-field', 'customers')
    expect(
      (await holdfast.crm.get(`${practice.path}/customers/${encodeURIComponent(twice.customerReference)}`))
        .status,
    ).toBe(204)
  })

  it('saves a batch once, however often it is sent with its key', async () => {
    const key = { 'idempotency-key': unique('key') }
    const batch = [person(), person({ email: 'x' })]
    const first = await upsert(batch, '', key)
    expect(resultsOf(first)).toEqual(['created', 'refused'])
    expect((await upsert(batch, '', key)).body).toEqual(first.body)
  })

  it('takes 1000, also at the same moment', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => person({ email: `many${index}@example.org` }))
    const [one, other] = await Promise.all([upsert(many.slice(0, 50)), upsert(many.slice(0, 50))])
    expect(one.body.created + other.body.created).toBe(50)
    expect(one.body.refused + other.body.refused).toBe(0)
    expect((await upsert(many)).body).toMatchObject({ created: 950, unchanged: 50 })
    expectRefusal(await upsert([...many, person()]), 400, 'invalid-field', 'customers')
  })
})

describe('the same person', () => {
  it('is refused in a batch, created beside in a single call, and adopted if asked', async () => {
    const { email, reference, uuid } = await visit()
    const sent = person({ email: email.toUpperCase(), note: 'Ours' })
    const { body } = await upsert([sent])
    expect(body.results[0]).toMatchObject({
      result: 'refused',
      errors: [{ errorCode: 'same-person', reference }],
    })
    const create = (fields: object, query = '') =>
      holdfast.crm.post(`${practice.path}/customers${query}`, fields)
    const refused = await create(sent, '?adopt=false')
    expect([refused.status, refused.body.errors[0]]).toMatchObject([
      409,
      { errorCode: 'same-person', reference },
    ])
    const beside = await create(person({ email }))
    expect([beside.status, beside.body.samePerson]).toEqual([201, reference])

    const answers = await Promise.all([create(sent, '?adopt=true'), create(sent, '?adopt=true')])
    for (const adopted of answers)
      expect(adopted).toMatchObject({
        status: 200,
        body: { customer: { uuid, customerReference: sent.customerReference, note: 'Ours' } },
      })
    const { body: appointments } = await holdfast.crm.get(`${practice.path}/appointments`)
    const owners = appointments.flatMap((one: { participations: { customerReference: string }[] }) =>
      one.participations.map(each => each.customerReference),
    )
    expect(owners).toContain(sent.customerReference)
    expect(owners).not.toContain(reference)
    expectRefusal(await create({ customers: [person()] }, '?adopt=true'), 400, 'invalid-field', 'adopt')
  })

  it('is adopted in a batch', async () => {
    const { email, uuid } = await visit()
    const { body } = await upsert([person({ email })], '?adopt=true')
    expect(body.results[0]).toMatchObject({ result: 'changed', customer: { uuid } })
  })
})

describe('many Timeslots in one call', () => {
  it('saves the good ones under the lock of each Resource, and says of each what happened', async () => {
    const room = await makeRoom(holdfast.crm, practice)
    const day = (date: string, fields: object = {}) =>
      timeslotBody(room, { start: `2031-${date}T08:00`, end: `2031-${date}T18:00`, ...fields })
    const [first, second, third] = [day('02-03'), day('02-04'), day('02-05')]
    expect(resultsOf(await upsertSlots([first, second, third]))).toEqual(['created', 'created', 'created'])
    await makeAppointment(holdfast.crm, room, { start: '2031-02-05T17:00', end: '2031-02-05T17:30' })
    const { body } = await upsertSlots([
      { ...first, raster: 15 },
      second,
      { ...third, end: '2031-02-05T12:00' },
      day('02-06'),
      day('02-07', { resourceReference: 'missing@plat' }),
      day('02-08', { raster: 0 }),
      day('02-09', { end: '2031-02-09T07:00' }),
      { ...day('02-10'), reference: null },
    ])
    expect(resultsOf({ body })).toEqual([
      'changed',
      'unchanged',
      'refused',
      'created',
      ...Array.from({ length: 4 }, () => 'refused'),
    ])
    const errors = body.results
      .filter((one: Result) => one.errors)
      .map((one: Result) => [one.errors![0]!.errorCode, one.errors![0]!.field])
    expect(errors).toEqual([
      ['active-appointment', undefined],
      ['not-found', 'resourceReference'],
      ['invalid-field', 'raster'],
      ['invalid-field', 'end'],
      ['missing-field', 'reference'],
    ])
    const [one, other] = await Promise.all([
      upsertSlots([day('02-11'), first]),
      upsertSlots([{ ...first, raster: 30 }]),
    ])
    expect([one.status, other.status]).toEqual([200, 200])
    // It stays with its Resource.
    const moved = await upsertSlots([{ ...first, resourceReference: practice.resource }])
    expect(moved.body.results[0].errors).toMatchObject([
      { errorCode: 'reference-exists', field: 'resourceReference' },
    ])
  })
})

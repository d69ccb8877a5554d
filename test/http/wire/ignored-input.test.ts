import { describe, expect, it } from 'vitest'
import { appointmentBody, makePractice, makeTimeslot, setChannel, timeslotBody } from '../../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../../support/consumer.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { consoleCall, useService } from '../../support/service.ts'

// What a call ignores, it ignores whatever it holds.

const holdfast = await useService()
const { crm } = holdfast
const practice = await makePractice(crm)
await makeTimeslot(crm, practice, { end: '2030-01-07T16:00', defaultCapacity: 200 })
await setChannel(holdfast, practice.resourceUuid, { waitingList: true })
const consumer = asConsumer(overApp(holdfast.app))
const slot = async () => slotsOf(await consumer.list(practice.resource))[0]!

const odd = [null, 7, true, '', '\0', 'a\ud800', 'x'.repeat(3000), ['\0'], { '\0': '\0' }]
const outcome = ({ status, body }: { status: number; body: { errors?: unknown } }) => [status, body.errors]

describe.each(odd)('%j', value => {
  it('is ignored as the reference of a series and of its participations', async () => {
    const body = {
      ...appointmentBody(practice, { capacity: 5 }),
      reference: value,
      from: value,
      to: value,
      participations: [{ reference: value, name: 'Ann Winter', email: 'ann@example.org', state: 'BOOKED' }],
      series_data: { from: '2030-01-08T10:00', to: '2030-01-08T12:00', raster: 60 },
    }
    const answer = await crm.post(`${practice.path}/appointments`, body)
    expect(outcome(answer)).toEqual([201, undefined])
    for (const { reference } of answer.body.appointments) expect(reference).toMatch(/^[0-9a-f-]{36}@series$/)
  })

  it('is ignored as a buffer of a Product', async () => {
    const product = { reference: practice.product, name: 'Talk' }
    const body = { ...product, leadTimeMinutes: value, followUpTimeMinutes: value }
    expect(outcome(await crm.post(`${practice.path}/products`, body))).toEqual([200, undefined])
  })

  it('is ignored in fields that are unknown, and named with an Idempotency-Key', async () => {
    const body = { ...timeslotBody(practice), extra: value, nested: { '\0': [value] } }
    const timeslots = { timeslots: [body], '\0': value, '\ud800': value }
    const headers = { 'idempotency-key': `odd ${odd.indexOf(value)}` }
    for (const replayed of [undefined, 'true']) {
      const answer = await crm.post(`${practice.path}/timeslots?%00=1`, timeslots, { headers })
      expect(outcome(answer)).toEqual([201, undefined])
      expect(answer.headers['idempotency-replayed']).toBe(replayed)
      expect(answer.body['api-info'].ignored).toContain('timeslots[0].extra')
    }
  })

  it('is ignored as a time zone', async () => {
    const booked = await consumer.complete(practice.resource, bookingOf(await slot(), { timeZone: value }))
    expect(outcome(booked)).toEqual([201, undefined])
    const waiting = await consumer.send('POST', `/resources/${practice.resource}/waiting_list`, {
      product_uuid: practice.productUuid,
      from: '2030-01-07',
      to: '2030-01-11',
      email: 'ann@example.org',
      firstname: 'Ann',
      lastname: 'Winter',
      timeZone: value,
    })
    expect(outcome(waiting)).toEqual([201, undefined])
  })

  it('is ignored beside a booking, in fields that are no answer', async () => {
    const body = bookingOf(await slot(), { remark: value, '\0': value })
    expect(outcome(await consumer.complete(practice.resource, body))).toEqual([201, undefined])
    const path = `/resources/${practice.resource}/revoke_reservation`
    const released = await consumer.send('POST', path, { appointment_id: value, remark: value })
    expect(outcome(released)).toEqual([200, undefined])
  })
})

describe('text that cannot be stored', () => {
  it('is refused in fields that are read', async () => {
    const timeslots = [{ ...timeslotBody(practice), reference: 'a\0' }]
    const batch = await crm.post(`${practice.path}/timeslots`, { timeslots })
    expectRefusal(batch, 400, 'invalid-field', 'timeslots[0].reference')
    const single = await crm.post(`${practice.path}/appointments`, {
      ...appointmentBody(practice),
      reference: '\0',
    })
    expectRefusal(single, 400, 'invalid-field', 'reference')
    const booked = await consumer.complete(practice.resource, bookingOf(await slot(), { message: 'a\ud800' }))
    expectRefusal(booked, 400, 'invalid-field', 'message')
  })

  it('is refused as an answer, wherever it stands', async () => {
    const where = await makePractice(crm)
    await makeTimeslot(crm, where)
    const question = { key: 'reason', type: 'text', label: { de: 'Grund' } }
    expect((await crm.post(`${where.path}/questions`, question)).status).toBe(201)
    const product = { reference: where.product, name: 'Talk', questions: ['reason'] }
    expect((await crm.post(`${where.path}/products`, product)).status).toBe(200)
    const [free] = slotsOf(await consumer.list(where.resource))
    for (const text of ['a\0b', 'a\ud800']) {
      const beside = await consumer.complete(where.resource, bookingOf(free!, { reason: text }))
      expectRefusal(beside, 400, 'invalid-field', 'reason')
      const inside = bookingOf(free!, { answers: { reason: text } })
      expectRefusal(await consumer.complete(where.resource, inside), 400, 'invalid-field', 'answers.reason')
    }
  })

  it('is refused in unknown fields of the console, which ignores none', async () => {
    const path = `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`
    expectRefusal(
      await consoleCall(holdfast.app, 'PATCH', path, { remark: '\0' }),
      400,
      'invalid-field',
      'remark',
    )
  })
})

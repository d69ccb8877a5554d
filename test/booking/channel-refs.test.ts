import { describe, expect, it } from 'vitest'
import { makePractice, makeTimeslot, setChannel } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, queryText, slotsOf } from '../support/consumer.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, useService } from '../support/service.ts'

// The uuid of a channel as `ref` brings its Resource and its key along: `channelKey` is ignored.

const holdfast = await useService()
const consumer = asConsumer(overApp(holdfast.app))
const practice = await makePractice(holdfast.crm)
for (const start of ['2030-01-07', '2030-01-14'])
  await makeTimeslot(holdfast.crm, practice, {
    start: `${start}T08:00`,
    end: `${start}T16:00`,
    defaultCapacity: 200,
  })
const channelOf = (key: string, change: object) =>
  setChannel(holdfast, practice.resourceUuid, change as Record<string, unknown>, key)
const settings = { visible: true, bookingProcess: 'REQUESTED', waitingList: true, seriesMax: 3 }
const { uuid: channel } = await channelOf('RESOURCE_EXCLUSIVE', settings)
const { uuid: other } = await channelOf('CALENDAR_PUBLIC', { visible: true })
await channelOf('RESOURCE_PUBLIC', { visible: false })

const freeSlots = async () => slotsOf(await consumer.list(channel))
const at = (path: string, body?: unknown) => call(holdfast.app, 'POST', `/resources/${path}`, body)
const refused = (answer: Awaited<ReturnType<typeof at>>) =>
  expectRefusal(answer, 400, 'invalid-field', 'channelKey')

// NUL could not even be stored.
const odd = ['nonsense', 'resource_public', '\0', 'x'.repeat(300)]

describe.each(odd)('an unknown channelKey beside the uuid of a channel: %j', channelKey => {
  const query = { channelKey }

  it('is ignored when listing, twice from the same address', async () => {
    for (const _ of [1, 2]) expect(slotsOf(await consumer.list(channel, query)).length).toBeGreaterThan(4)
    expect((await consumer.listByPost(channel, { ...query, ref: other })).status).toBe(200)
    expect((await consumer.list(channel.toUpperCase(), query)).status).toBe(200)
  })

  it.each(['resources/public_data', 'products/active_products', 'resources/bundle'])(
    'is ignored by %s',
    async path => {
      for (const ref of [channel, [channel, other]]) {
        const answer = await call(holdfast.app, 'POST', `/${path}${queryText({ ...query, ref })}`)
        expect([answer.status, answer.body.errors]).toEqual([200, undefined])
      }
    },
  )

  it('is ignored when reserving, whichever of the two names is the channel', async () => {
    const [one, two] = await freeSlots()
    expect((await consumer.reserve(channel, holdOf(one!), query)).status).toBe(200)
    const named = await consumer.reserve(practice.resource, holdOf(two!), { ...query, ref: channel })
    expect(named.status).toBe(200)
  })

  it('is ignored when completing, in body and query', async () => {
    for (const name of ['channelKey', 'channelId']) {
      const [slot] = await freeSlots()
      const answer = await consumer.complete(channel, bookingOf(slot!, { [name]: channelKey }), query)
      expect([answer.status, answer.body.createdAppointment?.state]).toEqual([201, 'REQUESTED'])
    }
  })

  it('is ignored when moving', async () => {
    const [slot, later] = await freeSlots()
    const { body } = await consumer.complete(other, bookingOf(slot!))
    const { start, end, timeslot_uuid } = later!
    const answer = await call(
      holdfast.app,
      'POST',
      `/resources/${channel}/move_appointment${queryText(query)}`,
      { start, end, timeslot_uuid, channelKey },
      { headers: { 'x-signed-app-customer': body.createdAppointment.moveToken } },
    )
    expect(answer.status).toBe(200)
  })

  it('is ignored when reserving a series', async () => {
    const [slot] = await freeSlots()
    const rule = { unit: 'week', every: 1, count: 2 }
    const answer = await at(`${channel}/reserve_series${queryText(query)}`, { ...holdOf(slot!), rule })
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
  })

  it('is ignored on the waiting list', async () => {
    const answer = await at(`${channel}/waiting_list`, waiting({ channelKey, refs: [practice.resource] }))
    expect([answer.status, answer.body.errors]).toEqual([201, undefined])
  })

  it('is ignored by the booking page', async () => {
    for (const ref of [channel, `${channel},${other}`]) {
      const page = await call(holdfast.app, 'GET', `/book/${ref}${queryText(query)}`)
      expect([page.status, page.text.includes('holdfast-booking')]).toEqual([200, true])
    }
  })
})

const waiting = (fields: object) => ({
  product_uuid: practice.productUuid,
  from: '2030-01-07',
  to: '2030-01-11',
  email: 'ann@example.org',
  firstname: 'Ann',
  lastname: 'Winter',
  ...fields,
})

it.each([7, null, true, ['x'], { key: 'x' }])('ignores %j for the key in a body', async value => {
  const [slot] = await freeSlots()
  const body = bookingOf(slot!, { channelKey: value, channelId: value })
  expect((await consumer.complete(channel, body)).status).toBe(201)
  expect((await at(`${channel}/waiting_list`, waiting({ channelKey: value }))).status).toBe(201)
})

describe('without such a ref, an unknown channelKey', () => {
  const query = { channelKey: 'nonsense' }

  it('is 400 if one of several refs needs it', async () => {
    refused(await consumer.list(practice.resource, query))
    refused(await consumer.list(channel, { ...query, ref: practice.resource }))
    const data = (more: object) => at(`public_data${queryText({ ...query, ...more })}`)
    refused(await data({ ref: [channel, practice.resource] }))
    refused(await data({ ref: channel, tslRefs: (await freeSlots())[0]!.timeslot_uuid }))
    refused(await data({ ref: '00000000-0000-4000-8000-000000000000' }))
  })

  it('is 400 in every call that books', async () => {
    const [slot] = await freeSlots()
    const { resource } = practice
    refused(await consumer.reserve(resource, holdOf(slot!), query))
    refused(await consumer.complete(resource, bookingOf(slot!), query))
    refused(await consumer.complete(resource, bookingOf(slot!, query)))
    const rule = { unit: 'week', every: 1, count: 2 }
    refused(await at(`${resource}/reserve_series${queryText(query)}`, { ...holdOf(slot!), rule }))
    refused(await at(`${resource}/waiting_list`, waiting({ ...query, refs: [channel] })))
  })

  it('is 404 on the booking page', async () => {
    const page = (refs: string) => call(holdfast.app, 'GET', `/book/${refs}?channelKey=nonsense`)
    expect((await page(practice.resourceUuid)).status).toBe(404)
    expect((await page(`${channel},${practice.resourceUuid}`)).status).toBe(404)
  })
})

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeParticipation,
  makePractice,
  makeProduct,
  makeProfile,
  makeResource,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
  setClock,
  setProduct,
  setProvider,
  unique,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, type Query, slotsOf, startsOf } from '../support/consumer.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org' })
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

const room = (fields = {}) => makeRoom(holdfast.crm, practice, fields)
const open = (where: Practice, fields = {}) => makeTimeslot(holdfast.crm, where, fields)
/** A Resource with one Timeslot: Monday from 08:00 to 10:00, by default with four half-hour slots. */
async function roomWith(fields = {}) {
  const where = await room()
  const timeslot = await open(where, { end: '2030-01-07T10:00', ...fields })
  return { ...where, timeslot: timeslot.uuid }
}
const list = (where: Practice, query?: Query) => consumer.list(where.resource, query)
const starts = async (where: Practice, query?: Query) => startsOf(await list(where, query))
const clocks = async (where: Practice, query?: Query) =>
  slotsOf(await list(where, query)).map(({ start, end }) => `${start.slice(11, 16)}-${end.slice(11, 16)}`)
const half = ['08:00-08:30', '08:30-09:00', '09:00-09:30', '09:30-10:00']

async function channelUuid(where: Practice, key: string) {
  const { body } = await consoleCall(holdfast.app, 'GET', `/resources/${where.resourceUuid}/channels/${key}`)
  return body.uuid as string
}

describe('the answer', () => {
  it('groups slots by day and describes each of them', async () => {
    const where = await roomWith({ end: '2030-01-07T09:00', defaultCapacity: 3 })
    const { status, body, headers } = await list(where)
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const slot = {
      timeslot_uuid: where.timeslot,
      product_uuid: practice.productUuid,
      product_name: 'Talk',
      products: [{ uuid: practice.productUuid, name: 'Talk' }],
      resource_uuid: where.resourceUuid,
      resource_name: 'Room',
      contact_channel: { type: 'email', value: 'desk@example.org' },
      capacity: 3,
      capacity_left: 3,
      kind: 'models.Bookable',
    }
    expect(body).toEqual({
      '2030-01-07': [
        {
          start: '2030-01-07T08:00:00+01:00',
          end: '2030-01-07T08:30:00+01:00',
          formattedStart: '2030-01-07 08:00',
          formattedEnd: '2030-01-07 08:30',
          ...slot,
        },
        {
          start: '2030-01-07T08:30:00+01:00',
          end: '2030-01-07T09:00:00+01:00',
          formattedStart: '2030-01-07 08:30',
          formattedEnd: '2030-01-07 09:00',
          ...slot,
        },
      ],
      public_visible: true,
    })
  })

  it('has no api-info, and every key but public_visible holds an array', async () => {
    const where = await roomWith()
    await open(where, { start: '2030-01-09T08:00', end: '2030-01-09T09:00' })
    const { body } = await list(where)
    const { public_visible, ...groups } = body
    expect(public_visible).toBe(true)
    expect(Object.keys(groups)).toEqual(['2030-01-07', '2030-01-09'])
    expect(Object.values(groups).every(Array.isArray)).toBe(true)
  })

  it('is 204 without a body when nothing is bookable', async () => {
    const { status, text } = await list(await room())
    expect([status, text]).toEqual([204, ''])
  })

  it('is the same for GET and POST, with a body or without, under both prefixes', async () => {
    const where = await roomWith()
    const { body } = await list(where)
    for (const prefix of ['', '/rest/1']) {
      const url = `${prefix}/resources/${where.resource}/upcoming_bookables`
      for (const [method, sent, headers] of [
        ['GET', undefined, {}],
        ['POST', undefined, {}],
        ['POST', undefined, { 'content-type': 'application/json' }],
        ['POST', '[]', {}],
        ['POST', '{"broken', {}],
        ['POST', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
        ['POST', 'anything', { 'content-type': 'text/plain;charset=UTF-8' }],
      ] as const)
        expect(await consumer.send(method, url, sent, { headers })).toMatchObject({ status: 200, body })
    }
  })

  it('answers HEAD too', async () => {
    const where = await roomWith()
    const { status, text } = await consumer.send('HEAD', `/resources/${where.resource}/upcoming_bookables`)
    expect([status, text]).toEqual([200, ''])
  })

  it('shows the contact of the Resource before the Provider', async () => {
    const profile = await makeProfile(holdfast.crm, practice, practice.owner)
    const where = await room({ contact: practice.owner, contactProfileReference: profile.reference })
    await open(where)
    expect(slotsOf(await list(where))[0]!.contact_channel).toEqual({
      type: 'email',
      value: 'profile@example.org',
    })
  })

  it('has a null contact_channel without a contact', async () => {
    const where = await makePractice(holdfast.crm)
    await open(where)
    expect(slotsOf(await list(where))[0]!.contact_channel).toBeNull()
  })

  it('returns hostile names unchanged', async () => {
    const name = `</script><img src=x onerror=alert(1)> "quoted" \\ \u2028 👩‍👩‍👧`
    const where = await room({ publicName: name })
    await open(where)
    expect(slotsOf(await list(where))[0]!.resource_name).toBe(name)
  })
})

describe('ref', () => {
  it('is the uuid of the Resource, in any case', async () => {
    const where = await roomWith()
    const { body } = await list(where)
    for (const ref of [where.resourceUuid, where.resourceUuid.toUpperCase()])
      expect(await consumer.list(ref)).toMatchObject({ status: 200, body })
  })

  it('is id@providerUuid@platform', async () => {
    const where = await roomWith()
    const [id, platform] = where.resource.split('@')
    expect(startsOf(await consumer.list(`${id}@${practice.uuid}@${platform}`))).toHaveLength(4)
    const elsewhere = await makePractice(holdfast.crm)
    const answer = await consumer.list(`${id}@${elsewhere.uuid}@${platform}`)
    expectRefusal(answer, 404, 'not-found', 'ref')
  })

  it('is any reference, also one with several at signs or none, or one that looks like the three-part form', async () => {
    for (const reference of [
      unique('odd@id'),
      unique('plain').replace('@plat', ''),
      `${unique('x').slice(0, -5)}@${practice.uuid}@odd`,
      `${crypto.randomUUID()}@${practice.uuid}@plat`,
    ]) {
      const where = await makeRoom(holdfast.crm, practice, { reference })
      await open({ ...where, resource: reference })
      expect(startsOf(await consumer.list(reference))).toHaveLength(20)
    }
  })

  it('may contain an unencoded at sign', async () => {
    const where = await roomWith()
    const answer = await consumer.send('GET', `/resources/${where.resource}/upcoming_bookables`)
    expect(startsOf(answer)).toHaveLength(4)
  })

  it('of several Providers of one CRM is 404 and names the three-part form, which then works', async () => {
    const reference = unique('shared')
    const other = await makePractice(holdfast.crm)
    for (const [crm, where] of [
      [holdfast.crm, practice],
      [holdfast.crm, other],
    ] as const) {
      await makeResource(crm, where, { reference })
      await makeTimeslot(crm, { ...where, resource: reference })
    }
    const refused = await consumer.list(reference)
    expectRefusal(refused, 404, 'not-found', 'ref')
    expect(messageOf(refused)).toContain('resourceId@providerUuid@platform')
    const named = `${reference.replace('@plat', '')}@${other.uuid}@plat`
    expect(startsOf(await consumer.list(named))).toHaveLength(20)
  })

  it('is the uuid of a channel, which brings its Resource and its key: channelKey is ignored', async () => {
    const where = await roomWith()
    await setChannel(holdfast, where.resourceUuid, { visible: false })
    const hidden = await channelUuid(where, 'RESOURCE_PUBLIC')
    const visible = await channelUuid(where, 'CALENDAR_PUBLIC')
    expect(startsOf(await consumer.list(visible))).toHaveLength(4)
    expect(startsOf(await consumer.list(visible, { channelKey: 'RESOURCE_PUBLIC' }))).toHaveLength(4)
    expect((await consumer.list(hidden, { channelKey: 'CALENDAR_PUBLIC' })).body).toEqual({
      public_visible: false,
    })
  })

  it.each([
    'nobody@plat',
    'unknown',
    '00000000-0000-4000-8000-000000000000',
    'a@00000000-0000-4000-8000-000000000000@plat',
  ])('unknown is 404: %s', async ref => {
    expectRefusal(await consumer.list(ref), 404, 'not-found', 'ref')
    expectRefusal(await list(practice, { ref }), 404, 'not-found', 'ref')
  })

  it('of a deleted Resource is 404', async () => {
    const where = await roomWith()
    await holdfast.crm.delete(`${practice.path}/resources/${encodeURIComponent(where.resource)}`)
    expectRefusal(await list(where), 404, 'not-found', 'ref')
  })
})

describe('several refs', () => {
  it('list the slots of all of them in chronological order, each exactly once', async () => {
    const one = await roomWith({ start: '2030-01-07T08:15' })
    const two = await roomWith()
    const three = await roomWith({ start: '2030-01-06T08:00', end: '2030-01-06T09:00' })
    const refs = [two.resource, two.resourceUuid, one.resource, one.resource, three.resource, one.resource]
    const slots = slotsOf(await list(one, { ref: refs }))
    const times = '06T08:00 06T08:30 07T08:00 07T08:15 07T08:30 07T08:45 07T09:00 07T09:15 07T09:30'
    expect(slots.map(slot => slot.start.slice(8, 16)).join(' ')).toBe(times)
    expect(new Set(slots.map(slot => `${slot.timeslot_uuid} ${slot.start}`)).size).toBe(slots.length)
  })

  it('go in one group each, in which those of different Resources lie side by side', async () => {
    const one = await roomWith()
    const two = await roomWith()
    const { body } = await list(one, { ref: [two.resource] })
    expect(Object.keys(body)).toEqual(['2030-01-07', 'public_visible'])
    expect(body['2030-01-07']).toHaveLength(8)
  })

  it('show each Resource in the zone of its Provider', async () => {
    const berlin = await roomWith({ end: '2030-01-07T08:30' })
    const newYork = await makePractice(holdfast.crm)
    await setProvider(holdfast, newYork.uuid, { timeZone: 'America/New_York' })
    await open(newYork, { start: '2030-01-07T08:00', end: '2030-01-07T08:30' })
    expect(await starts(berlin, { ref: [newYork.resource] })).toEqual([
      '2030-01-07T08:00:00+01:00',
      '2030-01-07T08:00:00-05:00',
    ])
  })

  it('leave out what is hidden, and say so only when all of it is', async () => {
    const seen = await roomWith()
    const unseen = await roomWith()
    await setChannel(holdfast, unseen.resourceUuid, { visible: false })
    const { body } = await list(unseen, { ref: [seen.resource] })
    expect([body['2030-01-07'].length, body.public_visible]).toEqual([4, true])
    await setChannel(holdfast, seen.resourceUuid, { visible: false })
    expect((await list(unseen, { ref: [seen.resource] })).body).toEqual({ public_visible: false })
  })

  it('may be channels too', async () => {
    const one = await roomWith()
    const two = await roomWith()
    const ref = [await channelUuid(two, 'RESOURCE_EXCLUSIVE'), 'undefined', '']
    expect(await starts(one, { ref })).toHaveLength(8)
  })
})

describe('channelKey', () => {
  it.each(['RESOURCE_PUBLIC', 'RESOURCE_EXCLUSIVE', 'RESOURCE_REFERENCE', 'CALENDAR_PUBLIC'])(
    'takes %s, each with its own visibility',
    async channelKey => {
      const where = await roomWith()
      await setChannel(holdfast, where.resourceUuid, { visible: false }, channelKey)
      expect((await list(where, { channelKey })).body).toEqual({ public_visible: false })
      const others = ['RESOURCE_PUBLIC', 'CALENDAR_PUBLIC'].filter(key => key !== channelKey)
      for (const other of others) expect(await starts(where, { channelKey: other })).toHaveLength(4)
    },
  )

  it.each(['undefined', 'null', ''])('"%s" means the default', async channelKey => {
    expect(await starts(await roomWith(), { channelKey })).toHaveLength(4)
  })

  it.each(['nonsense', 'resource_public'])('unknown is 400: %s', async channelKey => {
    expectRefusal(await list(practice, { channelKey }), 400, 'invalid-field', 'channelKey')
  })
})

describe('prdRef', () => {
  let shop: Practice
  let long: { uuid: string; reference: string }
  beforeAll(async () => {
    shop = await makePractice(holdfast.crm)
    long = await makeProduct(holdfast.crm, shop, { name: 'Long', minDuration: 45 })
    await open(shop, { end: '2030-01-07T10:00' })
  })

  it('is a reference or a uuid, in any case', async () => {
    const wanted = ['08:00-09:00', '08:30-09:30', '09:00-10:00']
    for (const prdRef of [long.reference, long.uuid, long.uuid.toUpperCase()])
      expect(await clocks(shop, { prdRef })).toEqual(wanted)
  })

  it('names the one Product', async () => {
    const [slot] = slotsOf(await list(shop, { prdRef: long.uuid }))
    expect(slot).toMatchObject({
      product_uuid: long.uuid,
      product_name: 'Long',
      products: [{ uuid: long.uuid, name: 'Long' }],
    })
  })

  it.each(['undefined', 'null', ''])('"%s" means none', async prdRef => {
    expect(await clocks(shop, { prdRef })).toEqual(half)
  })

  it('unknown is 404', async () => {
    for (const prdRef of ['nothing@plat', '00000000-0000-4000-8000-000000000000', practice.productUuid])
      expectRefusal(await list(shop, { prdRef }), 404, 'not-found', 'prdRef')
  })

  it('that the channel does not offer is 204', async () => {
    await setChannel(holdfast, shop.resourceUuid, { products: [shop.productUuid] }, 'RESOURCE_EXCLUSIVE')
    const channelKey = 'RESOURCE_EXCLUSIVE'
    expect((await list(shop, { prdRef: long.uuid, channelKey })).status).toBe(204)
    expect(await clocks(shop, { prdRef: shop.productUuid, channelKey })).toEqual(half)
  })

  it('that the Resource does not support is 204', async () => {
    const where = await makeRoom(holdfast.crm, shop, { products: [shop.product] })
    await open(where, { end: '2030-01-07T10:00' })
    expect((await list(where, { prdRef: long.uuid })).status).toBe(204)
    expect(await clocks(where)).toEqual(half)
  })

  it('that several Providers share is the own one of each', async () => {
    const reference = 'shared@plat'
    const shops = [await makePractice(holdfast.crm), await makePractice(holdfast.crm)]
    const products = []
    for (const one of shops) {
      products.push((await makeProduct(holdfast.crm, one, { reference, name: 'Shared' })).uuid)
      await open(one, { end: '2030-01-07T09:00' })
    }
    const [here, there] = shops as [Practice, Practice]
    const both = slotsOf(await list(here, { ref: there.resource, prdRef: reference }))
    expect(new Set(both.map(slot => slot.product_uuid))).toEqual(new Set(products))
    expect(both).toHaveLength(4)
    const [first] = products
    expect(slotsOf(await list(here, { ref: there.resource, prdRef: first }))).toHaveLength(2)
  })

  it('filters Appointments that can be joined as well', async () => {
    const where = await makeRoom(holdfast.crm, shop)
    await makeAppointment(holdfast.crm, where, { acceptBookings: true })
    expect(await clocks(where, { prdRef: shop.productUuid })).toEqual(['10:00-10:30'])
    expect((await list(where, { prdRef: long.uuid })).status).toBe(204)
  })
})

describe('durations and buffers', () => {
  const shopWith = async (...products: Record<string, unknown>[]) => {
    const shop = await makePractice(holdfast.crm)
    await setProduct(holdfast, shop.productUuid, products[0] ?? {})
    const more = []
    for (const fields of products.slice(1)) {
      const product = await makeProduct(holdfast.crm, shop, { name: 'More' })
      await setProduct(holdfast, product.uuid, fields)
      more.push(product.uuid)
    }
    await open(shop, { end: '2030-01-07T10:00' })
    return { ...shop, products: [shop.productUuid, ...more] }
  }

  it('start on every raster line and last the shortest duration in full steps', async () => {
    const shop = await shopWith({ minDuration: 31 })
    expect(await clocks(shop)).toEqual(['08:00-09:00', '08:30-09:30', '09:00-10:00'])
  })

  it('last one step when the shortest duration is shorter or unset, whatever the longest is', async () => {
    expect(await clocks(await shopWith({ minDuration: 10 }))).toEqual(half)
    expect(await clocks(await shopWith({ maxDuration: 60 }))).toEqual(half)
  })

  it('a rest shorter than the raster is no slot', async () => {
    const where = await roomWith({ end: '2030-01-07T09:20' })
    expect(await clocks(where)).toEqual(['08:00-08:30', '08:30-09:00'])
  })

  it('with several Products that fit, a slot lasts one step and names all of them', async () => {
    const shop = await shopWith({}, { minDuration: 60 })
    const slots = slotsOf(await list(shop))
    expect(await clocks(shop)).toEqual(half)
    expect(slots[0]).toMatchObject({ product_uuid: null, product_name: 'Talk, More' })
    expect(slots[0]!.products.map(one => one.uuid)).toEqual(shop.products)
  })

  it('with exactly one that fits, its duration applies and it is named', async () => {
    const shop = await shopWith({}, { minDuration: 60 })
    const last = slotsOf(await list(shop)).at(-1)!
    expect([last.start.slice(11, 16), last.end.slice(11, 16)]).toEqual(['09:30', '10:00'])
    expect(last).toMatchObject({ product_uuid: shop.productUuid, product_name: 'Talk' })
    expect(last.products).toEqual([{ uuid: shop.productUuid, name: 'Talk' }])
  })

  it('the one that fits may be the longer one, whose length then is the slot’s', async () => {
    const shop = await shopWith({ minDuration: 240 }, { minDuration: 60 })
    expect(await clocks(shop)).toEqual(['08:00-09:00', '08:30-09:30', '09:00-10:00'])
  })

  it('a slot in which no Product fits is not listed', async () => {
    const shop = await shopWith({ minDuration: 150 })
    expect((await list(shop)).status).toBe(204)
  })

  it('a booking blocks its own buffers, and those of the slot asked for add to them', async () => {
    const shop = await shopWith(
      { leadTimeMinutes: 30, followUpTimeMinutes: 0 },
      { leadTimeMinutes: 0, followUpTimeMinutes: 30 },
      {},
    )
    await open(shop, { start: '2030-01-07T10:00', end: '2030-01-07T12:00' })
    const [lead, follow, none] = shop.products
    const at = async (hour: string, prdRef: string) =>
      slotsOf(await list(shop, { prdRef })).find(slot => slot.start.includes(`T${hour}`))!
    const booked = await consumer.complete(shop.resource, bookingOf(await at('10:00', follow!)))
    expect(booked.status).toBe(201)
    // The booking blocks 10:00 to 11:00.
    const free = async (prdRef?: string) => (await clocks(shop, { prdRef })).map(text => text.slice(0, 5))
    expect(await free(none)).toEqual(['08:00', '08:30', '09:00', '09:30', '11:00', '11:30'])
    expect(await free(lead)).toEqual(['08:00', '08:30', '09:00', '09:30', '11:30'])
    expect(await free(follow)).toEqual(['08:00', '08:30', '09:00', '11:00', '11:30'])
    expect(await free()).toEqual(['08:00', '08:30', '09:00', '09:30', '11:00', '11:30'])
  })

  it('a changed buffer concerns later bookings only', async () => {
    const shop = await shopWith({ followUpTimeMinutes: 30 })
    const [first] = slotsOf(await list(shop))
    await consumer.complete(shop.resource, bookingOf(first!))
    await setProduct(holdfast, shop.productUuid, { followUpTimeMinutes: 0 })
    expect(await clocks(shop)).toEqual(['09:00-09:30', '09:30-10:00'])
  })

  it('what lies outside the period asked for is in the way all the same', async () => {
    const shop = await shopWith({ leadTimeMinutes: 45, followUpTimeMinutes: 45 })
    await open(shop, { start: '2030-01-08T00:00', end: '2030-01-08T02:00' })
    await makeAppointment(holdfast.crm, shop, { start: '2030-01-07T22:00', end: '2030-01-07T22:50' })
    await makeAppointment(holdfast.crm, shop, { start: '2030-01-08T03:00', end: '2030-01-08T03:30' })
    // They block 21:15 to 23:35 and 02:15 to 04:15; a slot needs three quarters of an hour around it.
    const wanted = ['00:30-01:00', '01:00-01:30']
    expect(await clocks(shop, { from: '2030-01-08' })).toEqual(wanted)
    expect(await clocks(shop, { from: '2030-01-08', to: '2030-01-08T01:31' })).toEqual(wanted)
    setClock(holdfast, '2030-01-07T22:59:00Z')
    expect(await clocks(shop)).toEqual(wanted)
  })

  it('what is over is in the way all the same while a lead time reaches back to it', async () => {
    const shop = await shopWith({ leadTimeMinutes: 60 })
    await makeAppointment(holdfast.crm, shop, { start: '2030-01-07T07:00', end: '2030-01-07T07:40' })
    setClock(holdfast, '2030-01-07T06:59:00Z')
    expect(await clocks(shop)).toEqual(['09:00-09:30', '09:30-10:00'])
  })

  it('the Product of an Appointment that the provider made brings its buffers along', async () => {
    const shop = await shopWith({ leadTimeMinutes: 15, followUpTimeMinutes: 15 })
    await makeAppointment(holdfast.crm, shop, { start: '2030-01-07T09:00', end: '2030-01-07T09:10' })
    // It blocks 08:45 to 09:25; each slot needs a quarter of an hour around it.
    expect(await clocks(shop)).toEqual(['08:00-08:30'])
  })
})

describe('what is offered', () => {
  it('only Timeslots that are BOOKABLE and accept bookings', async () => {
    const where = await room()
    await open(where, { state: 'CREATED' })
    await open(where, { defaultAcceptBookings: false })
    expect((await list(where)).status).toBe(204)
  })

  it('no Timeslot without places', async () => {
    expect((await list(await roomWith({ defaultCapacity: 0 }))).status).toBe(204)
  })

  it('nothing of an archived Resource, until it is active again', async () => {
    const where = await roomWith()
    const archive = (archived: boolean) =>
      holdfast.crm.post(`${practice.path}/resources/${encodeURIComponent(where.resource)}`, { archived })
    await archive(true)
    const answer = await list(where)
    expect([answer.status, answer.body]).toEqual([200, { public_visible: false }])
    await archive(false)
    expect(await starts(where)).toHaveLength(4)
  })

  it('nothing through a hidden channel: {"public_visible": false}', async () => {
    const where = await roomWith()
    await setChannel(holdfast, where.resourceUuid, { visible: false })
    const { status, text } = await list(where)
    expect([status, text]).toEqual([200, '{"public_visible":false}'])
  })

  it('nothing that has begun: a slot must start after now', async () => {
    const where = await roomWith()
    setClock(holdfast, '2030-01-07T07:29:50Z')
    expect(await clocks(where)).toEqual(half.slice(1))
    setClock(holdfast, '2030-01-07T07:30:00Z')
    expect(await clocks(where)).toEqual(half.slice(2))
    setClock(holdfast, '2030-01-07T08:30:00Z')
    expect((await list(where)).status).toBe(204)
  })

  it('nothing within the minimum notice of the channel', async () => {
    const where = await roomWith()
    await setChannel(holdfast, where.resourceUuid, { minimumNoticeMinutes: 120 })
    setClock(holdfast, '2030-01-07T05:29:50Z')
    expect(await clocks(where)).toEqual(half.slice(1))
    expect(await clocks(where, { channelKey: 'CALENDAR_PUBLIC' })).toEqual(half)
  })

  it('nothing beyond the horizon of the channel', async () => {
    const where = await roomWith()
    await setChannel(holdfast, where.resourceUuid, { horizonDays: 2 })
    expect((await list(where)).status).toBe(204)
    setClock(holdfast, '2030-01-05T07:30:05Z')
    expect(await clocks(where)).toEqual(half.slice(0, 2))
    setClock(holdfast, '2030-01-05T08:30:05Z')
    expect(await clocks(where)).toEqual(half)
  })

  it('omits a held slot until the hold expires', async () => {
    const where = await roomWith()
    const [first] = slotsOf(await list(where))
    await consumer.reserve(where.resource, holdOf(first!))
    expect(await clocks(where)).toEqual(half.slice(1))
    holdfast.clock.shiftMs = 179_000
    expect(await clocks(where)).toEqual(half.slice(1))
    holdfast.clock.shiftMs = 181_000
    expect(await clocks(where)).toEqual(half)
  })

  it('of two Timeslots over the same time, booking in one takes the time from the other', async () => {
    const where = await roomWith()
    const hourly = await open(where, { end: '2030-01-07T10:00', raster: 60 })
    expect((await clocks(where)).map(one => one.slice(0, 5))).toEqual(['08:00', '08:30', '09:00', '09:30'])
    const [first] = slotsOf(await list(where))
    const hour = { ...first!, timeslot_uuid: hourly.uuid, end: '2030-01-07T09:00:00+01:00' }
    expect((await consumer.complete(where.resource, bookingOf(hour))).status).toBe(201)
    expect((await clocks(where)).map(one => one.slice(0, 5))).toEqual(['09:00', '09:30'])
  })
})

describe('group Appointments', () => {
  it('one that a consumer began is listed with its places, its uuid and its Timeslot', async () => {
    const where = await roomWith({ defaultCapacity: 3 })
    const [first] = slotsOf(await list(where))
    const { body } = await consumer.complete(where.resource, bookingOf(first!))
    const slots = slotsOf(await list(where))
    expect(slots[0]).toMatchObject({
      kind: 'models.LotAppointment',
      timeslot_uuid: where.timeslot,
      appointment_uuid: body.createdAppointment.appointment_uuid,
      product_uuid: practice.productUuid,
      capacity: 3,
      capacity_left: 2,
    })
    expect(slots.slice(1).map(slot => [slot.kind, slot.capacity_left])).toEqual(
      Array(3).fill(['models.Bookable', 3]),
    )
    expect(slots[1]).not.toHaveProperty('appointment_uuid')
  })

  it('keep to their Product: other Products are not offered at that time', async () => {
    const shop = await makePractice(holdfast.crm)
    const other = await makeProduct(holdfast.crm, shop)
    await open(shop, { end: '2030-01-07T09:00', defaultCapacity: 3 })
    const [first] = slotsOf(await list(shop, { prdRef: other.uuid }))
    await consumer.complete(shop.resource, bookingOf(first!))
    expect(await clocks(shop, { prdRef: shop.productUuid })).toEqual(['08:30-09:00'])
    expect(slotsOf(await list(shop))[0]).toMatchObject({
      product_uuid: other.uuid,
      products: [{ uuid: other.uuid, name: 'Talk' }],
    })
  })

  it('full ones are left out, unless the channel shows them with no places left', async () => {
    const where = await roomWith({ end: '2030-01-07T09:00', defaultCapacity: 1 })
    const [first] = slotsOf(await list(where))
    await consumer.complete(where.resource, bookingOf(first!))
    expect(await clocks(where)).toEqual(['08:30-09:00'])
    await setChannel(holdfast, where.resourceUuid, { showFull: true })
    const slots = slotsOf(await list(where))
    expect(slots.map(slot => [slot.kind, slot.capacity_left])).toEqual([
      ['models.LotAppointment', 0],
      ['models.Bookable', 1],
    ])
  })

  it('one that the provider made is listed with the uuid of the Timeslot in which it lies', async () => {
    const where = await roomWith()
    const made = await makeAppointment(holdfast.crm, where, {
      start: '2030-01-07T08:30',
      end: '2030-01-07T09:15',
      capacity: 5,
      acceptBookings: true,
      productName: 'Tasting',
    })
    const slots = slotsOf(await list(where))
    expect(await clocks(where)).toEqual(['08:00-08:30', '08:30-09:15', '09:30-10:00'])
    expect(slots[1]).toMatchObject({
      kind: 'models.LotAppointment',
      timeslot_uuid: where.timeslot,
      appointment_uuid: made.uuid,
      product_uuid: practice.productUuid,
      product_name: 'Tasting',
      capacity: 5,
      capacity_left: 5,
    })
  })

  it('or with its own uuid when there is none, or only one that is not bookable', async () => {
    const where = await room()
    await open(where, { state: 'CREATED' })
    const made = await makeAppointment(holdfast.crm, where, { acceptBookings: true })
    const [slot] = slotsOf(await list(where))
    expect(slot).toMatchObject({ timeslot_uuid: made.uuid, appointment_uuid: made.uuid })
  })

  it('one that does not accept bookings is not listed, and blocks its time', async () => {
    const where = await roomWith()
    await makeAppointment(holdfast.crm, where, { start: '2030-01-07T08:15', end: '2030-01-07T08:45' })
    expect(await clocks(where)).toEqual(['09:00-09:30', '09:30-10:00'])
  })

  it('counts requests, bookings and live holds against the places, nothing else', async () => {
    const where = await room()
    const made = await makeAppointment(holdfast.crm, where, { acceptBookings: true })
    for (const state of ['BOOKED', 'REQUESTED', 'RESERVED', 'CANCELED', 'DELETED'])
      await makeParticipation(holdfast.crm, practice, made.reference, state)
    const left = async () => slotsOf(await list(where))[0]!.capacity_left
    expect(await left()).toBe(7)
    holdfast.clock.shiftMs = 181_000
    expect(await left()).toBe(8)
  })

  it('are gone when the provider cancels or deletes them, and their time is free again', async () => {
    for (const path of ['', '/withoutNotification']) {
      const where = await roomWith()
      const made = await makeAppointment(holdfast.crm, where, {
        start: '2030-01-07T08:00',
        end: '2030-01-07T08:30',
        acceptBookings: true,
      })
      expect(slotsOf(await list(where))[0]!.kind).toBe('models.LotAppointment')
      await holdfast.crm.delete(`${practice.path}/appointments${path}`, {
        appointmentReference: made.reference,
      })
      expect(slotsOf(await list(where)).map(slot => slot.kind)).toEqual(Array(4).fill('models.Bookable'))
    }
  })

  it('stay closed while their Timeslot is taken off the market', async () => {
    const where = await room()
    const timeslot = await open(where, { end: '2030-01-07T09:00', defaultCapacity: 3 })
    const [first] = slotsOf(await list(where))
    await consumer.complete(where.resource, bookingOf(first!))
    const change = (body: object) =>
      holdfast.crm.put(`${practice.path}/timeslots/${encodeURIComponent(timeslot.reference)}`, body)
    await change({ state: 'CREATED' })
    expect((await list(where)).status).toBe(204)
    await change({ state: 'BOOKABLE' })
    expect(await starts(where)).toHaveLength(2)
  })
})

describe('patterns', () => {
  let where: Practice
  beforeAll(async () => {
    where = await room()
    await open(where, { start: '2030-03-04T13:05', end: '2030-03-04T14:05', raster: 60 })
    await open(where, { start: '2030-03-05T00:00', end: '2030-03-05T01:00', raster: 60 })
    await open(where, { start: '2030-05-06T09:00', end: '2030-05-06T10:00', raster: 60 })
  })
  const groups = async (query: Query) => {
    const { status, body } = await list(where, query)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return Object.keys(body).slice(0, -1)
  }
  const times = async (query: Query) => slotsOf(await list(where, query)).map(slot => slot.formattedStart)

  it.each([
    ['yyyy-MM', 'en', ['2030-03', '2030-05']],
    ['MMMM yyyy', 'en', ['March 2030', 'May 2030']],
    ['MMMM yyyy', 'de', ['März 2030', 'Mai 2030']],
    ['MMMM yyyy', 'fr-CA', ['mars 2030', 'mai 2030']],
    ['EEEE, d. MMMM', 'de-AT', ['Montag, 4. März', 'Dienstag, 5. März', 'Montag, 6. Mai']],
    ['EEE d MMM yy', 'es', ['lun 4 mar 30', 'mar 5 mar 30', 'lun 6 may 30']],
    ['EEEE', 'it', ['lunedì', 'martedì']],
    ["'week of' M/d", 'en', ['week of 3/4', 'week of 3/5', 'week of 5/6']],
    ["yyyy''MM", 'en', ["2030'03", "2030'05"]],
    ["'all'", 'en', ['all']],
    ['', 'en', ['2030-03-04', '2030-03-05', '2030-05-06']],
    ['dd.MM.yyyy', 'en', ['04.03.2030', '05.03.2030', '06.05.2030']],
  ])('groupFormat %s in %s', async (groupFormat, languageTag, wanted) => {
    expect(await groups({ groupFormat, languageTag })).toEqual(wanted)
  })

  it.each([
    ['HH:mm', ['13:05', '00:00', '09:00']],
    ["H 'Uhr' mm", ['13 Uhr 05', '0 Uhr 00', '9 Uhr 00']],
    ['hh:mm a', ['01:05 PM', '12:00 AM', '09:00 AM']],
    ['h:mm:ss', ['1:05:00', '12:00:00', '9:00:00']],
    ['EEEE HH', ['Monday 13', 'Tuesday 00', 'Monday 09']],
  ])('timeFormat %s', async (timeFormat, wanted) => {
    expect(await times({ timeFormat, languageTag: 'en' })).toEqual(wanted)
  })

  it('formats the end as well', async () => {
    const [slot] = slotsOf(await list(where, { timeFormat: 'HH:mm' }))
    expect(slot).toMatchObject({ formattedStart: '13:05', formattedEnd: '14:05' })
  })

  it('languageTag falls back to the language of the Provider', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProvider(holdfast, shop.uuid, { language: 'fr' })
    await open(shop)
    for (const languageTag of [undefined, 'undefined', '', 'xx', 'not a tag', 'qqq'])
      expect(Object.keys((await list(shop, { groupFormat: 'MMMM', languageTag })).body)[0]).toBe('janvier')
  })

  it('speaks languages beyond those of its mails', async () => {
    expect((await groups({ groupFormat: 'd MMMM', languageTag: 'pl' }))[0]).toBe('4 marca')
    // As Java writes it.
    expect((await groups({ groupFormat: 'd MMMM', languageTag: 'pl_PL' }))[0]).toBe('4 marca')
  })

  it.each(['x', 'yyyy-MM-dd T', 'Q', 'YYYY', 'dddd', 'HHH', "'open", 'y'.repeat(201)])(
    'refuses %s, and names the field',
    async pattern => {
      expectRefusal(await list(where, { groupFormat: pattern }), 400, 'invalid-field', 'groupFormat')
      expectRefusal(await list(where, { timeFormat: pattern }), 400, 'invalid-field', 'timeFormat')
    },
  )

  it('refuses a bad pattern of a Resource without slots too', async () => {
    expectRefusal(await list(await room(), { groupFormat: 'x' }), 400, 'invalid-field', 'groupFormat')
  })

  it('refuses the one label that would hide public_visible', async () => {
    const answer = await list(where, { groupFormat: "'public_visible'" })
    expectRefusal(answer, 400, 'invalid-field', 'groupFormat')
  })

  it('groups in the zone that is shown: the day of a slot is the Provider’s', async () => {
    const tokyo = await makePractice(holdfast.crm)
    await setProvider(holdfast, tokyo.uuid, { timeZone: 'Asia/Tokyo' })
    await open(tokyo, { start: '2030-01-07T23:30', end: '2030-01-08T00:30' })
    const { body } = await list(tokyo)
    expect(Object.keys(body)).toEqual(['2030-01-07', '2030-01-08', 'public_visible'])
    expect(body['2030-01-07'][0].start).toBe('2030-01-07T23:30:00+09:00')
  })
})

describe('from and to', () => {
  let where: Practice
  beforeAll(async () => {
    where = await room()
    for (const date of ['2030-01-07', '2030-01-08', '2030-01-09'])
      await open(where, { start: `${date}T08:00`, end: `${date}T10:00`, raster: 60 })
  })
  const inDay = async (query: Query) => (await starts(where, query)).map(start => start.slice(8, 16))

  it.each<[Query, string[]]>([
    [{ from: '2030-01-09' }, ['09T08:00', '09T09:00']],
    [{ to: '2030-01-08' }, ['07T08:00', '07T09:00']],
    [{ from: '2030-01-08', to: '2030-01-09' }, ['08T08:00', '08T09:00']],
    [{ from: '2030-01-08T09:00', to: '2030-01-09T08:00' }, ['08T09:00']],
    [{ from: '2030-01-08T08:00:00Z', to: '2030-01-09T07:00:00Z' }, ['08T09:00']],
    [{ from: '2030-01-08T10:00:00+02:00', to: '2030-01-09T09:00:00.001+02:00' }, ['08T09:00', '09T08:00']],
    [
      { from: 'undefined', to: 'null' },
      ['07T08:00', '07T09:00', '08T08:00'].concat(['08T09:00', '09T08:00', '09T09:00']),
    ],
  ])('bound the starts: %j', async (query, wanted) => {
    expect(await inDay(query)).toEqual(wanted)
  })

  it('that leave nothing are 204', async () => {
    for (const query of [
      { from: '2031-01-01' },
      { to: '2030-01-01' },
      { from: '2030-01-09', to: '2030-01-08' },
      { from: '2030-01-08', to: '2030-01-08' },
      { from: '2030-01-08T08:00', to: '2030-01-08T08:00' },
    ])
      expect((await list(where, query)).status).toBe(204)
  })

  it('bound Appointments that can be joined as well', async () => {
    const group = await room()
    await makeAppointment(holdfast.crm, group, { acceptBookings: true })
    expect((await list(group, { to: '2030-01-07' })).status).toBe(204)
    expect((await list(group, { from: '2030-01-07T10:00', to: '2030-01-08' })).status).toBe(200)
    expect((await list(group, { from: '2030-01-07T10:01' })).status).toBe(204)
  })

  it.each(['yesterday', '2030-02-30', '2030-01-07T25:00', '2030-1-7', '07.01.2030', '1893974400000'])(
    'refuse %s, and name the field',
    async text => {
      expectRefusal(await list(where, { from: text }), 400, 'invalid-field', 'from')
      expectRefusal(await list(where, { to: text }), 400, 'invalid-field', 'to')
    },
  )
})

describe('clock changes', () => {
  const dayIn = async (timeZone: string, date: string, start: string, end: string, raster = 60) => {
    const shop = await makePractice(holdfast.crm)
    await setProvider(holdfast, shop.uuid, { timeZone })
    await open(shop, { start: `${date}T${start}`, end: end.includes('T') ? end : `${date}T${end}`, raster })
    return shop
  }
  const shown = async (shop: Practice) =>
    (await starts(shop)).map(start => start.slice(11, 16) + start.slice(19))

  it.each([
    ['Europe/Berlin', '2030-03-31', '01:00', '05:00', 60, '01:00+01:00 03:00+02:00 04:00+02:00'],
    ['Europe/Berlin', '2030-10-27', '01:00', '04:00', 60, '01:00+02:00 02:00+02:00 02:00+01:00 03:00+01:00'],
    ['America/New_York', '2030-03-10', '01:00', '04:00', 60, '01:00-05:00 03:00-04:00'],
    ['America/New_York', '2030-11-03', '00:00', '02:00', 60, '00:00-04:00 01:00-04:00 01:00-05:00'],
    ['Australia/Lord_Howe', '2030-10-06', '01:30', '03:30', 30, '01:30+10:30 02:30+11:00 03:00+11:00'],
    [
      'Australia/Lord_Howe',
      '2030-04-07',
      '01:00',
      '02:30',
      30,
      '01:00+11:00 01:30+11:00 01:30+10:30 02:00+10:30',
    ],
    ['America/Santiago', '2030-09-08', '01:00', '03:00', 60, '01:00-03:00 02:00-03:00'],
    [
      'America/Santiago',
      '2030-04-06',
      '22:00',
      '2030-04-07T01:00',
      60,
      '22:00-03:00 23:00-03:00 23:00-04:00 00:00-04:00',
    ],
  ])(
    '%s on %s: every slot is listed with its true offset and can be booked',
    async (zone, date, from, to, raster, wanted) => {
      const shop = await dayIn(zone, date, from, to, raster)
      const listed = await shown(shop)
      expect(listed.join(' ')).toBe(wanted)
      for (const slot of slotsOf(await list(shop))) {
        expect((await consumer.reserve(shop.resource, holdOf(slot))).status).toBe(200)
        expect(Date.parse(slot.end) - Date.parse(slot.start)).toBe(raster * 60_000)
      }
      expect((await list(shop)).status).toBe(204)
    },
  )
})

describe('Timeslots that overlap', () => {
  const reserve = (where: Practice, timeslot_uuid: string, from: string, to: string) =>
    consumer.reserve(where.resource, { timeslot_uuid, product_uuid: practice.productUuid, from, to })

  async function overlapping() {
    const where = await roomWith({ defaultCapacity: 1 })
    const larger = await open(where, {
      start: '2030-01-07T09:00',
      end: '2030-01-07T11:00',
      defaultCapacity: 4,
    })
    return { where, smaller: where.timeslot, larger: larger.uuid }
  }

  it('show each start once, with the larger capacity', async () => {
    const { where, smaller, larger } = await overlapping()
    const slots = slotsOf(await list(where))
    expect(slots.map(one => [one.start.slice(11, 16), one.timeslot_uuid, one.capacity])).toEqual([
      ['08:00', smaller, 1],
      ['08:30', smaller, 1],
      ['09:00', larger, 4],
      ['09:30', larger, 4],
      ['10:00', larger, 4],
      ['10:30', larger, 4],
    ])
  })

  it('can be reserved by either of them', async () => {
    for (const which of ['smaller', 'larger'] as const) {
      const shop = await overlapping()
      const answer = await reserve(shop.where, shop[which], '2030-01-07T08:00:00Z', '2030-01-07T08:30:00Z')
      expect([answer.status, answer.body.participation?.timeslot_uuid]).toEqual([200, shop[which]])
      expect((await clocks(shop.where)).filter(one => one.startsWith('09:00'))).toEqual(
        which === 'larger' ? ['09:00-09:30'] : [],
      )
    }
  })

  it('list a start with each Product once, where their rasters suit different ones', async () => {
    const where = await roomWith({ raster: 30, defaultCapacity: 1 })
    const long = await makeProduct(holdfast.crm, practice, { minDuration: 120, maxDuration: 120 })
    await open(where, { end: '2030-01-07T09:00', raster: 60, defaultCapacity: 2 })
    const eight = slotsOf(await list(where)).filter(one => one.start.includes('T08:00'))
    const named = eight.flatMap(one => one.products.map(({ uuid }) => `${uuid} of ${one.capacity}`))
    expect(named).toContain(`${practice.productUuid} of 2`)
    expect(named).toContain(`${long.uuid} of 1`)
    expect(new Set(eight.flatMap(one => one.products.map(({ uuid }) => uuid))).size).toBe(named.length)
  })

  it('are explained as they are listed', async () => {
    const { where } = await overlapping()
    const path = `/resources/${where.resourceUuid}/explain?date=2030-01-07`
    const { lines } = (await consoleCall(holdfast.app, 'GET', path)).body
    const offered = lines.filter((line: { offered: boolean }) => line.offered)
    const names = (one: { start: string; timeslot: string }) => `${Date.parse(one.start)} ${one.timeslot}`
    const listed = slotsOf(await list(where)).map(one => ({ start: one.start, timeslot: one.timeslot_uuid }))
    expect(offered.map(names).sort()).toEqual(listed.map(names).sort())
    const rest = lines.filter((line: { offered: boolean }) => !line.offered)
    expect(rest.map((line: { reason: string }) => line.reason)).toEqual([
      'listed-elsewhere',
      'listed-elsewhere',
    ])
  })

  it('lists all of them if one is asked for by name', async () => {
    const { smaller } = await overlapping()
    const { body } = await consumer.send('POST', `/bookables/specific_bookables?tslIds=${smaller}`)
    expect(body[0].bookables['2030-01-07']).toHaveLength(4)
  })
})

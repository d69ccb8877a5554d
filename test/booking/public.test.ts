import { beforeEach, describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeCustomer,
  makePractice,
  makeProduct,
  makeProfile,
  makeResource,
  makeRoom,
  makeTimeslot,
  type Practice,
  setChannel,
  setProduct,
  unique,
} from '../support/build.ts'
import { asConsumer, bookingOf, overApp, type Query, queryText, slotsOf } from '../support/consumer.ts'
import { expectRefusal, messageOf } from '../support/refusals.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org', phone: '030 1' })
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

type Body = Record<string, Answer['body']>
const nowhere = '00000000-0000-4000-8000-000000000000'

const ask = (path: string, query: Query, prefix = '') =>
  consumer.send('POST', `${prefix}${path}${queryText(query)}`)
const activeProducts = (query: Query) => ask('/products/active_products', query)
const publicData = (query: Query) => ask('/resources/public_data', query)
const uuidsOf = ({ body }: { body: Body }) => body.products.map((product: Body) => product.uuid)

/** A practice with a second and a third Product. */
async function shopWithThree() {
  const shop = await makePractice(holdfast.crm)
  const second = await makeProduct(holdfast.crm, shop, { name: 'Second' })
  const third = await makeProduct(holdfast.crm, shop, { name: 'Third' })
  return { ...shop, products: [shop.productUuid, second.uuid, third.uuid] as const, second, third }
}

/** Both take the same refs. */
describe.each([
  ['active products', '/products/active_products'],
  ['public data', '/resources/public_data'],
])('%s: the question', (_, path) => {
  it('requires ref or tslRefs; "undefined" and "null" count as missing', async () => {
    for (const query of [{}, { ref: 'undefined', tslRefs: 'null' }, { ref: '' }])
      expectRefusal(await ask(path, query), 400, 'missing-field', 'ref')
  })

  it('responds under both prefixes, whatever the body and its type', async () => {
    const { body } = await ask(path, { ref: practice.resource })
    for (const prefix of ['', '/rest/1'])
      for (const [sent, type] of [
        [undefined, undefined],
        ['["a","b"]', 'application/json'],
        ['[]', undefined],
        ['{broken', 'application/json'],
        ['x', 'text/plain'],
      ]) {
        const headers: Record<string, string> = type ? { 'content-type': type } : {}
        const url = `${prefix}${path}?channelKey=undefined&ref=${practice.resource}&tslRefs=undefined`
        expect(await consumer.send('POST', url, sent, { headers })).toMatchObject({ status: 200, body })
      }
  })

  it('accepts the same refs as the list: uuid, channel, three parts', async () => {
    const { body } = await ask(path, { ref: practice.resource })
    const [id, platform] = practice.resource.split('@')
    const channel = await setChannel(holdfast, practice.resourceUuid, {}, 'RESOURCE_PUBLIC')
    for (const ref of [practice.resourceUuid, channel.uuid, `${id}@${practice.uuid}@${platform}`]) {
      const answer = await ask(path, { ref })
      expect(answer.status).toBe(200)
      expect({ ...answer.body, ref: body.ref }).toEqual({ ...body, ref: body.ref })
    }
  })

  it('accepts Timeslots and Appointments as tslRefs, by reference, three parts or uuid', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const timeslot = await makeTimeslot(holdfast.crm, where)
    const appointment = await makeAppointment(holdfast.crm, where)
    for (const { reference, uuid } of [timeslot, appointment]) {
      const [id, platform] = reference.split('@')
      for (const tslRefs of [reference, uuid, uuid.toUpperCase(), `${id}@${practice.uuid}@${platform}`])
        expect((await ask(path, { tslRefs })).status).toBe(200)
    }
  })

  it('unknown refs are 404', async () => {
    for (const ref of ['nobody@plat', nowhere]) {
      expectRefusal(await ask(path, { ref }), 404, 'not-found', 'ref')
      expectRefusal(await ask(path, { ref: [practice.resource, ref] }), 404, 'not-found', 'ref')
      expectRefusal(await ask(path, { tslRefs: ref }), 404, 'not-found', 'tslRefs')
    }
    expectRefusal(await ask(path, { tslRefs: practice.resource }), 404, 'not-found', 'tslRefs')
  })

  it('tslRefs used by several Providers are 404; the error names the three-part form, which then works', async () => {
    const other = await makePractice(holdfast.crm)
    const reference = unique('both')
    await makeTimeslot(holdfast.crm, practice, {
      reference,
      start: '2031-01-06T08:00',
      end: '2031-01-06T09:00',
    })
    await makeTimeslot(holdfast.crm, other, { reference })
    const refused = await ask(path, { tslRefs: reference })
    expectRefusal(refused, 404, 'not-found', 'tslRefs')
    expect(messageOf(refused)).toContain('@providerUuid@')
    const named = await ask(path, { tslRefs: `${reference.replace('@plat', '')}@${other.uuid}@plat` })
    expect(JSON.stringify(named.body)).toContain(other.productUuid)
  })

  it('tslRefs of a deleted Resource are 404', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const { uuid, reference } = await makeAppointment(holdfast.crm, where)
    await holdfast.crm.delete(
      `${practice.path}/resources/${encodeURIComponent(where.resource)}?ignoreFutureAppointments`,
    )
    for (const tslRefs of [uuid, reference])
      expectRefusal(
        await ask(path, { tslRefs: [tslRefs], ref: practice.resource }),
        404,
        'not-found',
        'tslRefs',
      )
  })

  it('an unknown channelKey is 400', async () => {
    const answer = await ask(path, { ref: practice.resource, channelKey: 'x' })
    expectRefusal(answer, 400, 'invalid-field', 'channelKey')
  })
})

describe('active products', () => {
  it('describe each Product, with its description in detailsPre too', async () => {
    const shop = await makePractice(holdfast.crm)
    await setProduct(holdfast, shop.productUuid, {
      description: 'Bring **water**',
      minDuration: 30,
      maxDuration: 60,
      leadTimeMinutes: 5,
      followUpTimeMinutes: 10,
      priceText: 'from €30',
      imageUrl: 'https://example.org/talk.jpg',
    })
    expect((await activeProducts({ ref: shop.resource })).body).toEqual({
      products: [
        {
          uuid: shop.productUuid,
          ref: shop.product,
          name: 'Talk',
          description: 'Bring **water**',
          detailsPre: 'Bring **water**',
          minDuration: 30,
          maxDuration: 60,
          leadTimeMinutes: 5,
          followUpTimeMinutes: 10,
          exclusive: false,
          maxPlaces: 1,
          placeNamesRequired: false,
          priceText: 'from €30',
          imageUrl: 'https://example.org/talk.jpg',
          questions: [],
        },
      ],
    })
  })

  it('have an empty description and null for unset numbers', async () => {
    const { body } = await activeProducts({ ref: practice.resource })
    expect(body.products[0]).toMatchObject({
      description: '',
      minDuration: null,
      maxDuration: null,
      leadTimeMinutes: null,
      followUpTimeMinutes: null,
    })
  })

  it('are those linked to the Resource, in that order, or all of the Provider’s', async () => {
    const shop = await shopWithThree()
    expect(uuidsOf(await activeProducts({ ref: shop.resource }))).toEqual(shop.products)
    const linked = await makeRoom(holdfast.crm, shop, { products: [shop.third.reference, shop.product] })
    expect(uuidsOf(await activeProducts({ ref: linked.resource }))).toEqual([
      shop.third.uuid,
      shop.productUuid,
    ])
  })

  it('are those of the channel, marked exclusive if some channel does not offer them', async () => {
    const shop = await shopWithThree()
    await setChannel(
      holdfast,
      shop.resourceUuid,
      { products: [shop.products[0], shop.products[1]] },
      'RESOURCE_EXCLUSIVE',
    )
    await setChannel(holdfast, shop.resourceUuid, { products: [] }, 'CALENDAR_PUBLIC')
    const of = async (channelKey?: string) =>
      (await activeProducts({ ref: shop.resource, channelKey })).body.products
    expect((await of()).map((one: Body) => one.exclusive)).toEqual([true, true, true])
    expect((await of('RESOURCE_EXCLUSIVE')).map((one: Body) => one.uuid)).toEqual(shop.products.slice(0, 2))
    expect(await of('CALENDAR_PUBLIC')).toEqual([])
    await setChannel(holdfast, shop.resourceUuid, { products: null }, 'CALENDAR_PUBLIC')
    expect((await of()).map((one: Body) => one.exclusive)).toEqual([false, false, true])
  })

  it('of several refs are the union, each once', async () => {
    const shop = await shopWithThree()
    const one = await makeRoom(holdfast.crm, shop, { products: [shop.product, shop.second.reference] })
    const two = await makeRoom(holdfast.crm, shop, {
      products: [shop.second.reference, shop.third.reference],
    })
    const answer = await activeProducts({ ref: [one.resource, two.resource, one.resourceUuid] })
    expect(uuidsOf(answer)).toEqual(shop.products)
  })

  it('of a Timeslot are those of its Resource; of an Appointment, its own', async () => {
    const shop = await shopWithThree()
    const timeslot = await makeTimeslot(holdfast.crm, shop)
    const appointment = await makeAppointment(holdfast.crm, { ...shop, product: shop.second.reference })
    expect(uuidsOf(await activeProducts({ tslRefs: timeslot.uuid }))).toEqual(shop.products)
    expect(uuidsOf(await activeProducts({ tslRefs: appointment.reference }))).toEqual([shop.second.uuid])
    expect(uuidsOf(await activeProducts({ tslRefs: [appointment.uuid, timeslot.uuid] })).sort()).toEqual(
      [...shop.products].sort(),
    )
  })

  it('are empty on a hidden channel and for an archived Resource', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    await setChannel(holdfast, where.resourceUuid, { visible: false })
    expect((await activeProducts({ ref: where.resource })).body).toEqual({ products: [] })
    expect(
      uuidsOf(await activeProducts({ ref: where.resource, channelKey: 'CALENDAR_PUBLIC' })),
    ).toHaveLength(1)
    await holdfast.crm.post(`${practice.path}/resources/${encodeURIComponent(where.resource)}`, {
      archived: true,
    })
    const answer = await activeProducts({ ref: where.resource, channelKey: 'CALENDAR_PUBLIC' })
    expect(answer.body).toEqual({ products: [] })
  })
})

describe('public data', () => {
  it('says who, what and how', async () => {
    const profile = await makeProfile(holdfast.crm, practice, practice.owner)
    const where = await makeRoom(holdfast.crm, practice, {
      description: 'Second floor',
      website: 'https://example.org',
      contact: practice.owner,
      contactProfileReference: profile.reference,
      imageUrl: 'https://example.org/room.jpg',
    })
    const { body } = await publicData({ ref: where.resource })
    expect(body).toMatchObject({
      ref: where.resource,
      contact: { name: 'Public name', email: 'profile@example.org', mobile: null, phone: null },
      resource: {
        uuid: where.resourceUuid,
        name: 'Room',
        description: 'Second floor',
        contactChannelType: 'email',
        msgHelpText: null,
        url: 'https://example.org',
        imgUrl: 'https://example.org/room.jpg',
        supportedProducts: [practice.productUuid],
      },
      provider: {
        name: 'Practice',
        description: null,
        isThemingAllowed: expect.any(Boolean),
        isLocalisationAllowed: expect.any(Boolean),
        areCustomFieldsAllowed: expect.any(Boolean),
      },
      channel: {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        key: 'RESOURCE_PUBLIC',
        visible: true,
        bookingProcess: 'IMMEDIATE',
      },
      closures: [],
    })
    expect(body).not.toHaveProperty('api-info')
  })

  it('shows the Provider if there is no contact, and never the internal name', async () => {
    const where = await makeRoom(holdfast.crm, practice, { internalName: 'INTERNAL' })
    const { body, text } = await publicData({ ref: where.resource })
    expect(body.contact).toEqual({
      name: 'Practice',
      email: 'desk@example.org',
      mobile: null,
      phone: '030 1',
    })
    expect(text).not.toContain('INTERNAL')
  })

  it('has the ref to use in later calls: the requested one, or the uuid behind a Timeslot', async () => {
    const { uuid } = await makeTimeslot(holdfast.crm, practice, {
      start: '2031-02-03T08:00',
      end: '2031-02-03T09:00',
    })
    expect((await publicData({ ref: practice.resourceUuid })).body.ref).toBe(practice.resourceUuid)
    const { ref } = (await publicData({ tslRefs: uuid })).body
    expect((await publicData({ ref })).body.resource.uuid).toBe(practice.resourceUuid)
  })

  it('is an object for one ref and an array in the requested order for several', async () => {
    const one = await makeRoom(holdfast.crm, practice)
    const two = await makeRoom(holdfast.crm, practice)
    const { uuid } = await makeAppointment(holdfast.crm, one)
    expect(Array.isArray((await publicData({ ref: one.resource })).body)).toBe(false)
    const { body } = await publicData({ ref: [two.resource, one.resource], tslRefs: [uuid] })
    expect(body.map((entry: Body) => entry.resource.uuid)).toEqual([
      two.resourceUuid,
      one.resourceUuid,
      one.resourceUuid,
    ])
    const reversed = await publicData({ ref: [one.resource, two.resource] })
    expect(reversed.body.map((entry: Body) => entry.ref)).toEqual([one.resource, two.resource])
  })

  it('follows the channel: its process, uuid and visibility, and responds normally for a hidden one', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const channel = await setChannel(
      holdfast,
      where.resourceUuid,
      { bookingProcess: 'REQUESTED', visible: false, changeNoticeMinutes: 1440 },
      'RESOURCE_EXCLUSIVE',
    )
    for (const query of [{ ref: where.resource, channelKey: 'RESOURCE_EXCLUSIVE' }, { ref: channel.uuid }]) {
      const { status, body } = await publicData(query)
      expect(status).toBe(200)
      expect(body.channel).toEqual({
        uuid: channel.uuid,
        key: 'RESOURCE_EXCLUSIVE',
        visible: false,
        bookingProcess: 'REQUESTED',
        changeNoticeMinutes: 1440,
        customersOnly: false,
        waitingList: null,
        series: null,
        seriesMax: 0,
        phoneField: 'OPTIONAL',
        askMessage: true,
      })
      expect(body.resource.uuid).toBe(where.resourceUuid)
    }
  })
})

describe('chosen products', () => {
  const chosen = (query: Query) => ask('/products/specific_products', query, '/rest/1')

  it('are a bare array of the same objects, in the requested order', async () => {
    const shop = await shopWithThree()
    const all = (await activeProducts({ ref: shop.resource })).body.products
    const { status, body } = await chosen({
      prdRefs: [shop.third.uuid, shop.product, shop.second.uuid.toUpperCase()],
      channelKey: 'undefined',
    })
    expect([status, body]).toEqual([200, [all[2], all[0], all[1]]])
  })

  it('omit unknown references and those that several Providers share', async () => {
    const reference = unique('twin')
    const other = await makePractice(holdfast.crm)
    await makeProduct(holdfast.crm, practice, { reference })
    const theirs = await makeProduct(holdfast.crm, other, { reference })
    expect((await chosen({ prdRefs: ['nothing@plat', nowhere, reference] })).body).toEqual([])
    expect((await chosen({ prdRefs: [theirs.uuid] })).body).toHaveLength(1)
  })

  it('require prdRefs', async () => {
    expectRefusal(await chosen({}), 400, 'missing-field', 'prdRefs')
  })
})

describe('the booking form of a Product', () => {
  it('is 404, so widgets show the default form', async () => {
    for (const uuid of [practice.productUuid, nowhere, 'nonsense'])
      for (const prefix of ['', '/rest/1'])
        expectRefusal(
          await consumer.send('GET', `${prefix}/products/${uuid}/bookingConfig`),
          404,
          'not-found',
        )
  })
})

describe('chosen slots', () => {
  const chosen = (query: Query) => ask('/bookables/specific_bookables', query, '/rest/1')

  it('are those of the named Timeslots and Appointments, by Resource', async () => {
    const one = await makeRoom(holdfast.crm, practice)
    const two = await makeRoom(holdfast.crm, practice)
    const timeslot = await makeTimeslot(holdfast.crm, one, { end: '2030-01-07T09:00' })
    await makeTimeslot(holdfast.crm, one, { start: '2030-01-08T08:00', end: '2030-01-08T09:00' })
    const group = await makeAppointment(holdfast.crm, two, { acceptBookings: true })
    await makeAppointment(holdfast.crm, two, {
      acceptBookings: true,
      start: '2030-01-09T08:00',
      end: '2030-01-09T09:00',
    })
    const { status, body } = await chosen({ tslIds: [timeslot.uuid, group.reference] })
    expect(status).toBe(200)
    expect(body.map((entry: Body) => [entry.resourceId, Object.keys(entry.bookables)])).toEqual([
      [one.resourceUuid, ['2030-01-07']],
      [two.resourceUuid, ['2030-01-07']],
    ])
    const list = slotsOf(await consumer.list(one.resource, { to: '2030-01-08' }))
    expect(body[0].bookables['2030-01-07']).toEqual(list)
    expect(body[1].bookables['2030-01-07']).toMatchObject([
      { kind: 'models.LotAppointment', appointment_uuid: group.uuid },
    ])
  })

  it('follow prdRef and channelKey as the list does', async () => {
    const shop = await shopWithThree()
    await setProduct(holdfast, shop.second.uuid, { minDuration: 60 })
    const { uuid } = await makeTimeslot(holdfast.crm, shop, { end: '2030-01-07T09:00' })
    const slots = async (query: Query) =>
      Object.values((await chosen({ tslIds: [uuid], ...query })).body[0].bookables).flat()
    expect(await slots({ prdRef: shop.second.uuid })).toHaveLength(1)
    expect(await slots({ prdRef: 'undefined', channelKey: 'undefined' })).toHaveLength(2)
    await setChannel(holdfast, shop.resourceUuid, { visible: false }, 'CALENDAR_PUBLIC')
    expect(await slots({ channelKey: 'CALENDAR_PUBLIC' })).toEqual([])
    expectRefusal(await chosen({ tslIds: [uuid], prdRef: 'nothing@plat' }), 404, 'not-found', 'prdRef')
  })

  it('no longer include taken slots', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const { uuid } = await makeTimeslot(holdfast.crm, where, { end: '2030-01-07T09:00' })
    await consumer.complete(where.resource, bookingOf(slotsOf(await consumer.list(where.resource))[0]!))
    const { body } = await chosen({ tslIds: [uuid] })
    expect(body[0].bookables['2030-01-07']).toHaveLength(1)
  })

  it('omit unknown ones; none at all is 400', async () => {
    expect((await chosen({ tslIds: ['nothing@plat', nowhere] })).body).toEqual([])
    expectRefusal(await chosen({}), 400, 'missing-field', 'tslIds')
  })
})

describe('identify', () => {
  const identify = (ref: string, customer: string, prefix = '/rest/1') =>
    consumer.send(
      'GET',
      `${prefix}/crms/plat/resources/${ref}/customers/${encodeURIComponent(customer)}/identify`,
    )
  const switchOn = (shop: Practice) =>
    holdfast.service.db.pool.query('update provider set pre_identification = true where uuid = $1', [
      shop.uuid,
    ])

  it('is 404 by default, for known and unknown alike', async () => {
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    const known = await identify(practice.resource, customerReference)
    const unknown = await identify(practice.resource, 'nobody@plat')
    expectRefusal(known, 404, 'not-found')
    expect(known.text.replace(customerReference, 'nobody@plat')).toBe(unknown.text)
  })

  it('is masked if the provider has turned it on', async () => {
    const shop = await makePractice(holdfast.crm)
    await switchOn(shop)
    const { customerReference } = await makeCustomer(holdfast.crm, shop, {
      userName: 'Ann-Marie Winter',
      email: 'ann.winter@mail.example.org',
      mobile: '+49 170',
    })
    const { status, body } = await identify(shop.resource, customerReference)
    expect(status).toBe(200)
    expect(body.name).toMatch(/^A\*+ W\*+$/)
    expect(body.email).toMatch(/^a\*+@m\*+\.example\.org$/)
    expect(body.missingFields).toEqual([])
    expectRefusal(await identify(shop.resource, 'nobody@plat'), 404, 'not-found')
  })

  it('reveals nothing: even one-letter names and multi-byte characters are masked', async () => {
    const shop = await makePractice(holdfast.crm)
    await switchOn(shop)
    const short = await makeCustomer(holdfast.crm, shop, { userName: 'X Y', email: 'j@q.org' })
    const { body, text } = await identify(shop.resource, short.customerReference)
    expect(text).not.toMatch(/[XY]|j@|q\.org/)
    expect(body.missingFields).toEqual(['mobile'])
    const emoji = await makeCustomer(holdfast.crm, shop, { userName: '👩‍👩‍👧 Ö', email: '👩xyz@ööö.org' })
    const masked = (await identify(shop.resource, emoji.customerReference)).body
    expect((masked.name + masked.email).isWellFormed()).toBe(true)
  })

  it('says what is missing', async () => {
    const shop = await makePractice(holdfast.crm)
    await switchOn(shop)
    const { customerReference } = await makeCustomer(holdfast.crm, shop, { email: null })
    const { body } = await identify(shop.resource, customerReference)
    expect(body).toMatchObject({ email: '', missingFields: ['email', 'mobile'] })
  })

  it('finds no Customer of another Provider, and no erased one', async () => {
    const shop = await makePractice(holdfast.crm)
    await switchOn(shop)
    const theirs = await makeCustomer(holdfast.crm, practice)
    expectRefusal(await identify(shop.resource, theirs.customerReference), 404, 'not-found')
    const erased = await makeCustomer(holdfast.crm, shop)
    await holdfast.crm.delete(`${shop.path}/customers/${encodeURIComponent(erased.customerReference)}`)
    expectRefusal(await identify(shop.resource, erased.customerReference), 404, 'not-found')
    expectRefusal(await identify('nobody@plat', erased.customerReference), 404, 'not-found', 'ref')
  })
})

it('deleted Resources no longer appear anywhere', async () => {
  const { reference } = await makeResource(holdfast.crm, practice)
  await holdfast.crm.delete(`${practice.path}/resources/${encodeURIComponent(reference)}`)
  for (const path of ['/products/active_products', '/resources/public_data'])
    expectRefusal(await ask(path, { ref: reference }), 404, 'not-found', 'ref')
})

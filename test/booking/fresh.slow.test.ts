// Lists and booking pages are kept rendered; every change must show in the very next answer all the same.

import { beforeEach, describe, expect, it } from 'vitest'
import {
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeProduct,
  makeProfile,
  makeTimeslot,
  type Practice,
  setChannel,
  setClock,
  setProduct,
  setProvider,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

type Shop = Practice & {
  timeslot: string
  person: string
  group: { reference: string; uuid: string }
  inGroup: string
}

/** Everything that a list shows, or that decides what it shows. */
async function makeShop(): Promise<Shop> {
  const practice = await makePractice(holdfast.crm, { email: 'desk@example.org' })
  const profile = await makeProfile(holdfast.crm, practice, practice.owner)
  await holdfast.crm.post(`${practice.path}/resources/${encodeURIComponent(practice.resource)}`, {
    contact: practice.owner,
    contactProfileReference: profile.reference,
  })
  const timeslot = await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T10:00' })
  const group = await makeAppointment(holdfast.crm, practice, {
    start: '2030-01-07T11:00',
    end: '2030-01-07T12:00',
    acceptBookings: true,
  })
  const { reference } = await makeParticipation(holdfast.crm, practice, group.reference, 'BOOKED')
  return { ...practice, timeslot: timeslot.reference, person: profile.reference, group, inGroup: reference }
}

const path = (where: string) => encodeURIComponent(where)
const list = (shop: Shop) => consumer.list(shop.resource)
/** The same list at a URL that was never requested, so no rendered response is cached for it. */
let listCount = 0
const listUncached = (shop: Shop) =>
  consumer.list(shop.resource, { from: `20${String(10 + (listCount++ % 10))}-01-01` })
const first = async (shop: Shop) => slotsOf(await list(shop))[0]!
const update = (shop: Shop, fields: object) =>
  holdfast.crm.post(`${shop.path}/resources/${path(shop.resource)}`, fields)

const page = (shop: Shop, headers = {}) =>
  call(holdfast.app, 'GET', `/book/${path(shop.resource)}`, undefined, { headers })

/** The page after the change differs, and is the one that is made from nothing. */
async function expectNewPage(shop: Shop, before: string) {
  const after = await page(shop)
  expect(after.text).not.toBe(before)
  holdfast.service.lists.lists!.clear()
  expect((await page(shop)).text).toBe(after.text)
  return after.text
}

describe('the next list and page show', () => {
  it.each<[string, (shop: Shop) => Promise<unknown>]>([
    ['a hold', async shop => consumer.reserve(shop.resource, holdOf(await first(shop)))],
    ['a booking', async shop => consumer.complete(shop.resource, bookingOf(await first(shop)))],
    [
      'a place taken in a group',
      async shop => {
        const group = slotsOf(await list(shop)).at(-1)!
        await consumer.reserve(shop.resource, holdOf(group))
      },
    ],
    [
      'a new Timeslot',
      shop => makeTimeslot(holdfast.crm, shop, { start: '2030-01-08T08:00', end: '2030-01-08T09:00' }),
    ],
    [
      'a changed Timeslot',
      shop => holdfast.crm.put(`${shop.path}/timeslots/${path(shop.timeslot)}`, { raster: 60 }),
    ],
    [
      'a closed Timeslot',
      shop => holdfast.crm.put(`${shop.path}/timeslots/${path(shop.timeslot)}`, { state: 'CREATED' }),
    ],
    ['a deleted Timeslot', shop => holdfast.crm.delete(`${shop.path}/timeslots/${path(shop.timeslot)}`)],
    [
      'an Appointment of the provider',
      shop => makeAppointment(holdfast.crm, shop, { start: '2030-01-07T08:00', end: '2030-01-07T08:30' }),
    ],
    [
      'a cancelled Appointment',
      shop =>
        holdfast.crm.delete(`${shop.path}/appointments`, { appointmentReference: shop.group.reference }),
    ],
    [
      'a deleted Appointment',
      shop =>
        holdfast.crm.delete(`${shop.path}/appointments/withoutNotification`, {
          appointmentReference: shop.group.reference,
        }),
    ],
    ['a Participation', shop => makeParticipation(holdfast.crm, shop, shop.group.reference, 'BOOKED')],
    [
      'a cancelled Participation',
      shop => holdfast.crm.post(`${shop.path}/participations/${path(shop.inGroup)}`, { state: 'CANCELED' }),
    ],
    ['a renamed Resource', shop => update(shop, { publicName: 'Hall' })],
    ['another contact', shop => update(shop, { contact: null, contactProfileReference: null })],
    ['an archived Resource', shop => update(shop, { archived: true })],
    [
      'other linked Products',
      async shop => {
        const other = await makeProduct(holdfast.crm, shop, { name: 'Other' })
        await update(shop, { products: [other.reference] })
      },
    ],
    ['a new Product of the Provider', shop => makeProduct(holdfast.crm, shop, { name: 'New' })],
    [
      'a renamed Product',
      shop => holdfast.crm.post(`${shop.path}/products`, { reference: shop.product, name: 'Renamed' }),
    ],
    ['another duration', shop => setProduct(holdfast, shop.productUuid, { minDuration: 60 })],
    ['another buffer', shop => setProduct(holdfast, shop.productUuid, { followUpTimeMinutes: 90 })],
    [
      'another profile of the contact',
      shop =>
        holdfast.crm.post(`${shop.path}/contactProfile`, {
          reference: shop.person,
          userReference: shop.owner,
          providerReference: shop.reference,
          name: 'P',
          contactChannels: [{ type: 'mobile', value: '+49 1' }],
        }),
    ],
    ['a hidden channel', shop => setChannel(holdfast, shop.resourceUuid, { visible: false })],
    ['a channel with other Products', shop => setChannel(holdfast, shop.resourceUuid, { products: [] })],
    [
      'a channel with a notice',
      shop => setChannel(holdfast, shop.resourceUuid, { minimumNoticeMinutes: 525_600 * 1 }),
    ],
    ['a channel with a horizon', shop => setChannel(holdfast, shop.resourceUuid, { horizonDays: 1 })],
    ['another zone', shop => setProvider(holdfast, shop.uuid, { timeZone: 'Asia/Tokyo' })],
  ])('%s', async (name, change) => {
    const shop = await makeShop()
    if (name.includes('notice')) setClock(holdfast, '2029-06-01T00:00:00Z')
    const before = await list(shop)
    expect((await list(shop)).text).toBe(before.text)
    const pageBefore = (await page(shop)).text
    expect((await page(shop)).text).toBe(pageBefore)
    await change(shop)
    const after = await list(shop)
    expect(after.text).not.toBe(before.text)
    expect(after.text).toBe((await listUncached(shop)).text)
    await expectNewPage(shop, pageBefore)
  })

  it('the contact’s own data, without a profile', async () => {
    const shop = await makeShop()
    await update(shop, { contact: shop.owner, contactProfileReference: null })
    const channel = async () => (await first(shop)).contact_channel
    const before = await channel()
    await holdfast.crm.put(`/user/${path(shop.owner)}/generalContactProfile`, {
      name: 'G',
      contactChannels: [{ type: 'phone', value: '030 5' }],
    })
    expect(before).not.toEqual(await channel())
    expect(await channel()).toEqual({ type: 'phone', value: '030 5' })
  })

  it('the Provider’s address and language, where they are shown', async () => {
    const shop = await makeShop()
    await update(shop, { contact: null, contactProfileReference: null })
    await list(shop)
    await setProvider(holdfast, shop.uuid, { email: 'new@example.org' })
    expect((await first(shop)).contact_channel!.value).toBe('new@example.org')
    const month = async () =>
      Object.keys((await consumer.list(shop.resource, { groupFormat: 'MMMM' })).body)[0]
    expect(await month()).toBe('January')
    await setProvider(holdfast, shop.uuid, { language: 'fr' })
    expect(await month()).toBe('janvier')
  })

  it('a place that an erased Customer had', async () => {
    const shop = await makeShop()
    const { customerReference } = await makeCustomer(holdfast.crm, shop)
    await makeParticipation(holdfast.crm, shop, shop.group.reference, 'BOOKED', { customerReference })
    const left = async () => slotsOf(await list(shop)).at(-1)!.capacity_left
    expect(await left()).toBe(8)
    await holdfast.crm.delete(`${shop.path}/customers/${path(customerReference)}?ignoreFutureAppointments`)
    expect(await left()).toBe(9)
  })

  it('a deleted Resource, and a new one under its old name', async () => {
    const shop = await makeShop()
    await list(shop)
    await holdfast.crm.delete(`${shop.path}/resources/${path(shop.resource)}?ignoreFutureAppointments`)
    expect((await list(shop)).status).toBe(404)
    await holdfast.crm.post(`${shop.path}/resources`, {
      reference: shop.resource,
      publicName: 'Again',
      internalName: 'x',
    })
    expect((await list(shop)).status).toBe(204)
  })
})

it('the next page shows what lists do not', async () => {
  setClock(holdfast, '2029-12-01T00:00:00Z')
  const shop = await makeShop()
  const question = { key: 'reason', type: 'text', label: { en: 'Reason' } }
  const changes: [() => Promise<unknown>, string][] = [
    [() => setProvider(holdfast, shop.uuid, { accentColor: '#123456' }), '#123456'],
    [() => setProvider(holdfast, shop.uuid, { impressum: 'Town court 12' }), 'Town court 12'],
    [() => update(shop, { description: 'Ring twice' }), 'Ring twice'],
    [() => setProduct(holdfast, shop.productUuid, { description: 'Bring your card' }), 'Bring your card'],
    [() => setChannel(holdfast, shop.resourceUuid, { bookingProcess: 'REQUESTED' }), 'will confirm by email'],
    [() => setChannel(holdfast, shop.resourceUuid, { waitingList: true }), '/waiting'],
    [
      () => consoleCall(holdfast.app, 'POST', `/providers/${shop.uuid}/closures`, away('Painting')),
      'Painting',
    ],
    [
      async () => {
        await holdfast.crm.post(`${shop.path}/questions`, question)
        await setProduct(holdfast, shop.productUuid, { questions: ['reason'] })
      },
      '"Reason"',
    ],
    [
      () => holdfast.crm.put(`${shop.path}/questions/reason`, { label: { en: 'What brings you here' } }),
      'What brings you here',
    ],
  ]
  let before = (await page(shop)).text
  for (const [change, text] of changes) {
    expect([text, before.includes(text)]).toEqual([text, false])
    await change()
    before = await expectNewPage(shop, before)
    expect([text, before.includes(text)]).toEqual([text, true])
  }
  await holdfast.crm.delete(`${shop.path}/questions/reason`)
  expect(await expectNewPage(shop, before)).not.toContain('What brings you here')
})

it('the next page shows what lists do not, also after bookings that change nothing else', async () => {
  setClock(holdfast, '2029-12-01T00:00:00Z')
  const shop = await makeShop()
  await page(shop)
  const book = async () => consumer.complete(shop.resource, bookingOf(await first(shop)))
  await book()
  const booked = await page(shop)
  await setProduct(holdfast, shop.productUuid, { description: 'Bring your card' })
  await book()
  const described = await expectNewPage(shop, booked.text)
  expect(described).toContain('Bring your card')
  await update(shop, { description: 'Ring twice' })
  expect(await expectNewPage(shop, described)).toContain('Ring twice')
})

const away = (reason: string) => ({ from: '2029-12-30', to: '2030-01-03', reason })

it('a kept page shows each Resource, however often it is named', async () => {
  const [one, other] = [await makeShop(), await makeShop()]
  await update(other, { publicName: 'Other room' })
  const address = `/book/${path(one.resource)},${path(one.resource)},${path(other.resource)}`
  const view = async () => (await call(holdfast.app, 'GET', address)).text
  const before = await view()
  expect(before).toContain('Other room')
  await consumer.reserve(one.resource, holdOf(await first(one)))
  const changed = await view()
  expect([changed === before, changed.includes('Other room')]).toEqual([false, true])
  expect(await view()).toBe(changed)
})

it('a page is kept in the language and for the region of each visitor', async () => {
  const shop = await makeShop()
  const times = async (accepted: string) => {
    const { text } = await page(shop, { 'accept-language': accepted })
    return [/<html lang="(..)"/.exec(text)![1], />(0?8[^<]*)<span/.exec(text)![1]]
  }
  for (let twice = 0; twice < 2; twice++) {
    expect(await times('de-DE')).toEqual(['de', '08:00'])
    expect(await times('en-US')).toEqual(['en', '8:00 AM'])
    expect(await times('en-GB,de')).toEqual(['en', '08:00'])
    expect(await times('pl')).toEqual(['en', '08:00'])
  }
})

describe('time alone', () => {
  it('closes a kept page and opens it again', async () => {
    const shop = await makeShop()
    await consoleCall(holdfast.app, 'POST', `/providers/${shop.uuid}/closures`, away('Painting'))
    const isClosed = async () => (await page(shop)).text.includes('class="hint"')
    setClock(holdfast, '2029-12-29T22:59:58Z')
    expect([await isClosed(), await isClosed()]).toEqual([false, false])
    setClock(holdfast, '2029-12-29T23:00:01Z')
    expect(await isClosed()).toBe(true)
    setClock(holdfast, '2030-01-02T23:00:01Z')
    expect(await isClosed()).toBe(false)
  })

  it('takes an ended closure off a page, also after a booking', async () => {
    const shop = await makeShop()
    await consoleCall(holdfast.app, 'POST', `/providers/${shop.uuid}/closures`, away('Painting'))
    setClock(holdfast, '2030-01-02T22:59:58Z')
    const before = (await page(shop)).text
    expect(before).toContain('Painting')
    await consumer.complete(shop.resource, bookingOf(await first(shop)))
    setClock(holdfast, '2030-01-02T23:00:01Z')
    expect(await expectNewPage(shop, before)).not.toContain('Painting')
  })

  it('takes a slot off a kept page when it starts', async () => {
    const shop = await makeShop()
    const starts = async () => [...(await page(shop)).text.matchAll(/>(\d\d:\d\d)<span/g)].map(one => one[1])
    setClock(holdfast, '2030-01-07T06:59:58Z')
    expect([await starts(), await starts()].map(some => some[0])).toEqual(['08:00', '08:00'])
    setClock(holdfast, '2030-01-07T07:00:01Z')
    expect((await starts())[0]).toBe('08:30')
  })

  it('takes a slot off the list when it starts, and brings one when its hold expires', async () => {
    const shop = await makeShop()
    setClock(holdfast, '2030-01-07T06:59:00Z')
    await consumer.reserve(shop.resource, holdOf(slotsOf(await list(shop))[1]!))
    const starts = async () => slotsOf(await list(shop)).map(slot => slot.start.slice(11, 16))
    expect(await starts()).toEqual(['08:00', '09:00', '09:30', '11:00'])
    setClock(holdfast, '2030-01-07T07:00:01Z')
    expect(await starts()).toEqual(['09:00', '09:30', '11:00'])
    setClock(holdfast, '2030-01-07T07:02:30Z')
    expect(await starts()).toEqual(['08:30', '09:00', '09:30', '11:00'])
  })

  it('brings a slot within the horizon and takes it away within the notice', async () => {
    const shop = await makeShop()
    await setChannel(holdfast, shop.resourceUuid, { minimumNoticeMinutes: 60, horizonDays: 1 })
    const starts = async () => slotsOf(await list(shop)).map(slot => slot.start.slice(11, 16))
    setClock(holdfast, '2030-01-06T06:59:00Z')
    expect(await starts()).toEqual([])
    setClock(holdfast, '2030-01-06T07:00:01Z')
    expect(await starts()).toEqual(['08:00'])
    setClock(holdfast, '2030-01-06T10:00:01Z')
    expect(await starts()).toEqual(['08:00', '08:30', '09:00', '09:30', '11:00'])
    setClock(holdfast, '2030-01-07T06:00:01Z')
    expect(await starts()).toEqual(['08:30', '09:00', '09:30', '11:00'])
  })

  it('frees the places of a group one by one', async () => {
    const shop = await makeShop()
    const left = async () => slotsOf(await list(shop)).at(-1)!.capacity_left
    const hold = async () => consumer.reserve(shop.resource, holdOf(slotsOf(await list(shop)).at(-1)!))
    await hold()
    holdfast.clock.shiftMs = 60_000
    await hold()
    expect(await left()).toBe(7)
    holdfast.clock.shiftMs = 185_000
    expect(await left()).toBe(8)
    holdfast.clock.shiftMs = 245_000
    expect(await left()).toBe(9)
  })
})

describe('ETag', () => {
  const ask = (shop: Shop, etag: string, headers = {}) =>
    consumer.send('GET', `/resources/${shop.resource}/upcoming_bookables`, undefined, {
      headers: { 'if-none-match': etag, ...headers },
    })

  it('is 304 while nothing has changed, and 200 with another one after a change', async () => {
    const shop = await makeShop()
    const { headers } = await list(shop)
    const etag = String(headers.etag)
    const same = await ask(shop, etag)
    expect([same.status, same.text, same.headers.etag]).toEqual([304, '', etag])
    await consumer.reserve(shop.resource, holdOf(await first(shop)))
    const changed = await ask(shop, etag)
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
  })

  it('of one list is no answer to another question', async () => {
    const shop = await makeShop()
    const one = await consumer.list(shop.resource, { timeFormat: 'HH' })
    expect((await list(shop)).headers.etag).not.toBe(one.headers.etag)
  })
})

it.each(['gzip', 'br', 'gzip, deflate, br', 'identity'])(
  'the list comes as asked for: %s',
  async encoding => {
    const shop = await makeShop()
    const origin = await listening()
    const response = await fetch(`${origin}/resources/${shop.resource}/upcoming_bookables`, {
      headers: { 'accept-encoding': encoding },
    })
    expect(await response.json()).toEqual((await list(shop)).body)
    expect(response.headers.get('vary')).toMatch(/accept-encoding/i)
  },
)

let origin: Promise<string> | undefined
const listening = () => {
  origin ??= holdfast.app.listen({ port: 0, host: '127.0.0.1' })
  return origin
}

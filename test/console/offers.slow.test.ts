// What is offered: Products, Resources, contact profiles and Providers, as the console makes and changes them. And what
// happens when two people change the same thing.

import { beforeEach, describe, expect, it } from 'vitest'
import { inviteAdministrator } from '../../src/actions/console/login.ts'
import { makePractice, makeTimeslot, type Practice, unique } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { cookieOf, sessionOf } from '../support/logins.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, call, consoleCall, consoleToken, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

let practice: Practice
const holdfast = await useService()
beforeEach(async () => {
  practice = await makePractice(holdfast.crm)
})

const get = (path: string) => consoleCall(holdfast.app, 'GET', path)
const post = (path: string, body: unknown) => consoleCall(holdfast.app, 'POST', path, body)
const patch = (path: string, body: unknown) => consoleCall(holdfast.app, 'PATCH', path, body)
const remove = (path: string) => consoleCall(holdfast.app, 'DELETE', path)

async function newCustomer() {
  return `/customers/${(await post(`/providers/${practice.uuid}/customers`, { name: 'Ann' })).body.uuid}`
}

async function newProfile() {
  const path = `/providers/${practice.uuid}/profiles`
  const body = { userReference: practice.owner, name: 'Desk', contactChannels: [] }
  return `${path}/${encodeURIComponent((await post(path, body)).body.reference)}`
}

async function newClosure() {
  const path = `/providers/${practice.uuid}/closures`
  const body = { from: '2031-03-07', to: '2031-03-08', reason: 'Leave', resources: [practice.resourceUuid] }
  return `${path}/${(await post(path, body)).body.closure.uuid}`
}

async function newWebhook() {
  const { webhook } = (await post('/crms/crm/webhooks', { url: 'https://example.org/hook' })).body
  return `/crms/crm/webhooks/${webhook.uuid}`
}

describe('two people change the same thing', () => {
  const send = (method: string, path: string, body: object, tag: unknown) =>
    call(holdfast.app, method, `/console/api${path}`, body, {
      headers: { authorization: `Bearer ${consoleToken}`, 'if-match': String(tag) },
    })

  const things: [string, () => string | Promise<string>, string, object, object][] = [
    ['a Product', () => `/products/${practice.productUuid}`, 'PATCH', { name: 'One' }, { name: 'Two' }],
    [
      'a Resource',
      () => `/resources/${practice.resourceUuid}`,
      'PATCH',
      { publicName: 'One' },
      { publicName: 'Two' },
    ],
    [
      'a channel',
      () => `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`,
      'PATCH',
      { reminderHours: 1 },
      { reminderHours: 2 },
    ],
    ['a Provider', () => `/providers/${practice.uuid}`, 'PATCH', { name: 'One' }, { name: 'Two' }],
    [
      'opening hours',
      () => `/resources/${practice.resourceUuid}/hours`,
      'PUT',
      { rules: [{ weekdays: ['1'], from: '08:00', to: '12:00', raster: 30 }] },
      { rules: [] },
    ],
    ['a Customer', newCustomer, 'PATCH', { note: 'One' }, { note: 'Two' }],
    ['a profile', newProfile, 'PATCH', { name: 'One' }, { contactChannels: [] }],
    ['a closure', newClosure, 'PATCH', { reason: 'One' }, { to: '2031-03-09', resources: null }],
    ['a webhook', newWebhook, 'PATCH', { description: 'One' }, { enabled: false }],
  ]

  it.each(things)(
    '%s: the second hears of it, and nothing is overwritten',
    async (_, where, method, one, two) => {
      const path = await where()
      const tag = (await get(path)).headers.etag
      const first = await send(method, path, one, tag)
      expect(first.status).toBe(200)
      expectRefusal(await send(method, path, two, tag), 409, 'changed', 'If-Match')
      const now = await get(path)
      expect([now.body, now.headers.etag]).toEqual([first.body, first.headers.etag])
      expect((await send(method, path, two, now.headers.etag)).status).toBe(200)
    },
  )

  it.each(things)('%s: of many at the same moment one is saved', async (_, where, method, one) => {
    const path = await where()
    const tag = (await get(path)).headers.etag
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(method, path, one, tag)))
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(1)
    expect(answers.filter(answer => answer.status === 409)).toHaveLength(7)
  })

  it('a request without If-Match saves unconditionally', async () => {
    await patch(`/products/${practice.productUuid}`, { name: 'One' })
    expect((await patch(`/products/${practice.productUuid}`, { name: 'Two' })).body.name).toBe('Two')
  })
})

describe('Products and Resources', () => {
  it('are created with a generated reference, and listed', async () => {
    const talk = {
      name: 'Short',
      minDuration: 15,
      maxDuration: 15,
      leadTimeMinutes: 5,
      followUpTimeMinutes: 10,
    }
    const made = await post(`/providers/${practice.uuid}/products`, talk)
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(talk)])
    const { body } = await get(`/providers/${practice.uuid}/products`)
    expect(body.products).toContainEqual(made.body)
    const room = {
      publicName: 'Garden',
      products: [made.body.reference],
      website: 'https://example.org/garden',
    }
    const resource = await post(`/providers/${practice.uuid}/resources`, room)
    expect(resource).toMatchObject({
      status: 201,
      body: { ...room, internalName: 'Garden', archived: false },
    })
    const list = await get(`/providers/${practice.uuid}/resources`)
    expect(list.body.resources).toContainEqual({ ...resource.body, hasTimes: false })
  })

  it('report invalid input at its field', async () => {
    const wrong = { name: 'Short', minDuration: 30, maxDuration: 15 }
    expectRefusal(
      await post(`/providers/${practice.uuid}/products`, wrong),
      400,
      'invalid-field',
      'minDuration',
    )
    const unknown = { publicName: 'Garden', products: ['nobody@plat'] }
    expectRefusal(await post(`/providers/${practice.uuid}/resources`, unknown), 404, 'not-found', 'products')
  })

  it('an archived Resource cannot be booked until it is restored', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const consumer = asConsumer(overApp(holdfast.app))
    const path = `/resources/${practice.resourceUuid}`
    expect((await patch(path, { archived: true })).body.archived).toBe(true)
    expect((await consumer.list(practice.resource)).body).toEqual({ public_visible: false })
    await patch(path, { archived: false })
    expect(slotsOf(await consumer.list(practice.resource))).not.toHaveLength(0)
  })

  it('a deletion shows the affected customers first, and sends them the message', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const consumer = asConsumer(overApp(holdfast.app))
    const [slot] = slotsOf(await consumer.list(practice.resource))
    expect((await consumer.complete(practice.resource, bookingOf(slot!))).status).toBe(201)
    const path = `/resources/${practice.resourceUuid}`
    const { body } = await get(`${path}/deletion`)
    expect(body).toMatchObject({ appointments: 1, peopleCount: 1 })
    expect(Date.parse(body.people[0].start)).toBe(Date.parse(slot!.start))
    const gone = await consoleCall(holdfast.app, 'DELETE', `${path}?message=The+roof+leaks`)
    expect(gone.status).toBe(204)
    expect((await get(path)).status).toBe(404)
    const rows = await holdfast.query(
      `select data->>'message' as message from mail
       where provider_id = (select id from provider where uuid = $1) and kind = 'cancelled'`,
      [practice.uuid],
    )
    expect(rows.map(row => row.message)).toContain('The roof leaks')
  })
})

describe('a Product that is deleted', () => {
  const consumer = asConsumer(overApp(holdfast.app))
  const channel = () => `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`
  const another = async () =>
    (await post(`/providers/${practice.uuid}/products`, { name: 'Walk', minDuration: 30, maxDuration: 30 }))
      .body
  const offer = (...products: string[]) => patch(`/resources/${practice.resourceUuid}`, { products })
  const newResource = () => ({ reference: unique('resource'), publicName: 'Room', internalName: 'R2' })
  const offered = async (resource = practice.resource) =>
    new Set(slotsOf(await consumer.list(resource)).flatMap(one => one.products.map(product => product.uuid)))

  it('shows its dependencies before it is deleted; it is no longer offered, and existing bookings stay', async () => {
    await makeTimeslot(holdfast.crm, practice)
    const walk = await another()
    await offer(practice.product, walk.reference)
    await patch(channel(), { products: [practice.productUuid, walk.uuid] })
    const [slot] = slotsOf(await consumer.list(practice.resource))
    const request = { ...bookingOf(slot!), product_uuid: practice.productUuid }
    const booked = (await consumer.complete(practice.resource, request)).body.createdAppointment
    expect(await offered()).toEqual(new Set([practice.productUuid, walk.uuid]))
    const path = `/products/${practice.productUuid}`
    const resources = [{ uuid: practice.resourceUuid, name: expect.any(String), isOnly: false }]
    expect((await get(`${path}/deletion`)).body).toEqual({ appointments: 1, resources })
    expect((await remove(path)).status).toBe(204)
    for (const again of [remove(path), get(path), get(`${path}/deletion`), patch(path, { name: 'Back' })])
      expectRefusal(await again, 404, 'not-found')
    expect(await offered()).toEqual(new Set([walk.uuid]))
    expect((await get(channel())).body.products).toEqual([walk.uuid])
    const refused = await consumer.complete(practice.resource, {
      ...bookingOf(slotsOf(await consumer.list(practice.resource))[0]!),
      product_uuid: practice.productUuid,
    })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    const entry = (await get(`/appointments/${booked.appointment_uuid}`)).body.entry
    expect(entry.product).toMatchObject({ uuid: practice.productUuid })
    const listed = (await holdfast.crm.get(`${practice.path}/products`)).body
    expect(listed.map((one: Answer['body']) => one.reference)).toEqual([walk.reference])
    expectRefusal(await offer(practice.product), 404, 'not-found', 'products')
    const { entries } = (await get(`/providers/${practice.uuid}/audit?about=product&limit=1`)).body
    const gone = { reference: practice.product, product: null, name: 'Talk' }
    expect(entries[0]).toMatchObject({ kind: 'product.deleted', data: gone })
    const { body: about } = await get(`/providers/${practice.uuid}/audit?about=resource&limit=1`)
    expect(about.entries[0]).toMatchObject({
      kind: 'resource.changed',
      data: { reference: practice.resource, resource: { products: [walk.reference] } },
    })
  })

  it('disappears from Resources that offer everything, and can be created again with its reference', async () => {
    await makeTimeslot(holdfast.crm, practice)
    await offer()
    const walk = await another()
    await patch(`/products/${walk.uuid}`, { followUpTimeMinutes: 15, description: 'Outside.' })
    expect(await offered()).toEqual(new Set([practice.productUuid, walk.uuid]))
    expect((await remove(`/products/${walk.uuid}`)).status).toBe(204)
    expect(await offered()).toEqual(new Set([practice.productUuid]))
    const again = await holdfast.crm.post(`${practice.path}/products`, {
      reference: walk.reference,
      name: 'Walk',
    })
    expect(again).toMatchObject({
      status: 201,
      body: { product: { description: null, minDuration: null, followUpTimeMinutes: null } },
    })
    expect(await offered()).toEqual(new Set([practice.productUuid, again.body.product.uuid]))
  })

  it('must not be the only one that a Resource offers: without any, it would offer everything', async () => {
    const path = `/products/${practice.productUuid}`
    await offer(practice.product)
    expect((await get(`${path}/deletion`)).body.resources).toMatchObject([{ isOnly: true }])
    expectRefusal(await remove(path), 409, 'only-product')
    expect((await get(path)).status).toBe(200)
  })

  it('cannot become the only one while it is being deleted', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, two] = [await another(), await another()]
      await offer(one.reference, two.reference)
      const answers = await Promise.all([remove(`/products/${one.uuid}`), offer(one.reference)])
      const { products } = (await get(`/resources/${practice.resourceUuid}`)).body
      expect([answers.map(answer => answer.status), products]).toEqual(
        answers[0]!.status === 204
          ? [[204, expect.any(Number)], expect.arrayContaining([expect.any(String)])]
          : [[409, 200], [one.reference]],
      )
    }
  })

  it('nor be what another Resource begins to offer alone', async () => {
    const { uuid } = await another()
    await offer(practice.product)
    const answer = await whileWaiting(
      holdfast,
      {
        async before(rival) {
          const linked = [practice.resourceUuid, uuid]
          await rival.query('update resource set revision = revision + 1 where uuid = $1', [linked[0]])
          await rival.query(
            `delete from resource_product where resource_id = (select id from resource where uuid = $1)`,
            [linked[0]],
          )
          await rival.query(
            `insert into resource_product (provider_id, resource_id, product_id, position)
            select product.provider_id, resource.id, product.id, 1 from resource, product
            where resource.uuid = $1 and product.uuid = $2`,
            linked,
          )
        },
      },
      () => remove(`/products/${uuid}`),
    )
    expectRefusal(answer, 409, 'only-product')
  })

  it.each([
    ['linked', (products: string[]) => offer(...products)],
    [
      'linked by a new Resource',
      (products: string[]) => holdfast.crm.post(`${practice.path}/resources`, { ...newResource(), products }),
    ],
    [
      'linked by new Resources',
      (products: string[]) =>
        holdfast.crm.post(`${practice.path}/resources`, { resources: [{ ...newResource(), products }] }),
    ],
  ])('is no longer %s once it is removed', async (_, link) => {
    const { uuid, reference } = await another()
    const answer = await whileWaiting(
      holdfast,
      {
        async before(rival) {
          await rival.query('select from product where uuid = $1 for update', [uuid])
          await rival.query('update product set deleted_at = now() where uuid = $1', [uuid])
        },
      },
      () => link([reference]),
    )
    expect([answer.status, answer.body.errors[0].field]).toEqual([404, expect.stringMatching(/products$/)])
  })
})

it('a change for all channels reaches all four', async () => {
  const { status, body } = await patch(`/resources/${practice.resourceUuid}/channels`, { horizonDays: 7 })
  expect([status, body.channels.map((one: Answer['body']) => one.horizonDays)]).toEqual([200, [7, 7, 7, 7]])
})

it('shows the colour as pages use it: readable on light and on dark', async () => {
  const { body } = await patch(`/providers/${practice.uuid}`, { accentColor: '#ffee00' })
  expect(body.accentColor).toBe('#ffee00')
  expect(body.theme.light.accent).not.toBe('#ffee00')
  expect(body.theme.dark.accent).toBe('#ffee00')
})

describe('contact profiles', () => {
  it('are created, changed and assigned to a Resource', async () => {
    const { body } = await get(`/providers/${practice.uuid}/contacts`)
    expect(body.people).toMatchObject([{ reference: practice.owner, name: 'Berg' }])
    const desk = {
      userReference: practice.owner,
      name: 'Front desk',
      contactChannels: [{ type: 'phone', value: '+49 30 123456', label: null }],
    }
    const made = await post(`/providers/${practice.uuid}/profiles`, desk)
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(desk)])
    const { reference } = made.body
    const again = await post(`/providers/${practice.uuid}/profiles`, { ...desk, reference, name: 'Desk' })
    expect([again.status, again.body.name]).toEqual([200, 'Desk'])
    const chosen = { contact: practice.owner, contactProfileReference: reference }
    expect((await patch(`/resources/${practice.resourceUuid}`, chosen)).body).toMatchObject(chosen)
    expect((await get(`/providers/${practice.uuid}/contacts`)).body.profiles).toEqual([again.body])
  })

  it('are removed: Resources that used one show the general profile, on the next call', async () => {
    const path = await newProfile()
    const desk = { type: 'phone', label: null, value: '+49 30 5550100' }
    expect((await patch(path, { contactChannels: [desk] })).status).toBe(200)
    const reference = decodeURIComponent(path.split('/').at(-1)!)
    const contact = { contact: practice.owner, contactProfileReference: reference }
    await makeTimeslot(holdfast.crm, practice)
    await patch(`/resources/${practice.resourceUuid}`, contact)
    const { appointment } = (
      await holdfast.crm.post(`${practice.path}/appointments`, {
        reference: 'talk@plat',
        resourceReference: practice.resource,
        productReference: practice.product,
        start: '2031-01-07T08:00',
        end: '2031-01-07T09:00',
        ...contact,
      })
    ).body
    const shown = async (query: string) =>
      (await call(holdfast.app, 'POST', `/resources/public_data?${query}`)).body.contact.name
    const queries = [`ref=${practice.resourceUuid}`, `tslRefs=${appointment.uuid}`]
    // Lists are kept until something of the Resource changes.
    const listed = async () =>
      slotsOf(await asConsumer(overApp(holdfast.app)).list(practice.resource))[0]!.contact_channel?.value
    for (const query of queries) expect(await shown(query)).toBe('Desk')
    expect(await listed()).toBe(desk.value)
    expect((await remove(path)).status).toBe(204)
    for (const query of queries) expect(await shown(query)).toBe('Berg')
    expect(await listed()).not.toBe(desk.value)
    expect((await get(`/resources/${practice.resourceUuid}`)).body).toMatchObject({
      contact: practice.owner,
      contactProfileReference: null,
    })
    expectRefusal(await remove(path), 404, 'not-found')
    const [latest] = (await get('/crms/crm/audit?about=profile&limit=1')).body.entries
    expect(latest).toMatchObject({ kind: 'profile.removed', data: { reference, profile: null } })
  })

  it('can be removed while others choose them', async () => {
    for (let round = 0; round < 5; round++) {
      const path = await newProfile()
      const contactProfileReference = decodeURIComponent(path.split('/').at(-1)!)
      const choosing = patch(`/resources/${practice.resourceUuid}`, {
        contact: practice.owner,
        contactProfileReference,
      })
      const [chosen, removed] = await Promise.all([choosing, remove(path)])
      expect([200, 404]).toContain(chosen.status)
      expect(removed.status).toBe(204)
      const { body } = await get(`/resources/${practice.resourceUuid}`)
      expect(body.contactProfileReference).toBeNull()
    }
  })
})

describe('a new Provider', () => {
  const request = {
    name: 'Upper Practice',
    ownerName: 'Ben van Stone',
    ownerEmail: 'ben@example.org',
    crm: 'crm',
  }

  it('is created with its owner and Account, and so is the next one of the same owner', async () => {
    const made = await post('/providers', { ...request, timeZone: 'Europe/Vienna', language: 'de' })
    expect(made).toMatchObject({
      status: 201,
      body: { name: request.name, timeZone: 'Europe/Vienna', language: 'de' },
    })
    const { body } = await get(`/providers/${made.body.uuid}/contacts`)
    expect(body.people).toMatchObject([{ name: 'Ben van Stone', email: 'ben@example.org' }])
    const second = await post('/providers', { ...request, name: 'Lower Practice' })
    const { body: next } = await get(`/providers/${second.body.uuid}/contacts`)
    expect(next.people).toEqual(body.people)
  })

  it('is an administrator’s in their own CRM only', async () => {
    const link = await inviteAdministrator(holdfast.service, 'other', 'admin@other.example')
    const headers = cookieOf(await sessionOf(holdfast, link))
    const foreign = await call(
      holdfast.app,
      'POST',
      '/console/api/providers',
      { ...request, crm: 'crm' },
      { headers },
    )
    expectRefusal(foreign, 404, 'not-found', 'crm')
    const own = { ...request, crm: undefined }
    const made = await call(holdfast.app, 'POST', '/console/api/providers', own, { headers })
    expect(made.status).toBe(201)
    const { body } = await call(holdfast.app, 'GET', '/console/api/session', undefined, { headers })
    expect(body.providers).toMatchObject([{ uuid: made.body.uuid, crm: 'other' }])
  })

  it('is created in the CRM that the operator names if there are several', async () => {
    expectRefusal(await post('/providers', { ...request, crm: undefined }), 400, 'invalid-field', 'crm')
    expect((await post('/providers', { ...request, crm: 'other' })).status).toBe(201)
  })

  it.each([
    ['ownerEmail', 'no-email'],
    ['timeZone', 'Mars/Olympus'],
    ['crm', 'a/b'],
    ['name', ' '],
  ])('is refused for %s = %s, and leaves nothing behind', async (field, value) => {
    const count = async () =>
      (await holdfast.query('select (select count(*) from crm) + (select count(*) from app_user) as all'))[0]
        .all
    const before = await count()
    const sent = { ...request, ownerEmail: 'new@example.org', [field]: value }
    const { status, body } = await post('/providers', sent)
    expect([status, body.errors[0].field]).toEqual([400, field])
    expect(await count()).toBe(before)
  })
})

// One request instead of three when a widget starts.

import { expect, it } from 'vitest'
import { makePractice, makeProduct, makeResource, makeTimeslot } from '../support/build.ts'
import { asConsumer, holdOf, overApp, queryText, slotsOf } from '../support/consumer.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T10:00' })

type Query = Parameters<typeof queryText>[0]
const bundle = (query: Query, headers = {}, method = 'GET') =>
  call(holdfast.app, method, `/resources/bundle${queryText(query)}`, undefined, { headers })
const consumer = () => asConsumer(overApp(holdfast.app))

it.each(['GET', 'POST'])('%s returns the same as three requests, under both prefixes', async method => {
  const query = { ref: [practice.resource], from: '2030-01-01', to: '2030-02-01' }
  const { status, body } = await bundle(query, {}, method)
  expect(status).toBe(200)
  const text = queryText({ ref: practice.resource })
  expect(body.places).toEqual([(await call(holdfast.app, 'POST', `/resources/public_data${text}`)).body])
  const { products } = (await call(holdfast.app, 'POST', `/products/active_products${text}`)).body
  expect(body.products).toEqual(products)
  expect(body.bookables).toEqual(
    (await consumer().list(practice.resource, { from: query.from, to: query.to })).body,
  )
  const older = await call(holdfast.app, method, `/rest/1/resources/bundle${queryText(query)}`)
  expect(older.body).toEqual(body)
})

it('is conditional: 304 until slots or data change', async () => {
  const query = { ref: [practice.resource] }
  const first = await bundle(query)
  const etag = () => ({ 'if-none-match': String(first.headers.etag) })
  expect((await bundle(query, etag())).status).toBe(304)
  await makeProduct(holdfast.crm, practice, { reference: practice.product, description: 'Bring your card.' })
  const changed = await bundle(query, etag())
  expect([changed.status, changed.body.products[0].description]).toEqual([200, 'Bring your card.'])
  const [slot] = slotsOf(await consumer().list(practice.resource))
  await consumer().reserve(practice.resource, holdOf(slot!))
  const held = await bundle(query, { 'if-none-match': String(changed.headers.etag) })
  expect(held.status).toBe(200)
  expect(slotsOf({ ...held, body: held.body.bookables }).map(one => one.start)).not.toContain(slot!.start)
})

it('supports several Resources in order, and Resources with nothing on offer', async () => {
  const empty = await makeResource(holdfast.crm, practice, { publicName: 'Empty room' })
  const { body } = await bundle({ ref: [empty.reference, practice.resource] })
  expect(body.places.map((one: { ref: string }) => one.ref)).toEqual([empty.reference, practice.resource])
  const nothing = await bundle({ ref: [empty.reference] })
  expect([nothing.status, nothing.body.bookables]).toEqual([200, { public_visible: true }])
})

it('reports a hidden channel, an unknown Resource and a missing ref', async () => {
  const room = await makeResource(holdfast.crm, practice)
  await consoleCall(holdfast.app, 'PATCH', `/resources/${room.uuid}/channels/RESOURCE_PUBLIC`, {
    visible: false,
  })
  const { body } = await bundle({ ref: [room.reference] })
  expect([body.places[0].channel.visible, body.products, body.bookables]).toEqual([
    false,
    [],
    { public_visible: false },
  ])
  expect((await bundle({ ref: ['nowhere@plat'] })).status).toBe(404)
  expect((await bundle({})).body.errors[0].errorCode).toBe('missing-field')
})

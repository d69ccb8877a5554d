// Many Products, many Resources.

import { expect, it } from 'vitest'
import { makePractice, makeProduct, makeTimeslot } from '../support/build.ts'
import { asConsumer, overApp, queryText, slotsOf } from '../support/consumer.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService()
const consumer = asConsumer(overApp(holdfast.app))
const room = await makePractice(holdfast.crm)
for (const length of [30, 60, 90])
  await makeProduct(holdfast.crm, room, { name: `${'Long '.repeat(45)}${length}`, minDuration: length })
await makeTimeslot(holdfast.crm, room, { end: '2030-01-07T10:00' })

type Slot = { start: string; products: number[]; product_name: string | null; product_uuid: string | null }

it('products=ids lists each Product once and their positions in each slot', async () => {
  const { body: whole } = await consumer.list(room.resource)
  const { body } = await consumer.list(room.resource, { products: 'ids' })
  const { products, public_visible, ...groups } = body
  expect([Object.keys(groups), public_visible]).toEqual([['2030-01-07'], true])
  expect(products).toHaveLength(4)
  for (const [index, slot] of (groups['2030-01-07'] as Slot[]).entries()) {
    const { products: known, product_name, ...rest } = whole['2030-01-07'][index]
    expect(slot.products.map(one => products[one])).toEqual(known)
    const only = slot.products.length === 1 ? product_name : null
    expect(slot).toEqual({ ...rest, products: slot.products, product_name: only })
  }
  const { bookables } = (
    await call(holdfast.app, 'GET', `/resources/bundle${queryText({ ref: room.resource, products: 'ids' })}`)
  ).body
  expect(bookables).toEqual(body)
})

it('a renamed Product changes the ETag of a list with ids', async () => {
  const before = await consumer.list(room.resource, { products: 'ids' })
  await holdfast.crm.post(`${room.path}/products`, { reference: room.product, name: 'Renamed' })
  const after = await consumer.list(room.resource, { products: 'ids' })
  expect(after.headers.etag).not.toBe(before.headers.etag)
  expect(after.text).toContain('"name":"Renamed"')
})

it('refuses a groupFormat that hides the Products', async () => {
  const groupFormat = "'products'"
  expectRefusal(
    await consumer.list(room.resource, { products: 'ids', groupFormat }),
    400,
    'invalid-field',
    'groupFormat',
  )
  expect((await consumer.list(room.resource, { groupFormat })).status).toBe(200)
})

it('refuses a list that would be longer than 16 MB, with ways to ask for less', async () => {
  const busy = await makePractice(holdfast.crm)
  for (let index = 0; index < 20; index++)
    await makeProduct(holdfast.crm, busy, { name: `${'Long '.repeat(48)}${index}` })
  await makeTimeslot(holdfast.crm, busy, { start: '2030-01-01T00:00', end: '2030-01-08T00:00', raster: 5 })
  const refused = await consumer.list(busy.resource)
  expectRefusal(refused, 400, 'invalid-field', 'to')
  expect(refused.body.errors[0]).toMatchObject({ rule: 'max', limit: 16_000_000 })
  const all = slotsOf(await consumer.list(busy.resource, { to: '2030-01-02' }))
  expect(all).toHaveLength(12 * 24)
  const withIds = (await consumer.list(busy.resource, { products: 'ids' })).body
  expect(withIds['2030-01-07']).toHaveLength(12 * 24)
  expect((await call(holdfast.app, 'GET', `/book/${busy.resourceUuid}`)).status).toBe(200)
})

it('more than 50 Resources have a plain page, more than 200 a clear message', async () => {
  const town = await makePractice(holdfast.crm)
  const { body } = await holdfast.crm.post(`${town.path}/resources`, {
    resources: Array.from({ length: 51 }, (_, index) => ({
      reference: `${town.resource}-${index}`,
      publicName: `Desk ${index}`,
      internalName: `D${index}`,
    })),
  })
  const uuids: string[] = body.resources.map((one: { uuid: string }) => one.uuid)
  await makeTimeslot(
    holdfast.crm,
    { ...town, resource: body.resources[50].reference },
    { end: '2030-01-07T10:00' },
  )
  const page = await call(holdfast.app, 'GET', `/book/${uuids}?date=2030-01-06`)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain('<holdfast-booking')
  const offered = page.text.match(/(?<=name="slot" value="[^"]*)[\da-f-]{36}(?=")/g)
  expect(offered).toEqual(Array(4).fill(uuids[50]))
  const tooMany = Array.from({ length: 201 }, (_, index) => `desk-${index}@plat`)
  const refused = await call(holdfast.app, 'GET', `/book/${tooMany}?lang=en`)
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('too many calendars')])
})

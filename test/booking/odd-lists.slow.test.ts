// List requests that no booking client would send.

import { expect, it } from 'vitest'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, overApp, queryText, slotsOf } from '../support/consumer.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService({ TRUST_PROXY: 'true', LIST_QUEUE: '20' })
const consumer = asConsumer(overApp(holdfast.app))
const room = await makePractice(holdfast.crm)
// Three weeks of quarter hours.
await makeTimeslot(holdfast.crm, room, { start: '2030-01-01T00:00', end: '2030-01-22T00:00', raster: 15 })

/** The n-th way to mix upper and lower case in a uuid. */
const spelled = (uuid: string, number: number) =>
  [...uuid].map((letter, index) => ((number >> (index % 12)) & 1 ? letter.toUpperCase() : letter)).join('')

it('are cached once, however the Resource is spelled', async () => {
  const bounds = { from: '2030-01-07', to: '2030-01-08' }
  const before = holdfast.service.lists.lists!.size
  for (let number = 0; number < 30; number++)
    expect(
      slotsOf(
        await consumer.list(spelled(room.resourceUuid, number), {
          ...bounds,
          prdRef: spelled(room.productUuid, number),
        }),
      ),
    ).toHaveLength(96)
  expect(holdfast.service.lists.lists!.size).toBe(before + 1)
  expect(holdfast.service.refs.known.size).toBeLessThanOrEqual(1)
})

it.each([
  ['list', 'ref', '/resources/REF/upcoming_bookables'],
  ['public data', 'ref', '/resources/public_data'],
  ['products', 'ref', '/products/active_products'],
  ['public data of slots', 'tslRefs', '/resources/public_data'],
  ['chosen products', 'prdRefs', '/products/specific_products'],
  ['chosen slots', 'tslIds', '/bookables/specific_bookables'],
])('%s: at most 200 different names a call', async (_, name, path) => {
  const names = Array.from({ length: 201 }, (_, index) => `thing-${index}@plat`)
  const url = path.replace('REF', room.resourceUuid) + queryText({ [name]: names })
  expectRefusal(await consumer.send('POST', url), 400, 'invalid-field', name)
})

it('returns a Resource named 300 times once', async () => {
  const refs = Array.from({ length: 300 }, (_, index) =>
    index % 2 ? room.resourceUuid : spelled(room.resourceUuid, index),
  )
  const one = await consumer.send('POST', `/resources/public_data${queryText({ ref: room.resourceUuid })}`)
  const many = await consumer.send(
    'POST',
    `/resources/public_data${queryText({ ref: [...refs, room.resource] })}`,
  )
  expect(many.body).toEqual(one.body)
  const products = await consumer.send('POST', `/products/active_products${queryText({ ref: refs })}`)
  expect(products.body.products).toHaveLength(1)
})

it('can be grouped by any pattern, in any order', async () => {
  const grouped = async (groupFormat: string) =>
    (await consumer.list(room.resourceUuid, { groupFormat, to: '2030-01-15' })).body
  const { public_visible, ...days } = await grouped('EEEE')
  expect(public_visible).toBe(true)
  expect(Object.values(days).map(one => (one as unknown[]).length)).toEqual(Array(7).fill(192))
  const minutes = await grouped('mm')
  expect(Object.keys(minutes).sort()).toEqual(['00', '15', '30', '45', 'public_visible'])
  const all = await grouped("yyyy-MM-dd HH:mm 'n'")
  expect(Object.keys(all)).toHaveLength(14 * 96 + 1)
  const starts = slotsOf(await consumer.list(room.resourceUuid, { to: '2030-01-15' })).map(slot => slot.start)
  const sorted = Object.values(all)
    .flat()
    .filter(one => one !== true) as { start: string }[]
  expect(sorted.map(one => one.start)).toEqual(starts)
})

it('many lists of one client take turns with others, and only that client is refused', async () => {
  let number = 0
  const cold = (address: string) =>
    consumer.send(
      'GET',
      `/resources/${room.resourceUuid}/upcoming_bookables${queryText({ groupFormat: `yyyy-MM-dd HH:mm '${number++}'` })}`,
      undefined,
      { headers: { 'x-forwarded-for': address } },
    )
  const done: string[] = []
  const crowd = Array.from({ length: 40 }, () => cold('203.0.113.1').finally(() => done.push('crowd')))
  await new Promise(resolve => setTimeout(resolve, 5))
  const visitor = cold('203.0.113.2').finally(() => done.push('visitor'))
  expect((await visitor).status).toBe(200)
  const answers = await Promise.all(crowd)
  const refused = answers.filter(one => one.status !== 200)
  for (const one of refused) {
    expect([one.status, one.body.errors[0].errorCode]).toEqual([503, 'unavailable'])
    expect(Number(one.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect(refused.length).toBeGreaterThan(0)
  const made = done.slice(0, done.indexOf('visitor')).length - refused.length
  expect(made).toBeLessThan(10)
})

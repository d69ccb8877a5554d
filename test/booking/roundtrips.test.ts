// How often each call goes to the database and back. Availability that asks once for every Resource is slow for teams.

import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { socketOf } from '../../src/db/base/driver/session.ts'
import { makePractice, makeRoom, makeTimeslot, setChannel } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { type Answer, type TestService, useService } from '../support/service.ts'

type Count = { trips: number; statements: number }
const measured = new Map<string, Count>()
const count: Count = { trips: 0, statements: 0 }

const holdfast = await useService({ TRUST_PROXY: 'true' })
watch(holdfast)
const consumer = asConsumer(overApp(holdfast.app))
const practice = await makePractice(holdfast.crm)
const rooms = [practice]
while (rooms.length < 20) rooms.push(await makeRoom(holdfast.crm, practice))
for (const room of rooms) await makeTimeslot(holdfast.crm, room)
// Jobs are handed to the queue while the response is already on its way.
await holdfast.service.db.jobs.stop()
afterAll(() => {
  console.info('Round trips to the database (statements in them):')
  for (const [what, { trips, statements }] of measured) console.info(`  ${what}: ${trips} (${statements})`)
})

/** A round trip begins when something is written to a connection that has been read from since the last time. */
function watch({ service }: TestService) {
  const known = new WeakSet<PoolClient>()
  service.db.pool.on('acquire', client => {
    if (known.has(client)) return
    known.add(client)
    const stream = socketOf(client)
    let isWaiting = false
    const write = stream.write
    stream.write = function (this: Socket, ...sent: unknown[]) {
      if (!isWaiting) count.trips++
      isWaiting = true
      return write.apply(this, sent as Parameters<typeof write>)
    } as typeof write
    stream.on('data', () => {
      isWaiting = false
    })
    const query = client.query
    client.query = function (this: PoolClient, ...sent: unknown[]) {
      count.statements++
      return query.apply(this, sent as Parameters<typeof query>)
    } as typeof query
  })
}

/** What the work costs, once everything has been prepared by doing it before. */
async function cost<T>(what: string, work: (time: number) => Promise<T>): Promise<Count> {
  for (const time of [0, 1, 2]) {
    // Earlier calls are logged after a while, which must not be counted here.
    await holdfast.service.requestLog.flush()
    count.trips = 0
    count.statements = 0
    await work(time)
  }
  measured.set(what, { ...count })
  return { ...count }
}

let slot = 0
const nextSlot = async () => {
  const slots = slotsOf(await consumer.list(rooms[0]!.resource))
  return slots[slot++ % slots.length]!
}
/** The same work on three slots: looking for them does not count. */
async function costOn(
  what: string,
  prepare: () => Promise<unknown>,
  work: (prepared: Answer['body']) => Promise<{ status: number }>,
) {
  const prepared = [await prepare(), await prepare(), await prepare()]
  return cost(what, async time => expect((await work(prepared[time])).status).toBeLessThan(300))
}

it('a list takes as many for 20 refs as for one', async () => {
  let time = 0
  const cold = (refs: string[], query = {}) =>
    // A URL that was never requested, so no rendered response is cached.
    consumer.list(refs[0]!, {
      ref: refs.slice(1),
      from: `2029-01-01T00:00:${String(10 + time++)}Z`,
      ...query,
    })
  const refs = rooms.map(room => room.resource)
  const one = await cost('list, 1 ref', () => cold([refs[0]!]))
  const twenty = await cost('list, 20 refs', () => cold(refs))
  expect(twenty).toEqual(one)
  const [prdRef] = [rooms[0]!.productUuid]
  const product = await cost('list with prdRef, 1 ref', () => cold([refs[0]!], { prdRef }))
  expect(await cost('list with prdRef, 20 refs', () => cold(refs, { prdRef }))).toEqual(product)
  expect(one.trips).toBeLessThanOrEqual(2)
  expect(product.trips).toBeLessThanOrEqual(3) // Two of them at once, on two connections.
})

it('a list that is known takes one, for 20 refs as for one', async () => {
  const refs = rooms.map(room => room.resource)
  const one = await cost('known list, 1 ref', () => consumer.list(refs[0]!))
  const twenty = await cost('known list, 20 refs', () => consumer.list(refs[0]!, { ref: refs.slice(1) }))
  expect([one.trips, twenty.trips]).toEqual([1, 1])
})

it('a booking page that is known takes one, and after a booking two', async () => {
  const origin = await holdfast.app.listen({ port: 0, host: '127.0.0.1' })
  const { resource, resourceUuid } = rooms[2]!
  const view = async () => {
    const answer = await fetch(`${origin}/book/${resourceUuid}?date=2030-01-07`)
    return (await answer.text()).match(/name="slot"/g)!.length
  }
  const known = await cost('known page', view)
  const next = async () => slotsOf(await consumer.list(resource))[0]!
  const free = await view()
  const changed = await cost('page after a booking', async () => {
    await consumer.complete(resource, bookingOf(await next()))
    await holdfast.service.requestLog.flush()
    count.trips = 0
    count.statements = 0
    await view()
  })
  expect(await view()).toBe(free - 3)
  expect([known.trips, changed.trips]).toEqual([1, 2])
})

it('reserve takes two', async () => {
  const { resource } = rooms[0]!
  const { trips } = await costOn('reserve', nextSlot, slot => consumer.reserve(resource, holdOf(slot)))
  expect(trips).toBe(2)
})

it('reserve by a stranger takes two more: the rate and the number of holds are counted', async () => {
  const { resource } = rooms[0]!
  const { trips } = await costOn('reserve, counted', nextSlot, slot =>
    consumer.send('POST', `/resources/${resource}/reserve_appointment`, holdOf(slot), {
      headers: { 'x-forwarded-for': '198.51.100.1' },
    }),
  )
  expect(trips).toBeLessThanOrEqual(4)
})

it('complete takes two with a hold and three without, mails included', async () => {
  const { resource } = rooms[0]!
  const held = async () => {
    const slot = await nextSlot()
    const { body } = await consumer.reserve(resource, holdOf(slot))
    return bookingOf(slot, { placeholder_id: body.participation.customer_uuid })
  }
  const withHold = await costOn('complete with a hold', held, body => consumer.complete(resource, body))
  const without = await costOn('complete without a hold', nextSlot, slot =>
    consumer.complete(resource, bookingOf(slot)),
  )
  expect([withHold.trips, without.trips]).toEqual([2, 3])
})

it('a request without a hold takes three too', async () => {
  const { resource, resourceUuid } = rooms[1]!
  await setChannel(holdfast, resourceUuid, { bookingProcess: 'REQUESTED' })
  const next = async () => slotsOf(await consumer.list(resource))
  const { trips } = await cost('complete, requested', async time => {
    const slots = await next()
    count.trips = 0
    count.statements = 0
    expect((await consumer.complete(resource, bookingOf(slots[time]!))).status).toBe(201)
  })
  expect(trips).toBe(3)
})

it('release takes three at the most, and one when there is nothing to release', async () => {
  const { resource } = rooms[0]!
  const held = async () =>
    (await consumer.reserve(resource, holdOf(await nextSlot()))).body.participation.customer_uuid
  const { trips } = await costOn('release', held, placeholder => consumer.release(resource, placeholder))
  expect(trips).toBeLessThanOrEqual(4)
})

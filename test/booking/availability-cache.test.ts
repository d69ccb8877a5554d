// Whoever holds a slot of a list is granted it by what the list has read, if nothing has happened to it since. Whatever has
// happened, and on whichever instance: what is known to be free is free.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, expect, it, vi } from 'vitest'
import { AvailabilityCache } from '../../src/actions/booking/availability-cache.ts'
import { chooseSlot } from '../../src/actions/booking/choose-slot.ts'
import type { PreparedReserve } from '../../src/actions/booking/requests.ts'
import { loadTargets, lockTargets } from '../../src/db/booking/targets.ts'
import { makePractice, type Practice, setChannel, setClock } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { useSecondInstance } from '../support/instances.ts'
import { type Room, roomsOf, statusesOf, wishAt } from '../support/rooms.ts'
import { consoleCall, useService } from '../support/service.ts'
import { makeShop, type Shop, verbs } from '../support/shop.ts'
import { transactionsOf } from '../support/transactions.ts'

vi.setConfig({ testTimeout: 60_000 })
const patience = { timeout: 20_000 }

const test = await useService({ RATE_LIMIT_PUBLIC: '0', RETENTION_CUSTOMER_MONTHS: '1' })
const consumer = asConsumer(overApp(test.app))
const elsewhere = asConsumer(overApp(await useSecondInstance(test)))
const { offers, db } = test.service
const looked = vi.spyOn(offers, 'pictureFor')

beforeEach(() => {
  setClock(test, '2030-01-06T22:00:00Z')
  offers.mostMissed = 1000
  looked.mockClear()
})

/** How many of those looked at since were known to be free. */
const knownFree = () => looked.mock.results.filter(result => result.value !== null).length

/** At once, so that they are one group. */
const holdAll = ({ resourceUuid }: Practice, slots: Slot[], by = consumer) =>
  Promise.all(slots.map(slot => by.reserve(resourceUuid, holdOf(slot))))

const wishFor = (
  resource: Practice,
  uuid: string,
  product: string,
  from: number,
  to: number,
): PreparedReserve => ({
  refs: [resource.resourceUuid],
  channelKey: 'RESOURCE_PUBLIC',
  timeslotUuid: uuid,
  appointmentUuid: null,
  productUuid: product,
  readings: () => [[{ from, to }]],
  period: { from, to },
  target: { uuid, from, to, itsOwnTimes: true },
  hold: { uuid: randomUUID(), placeholder: randomUUID() },
  placeholder: null,
  newPlaceholder: null,
  moving: null,
  client: null,
})

const spanOf = ({ start, end }: Slot) => [Date.parse(start), Date.parse(end)] as const

type Timeslot = { uuid: string; resource: Practice; start: number; end: number; raster: number }

/** Every line of every Timeslot that there is or was, for both Products and some lengths. */
async function wishesIn(shop: Shop, before: Map<string, Timeslot>): Promise<PreparedReserve[]> {
  for (const resource of [shop.practice, shop.room]) {
    const { rows } = await db.pool.query(
      'select timeslot.uuid, start_at as start, end_at as end, raster from timeslot join resource on resource.id = resource_id where resource.uuid = $1',
      [resource.resourceUuid],
    )
    for (const row of rows)
      before.set(row.uuid, { ...row, resource, start: Number(row.start), end: Number(row.end) })
  }
  return [...before.values()].flatMap(({ uuid, resource, start, end, raster }) => {
    const step = Math.max(raster, 10) * 60_000
    const lines = Array.from(
      { length: Math.min(20, (end - start) / step) },
      (_, index) => start + index * step,
    )
    return lines.flatMap(from =>
      [shop.practice.productUuid, shop.second.uuid].flatMap(product =>
        [1, 2].map(steps => wishFor(resource, uuid, product, from, from + steps * step)),
      ),
    )
  })
}

const counts = { known: 0, free: 0 }

/** Nothing is written: each is asked what it would get, with and without what is known. */
const compare = (name: string, wishes: PreparedReserve[]) =>
  db.transaction(async tx => {
    const locked = await lockTargets(tx, wishes, { waiting: true })
    const windows = await loadTargets(
      tx,
      wishes.map(({ target, channelKey, refs }) => ({
        target,
        channel: { key: channelKey, uuids: refs },
        ignoring: null,
      })),
    )
    for (const [index, wish] of wishes.entries()) {
      const read = windows[index]
      const granted =
        read && locked.has(read.resource.id) ? await chooseSlot(tx, read, wish).catch(() => null) : null
      const offer = offers.find(wish)
      const at = offer && locked.get(offer.sold.loaded.resource.id)
      const known = at && offers.pictureFor(wish, offer, at)
      if (granted?.kind === 'new') counts.free++
      if (!known) continue
      counts.known++
      expect([name, granted?.kind]).toEqual([name, 'new'])
      expect(await chooseSlot(tx, known, wish)).toEqual(granted)
      expect({ ...known.resource, contact: null }).toEqual(read!.resource)
      expect([known.provider, known.channel]).toEqual([read!.provider, read!.channel])
    }
  })

type Step = { name: string; pick: number; by: number }

async function tell(firstDay: string, story: Step[]) {
  setClock(test, new Date(Date.parse(`${firstDay}T00:00Z`) - 7_200_000).toISOString())
  const shop = await makeShop(test, firstDay)
  const timeslots = new Map<string, Timeslot>()
  for (const { name, pick, by } of story) {
    // Now and then nobody looks: what is known is older then.
    for (const { resource } of pick % 4 === 0 ? [] : [shop.practice, shop.room]) await consumer.list(resource)
    // Or somebody looks at a few hours only.
    const hour = 8 + (pick % 12)
    if (pick % 5 === 1)
      await consumer.list(shop.practice.resource, {
        from: shop.local(pick % 3, hour),
        to: shop.local(pick % 3, hour + 1),
      })
    // Each hold that had to be read has its Resource read as a whole, at whatever moment that may be.
    offers.mostMissed = pick % 2 === 0 ? 1 : 1000
    await verbs[name]!(shop, pick, [consumer, elsewhere][by]!)
    if (pick % 6 === 0) await vi.waitFor(() => expect(test.service.making.running).toBe(0), patience)
    await compare(name, await wishesIn(shop, timeslots))
  }
}

const steps = fc.array(
  fc.record({
    name: fc.constantFrom(...Object.keys(verbs)),
    pick: fc.nat({ max: 100 }),
    by: fc.nat({ max: 1 }),
  }),
  { minLength: 6, maxLength: 12 },
)

const everyVerb = ['hold', 'book', 'book', 'hold', ...Object.keys(verbs), 'hold', 'time passes', 'book'].map(
  (name, index) => ({ name, pick: 3 * index + 1, by: index % 2 }),
)

it('what is known to be free is free, by the same rules and at the same place, whatever happened', async () => {
  await fc.assert(fc.asyncProperty(fc.constantFrom('2030-01-07', '2030-03-29'), steps, tell), {
    numRuns: 4,
    examples: [['2030-01-07', everyVerb]],
    endOnFailure: true,
  })
  expect(counts.known).toBeGreaterThan(counts.free / 4)
})

const practice = await makePractice(test.crm)
const { roomWith, slots } = roomsOf(() => ({ test, practice, consumer }))

it('what a list has read is not read again, nor is what we have written since', async () => {
  const room = await roomWith()
  const [one, two, three, four] = await slots(room)
  expect(statusesOf(await holdAll(room, [one!, two!]))).toEqual([200, 200])
  expect(knownFree()).toBe(2)
  expect(statusesOf(await holdAll(room, [three!, four!]))).toEqual([200, 200])
  expect(knownFree()).toBe(4)
  expect(statusesOf(await holdAll(room, [one!, four!]))).toEqual([412, 412])
  expect(knownFree()).toBe(4)
})

it('resolves names again, because another Resource may have them by now', async () => {
  const [room, other] = [await roomWith(), await roomWith()]
  const [one, two] = await slots(room)
  const asked = [one!, two!].map(slot => consumer.reserve(room.resource, holdOf(slot)))
  expect(statusesOf(await Promise.all(asked))).toEqual([200, 200])
  expect(knownFree()).toBe(2)
  const [three, four] = await slots(other)
  // Known under this name, but nobody's.
  offers.names.set('nobody@plat', other.resourceUuid)
  const wrong = [three!, four!].map(slot => consumer.reserve('nobody@plat', holdOf(slot)))
  expect(statusesOf(await Promise.all(wrong))).toEqual([404, 404])
})

it('through its channel', async () => {
  const room = await roomWith()
  const found = await slots(room)
  const { rows } = await db.pool.query(
    `select uuid, key from channel where resource_id = (select id from resource where uuid = $1)`,
    [room.resourceUuid],
  )
  const channel = rows.find(row => row.key === 'RESOURCE_PUBLIC')!.uuid
  const asked = found.slice(0, 2).map(slot => consumer.reserve(channel, holdOf(slot)))
  expect(statusesOf(await Promise.all(asked))).toEqual([200, 200])
  expect(knownFree()).toBe(2)
  // Through one that nobody has looked at.
  const exclusive = rows.find(row => row.key === 'RESOURCE_EXCLUSIVE')!.uuid
  await setChannel(test, room.resourceUuid, { visible: false }, 'RESOURCE_EXCLUSIVE')
  const refused = found.slice(2).map(slot => consumer.reserve(exclusive, holdOf(slot)))
  expect((await Promise.all(refused)).every(answer => answer.status >= 400)).toBe(true)
})

it('what another instance has sold is read, the time beside it is not', async () => {
  const room = await roomWith({ end: '2030-01-07T16:00' })
  const found = await slots(room)
  expect((await elsewhere.reserve(room.resourceUuid, holdOf(found[0]!))).status).toBe(200)
  expect(statusesOf(await holdAll(room, [found[0]!, found[8]!]))).toEqual([412, 200])
  expect(knownFree()).toBe(1)
})

it('a hold that has expired is cleared out of the way', async () => {
  const room = await roomWith()
  const [one, two] = await slots(room)
  expect(statusesOf(await holdAll(room, [one!, two!]))).toEqual([200, 200])
  setClock(test, '2030-01-06T22:04:00Z')
  expect(statusesOf(await holdAll(room, [one!, two!]))).toEqual([200, 200])
  expect(knownFree()).toBe(2)
  // So is one that was left over already when the list was made.
  const other = await roomWith()
  const found = await slots(other)
  expect(statusesOf(await holdAll(other, found.slice(0, 2), elsewhere))).toEqual([200, 200])
  setClock(test, '2030-01-06T22:08:00Z')
  expect(await slots(other)).toHaveLength(4)
  expect(statusesOf(await holdAll(other, found.slice(0, 2)))).toEqual([200, 200])
})

it('is read once more slots are held that no list was made for here', async () => {
  offers.mostMissed = 3
  const room = await roomWith({ end: '2030-01-07T16:00' })
  const found = slotsOf(await elsewhere.list(room.resource))
  const isKnown = () => {
    return offers.find(wishFor(room, room.timeslot, room.productUuid, ...spanOf(found[9]!))) !== null
  }
  expect(statusesOf(await holdAll(room, [found[0]!]))).toEqual([200])
  // What is taken teaches nothing.
  for (const _ of [1, 2, 3, 4]) expect(statusesOf(await holdAll(room, [found[0]!]))).toEqual([412])
  expect(statusesOf(await holdAll(room, [found[1]!]))).toEqual([200])
  expect(isKnown()).toBe(false)
  expect(statusesOf(await holdAll(room, [found[3]!, found[4]!]))).toEqual([200, 200])
  await vi.waitFor(() => expect(isKnown()).toBe(true), patience)
  expect(statusesOf(await holdAll(room, [found[3]!, found[9]!, found[10]!]))).toEqual([412, 200, 200])
  expect(knownFree()).toBe(2)
  // A change that does not say what it touched.
  await setChannel(test, room.resourceUuid, { reminderHours: 5 })
  expect(statusesOf(await holdAll(room, [found[11]!, found[12]!]))).toEqual([200, 200])
  expect(isKnown()).toBe(false)
  expect(statusesOf(await holdAll(room, [found[13]!, found[14]!]))).toEqual([200, 200])
  await vi.waitFor(() => expect(isKnown()).toBe(true), patience)
})

it('is prefetched once, without making concurrent holds wait', async () => {
  offers.mostMissed = 1
  const room = await roomWith()
  const found = slotsOf(await elsewhere.list(room.resource))
  const isKnown = () =>
    offers.find(wishFor(room, room.timeslot, room.productUuid, ...spanOf(found[3]!))) !== null
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { run } = test.service.making
  const reading = vi
    .spyOn(test.service.making, 'run')
    .mockImplementation((asker, work) => gate.then(() => run.call(test.service.making, asker, work)))
  for (const slot of found.slice(0, 3)) expect(statusesOf(await holdAll(room, [slot]))).toEqual([200])
  expect([reading.mock.calls.length, isKnown()]).toEqual([1, false])
  open()
  await vi.waitFor(() => expect(isKnown()).toBe(true), patience)
  reading.mockRestore()
})

it('is not read while lists wait to be made, nor where that fails; the next ones have it tried again', async () => {
  offers.mostMissed = 1
  const { making } = test.service
  const room = await roomWith()
  const found = slotsOf(await elsewhere.list(room.resource))
  const reading = vi.spyOn(making, 'run').mockRejectedValueOnce(new Error('full'))
  expect(statusesOf(await holdAll(room, [found[0]!]))).toEqual([200])
  making.waiting++
  expect(statusesOf(await holdAll(room, [found[1]!]))).toEqual([200])
  expect(reading).toHaveBeenCalledTimes(1)
  making.waiting--
  reading.mockRestore()
  const wish = wishFor(room, room.timeslot, room.productUuid, ...spanOf(found[3]!))
  expect(offers.find(wish)).toBeNull()
  expect(statusesOf(await holdAll(room, [found[2]!]))).toEqual([200])
  await vi.waitFor(() => expect(offers.find(wish)).not.toBeNull(), patience)
})

it('is forgotten where the database gives its numbers a second time', async () => {
  const room = await roomWith()
  const [slot] = await slots(room)
  const from = Date.parse(slot!.start)
  const wish = wishFor(room, room.timeslot, room.productUuid, from, Date.parse(slot!.end))
  const known = offers.find(wish)!
  const { history, times } = known.offer
  const at = { history, revision: times.revision, touched: '', now: 0 }
  expect(offers.pictureFor(wish, known, at)).toMatchObject({ now: 0 })
  expect(offers.pictureFor(wish, known, { ...at, history: 'another' })).toBeNull()
  expect(offers.find(wish)).toBeNull()
})

it('a partial list keeps the rest and patches what changed there', async () => {
  const room = await roomWith({ end: '2030-01-07T16:00' })
  const found = await slots(room)
  expect((await elsewhere.reserve(room.resourceUuid, holdOf(found[0]!))).status).toBe(200)
  const part = await consumer.list(room.resource, { from: '2030-01-07T08:00', to: '2030-01-07T10:00' })
  expect(slotsOf(part)).toHaveLength(3)
  expect(statusesOf(await holdAll(room, [found[1]!, found[12]!]))).toEqual([200, 200])
  expect(knownFree()).toBe(2)
})

it('nothing is known where no list is kept, or of a time that no list has shown', async () => {
  const room = await roomWith()
  const [slot] = slotsOf(
    await consumer.list(room.resource, { from: '2030-01-07T09:00', to: '2030-01-07T10:00' }),
  )
  const hour = 3_600_000
  const from = Date.parse(slot!.start)
  const wish = (start: number) => wishFor(room, room.timeslot, room.productUuid, start, start + hour / 2)
  expect(offers.find(wish(from))).not.toBeNull()
  expect(offers.find(wish(from - hour))).toBeNull()
  expect(offers.find(wish(from + hour))).toBeNull()
  expect(new AvailabilityCache(0).find(wish(from))).toBeNull()
})

it('a short look keeps nothing from being closed, whichever was the longer one', async () => {
  const closeAt = async (room: Practice) => {
    const closure = {
      from: '2030-01-07T09:00',
      to: '2030-01-07T10:00',
      reason: 'Painters',
      resources: [room.resourceUuid],
    }
    expect(
      (await consoleCall(test.app, 'POST', `/providers/${practice.uuid}/closures`, closure)).status,
    ).toBe(201)
  }
  const short = { from: '2030-01-07T12:00', to: '2030-01-07T14:00' }
  const wishesIn = (room: Room) => [wishAt(room, '08:00', '08:30'), wishAt(room, '11:00', '11:30')]
  const holdBoth = async (room: Room) =>
    statusesOf(await Promise.all(wishesIn(room).map(wish => consumer.reserve(room.resourceUuid, wish))))
  const [room, other] = [
    await roomWith({ end: '2030-01-07T16:00' }),
    await roomWith({ end: '2030-01-07T16:00' }),
  ]
  await closeAt(room)
  await consumer.list(room.resource)
  await consumer.list(room.resource, short)
  expect(await holdBoth(room)).toEqual([412, 200])
  // The other way round, through two channels.
  await closeAt(other)
  await consumer.list(other.resource, short)
  await consumer.list(other.resource, { channelKey: 'RESOURCE_EXCLUSIVE' })
  expect(await holdBoth(other)).toEqual([412, 200])
})

it('refuses invalid times to their sender only', async () => {
  setClock(test, '2030-01-05T22:00:00Z')
  const room = await roomWith()
  const [one] = await slots(room)
  const { timeslot_uuid: timeslotUuid, product_uuid: productUuid, from } = holdOf(one!)
  const wrong = { timeslotUuid, productUuid, from, to: from }
  const asked = [wrong, holdOf(one!)].map(body => consumer.reserve(room.resourceUuid, body))
  expect(statusesOf(await Promise.all(asked))).toEqual([400, 200])
})

it('a Timeslot that is gone is unknown at once', async () => {
  const room = await roomWith()
  const found = await slots(room)
  const reference = (await db.pool.query('select reference from timeslot where uuid = $1', [room.timeslot]))
    .rows[0].reference
  expect((await test.crm.delete(`${practice.path}/timeslots/${encodeURIComponent(reference)}`)).status).toBe(
    204,
  )
  const count = await transactionsOf(test, async () =>
    expect(statusesOf(await holdAll(room, found.slice(0, 2)))).toEqual([404, 404]),
  )
  expect(count).toBeLessThanOrEqual(2)
})

it('a group of bookings that collided, and then has nothing to write, has changed nothing', async () => {
  const room = await roomWith()
  const found = await slots(room)
  const held = await holdAll(room, found.slice(0, 2))
  const placeholders = held.map(({ body }) => body.participation.customer_uuid)
  const { transaction } = db
  vi.spyOn(db, 'transaction').mockImplementationOnce(async work => {
    await transaction(tx =>
      work({ ...tx, last: writing => writing.then(() => Promise.reject(new Error())) }),
    ).catch(() => {})
    for (const one of placeholders) await consumer.release(room.resourceUuid, one)
    return transaction(work)
  })
  const booking = placeholders.map((placeholder_id, index) =>
    consumer.complete(room.resourceUuid, bookingOf(found[index]!, { placeholder_id })),
  )
  // Nobody has the slots: each gets them alone.
  expect(statusesOf(await Promise.all(booking))).toEqual([201, 201])
})

it('what is held again and again is counted: it makes room for others', async () => {
  const room = await roomWith()
  const found = await slots(room)
  const before = offers.bytes
  expect(statusesOf(await holdAll(room, found))).toEqual([200, 200, 200, 200])
  expect(offers.bytes).toBeGreaterThanOrEqual(before + 400)
})

it('where the clock strikes an hour twice, the second one counts too: others may be joined there', async () => {
  setClock(test, '2030-10-25T12:00:00Z')
  const night = { start: '2030-10-27T01:00', end: '2030-10-27T05:00', defaultCapacity: 2 }
  const room = await roomWith(night)
  const { timeslot_uuid, product_uuid } = wishAt(room, '01:00', '01:30')
  const second = { timeslot_uuid, product_uuid, from: '2030-10-27T01:00:00Z', to: '2030-10-27T01:30:00Z' }
  expect((await consumer.reserve(room.resourceUuid, second)).status).toBe(200)
  await slots(room)
  const twice = { timeslotUuid: timeslot_uuid, productUuid: product_uuid }
  const wish = { ...twice, from: '2030-10-27T02:00:00Z', to: '2030-10-27T02:30:00Z' }
  const asked = [wish, wish, wish, wish].map(body => consumer.reserve(room.resourceUuid, body))
  // Two in the first hour, and one beside whoever is in the second.
  expect(statusesOf(await Promise.all(asked))).toEqual([200, 200, 200, 412])
})

import { beforeEach, describe, expect, it } from 'vitest'
import type { Queryable } from '../../src/db/base/pool.ts'
import {
  recordSearch,
  resourcesToSearch,
  searchAgainFor,
  startSearch,
} from '../../src/db/scheduling/waiting-line.ts'
import { makePractice } from '../support/build.ts'
import { form } from '../support/consumer.ts'
import { eventually, useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

// Time that was free all along, and is offered once a person waits for it again.

const holdfast = await useService()
const { db } = holdfast.service
const practice = await makePractice(holdfast.crm, { language: 'en' })
const { room, wait, bookAll, consumer, job, entry, offers, offerPath, list, sendEmails } = waitingAt(
  holdfast,
  practice,
)
// Without a person who waits on, the job looks at nothing.
const full = await room()
await bookAll(full)
await wait(full)

beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

const hour = { start: '2030-01-07T08:00', end: '2030-01-07T09:00', raster: 60 }
const answer = async (email: string, what: 'take' | 'decline') =>
  consumer.send('POST', await offerPath(email), `answer=${what}`, { headers: form })
const outcomes = async (uuid: string) => (await offers(uuid)).map(([_start, outcome]) => outcome)

/** Two rooms with one time each, both booked. */
async function fullRooms() {
  const rooms = [await room(hour), await room(hour)] as const
  const [inFirst] = await bookAll(rooms[0])
  const [inSecond] = await bookAll(rooms[1])
  return { rooms, free: [inFirst!, inSecond!].map(one => () => consumer.cancel(one.cancelLink)) }
}

/** Waits for both rooms, and is offered the first: the job finds no one who would take the second. */
async function offeredInFirst() {
  const { rooms, free } = await fullRooms()
  const ann = await wait(rooms[0], { resourceReferences: rooms.map(one => one.resource) })
  for (const one of free) await one()
  await job()
  expect(await outcomes(ann.uuid)).toEqual(['OPEN'])
  return ann
}

it('a person who declines is offered what is free in another room', async () => {
  const { email, uuid } = await offeredInFirst()
  await answer(email, 'decline')
  await job()
  expect(await outcomes(uuid)).toEqual(['DECLINED', 'OPEN'])
})

it('a person who did not answer is offered what is free in another room', async () => {
  const { uuid } = await offeredInFirst()
  await sendEmails()
  const { expiresAt } = (await entry(uuid)).offers[0]
  const minute = 60_000
  for (const early of [5 * minute, -minute]) {
    holdfast.clock.shiftMs = Date.parse(expiresAt) - early - Date.now()
    await job()
  }
  expect(await outcomes(uuid)).toEqual(['LAPSED', 'OPEN'])
})

/** Two wishes of one person: the second one waits while there is an offer for the first. */
async function offeredForFirstWish() {
  const { rooms, free } = await fullRooms()
  const ann = await wait(rooms[0])
  const { body } = await holdfast.crm.post(list, {
    customerReference: ann.customer,
    productReference: practice.product,
    resourceReferences: [rooms[1].resource],
    from: '2030-01-07',
    to: '2030-01-11',
  })
  for (const one of free) await one()
  await job()
  const second: string = body.entry.uuid
  expect(await outcomes(ann.uuid)).toEqual(['OPEN'])
  expect(await outcomes(second)).toEqual([])
  return { ...ann, second }
}

it('a person who takes an offer is offered what another of their wishes fits', async () => {
  const { email, second } = await offeredForFirstWish()
  expect((await answer(email, 'take')).text).toContain('confirmed')
  await job()
  expect(await outcomes(second)).toEqual(['OPEN'])
})

it('a person who gives up a wish with an open offer is offered what another of their wishes fits', async () => {
  const { uuid, second } = await offeredForFirstWish()
  expect((await holdfast.crm.delete(`${list}/${uuid}`)).status).toBe(200)
  await job()
  expect(await outcomes(second)).toEqual(['OPEN'])
})

describe('a person who begins to wait during a search', () => {
  it('is found by the next one', async () => {
    const { resourceId, search, join, isToBeSearched } = await searchedRoom()
    const { mark } = await search()
    await join(db)
    await recordSearch(db, resourceId, mark, 1_000_000)
    expect(await isToBeSearched()).toBe(true)
  })

  it('is waited for by a search that begins before they are written', async () => {
    const { search, join } = await searchedRoom()
    const written = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    const joining = db.transaction(async tx => {
      await join(tx)
      written.resolve()
      await commit.promise
    })
    await written.promise
    let hasStarted = false
    const searching = search().then(() => {
      hasStarted = true
    })
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await eventually(async () => (await db.pool.query(waiting)).rows.length > 0)
    expect(hasStarted).toBe(false)
    commit.resolve()
    await Promise.all([joining, searching])
  })
})

it('searches at the same time do not hide each other', async () => {
  const { resourceId, search, join, isToBeSearched } = await searchedRoom()
  await join(db)
  const [first, second] = [await search(), await search()]
  await recordSearch(db, resourceId, first.mark, await revisionOf(resourceId))
  expect(await isToBeSearched()).toBe(false)
  await recordSearch(db, resourceId, second.mark, await revisionOf(resourceId))
  expect(await isToBeSearched()).toBe(false)
})

const numberIn = async (text: string) => Number(Object.values((await db.pool.query(text)).rows[0]!)[0])
const revisionOf = (resourceId: number) => numberIn(`select revision from resource where id = ${resourceId}`)

/** A room that a person waits for, and in which the job has found nothing. */
async function searchedRoom() {
  const where = await room(hour)
  await bookAll(where)
  const { customer } = await wait(where)
  await job()
  const resourceId = await numberIn(`select id from resource where uuid = '${where.resourceUuid}'`)
  const providerId = await numberIn(`select id from provider where uuid = '${practice.uuid}'`)
  const customerId = await numberIn(`select id from customer where reference = '${customer}'`)
  const isToBeSearched = async () =>
    (await resourcesToSearch(db, 100)).some(one => one.resourceId === resourceId)
  expect(await isToBeSearched()).toBe(false)
  return {
    resourceId,
    isToBeSearched,
    search: () => startSearch(db, providerId, resourceId),
    join: (tx: Queryable) => searchAgainFor(tx, providerId, [customerId]),
  }
}

// Lists are built in fair turns between tenants (CRMs). A tenant with many Providers, or a list that names
// Resources of others, must not get more than one share.

import { expect, it } from 'vitest'
import { makePractice, makeTimeslot, type Practice } from '../support/build.ts'
import { asConsumer, overApp, slotsOf } from '../support/consumer.ts'
import { bookAt } from '../support/moves.ts'
import { type Caller, call, eventually, useService } from '../support/service.ts'

const holdfast = await useService({ TRUST_PROXY: 'true' })
const { listBuilding, listPatching } = holdfast.service
const consumer = asConsumer(overApp(holdfast.app))

async function newRoom(crm: Caller) {
  const practice = await makePractice(crm)
  return { practice, timeslot: await makeTimeslot(crm, practice) }
}
type Room = Awaited<ReturnType<typeof newRoom>>
const mine = await Promise.all(Array.from({ length: 6 }, () => newRoom(holdfast.crm)))
const theirs = await newRoom(holdfast.otherCrm)

const ask = (path: string, address: string, method = 'GET') =>
  call(holdfast.app, method, path, undefined, { headers: { 'x-forwarded-for': address } })
const listPath = ({ resourceUuid }: Practice, query = '') =>
  `/resources/${resourceUuid}/upcoming_bookables${query}`

/** Sends the requests while the only lane is taken, each after the one before it waits; returns who was served when. */
async function servedInOrder(
  queue: typeof listBuilding,
  requests: { name: string; path: string; method?: string }[],
) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const before = queue.concurrency
  queue.concurrency = 1
  // What earlier tests have used must not decide.
  queue.shares.clear()
  const lane = queue.run('lane', () => promise)
  const served: string[] = []
  const all: Promise<unknown>[] = []
  for (const [index, { name, path, method }] of requests.entries()) {
    const response = ask(path, `192.0.2.${index + 1}`, method)
    all.push(response.then(({ status }) => served.push(status < 300 ? name : `${name}: ${status}`)))
    await eventually(async () => queue.waiting === index + 1)
  }
  resolve()
  await Promise.all([lane, ...all])
  queue.concurrency = before
  return served
}

it('a tenant with many Providers has one share of the lists that are built', async () => {
  const requests = mine.map(({ practice }) => ({ name: 'many', path: listPath(practice) }))
  const served = await servedInOrder(listBuilding, [
    ...requests,
    { name: 'one', path: listPath(theirs.practice) },
  ])
  expect(served.indexOf('one')).toBeLessThan(2)
})

it('a tenant with many Providers has one share of the lists that are patched', async () => {
  for (const room of [...mine, theirs]) {
    await book(room)
    await book(room)
  }
  const requests = mine.map(({ practice }) => ({ name: 'many', path: listPath(practice) }))
  const served = await servedInOrder(listPatching, [
    ...requests,
    { name: 'one', path: listPath(theirs.practice) },
  ])
  expect(served.indexOf('one')).toBeLessThan(2)
})

it('a tenant with many Providers has one share of chosen slots', async () => {
  const chosen = ({ timeslot }: Room) => `/bookables/specific_bookables?tslIds=${timeslot.uuid}`
  const requests = mine.map(room => ({ name: 'many', path: chosen(room), method: 'POST' }))
  const served = await servedInOrder(listBuilding, [
    ...requests,
    { name: 'one', path: chosen(theirs), method: 'POST' },
  ])
  expect(served.indexOf('one')).toBeLessThan(2)
})

it('lists across tenants are not charged to the tenant that is named first', async () => {
  const mixed = mine.map(({ practice }, index) => ({
    name: 'mixed',
    path: listPath(theirs.practice, `?ref=${practice.resourceUuid}&to=2040-01-0${index + 1}`),
  }))
  const own = { name: 'one', path: listPath(theirs.practice, '?to=2041-01-01') }
  const served = await servedInOrder(listBuilding, [...mixed, own])
  expect(served.indexOf('one')).toBeLessThan(2)
})

/** Changes the list in a way that can be patched. */
async function book({ practice }: Room) {
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  await bookAt(consumer, slot!)
}

import { beforeEach, expect, it } from 'vitest'
import { purge } from '../../src/actions/scheduling/retention.ts'
import { makePractice, setChannel } from '../support/build.ts'
import { expectRefusal } from '../support/refusals.ts'
import { consoleCall, useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { language: 'en' })
const { room, wait, bookAll, consumer, list, job } = waitingAt(holdfast, practice)
const get = async (path: string) => (await consoleCall(holdfast.app, 'GET', path)).body
const day = 24 * 3_600_000
const countOf = async (text: string) =>
  (await holdfast.service.db.pool.query<{ count: number }>(`select count(*)::int as count from ${text}`))
    .rows[0]!.count

beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

it('shows who would take a time, the next one first, and what a customer waits for', async () => {
  const where = await room()
  await bookAll(where)
  const ann = await wait(where)
  const ben = await wait(where, { priority: 1, note: 'by the window' })
  await wait(where, { timeFrom: '09:00', timeTo: '10:00' })
  await wait(where, { weekdays: [2] })
  const path = `/resources/${where.resourceUuid}/waiting?start=`
  const { count, entries } = await get(`${path}2030-01-07T08:00&end=2030-01-07T08:30`)
  expect([count, entries.map((one: { uuid: string }) => one.uuid)]).toEqual([2, [ben.uuid, ann.uuid]])
  expect(await get(`${path}2030-01-20T08:00`)).toEqual({ count: 0, entries: [] })
  expect((await consoleCall(holdfast.app, 'GET', `${path}soon`)).status).toBe(400)
  const page = await get(`/customers/${entries[0].customer.uuid}`)
  expect(page.waitingFor).toEqual([expect.objectContaining({ uuid: ben.uuid, note: 'by the window' })])
})

it('refuses to offer a time to a customer without an email address', async () => {
  const where = await room()
  const ann = await wait(where, { from: '2030-01-09', to: '2030-01-09' })
  await holdfast.crm.put(`${practice.path}/customers/${encodeURIComponent(ann.customer)}`, { email: null })
  const offer = { resourceReference: where.resource, start: '2030-01-07T08:00' }
  const refused = await holdfast.crm.post(`${list}/${ann.uuid}/offer`, offer)
  expectRefusal(refused, 400, 'missing-field', 'customerReference')
  expect(refused.text).toContain('needs an email address')
  expect(await countOf('waiting_offer')).toBe(0)
})

it('refuses a page after an id that no entry can have', async () => {
  for (const after of ['99999999999999999999', '9007199254740993', '-1', '1.5'])
    expectRefusal(await holdfast.crm.get(`${list}?after=${after}`), 400, 'invalid-field', 'after')
})

it('keeps an ended entry for 90 days', async () => {
  const where = await room()
  await bookAll(where)
  const { uuid } = await wait(where)
  await holdfast.crm.delete(`${list}/${uuid}`)
  holdfast.clock.shiftMs = 89 * day
  expect((await purge(holdfast.service, { dryRun: false })).waitingEntries).toBe(0)
  holdfast.clock.shiftMs = 91 * day
  expect((await purge(holdfast.service, { dryRun: true })).waitingEntries).toBe(1)
  expect((await purge(holdfast.service, { dryRun: false })).waitingEntries).toBe(1)
  expect((await holdfast.crm.get(`${list}/${uuid}`)).status).toBe(404)
})

it('forgets people who never confirmed, but not those who were known', async () => {
  const where = await room()
  await setChannel(holdfast, where.resourceUuid, { waitingList: true })
  const known = await wait(where)
  await holdfast.crm.delete(`${list}/${known.uuid}`)
  const wish = { product_uuid: practice.productUuid, from: '2030-01-07', to: '2030-01-08' }
  for (const email of ['stranger@example.org', known.email]) {
    const person = { email, firstname: 'Ann', lastname: 'Able' }
    const joined = await consumer.send('POST', `/resources/${where.resourceUuid}/waiting_list`, {
      ...wish,
      ...person,
    })
    expect(joined.status).toBe(201)
  }
  const unconfirmed = `waiting_entry where state = 'UNCONFIRMED'`
  expect(await countOf(unconfirmed)).toBe(2)
  holdfast.clock.shiftMs = 3 * day
  await job()
  expect(await countOf(unconfirmed)).toBe(0)
  expect(await countOf(`customer where email = 'stranger@example.org'`)).toBe(0)
  expect(await countOf(`customer where email = '${known.email}'`)).toBe(1)
})

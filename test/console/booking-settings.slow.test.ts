// Settings once: a business has them, and its Resources' channels hold exceptions only.

import { beforeEach, expect, it } from 'vitest'
import { channelKeys } from '../../src/rules/offers/channels.ts'
import { makePractice, makeResource, makeTimeslot, type Practice } from '../support/build.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const { app, crm } = holdfast
let practice: Practice
beforeEach(async () => {
  practice = await makePractice(crm)
})

const get = async (path: string) => (await consoleCall(app, 'GET', path)).body
const patch = async (path: string, body: unknown) => {
  const { status, body: answer, text } = await consoleCall(app, 'PATCH', path, body)
  expect(status, text).toBe(200)
  return answer
}
const booking = () => `/providers/${practice.uuid}/booking`
const channel = (key = 'RESOURCE_PUBLIC', uuid = practice.resourceUuid) =>
  `/resources/${uuid}/channels/${key}`

it('reach every channel without an exception, now and later, and cached lists', async () => {
  const url = `/resources/${practice.resourceUuid}/upcoming_bookables`
  await makeTimeslot(crm, practice, { start: '2030-01-07T08:00', end: '2030-01-07T10:00' })
  const before = await get(channel())
  expect((await call(app, 'GET', url)).status).toBe(200)
  await patch(channel('RESOURCE_EXCLUSIVE'), { reminderHours: 5 })
  const saved = await patch(booking(), { horizonDays: 30, reminderHours: 48, waitingList: true })
  expect(saved).toMatchObject({ horizonDays: 30, reminderHours: 48, waitingList: true, seriesMax: 0 })
  expect(saved.exceptions).toEqual([
    {
      resourceUuid: practice.resourceUuid,
      channelKey: 'RESOURCE_EXCLUSIVE',
      settings: ['reminderHours'],
    },
  ])
  expect(await get(booking())).toEqual(saved)
  expect(await get(channel())).toEqual({ ...before, horizonDays: 30, reminderHours: 48, waitingList: true })
  expect(await get(channel('RESOURCE_EXCLUSIVE'))).toMatchObject({ horizonDays: 30, reminderHours: 5 })
  expect((await call(app, 'GET', url)).status).toBe(204)
  const colleague = await makeResource(crm, practice)
  expect(await get(channel('CALENDAR_PUBLIC', colleague.uuid))).toMatchObject({
    horizonDays: 30,
    reminderHours: 48,
    waitingList: true,
    inherited: before.inherited,
  })
  await patch(booking(), { horizonDays: null })
  expect((await call(app, 'GET', url)).status).toBe(200)
})

it('reach the channels of a Resource that the previous version creates beside this one', async () => {
  await patch(booking(), { horizonDays: 30, bookingProcess: 'REQUESTED', phoneField: 'REQUIRED' })
  // The statement of 0.6.0, which knows no settings of a business.
  const [made] = await holdfast.query(
    `with made as (
      insert into resource (provider_id, reference, public_name, internal_name)
      select id, 'older@plat', 'Older', 'Older' from provider where uuid = $1 returning id, uuid, provider_id
    ), channels as (
      insert into channel (provider_id, resource_id, key) select provider_id, made.id, key from made, unnest($2::text[]) key
    )
    select uuid from made`,
    [practice.uuid, channelKeys],
  )
  const settings = { horizonDays: 30, bookingProcess: 'REQUESTED', phoneField: 'REQUIRED', reminderHours: 24 }
  for (const key of channelKeys) expect(await get(channel(key, made.uuid))).toMatchObject(settings)
  const saved = await patch(booking(), { horizonDays: 60 })
  expect(saved.exceptions).toEqual([])
  expect(await get(channel('RESOURCE_PUBLIC', made.uuid))).toMatchObject({ ...settings, horizonDays: 60 })
  // It writes its own values without own_settings, as an exception.
  await holdfast.query(
    `update channel set horizon_days = 7 where resource_id = (select id from resource where uuid = $1)`,
    [made.uuid],
  )
  expect((await get(booking())).exceptions).toHaveLength(4)
})

it('stay the usual ones where the business has changed none', async () => {
  await holdfast.query(
    `delete from channel where key <> 'RESOURCE_PUBLIC' and provider_id = (select id from provider where uuid = $1)`,
    [practice.uuid],
  )
  await holdfast.query(
    `insert into channel (provider_id, resource_id, key, reminder_hours)
    select provider_id, id, 'RESOURCE_EXCLUSIVE', 5 from resource where uuid = $1`,
    [practice.resourceUuid],
  )
  expect(await get(channel('RESOURCE_EXCLUSIVE'))).toMatchObject({
    reminderHours: 5,
    bookingProcess: 'IMMEDIATE',
  })
})

it('go back to those of the business, and stay exceptions although equal', async () => {
  const { inherited } = await get(channel())
  expect(inherited).toHaveLength(13)
  await patch(channel(), { minimumNoticeMinutes: 0, customersOnly: true })
  const own = await patch(booking(), { minimumNoticeMinutes: 120, customersOnly: true })
  expect(own.exceptions).toMatchObject([{ settings: ['customersOnly', 'minimumNoticeMinutes'] }])
  await patch(booking(), { customersOnly: false })
  const kept = await get(channel())
  expect(kept).toMatchObject({ minimumNoticeMinutes: 0, customersOnly: true })
  expect(kept.inherited).not.toContain('customersOnly')
  // Of both, going back counts.
  const back = await patch(channel(), { inherited, customersOnly: true })
  expect(back).toMatchObject({ minimumNoticeMinutes: 120, customersOnly: false, inherited })
  const part = inherited.filter((one: string) => one !== 'reminderHours')
  expect(await patch(channel(), { inherited: part })).toMatchObject({ reminderHours: 24, inherited: part })
  await patch(booking(), { reminderHours: 1, minimumNoticeMinutes: 5 })
  expect(await get(channel())).toMatchObject({ reminderHours: 24, minimumNoticeMinutes: 5 })
})

it('carry over: values written by an earlier version stay, and the others follow', async () => {
  const pool = holdfast.service.db.pool
  await pool.query(
    `update channel set reminder_hours = 2, horizon_days = 60 from resource where resource.id = resource_id and resource.uuid = $1 and key = 'RESOURCE_PUBLIC'`,
    [practice.resourceUuid],
  )
  expect((await get(booking())).exceptions).toMatchObject([{ settings: ['horizonDays', 'reminderHours'] }])
  await patch(booking(), { reminderHours: 12, horizonDays: 90, bookingProcess: 'REQUESTED' })
  expect(await get(channel())).toMatchObject({
    reminderHours: 2,
    horizonDays: 60,
    bookingProcess: 'REQUESTED',
  })
})

it('report each changed channel as an event, and nothing if nothing changes', async () => {
  const events = async () => {
    const rows = await holdfast.query('select count(*)::int as count from event')
    return rows[0].count
  }
  const before = await events()
  await patch(booking(), { seriesMax: 4 })
  expect((await events()) - before).toBe(5)
  await patch(booking(), { seriesMax: 4 })
  expect((await events()) - before).toBe(5)
})

it('refuse values that no channel may have', async () => {
  for (const body of [
    { horizonDays: 0 },
    { reminderHours: -1 },
    { bookingProcess: 'X' },
    { seriesMax: null },
  ])
    expect((await consoleCall(app, 'PATCH', booking(), body)).status).toBe(400)
  const wrong = await consoleCall(app, 'PATCH', channel(), { inherited: ['visible'] })
  expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'inherited[0]'])
})

it('hold for a Resource that is created at the same moment', async () => {
  const made = []
  for (const hours of [1, 2, 3, 4])
    made.push(patch(booking(), { reminderHours: hours }), makeResource(crm, practice))
  await Promise.all(made)
  const { reminderHours, exceptions } = await get(booking())
  expect([reminderHours > 0, exceptions]).toEqual([true, []])
})

const ask = (key: string) => crm.post(`${practice.path}/questions`, { key, type: 'text', label: { en: key } })
const product = (uuid = practice.productUuid) => get(`/products/${uuid}`)
const makeProduct = async (fields: object) => {
  const sent = { reference: crypto.randomUUID(), name: 'Other', ...fields }
  const { body } = await crm.post(`${practice.path}/products`, sent)
  return body.product
}

it('give every service the form of the business, except those with questions of their own', async () => {
  for (const key of ['reason', 'allergies', 'sport']) await ask(key)
  const own = await makeProduct({ questions: ['sport'] })
  expect(own).toMatchObject({ questions: ['sport'], ownQuestions: true })
  expect(await patch(booking(), { questions: ['reason', 'allergies'] })).toMatchObject({
    questions: ['reason', 'allergies'],
  })
  expect(await product()).toMatchObject({ questions: ['reason', 'allergies'], ownQuestions: false })
  expect(await product(own.uuid)).toMatchObject({ questions: ['sport'], ownQuestions: true })
  const asked = async (uuid: string) => {
    const path = `/products/active_products?ref=${practice.resourceUuid}`
    const { products } = (await call(app, 'POST', path)).body
    const found = products.find((one: { uuid: string }) => one.uuid === uuid)
    return found.questions.map((one: { key: string }) => one.key)
  }
  expect(await asked(practice.productUuid)).toEqual(['reason', 'allergies'])
  const added = await makeProduct({})
  expect(await asked(added.uuid)).toEqual(['reason', 'allergies'])
  // A service that asks nothing is an exception too.
  await patch(`/products/${added.uuid}`, { questions: [] })
  const order = { keys: ['allergies', 'reason'] }
  await consoleCall(app, 'PUT', `/providers/${practice.uuid}/question-order`, order)
  expect(await get(booking())).toMatchObject({ questions: ['allergies', 'reason'] })
  await crm.delete(`${practice.path}/questions/allergies`)
  expect(await get(booking())).toMatchObject({ questions: ['reason'] })
  expect(await asked(practice.productUuid)).toEqual(['reason'])
  expect(await patch(`/products/${own.uuid}`, { ownQuestions: false })).toMatchObject({
    questions: ['reason'],
    ownQuestions: false,
  })
  await patch(booking(), { questions: ['reason', 'sport'] })
  expect(await asked(own.uuid)).toEqual(['reason', 'sport'])
  expect(await product(added.uuid)).toMatchObject({ questions: [], ownQuestions: true })
  for (const questions of [['unknown'], ['reason', 'reason']])
    expect((await consoleCall(app, 'PATCH', booking(), { questions })).status).toBe(400)
})

it('give their form to a service that the previous version creates beside this one', async () => {
  for (const key of ['reason', 'sport']) await ask(key)
  await patch(booking(), { questions: ['sport', 'reason'] })
  // The statement of 0.6.0.
  const [made] = await holdfast.query(
    `insert into product (provider_id, reference, name, description, min_duration, max_duration, lead_minutes,
      follow_up_minutes)
    select id, 'older@plat', 'Older', null, null, null, null, null from provider where uuid = $1 returning uuid`,
    [practice.uuid],
  )
  const followed = await makeProduct({})
  const questionsOf = async (uuid: string) =>
    (await call(app, 'POST', `/products/specific_products?prdRefs=${uuid}`)).body[0].questions
  expect(await product(made.uuid)).toMatchObject({ questions: ['sport', 'reason'], ownQuestions: false })
  expect(await questionsOf(made.uuid)).toEqual(await questionsOf(followed.uuid))
  await patch(booking(), { questions: ['reason'] })
  expect(await questionsOf(made.uuid)).toMatchObject([{ key: 'reason' }])
})

it('reach services that are created or get the form back at the same moment', async () => {
  for (const key of ['reason', 'sport']) await ask(key)
  const works: Promise<unknown>[] = []
  for (const questions of [['reason'], ['sport'], ['reason', 'sport'], []])
    works.push(
      patch(booking(), { questions }),
      makeProduct({}),
      patch(`/products/${practice.productUuid}`, { ownQuestions: false }),
    )
  await Promise.all(works)
  const { questions } = await get(booking())
  const { products } = await get(`/providers/${practice.uuid}/products`)
  expect(products).toHaveLength(5)
  for (const one of products) expect(one).toMatchObject({ questions, ownQuestions: false })
})

it('decide which fields the form has, with exceptions', async () => {
  await patch(booking(), { phoneField: 'REQUIRED', askMessage: false, waitingList: true })
  const page = `/book/${practice.resourceUuid}/waiting?product=${practice.productUuid}`
  const form = async () => (await call(app, 'GET', page)).text
  expect(await form()).toMatch(/name="mobile"[^>]* required/)
  expect(await form()).not.toContain('name="message"')
  const person = { firstname: 'Ann', lastname: 'Winter', email: 'ann@example.org' }
  const payload = new URLSearchParams(person).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const sent = await app.inject({ method: 'POST', url: page, headers, payload })
  expect([sent.statusCode, sent.payload]).toEqual([400, expect.stringContaining('id="mobile-error"')])
  await patch(channel(), { phoneField: 'HIDDEN' })
  expect(await form()).not.toContain('name="mobile"')
  expect((await get(booking())).exceptions).toMatchObject([{ settings: ['phoneField'] }])
  const { body } = await call(app, 'GET', `/resources/bundle?ref=${practice.resourceUuid}`)
  expect(JSON.stringify(body)).toContain('"phoneField":"HIDDEN","askMessage":false')
})

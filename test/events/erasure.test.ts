import { afterAll, expect, it } from 'vitest'
import { makeAppointment, makeCustomer, makeParticipation, makePractice } from '../support/build.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually, runJobs, useService } from '../support/service.ts'

// A receiver that echoes everything it receives.
const receiver = await startReceiver(({ body }) => ({ status: 200, body }))
afterAll(() => receiver.close())
const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })

const person = { userName: 'Zelda Quaxington', email: 'zelda@quax.example', mobile: '+491701234567' }
const isAboutThem = /zelda|quax|1701234567/i

it('after Delete Customer, no event, delivery or table contains the person', async () => {
  const practice = await makePractice(holdfast.crm)
  const { body } = await holdfast.crm.post('/webhooks', { url: receiver.url })
  const path = `/webhooks/${body.webhook.uuid}`
  runJobs(holdfast)
  const { customerReference } = await makeCustomer(holdfast.crm, practice, person)
  const { reference } = await makeAppointment(holdfast.crm, practice)
  await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', { customerReference })
  const readEvents = async () => (await holdfast.crm.get('/events?limit=500')).text
  const deliveries = async () => (await holdfast.crm.get(`${path}/deliveries?limit=500`)).text
  await eventually(async () => receiver.received.some(one => one.json.type === 'participation.booked'))
  await eventually(async () => isAboutThem.test(await deliveries()))
  expect(await readEvents()).toMatch(isAboutThem)

  const customer = `${practice.path}/customers/${encodeURIComponent(customerReference)}`
  expect((await holdfast.crm.delete(`${customer}?ignoreFutureAppointments`)).status).toBe(204)
  await eventually(async () => receiver.received.some(one => one.json.type === 'customer.erased'))
  expect(await readEvents()).not.toMatch(isAboutThem)
  expect(await deliveries()).not.toMatch(isAboutThem)
  const tables = await holdfast.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const isKept = async ({ name }: { name: string }) =>
    (await holdfast.query(`select from ${name} as t where t::text ~* $1`, [isAboutThem.source])).length
  const where = async () =>
    (await Promise.all(tables.map(async one => ((await isKept(one)) ? one.name : [])))).flat()
  // The cancellation email is emptied after it is sent.
  await eventually(async () => !(await where()).includes('mail'))
  expect(await where()).toEqual([])

  // Later events, including replays, do not contain the person.
  const { length } = receiver.received
  await holdfast.crm.post(`${path}/replay`, {})
  await eventually(async () =>
    receiver.received.slice(length).some(one => one.json.type === 'customer.erased'),
  )
  expect(JSON.stringify(receiver.received.slice(length))).not.toMatch(isAboutThem)
})

it("does not store a receiver's answer that arrives just after the erasure", async () => {
  const practice = await makePractice(holdfast.crm)
  const erased = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  const slow = await startReceiver(({ body }) => {
    if (isAboutThem.test(body)) requested.resolve()
    return { status: 200, body, after: isAboutThem.test(body) ? erased.promise : Promise.resolve() }
  })
  const { body } = await holdfast.crm.post('/webhooks', { url: slow.url })
  const { customerReference } = await makeCustomer(holdfast.crm, practice, person)
  runJobs(holdfast)
  await requested.promise
  const customer = `${practice.path}/customers/${encodeURIComponent(customerReference)}`
  expect((await holdfast.crm.delete(customer)).status).toBe(204)
  erased.resolve()
  const deliveries = async () =>
    (await holdfast.crm.get(`/webhooks/${body.webhook.uuid}/deliveries?limit=500`)).body
  type Delivery = { kind: string; answer: string | null }
  const find = async (kind: string): Promise<Delivery | undefined> =>
    (await deliveries()).deliveries.find((one: Delivery) => one.kind === kind)
  await eventually(async () => (await find('customer.erased')) !== undefined)
  expect((await find('customer.created'))!.answer).toBeNull()
  expect((await find('customer.erased'))!.answer).toContain('customer.erased')
  expect(JSON.stringify(await deliveries())).not.toMatch(isAboutThem)
  await slow.close()
})

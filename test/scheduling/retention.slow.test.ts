import { beforeEach, expect, it } from 'vitest'
import { purge } from '../../src/actions/scheduling/retention.ts'
import { makeCustomer, makePractice } from '../support/build.ts'
import { asConsumer, overApp } from '../support/consumer.ts'
import { addressOf } from '../support/databases.ts'
import { run } from '../support/process.ts'
import { roomsOf } from '../support/rooms.ts'
import { call, consoleCall, consoleToken, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

const settings = { RETENTION_MAIL_DAYS: '90', RETENTION_CUSTOMER_MONTHS: '24' }

const { roomWith, first, book } = roomsOf(() => ({ holdfast, practice, consumer }))
const holdfast = await useService(settings)
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

/** Slots are in January 2030. */
const moveTo = (date: string) => {
  holdfast.clock.shiftMs = Date.parse(date) - Date.now()
}

const query = (text: string, ...values: unknown[]) => holdfast.query(text, values)

const customersNamed = (email: string) => query('select * from customer where email = $1', email)

async function bookAs(email: string) {
  const room = await roomWith()
  await book(room, await first(room), { email })
  return room
}

it('deletes the content of old emails but keeps their records, and skips waiting ones', async () => {
  await bookAs('old@example.org')
  await bookAs('waiting@example.org')
  await query(`update mail set state = 'sent' where recipient <> 'waiting@example.org'`)
  const sent = (await query(`select id from mail where state = 'sent'`)).length
  moveTo(new Date(Date.now() + 89 * 86_400_000).toISOString())
  expect((await purge(holdfast.service, { dryRun: false })).mails).toBe(0)
  moveTo(new Date(Date.now() + 91 * 86_400_000).toISOString())
  expect((await purge(holdfast.service, { dryRun: true })).mails).toBe(sent)
  expect((await purge(holdfast.service, { dryRun: false })).mails).toBe(sent)
  expect((await purge(holdfast.service, { dryRun: false })).mails).toBe(0)
  const left = await query(`select distinct recipient, data::text from mail where state = 'sent'`)
  expect(left).toEqual([{ recipient: null, data: '{}' }])
  expect(await query(`select recipient from mail where state = 'queued'`)).toEqual([
    { recipient: 'waiting@example.org' },
  ])
  const { body } = await holdfast.crm.get('/events?kinds=mail.purged')
  expect(body.events).toMatchObject([{ actor: { kind: 'service' }, data: { count: sent } }])
})

it('erases consumers without a recent Appointment, but not Customers of the CRM or those who come again', async () => {
  await bookAs('once@example.org')
  await makeCustomer(holdfast.crm, practice, { email: 'invited@example.org' })
  moveTo('2031-12-31')
  await purge(holdfast.service, { dryRun: false })
  expect(await customersNamed('once@example.org')).toHaveLength(1)

  moveTo('2032-02-01')
  const room = await roomWith({ start: '2032-03-01T08:00', end: '2032-03-01T10:00' })
  await book(room, await first(room), { email: 'once@example.org' })
  await bookAsInPast('gone@example.org')
  const { customers } = await purge(holdfast.service, { dryRun: true })
  expect(customers).toBeGreaterThan(0)
  expect((await purge(holdfast.service, { dryRun: false })).customers).toBe(customers)
  expect(await customersNamed('once@example.org')).toHaveLength(1)
  expect(await customersNamed('invited@example.org')).toHaveLength(1)
  expect(await customersNamed('gone@example.org')).toHaveLength(0)
  expect(await query(`select from participation where email = 'gone@example.org'`)).toHaveLength(0)
})

it('keeps a Customer whom the CRM accepts during the run', async () => {
  for (const email of ['first@example.org', 'accepted@example.org']) await bookAs(email)
  moveTo('2032-02-01')
  const [{ reference: customerReference }] = await customersNamed('accepted@example.org')
  await whileWaiting(
    holdfast,
    {
      before: rival => rival.query(`select from customer where email = 'first@example.org' for update`),
      meanwhile: async () => {
        const fields = { customerReference, providerReference: practice.reference, userName: 'Ann' }
        expect((await holdfast.crm.post(`${practice.path}/customers`, fields)).status).toBe(200)
      },
    },
    () => purge(holdfast.service, { dryRun: false }),
  )
  expect(await customersNamed('first@example.org')).toHaveLength(0)
  expect(await customersNamed('accepted@example.org')).toHaveLength(1)
})

/** Booked in 2030, seen from later. */
async function bookAsInPast(email: string) {
  const now = holdfast.clock.shiftMs
  holdfast.clock.shiftMs = 0
  await bookAs(email)
  holdfast.clock.shiftMs = now
}

const inDays = (days: number) => moveTo(new Date(Date.now() + days * 86_400_000).toISOString())

/** As if the operator had set nothing. */
const unset = () => ({
  ...holdfast.service,
  config: { ...holdfast.service.config, retentionMailDays: null, retentionCustomerMonths: null },
})

const setRetention = (change: object, tag?: unknown) =>
  call(holdfast.app, 'PATCH', '/console/api/crms/crm/retention', change, {
    headers: { authorization: `Bearer ${consoleToken}`, ...(tag ? { 'if-match': String(tag) } : {}) },
  })

it("a CRM's own setting applies, shorter or longer than the operator's, or without one", async () => {
  await purge(holdfast.service, { dryRun: false })
  await bookAs('theirs@example.org')
  await query(`update mail set state = 'sent'`)
  await query(
    `insert into mail (crm_id, kind, recipient, language, data, state)
     select id, 'verify', 'others@example.org', 'en', '{}', 'sent' from crm where name = 'other'`,
  )
  inDays(50)
  expect((await purge(holdfast.service, { dryRun: true })).mails).toBe(0)

  expect((await setRetention({ mailDays: 40 })).body).toEqual({
    mailDays: 40,
    customerMonths: null,
    forAll: { mailDays: 90, customerMonths: 24 },
  })
  const { mails, crms } = await purge(unset(), { dryRun: true })
  expect(mails).toBeGreaterThan(0)
  expect(crms).toEqual([
    { crm: 'crm', mailDays: 40, customerMonths: null, mails, customers: 0 },
    { crm: 'other', mailDays: null, customerMonths: null, mails: 0, customers: 0 },
  ])
  expect((await purge(holdfast.service, { dryRun: false })).mails).toBe(mails)
  expect(await query(`select recipient from mail where recipient is not null`)).toEqual([
    { recipient: 'others@example.org' },
  ])

  moveTo('2033-01-01')
  expect((await setRetention({ mailDays: 36_500, customerMonths: 40 })).status).toBe(200)
  expect(await purge(holdfast.service, { dryRun: false })).toMatchObject({ mails: 1, customers: 0 })
  expect(await customersNamed('theirs@example.org')).toHaveLength(1)
  moveTo('2033-06-01')
  expect((await purge(holdfast.service, { dryRun: false })).customers).toBeGreaterThan(0)
  expect(await customersNamed('theirs@example.org')).toHaveLength(0)
})

it('is set by CRM admins, within limits, and refuses stale changes', async () => {
  expect((await setRetention({ mailDays: 60 })).status).toBe(200)
  const { body, headers } = await consoleCall(holdfast.app, 'GET', '/crms/crm/retention')
  expect(await setRetention({ mailDays: null, customerMonths: null }, headers.etag)).toMatchObject({
    status: 200,
    body: { ...body, mailDays: null, customerMonths: null },
  })
  expect(await setRetention({ mailDays: 30 }, headers.etag)).toMatchObject({ status: 409 })
  for (const odd of [{ mailDays: 6 }, { customerMonths: 0 }, { mailDays: 1.5 }, { days: 9 }])
    expect(await setRetention(odd)).toMatchObject({
      status: 400,
      body: { errors: [{ field: Object.keys(odd)[0] }] },
    })
  const { body: log } = await holdfast.crm.get('/events?kinds=settings.changed')
  expect(log.events.at(-1)).toMatchObject({ actor: { kind: 'console' }, data: { channelKey: 'retention' } })
  const { body: status } = await consoleCall(holdfast.app, 'GET', '/operator')
  expect(status.retention).toEqual({ mailDays: 90, customerMonths: 24, crmsWithout: 0 })
})

it('holdfast purge reports what it deleted, and that nothing is set', async () => {
  const env = { DATABASE_URL: addressOf(holdfast.connection), SECRET_KEY: 's'.repeat(32) }
  expect(await run(['purge', '--dry-run'], env)).toMatchObject({
    code: 1,
    output: expect.stringContaining('Set RETENTION_MAIL_DAYS'),
  })
  const done = await run(['purge', '--dry-run', '--json'], { ...env, ...settings })
  expect(JSON.parse(done.output)).toMatchObject({ dryRun: true, mails: 0, customers: 0 })
  expect((await setRetention({ mailDays: 7 })).status).toBe(200)
  expect((await run(['purge', '--dry-run'], env)).output).toContain(
    'crm: emails after 7 days (0), Customers never (0)\n',
  )
})

import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { isMailOutage, isPermanentRefusal } from '../../src/messages/email/sender.ts'
import { makeUser } from '../support/build.ts'
import { captureLog } from '../support/logs.ts'
import { call, eventually, runJobs, startTestService, type TestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

it.each([
  [
    'no such user',
    { command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 no such user' },
    true,
    false,
  ],
  ['a full mailbox', { command: 'RCPT TO', responseCode: 552, response: '552 full' }, true, false],
  ['a mail that is refused', { command: 'DATA', responseCode: 554, response: '554 spam' }, true, false],
  ['not now', { command: 'RCPT TO', responseCode: 451, response: '451 later' }, false, false],
  [
    'no relaying',
    { command: 'RCPT TO', responseCode: 550, response: '550 5.7.1 relaying denied' },
    false,
    false,
  ],
  ['a login first', { command: 'RCPT TO', responseCode: 530, response: '530 login' }, false, false],
  ['a wrong login', { command: 'AUTH PLAIN', responseCode: 535, response: '535 no' }, false, true],
  ['a sender it does not like', { command: 'MAIL FROM', responseCode: 550, response: '550 no' }, false, true],
  ['closing', { command: 'RCPT TO', responseCode: 421, response: '421 bye' }, false, true],
  ['no server', { code: 'ECONNREFUSED', command: 'CONN' }, false, true],
])('%s', (_what, error, forGood, outage) => {
  expect([isPermanentRefusal(error), isMailOutage(error)]).toEqual([forGood, outage])
})

it('a mail server outage is logged and reported; afterwards all waiting emails are sent at once', async () => {
  const first = await startSmtp()
  const holdfast = await startTestService({ SMTP_URL: first.url, LOG_LEVEL: 'warn' })
  onTestFinished(() => holdfast.close())
  const log = captureLog(holdfast.app)
  await first.close()
  runJobs(holdfast)
  const ask = (statement: string) => holdfast.query(statement)
  const waiting = () => ask(`select from mail where state = 'queued'`)
  for (let count = 0; count < 10; count++) await makeUser(holdfast.crm)
  const tried = `select from graphile_worker.jobs where attempts > 0 and locked_at is null and task_identifier = 'deliver-mail'`
  await eventually(async () => (await ask(tried)).length === 10)
  await ask(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where attempts > 0`)
  const { body } = await call(holdfast.app, 'GET', '/readyz')
  expect(body).toMatchObject({ status: 'degraded', mail: expect.stringMatching(/^failing since 20/) })
  expect(log.text().match(/"msg":"outage began: the mail server accepts no mail"/g)).toHaveLength(1)
  expect(log.text()).toContain('"reason":"ESOCKET CONN"')

  const calls = await hearCalls(holdfast)
  const again = await startSmtp(first.port)
  onTestFinished(() => again.close())
  await makeUser(holdfast.crm)
  await eventually(async () => (await waiting()).length === 0)
  // For the first two waiting emails, then the next four: none waits until workers poll. Other notifications
  // may come in between.
  expect(calls).toEqual(expect.arrayContaining([2, 4]))
  expect(again.accepted).toHaveLength(11)
  expect((await call(holdfast.app, 'GET', '/readyz')).body).toMatchObject({ status: 'ok', mail: 'ok' })
  expect(log.text()).toMatch(/outage ended: the mail server accepts no mail \(lasted \d+ s, \d+ failures\)/)
})

/** The number of jobs in each notification to workers. */
async function hearCalls({ connection }: TestService): Promise<number[]> {
  const client = new pg.Client(connection as pg.ClientConfig)
  const calls: number[] = []
  client.on('notification', ({ payload = '' }) => calls.push(JSON.parse(payload).count))
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('listen "jobs:insert"')
  return calls
}

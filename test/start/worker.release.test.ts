import { expect, it, onTestFinished, vi } from 'vitest'
import { migrate } from '../../src/db/base/migrate.ts'
import { ourMigrations } from '../../src/db/base/migrations.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { addressOf, emptyDatabase } from '../support/databases.ts'
import { freePort, newDataDir, postmasterOf, run, startCli } from '../support/process.ts'
import { eventually } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

// Real processes on a busy machine; the limit is only reached if something hangs.
vi.setConfig({ testTimeout: 120_000 })

const patience = 60
const key = `hf_test_${'a'.repeat(24)}`

it('one process answers requests and another, started at any time, sends emails', async () => {
  const smtp = await startSmtp()
  const env = {
    DATA_DIR: newDataDir(),
    PORT: await freePort(),
    DEMO: '0',
    SMTP_URL: smtp.url,
    BOOTSTRAP_CRM: 'acme',
    BOOTSTRAP_API_KEY: key,
  }
  const server = startCli(['serve', '--without-jobs'], env)
  await eventually(async () => server.output().includes('Holdfast is ready'), patience)
  const made = await fetch(`http://127.0.0.1:${env.PORT}/crms/acme/user`, {
    method: 'POST',
    headers: { 'x-service-client-id': key, 'content-type': 'application/json' },
    body: JSON.stringify({ reference: 'u@acme', email: 'u@example.org', username: 'u', lastName: 'U' }),
  })
  expect(made.status).toBe(201)
  expect(smtp.tried).toEqual([])

  const WORKER_PORT = await freePort()
  const worker = startCli(['worker'], { ...env, WORKER_PORT })
  await eventually(async () => smtp.to('u@example.org').length === 1, patience)
  const watch = (path: string) => fetch(`http://127.0.0.1:${WORKER_PORT}${path}`)
  expect(await (await watch('/readyz')).json()).toMatchObject({ status: 'ok', mail: 'ok' })
  expect(await (await watch('/metrics')).text()).toContain('holdfast_db_connections')
  expect((await watch('/resources/x/upcoming_bookables')).status).toBe(404)
  worker.child.kill('SIGTERM')
  expect(await worker.exit).toBe(0)
  expect(worker.output()).toContain('Stopped.')
  // The worker does not own the database: it keeps running with the service.
  expect((await fetch(`http://127.0.0.1:${env.PORT}/readyz`)).status).toBe(200)
  await smtp.close()

  // The service stops first, with its database, and the worker does not restart it.
  const second = startCli(['worker'], env)
  await eventually(async () => second.output().includes('Holdfast is running jobs'), patience)
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
  second.child.kill('SIGTERM')
  expect(await second.exit).toBe(0)
  expect(postmasterOf(env.DATA_DIR)).toBeNull()

  const alone = await run(['worker'], env)
  expect(alone).toMatchObject({ code: 1, output: expect.stringContaining('Start holdfast serve first') })
  expect(postmasterOf(env.DATA_DIR)).toBeNull()
})

it('waits for the migrations of its version, and gives up after DATABASE_WAIT_SECONDS', async () => {
  const smtp = await startSmtp()
  onTestFinished(() => smtp.close())
  const database = await emptyDatabase()
  const env = { DATABASE_URL: addressOf(database), SECRET_KEY: 's'.repeat(32), SMTP_URL: smtp.url }
  const { pool, close } = openDb(database)
  onTestFinished(close)
  const newest = (await ourMigrations()).at(-1)!.number
  await migrate(pool, { upTo: newest - 1 })

  const impatient = await run(['worker'], { ...env, DATABASE_WAIT_SECONDS: '0' })
  expect(impatient).toEqual({ code: 1, output: expect.stringContaining('holdfast migrate') })

  const worker = startCli(['worker'], { ...env, LOG_LEVEL: 'info', DATABASE_WAIT_SECONDS: '300' })
  await eventually(
    async () => worker.output().includes('Waiting for the migrations of this version'),
    patience,
  )
  expect(worker.output()).not.toContain('Holdfast is running jobs')
  await migrate(pool)
  await eventually(async () => worker.output().includes('Holdfast is running jobs'), patience)
  worker.child.kill('SIGTERM')
  expect(await worker.exit).toBe(0)
})

it('mail test prints the reply of the mail server', async () => {
  const smtp = await startSmtp()
  const sent = await run(['mail', 'test', 'me@example.org'], { SMTP_URL: smtp.url })
  expect(sent).toMatchObject({
    code: 0,
    output: expect.stringContaining('accepted the email to me@example.org'),
  })
  expect(smtp.to('me@example.org').map(({ mail }) => mail.subject)).toEqual(['Holdfast test email'])

  smtp.moods.push('refuse')
  const refused = await run(['mail', 'test', 'me@example.org'], { SMTP_URL: smtp.url })
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('did not accept the email: ') })
  await smtp.close()

  const unset = await run(['mail', 'test', 'me@example.org'], {})
  expect(unset).toMatchObject({ code: 1, output: expect.stringContaining('SMTP_URL is not set') })
  const wrong = await run(['mail', 'test', 'me'], { SMTP_URL: smtp.url })
  expect(wrong).toMatchObject({ code: 1, output: 'me is not an email address.\n' })
})

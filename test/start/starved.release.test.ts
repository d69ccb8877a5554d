import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { runningOn } from '../../src/db/embedded/index.ts'
import { freePort, newDataDir, postmasterOf, serve } from '../support/process.ts'
import { eventually } from '../support/service.ts'

it('a service without a free connection says so, stops quickly and leaves no PostgreSQL behind', {
  timeout: 120_000,
}, async () => {
  const DATA_DIR = newDataDir()
  const slow = { DATABASE_LOCK_SECONDS: '120', DATABASE_STATEMENT_SECONDS: '120' }
  const { child, exit, url } = await serve({ DATA_DIR, PORT: await freePort(), DEMO: '1', ...slow })
  const blocker = new pg.Client({ ...runningOn(DATA_DIR)!.connection, database: 'holdfast' })
  blocker.on('error', () => {})
  onTestFinished(() => blocker.end().catch(() => {}))
  await blocker.connect()
  await blocker.query('begin; lock table resource, provider, console_user in access exclusive mode')
  const logIn = (index: number) =>
    fetch(`${url}/console/api/session/password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `unknown${index}@example.org`, password: 'wrong' }),
    }).catch(() => null)
  for (let index = 0; index < 12; index++) void logIn(index)
  const status = async () => (await fetch(`${url}/readyz`)).status
  await eventually(async () => (await status()) === 503, 30)
  const sentAt = performance.now()
  child.kill('SIGTERM')
  await exit
  // Takes about 5 seconds; waiting for the blocked statements would take two minutes.
  expect(performance.now() - sentAt).toBeLessThan(20_000)
  expect(postmasterOf(DATA_DIR)).toBeNull()
})

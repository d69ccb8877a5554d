import pg from 'pg'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { withoutPassword } from '../../src/start/connect-database.ts'
import { addressOf, emptyDatabase } from '../support/databases.ts'
import { freePort, run, serve, startCli } from '../support/process.ts'
import { startProxy } from '../support/proxy.ts'
import { eventually } from '../support/service.ts'

// Real processes on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const settings = (DATABASE_URL: string, more: Record<string, string> = {}) => ({
  DATABASE_URL,
  SECRET_KEY: 'x'.repeat(32),
  DATABASE_WAIT_SECONDS: '0',
  ...more,
})

async function asAdmin(statement: string) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  await client.query(statement)
  await client.end()
}

it('waits for a database that is not available yet, and says so', async () => {
  const database = await emptyDatabase()
  const port = await freePort()
  const env = settings(`postgres://${database.user}:secret@127.0.0.1:${port}/${database.database}`, {
    DATABASE_WAIT_SECONDS: '30',
  })
  const { output, exit } = startCli(['migrate'], env)
  await eventually(async () => output().includes('Waiting'), 60)
  await startProxy(database, Number(port))
  expect(await exit).toBe(0)
  expect(output()).toMatch(/^Waiting for postgres:\/\/\w+:\*\*\*@127.* for up to 30 seconds: .*ECONNREFUSED/)
  expect(output()).toContain('Migrated the database')
})

it('explains in one sentence that the database is read-only or privileges are missing', async () => {
  const database = await emptyDatabase()
  const user = `weak_${database.database}`
  await asAdmin(`create role ${user} login`)
  onTestFinished(() => asAdmin(`drop role ${user}`))
  const weak = await run(['migrate'], settings(addressOf({ ...database, user })))
  expect(weak).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^The user of DATABASE_URL lacks rights: permission denied .*grant create on schema/,
    ),
  })
  await asAdmin(`alter database ${database.database} set default_transaction_read_only = on`)
  const standby = await run(['migrate'], settings(addressOf(database)))
  expect(standby).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^Cannot use postgres.*: it is read-only and may be a standby\. Use the address of the primary/,
    ),
  })
})

it('refuses the SECRET_KEY of another database, and accepts a new one beside the previous one', async () => {
  const url = addressOf(await emptyDatabase())
  const [former, next] = ['a'.repeat(32), 'b'.repeat(32)]
  const list = (more: Record<string, string>) => run(['crm', 'list'], settings(url, more))
  expect((await run(['migrate'], settings(url, { SECRET_KEY: former }))).code).toBe(0)
  expect(await list({ SECRET_KEY: next })).toEqual({
    code: 1,
    output: expect.stringMatching(/^SECRET_KEY is not the one this database was used with/),
  })
  expect((await list({ SECRET_KEY: next, SECRET_KEY_PREVIOUS: former })).code).toBe(0)
  expect((await list({ SECRET_KEY: next })).code).toBe(0)
})

it('prints only JSON without a terminal, and warns of links to localhost', async () => {
  const url = addressOf(await emptyDatabase())
  const env = settings(url, {
    PORT: await freePort(),
    LOG_LEVEL: 'info',
    SMTP_URL: 'smtp://127.0.0.1:1',
  })
  const { child, exit, output } = await serve(env)
  child.kill('SIGTERM')
  await exit
  const lines = output()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines.map(({ msg }) => msg)).toContain('Stopped.')
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      msg: expect.stringMatching(/^SMTP_URL is set but BASE_URL is not/),
    }),
  )
})

it('prints its version', async () => {
  expect(await run(['--version'], {})).toEqual({ code: 0, output: `${packageJson.version}\n` })
})

it.each([
  ['postgres://ann:secret@host/db', 'postgres://ann:***@host/db'],
  ['postgres://ann:se@cr:et@host:5432,other/db', 'postgres://ann:***@host:5432,other/db'],
  ['postgres://ann:s/e?c#ret@host/db', 'postgres://ann:***@host/db'],
  ['postgres://ann@host:5432/db?options=a@b', 'postgres://ann@host:5432/db?options=a@b'],
  ['postgres://host/db?user=ann&password=secret&x=1', 'postgres://host/db?user=ann&password=***&x=1'],
  ['postgres://host/db', 'postgres://host/db'],
])('never shows the password of %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
})

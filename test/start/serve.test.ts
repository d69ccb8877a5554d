import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createDemo } from '../../src/start/demo.ts'
import { wantsDemo } from '../../src/start/serve.ts'
import { freePort, newDataDir, postmasterOf, run, serve, startCli } from '../support/process.ts'
import { startProxy } from '../support/proxy.ts'
import { cloneDatabase, eventually, startTestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

// Real processes on a busy machine; the limit is only reached if something hangs.
vi.setConfig({ testTimeout: 120_000 })

const isRoot = process.getuid?.() === 0
const secret = { SECRET_KEY: 's'.repeat(32) }
const settings = async () => ({ DATA_DIR: newDataDir(), PORT: await freePort() })

/** Uses the test database, which is faster than an embedded one where that does not matter. */
async function onSharedDatabase() {
  const { host, port, user, database } = await cloneDatabase()
  const DATABASE_URL = `postgres://${user}@/${database}?host=${host}&port=${port}`
  return { DATABASE_URL, PORT: await freePort(), DEMO: '0', ...secret }
}

describe('the first start', () => {
  it.each([
    ['127.0.0.1', null, true],
    ['::1', null, true],
    ['localhost', null, true],
    ['0.0.0.0', null, false],
    ['::', null, false],
    ['192.0.2.1', null, false],
    ['0.0.0.0', true, true],
    ['127.0.0.1', false, false],
  ])('at %s with DEMO=%s creates a demo: %s', (host, demo, made) => {
    expect(wantsDemo({ host, demo })).toBe(made)
  })

  it('gives the demo a key that expires after 30 days', async () => {
    const holdfast = await startTestService()
    onTestFinished(() => holdfast.close())
    await createDemo(holdfast.service)
    const rows = await holdfast.query(
      `select expires_at - now() between interval '29 days' and interval '30 days' as soon
       from api_key where label = 'demo'`,
    )
    expect(rows).toEqual([{ soon: true }])
  })

  it('creates a demo and prints how to access it; the second start keeps it and does not show the key again', async () => {
    const env = await settings()
    const first = await serve(env)
    await eventually(async () => first.output().includes('API docs'))
    const key = first.output().match(/hf_demo_[0-9a-f]+/)?.[0] ?? ''
    const login = first.output().match(/http:[^\s"]+\/console\/login\/[^\s"]+/)?.[0] ?? ''
    expect(first.output()).toMatch(/hf_demo_\w+ {3}\(shown once, valid for 30 days\)/)
    const page = first.output().match(/http:[^\s"]+\/book\/([0-9a-f-]{36})/)?.[0] ?? ''
    expect((await fetch(page)).status).toBe(200)
    const users = await fetch(`${first.url}/crms/demo/user/anna%40demo`, {
      headers: { 'x-service-client-id': key },
    })
    expect(users.status).toBe(200)
    const slots = await fetch(`${first.url}/resources/room-1@demo/upcoming_bookables`)
    expect(Object.keys((await slots.json()) as object).length).toBeGreaterThan(15)
    const logIn = () => fetch(login, { method: 'POST', redirect: 'manual' })
    expect((await logIn()).status).toBe(303)
    expect((await logIn()).status).toBe(404)

    first.child.kill('SIGTERM')
    expect(await first.exit).toBe(0)
    expect(postmasterOf(env.DATA_DIR)).toBeNull()

    const second = await serve(env)
    expect(second.output()).not.toContain('hf_demo_')
    expect((await fetch(`${second.url}/resources/room-1@demo/upcoming_bookables`)).status).toBe(200)
  })

  it('creates none with DEMO=0, and creates what BOOTSTRAP_* require', async () => {
    const key = `hf_test_${'a'.repeat(24)}`
    const token = 'a-token-of-twenty-characters'
    const env = {
      ...(await onSharedDatabase()),
      BOOTSTRAP_CRM: 'acme',
      BOOTSTRAP_API_KEY: key,
      BOOTSTRAP_CONSOLE_TOKEN: token,
    }
    const { url, output } = await serve(env)
    expect(output()).not.toContain('demo')
    expect(output()).toContain('there is no login yet. To get a link, run this')
    // Not with the password of the database.
    expect(output()).toContain('npx holdfast user invite you@example.org')
    expect(output()).not.toContain('postgres://')
    const known = await fetch(`${url}/crms/acme/user/unknown`, { headers: { 'x-service-client-id': key } })
    expect(known.status).toBe(404)
    const mails = await fetch(`${url}/console/api/mails`, { headers: { authorization: `Bearer ${token}` } })
    expect(await mails.json()).toEqual({ mails: [], next: null })
  })

  it('prints a link with DEMO=0, and none where others can reach it', async () => {
    const env = { ...(await settings()), DEMO: '0' }
    const first = await serve(env)
    await eventually(async () => first.output().includes('API docs'))
    expect(first.output()).not.toContain('demo')
    const [link = ''] = first.output().match(/http:[^\s"]+\/console\/login\/[^\s"]+/) ?? []
    const logIn = () => fetch(link, { method: 'POST', redirect: 'manual' })
    expect((await logIn()).status).toBe(303)
    expect((await logIn()).status).toBe(404)

    const DATA_DIR = join(newDataDir(), 'it’s my data')
    const open = await serve({ DATA_DIR, PORT: await freePort(), DEMO: '0', HOST: '0.0.0.0' })
    await eventually(async () => open.output().includes('API docs'))
    expect(open.output()).not.toContain('/console/login/')
    // The command works as it stands, in a shell without the settings of the service.
    const [command = ''] = open.output().match(/DATA_DIR=.*npx holdfast user invite \S+@example\.org/) ?? []
    const program = `${process.execPath} ${inject('program')}`
    const printed = execFileSync('sh', ['-c', command.replace('npx holdfast', program)], {
      env: { PATH: process.env.PATH, HOME: tmpdir() },
      encoding: 'utf8',
    })
    expect(printed).toContain(`${open.url}/console/login/`)
    expect((await fetch(printed.trim(), { method: 'POST', redirect: 'manual' })).status).toBe(303)
  })
})

describe('shutdown', () => {
  it('drains: not ready immediately, but answers every request until the end', async () => {
    const env = { ...(await onSharedDatabase()), DRAIN_SECONDS: '2' }
    const { child, exit, url } = await serve(env)
    const ask = (path: string) => fetch(`${url}${path}`, { headers: { connection: 'keep-alive' } })
    await ask('/healthz')
    child.kill('SIGTERM')
    await eventually(async () => (await ask('/readyz')).status === 503)
    const ready = await ask('/readyz')
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'draining', version: expect.any(String) },
    ])
    for (const until = Date.now() + 1_000; Date.now() < until; ) {
      const answer = await ask('/resources/unknown/upcoming_bookables')
      expect([answer.status, answer.headers.get('connection')]).toEqual([404, 'close'])
    }
    expect(await exit).toBe(0)
  })

  it('lets open requests finish', async () => {
    const env = await onSharedDatabase()
    const { child, exit } = await serve(env)
    const socket = connect(Number(env.PORT), '127.0.0.1')
    let answer = ''
    socket.on('data', chunk => (answer += chunk))
    socket.write(
      'POST /resources/x/reserve_appointment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{',
    )
    await eventually(async () => (await fetch(`http://localhost:${env.PORT}/healthz`)).ok)
    child.kill('SIGTERM')
    await eventually(
      async () =>
        !(await fetch(`http://localhost:${env.PORT}/healthz`).then(
          () => true,
          () => false,
        )),
    )
    socket.write('}')
    await eventually(async () => answer.includes('missing-field'))
    expect(answer).toContain('HTTP/1.1 400')
    expect(await exit).toBe(0)
  })

  it('works if the database failed right after the start', async () => {
    const env = await onSharedDatabase()
    const migrated = await run(['migrate'], env)
    expect(migrated.code, migrated.output).toBe(0)
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query('alter table outgoing_pause rename to away')
    const { child, exit, output } = startCli(['serve'], env)
    await eventually(async () => output().includes('Holdfast is ready'), 30)
    await client.query('alter table away rename to outgoing_pause')
    await client.end()
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  it('of one process and of two ends in time, even if database, mail server and a client all hang', async () => {
    await Promise.all([stopHanging([]), stopHanging(['--processes', '2'])])
  })

  async function stopHanging(args: string[]) {
    const smtp = await startSmtp()
    onTestFinished(() => smtp.close())
    const database = await cloneDatabase()
    const proxy = await startProxy(database)
    const key = `hf_test_${'a'.repeat(24)}`
    const env = {
      ...(await onSharedDatabase()),
      DATABASE_URL: `postgres://${database.user}@127.0.0.1:${proxy.connection.port}/${database.database}`,
      SMTP_URL: smtp.url,
      STOP_SECONDS: '1',
      BOOTSTRAP_CRM: 'acme',
      BOOTSTRAP_API_KEY: key,
    }
    const { child, exit, output } = startCli(['serve', ...args], env)
    await eventually(async () => output().includes('Holdfast is ready'), 60)
    const socket = connect(Number(env.PORT), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST /resources/x/reserve_appointment HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{')
    smtp.moods.push('hang')
    const made = await fetch(`http://127.0.0.1:${env.PORT}/crms/acme/user`, {
      method: 'POST',
      headers: { 'x-service-client-id': key, 'content-type': 'application/json' },
      body: JSON.stringify({ reference: 'u@acme', email: 'u@example.org', username: 'u', lastName: 'U' }),
    })
    expect(made.status).toBe(201)
    await eventually(async () => smtp.tried.length === 1, 30)
    proxy.silence()
    const waiting = fetch(`http://127.0.0.1:${env.PORT}/resources/x/upcoming_bookables`).catch(() => {})
    child.kill('SIGTERM')
    const since = Date.now()
    await exit
    // One second to finish, ten to exit.
    expect(Date.now() - since).toBeLessThan(25_000)
    await waiting
    await eventually(() =>
      fetch(`http://127.0.0.1:${env.PORT}/healthz`).then(
        () => false,
        () => true,
      ),
    )
  }
})

it('continues when its output is closed, stops in order, and refuses to start with another key', async () => {
  const env = { ...(await settings()), LOG_LEVEL: 'info' }
  const { child, exit, url } = await serve(env)
  child.stdout!.destroy()
  child.stderr!.destroy()
  for (let count = 0; count < 20; count++) expect((await fetch(`${url}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
  expect(postmasterOf(env.DATA_DIR)).toBeNull()

  const other = await run(['serve'], { ...env, SECRET_KEY: 'z'.repeat(32) })
  expect(other).toMatchObject({ code: 1, output: expect.stringContaining('SECRET_KEY is not the one') })
})

describe('after kill -9', () => {
  it('of the service, of PostgreSQL, or of both, it recovers and nothing is lost', async () => {
    const env = await settings()
    const slots = (url: string) =>
      fetch(`${url}/resources/room-1@demo/upcoming_bookables`).then(response => response.status)
    const first = await serve(env)
    first.child.kill('SIGKILL')
    await first.exit

    const second = await serve(env)
    expect(await slots(second.url)).toBe(200)
    process.kill(postmasterOf(env.DATA_DIR)!, 'SIGKILL')
    await eventually(async () => (await slots(second.url)) === 200)

    process.kill(postmasterOf(env.DATA_DIR)!, 'SIGKILL')
    second.child.kill('SIGKILL')
    await second.exit
    const third = await serve(env)
    expect(await slots(third.url)).toBe(200)
    third.child.kill('SIGTERM')
    expect(await third.exit).toBe(0)
  })
})

describe('prints one sentence and exits with 1, without a stack trace,', () => {
  const refuses = async (env: Record<string, string>, sentence: RegExp, identity = {}) => {
    const { exit, output } = startCli(['serve'], env, identity)
    expect(await exit).toBe(1)
    expect(output()).toMatch(sentence)
    expect(output()).not.toMatch(/^\s+at /m)
  }

  it('for a second instance on the same folder, which does not affect the first; and for a port in use', async () => {
    const env = await settings()
    const first = await serve({ ...env, DEMO: '0' })
    await refuses({ ...env, PORT: await freePort() }, /Another Holdfast is running on DATA_DIR/)
    await refuses({ ...(await onSharedDatabase()), PORT: env.PORT }, /Port \d+ is used by another program/)
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  })

  it('for a DATABASE_URL without a database, or of another kind', async () => {
    await refuses(
      { DATABASE_URL: 'postgres://x:secret@127.0.0.1:1/x', DATABASE_WAIT_SECONDS: '0', ...secret },
      /Cannot use postgres:\/\/x:\*\*\*@127/,
    )
    await refuses({ DATABASE_URL: 'mysql://x' }, /DATABASE_URL is invalid/)
    await refuses({ DATABASE_URL: 'postgres://x/y' }, /SECRET_KEY is not set/)
  })

  it('for a database of a newer version', async () => {
    const env = await onSharedDatabase()
    const client = new pg.Client(env.DATABASE_URL)
    await client.connect()
    await client.query("insert into migration values (9999, 'from the future')")
    await client.end()
    await refuses(env, /made by a newer version/)
  })

  it.skipIf(!isRoot)('for a folder that is not writable', async () => {
    const folder = newDataDir()
    chmodSync(folder, 0o555)
    await refuses({ DATA_DIR: folder, PORT: '0' }, /DATA_DIR|folder/, { uid: 65534, gid: 65534 })
  })

  it('for an invalid setting, which is named', async () => {
    await refuses({ PORT: 'many' }, /PORT is invalid: "many" must be a whole number/)
  })
})

describe('the command line', () => {
  it('has help texts', async () => {
    const { code, output } = await run(['--help'], {})
    expect(code).toBe(0)
    const names = [
      'serve',
      'worker',
      'migrate',
      'crm create',
      'crm list',
      'key create',
      'key list',
      'key revoke',
      'user invite',
      'user list',
      'user remove',
      'user logout',
      'demo',
      'config',
      'events tail',
      'listen',
      'webhook create',
      'webhook list',
      'webhook test',
      'webhook remove',
      'mail test',
      'explain',
      'torture',
    ]
    for (const name of names) expect(output).toContain(`  ${name} `)
    const helps = ['serve', 'key create', 'mail test'].map(async name => {
      const help = await run([...name.split(' '), '--help'], {})
      expect(help).toMatchObject({ code: 0, output: expect.stringContaining(`holdfast ${name}`) })
    })
    await Promise.all(helps)
    expect((await run(['serve', '--help'], {})).output).toMatch(
      /LOG_FORMAT +Format of the log: `json` or `pretty`/,
    )
    expect((await run(['nonsense'], {})).output).toContain('There is no command "nonsense"')
  })

  it('creates CRMs and keys beside a running service, and masks secrets', async () => {
    const env = await settings()
    const { url } = await serve({ ...env, DEMO: '0' })
    expect((await run(['crm', 'create', 'acme'], env)).output).toContain('CRM acme created')
    const key = (await run(['key', 'create', 'acme', '--scopes', 'read'], env)).output.trim()
    const ask = () => fetch(`${url}/crms/acme/user/unknown`, { headers: { 'x-service-client-id': key } })
    expect((await ask()).status).toBe(404)
    const listed = async (...what: string[]) =>
      JSON.parse((await run([...what, 'list', '--json'], env)).output)
    expect(await listed('key')).toEqual([
      expect.objectContaining({ prefix: key.split('_')[1], crm: 'acme', scopes: ['read'], revokedAt: null }),
    ])
    expect(await listed('crm')).toEqual([
      expect.objectContaining({ name: 'acme', language: null, providers: 0, keys: 1 }),
    ])
    expect((await run(['key', 'revoke', key.split('_')[1]!], env)).output).toContain('Revoked')
    await eventually(async () => (await ask()).status === 401)
    const shown = (await run(['config'], { ...env, SECRET_KEY: 'do-not-show-this-secret-to-other-people' }))
      .output
    expect(shown).toMatch(/SECRET_KEY\s+\*{8}/)
    expect(shown).not.toContain('do-not-show')
  })

  it('invites, lists, logs out and removes console logins', async () => {
    const env = await settings()
    const { url } = await serve({ ...env, DEMO: '0' })
    const invite = async (email: string) => (await run(['user', 'invite', email], env)).output.trim()
    await invite('boss@example.org')
    const link = await invite('op@example.org')
    const opened = await fetch(url + new URL(link).pathname, { method: 'POST', redirect: 'manual' })
    const cookie = String(opened.headers.get('set-cookie')).split(';')[0]!
    const ask = async () => (await fetch(`${url}/console/api/session`, { headers: { cookie } })).status
    expect(await ask()).toBe(200)
    expect((await run(['user', 'list'], env)).output).toMatch(/op@example\.org +operator +- +link +1 /)
    expect(JSON.parse((await run(['user', 'list', '--json'], env)).output)).toContainEqual(
      expect.objectContaining({ email: 'op@example.org', role: 'operator', crm: null, sessions: 1 }),
    )
    expect((await run(['user', 'logout', 'op@example.org'], env)).output).toContain('Ended 1 session.')
    expect(await ask()).toBe(401)
    expect((await run(['user', 'remove', 'op@example.org'], env)).output).toContain('Removed.')
    const { output } = await run(['user', 'list'], env)
    expect([output.includes('boss@'), output.includes('op@')]).toEqual([true, false])
    expect((await run(['user', 'logout', 'op@example.org'], env)).output).toContain('There is no login')
  })
})

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { makePractice, makeTimeslot, type Practice } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { addressOf } from '../support/databases.ts'
import { freePort } from '../support/process.ts'
import { consoleCall, consoleToken, runJobs, useService } from '../support/service.ts'

// Runs the commands of docs/runbooks.md as they are written there.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const text = readFileSync('docs/runbooks.md', 'utf8')
const blocks = [...text.matchAll(/<!-- run by CI: (\w+) -->\n```sh\n(.*?)```/gs)]
const runbook = (name: string) =>
  blocks
    .filter(match => match[1] === name)
    .map(match => match[2])
    .join('\n')

it('every runbook is executed', () => {
  expect([...new Set(blocks.map(match => match[1]))]).toEqual(['restore', 'tenant', 'person', 'upgrade'])
  const titles = [...text.matchAll(/^## (.*)$/gm)].map(match => match[1])
  expect(titles).toHaveLength(4)
})

type Identity = { uid?: number; gid?: number }

/** A folder with a `holdfast` command in it, gone when the test ends. */
function newFolder({ uid, gid }: Identity = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-runbook-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'holdfast'), `#!/bin/sh\nexec "${process.execPath}" "${inject('program')}" "$@"\n`)
  chmodSync(join(bin, 'holdfast'), 0o755)
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

async function execute(script: string, folder: string, env: Record<string, string>, identity: Identity = {}) {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder, LOG_LEVEL: 'warn', ...env },
    ...identity,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that nothing outlives the test.
    detached: true,
  })
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, 'SIGTERM')
    } catch {}
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'exit')
  return { code, output }
}

describe('with a running service', async () => {
  const holdfast = await useService({ SECRET_KEY: 's'.repeat(32) })
  let practice: Practice
  beforeAll(async () => {
    practice = await makePractice(holdfast.crm)
    await makeTimeslot(holdfast.crm, practice)
    await makePractice(holdfast.otherCrm)
    await book('ann@example.org')
  })

  async function book(email: string) {
    const consumer = asConsumer(overApp(holdfast.app))
    const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
    const { status } = await consumer.complete(practice.resourceUuid, bookingOf(slot!, { email }))
    expect(status).toBe(201)
  }

  const bookedAs = async (name: string) => {
    const rows = await holdfast.query(
      `select participation.email from participation join provider on provider.id = provider_id join crm on crm.id = crm_id
       where crm.name = $1 and participation.email is not null order by 1`,
      [name],
    )
    return rows.map(row => row.email)
  }

  const settings = async (more: Record<string, string> = {}) => ({
    DATABASE_URL: addressOf(holdfast.connection),
    SECRET_KEY: 's'.repeat(32),
    SMTP_URL: 'smtp://127.0.0.1:1',
    COPY_PORT: await freePort(),
    ...more,
  })

  it('rehearses a restore', async () => {
    const folder = newFolder()
    const { code, output } = await execute(runbook('restore'), folder, await settings())
    expect([code, output]).toEqual([0, expect.stringContaining('The backup is valid.')])
    expect(output).toMatch(/Restored the state of .*\ntrue\n.*\ncrm /s)
    expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).toBe('bin\n')
  })

  it('restores one tenant from a backup while the others stay', async () => {
    const folder = newFolder()
    const env = await settings({ CRM: 'crm', BACKUP: join(folder, 'last-night.backup') })
    expect((await execute('holdfast backup "$BACKUP"', folder, env)).code).toBe(0)
    const webhook = { url: 'https://receiver.example.org/', kinds: ['participation.booked'] }
    await book('later@example.org')
    await holdfast.crm.post('/webhooks', webhook)
    const others = await holdfast.otherCrm.get('/events?limit=500')

    const { code, output } = await execute(runbook('tenant'), folder, env)
    expect([code, output]).toEqual([0, expect.stringContaining('CRM crm has moved.')])
    expect(await bookedAs('crm')).toEqual(['ann@example.org'])
    expect(readFileSync(join(folder, 'before-the-restore.ndjson'), 'utf8')).toContain('later@example.org')
    // Events appear once no older transaction is open, so there may be more by now.
    expect((await holdfast.otherCrm.get('/events?limit=500')).body.events).toEqual(
      expect.arrayContaining(others.body.events),
    )
    // The keys of the CRM work again, and it takes bookings. The service looks for suspensions once a second.
    await holdfast.service.suspensions.refresh()
    expect((await holdfast.crm.get(`${practice.path}/appointments`)).body).toHaveLength(1)
    await book('new@example.org')
  })

  it('answers a data subject request', async () => {
    await holdfast.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = holdfast.app.server.address() as { port: number }
    runJobs(holdfast)
    await book('person@example.org')
    const folder = newFolder()
    const env = await settings({
      HOLDFAST: `http://127.0.0.1:${port}`,
      BOOTSTRAP_CONSOLE_TOKEN: consoleToken,
      PERSON: 'Person@example.org',
    })
    const kept = 'cat answer.json mails.json > kept\n'
    const [collect, erase] = blocks.filter(match => match[1] === 'person').map(match => match[2])
    const { code, output } = await execute(`${collect}\n${kept}\n${erase}`, folder, env)
    expect([code, output]).toEqual([0, expect.stringMatching(/^1\n/)])
    const answer = readFileSync(join(folder, 'kept'), 'utf8')
    expect(answer).toContain('person@example.org')
    expect(answer).toContain('"kind"')
    expect(await traces('person@example.org')).toEqual([])
    expect((await consoleCall(holdfast.app, 'GET', '/providers')).status).toBe(200)
  })

  /** Tables that still contain the text. */
  async function traces(wanted: string) {
    const rows = await holdfast.query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    const found: string[] = []
    for (const { name } of rows) {
      const { rowCount } = await holdfast.service.db.pool.query(
        `select from "${name}" as one where one::text ilike $1 limit 1`,
        [`%${wanted}%`],
      )
      if (rowCount) found.push(name)
    }
    return found
  }
})

const old = '/usr/lib/postgresql/15/bin'

it.skipIf(!existsSync(old))('upgrades the embedded PostgreSQL from an older major version', async () => {
  // PostgreSQL does not run as root.
  const identity = process.getuid?.() === 0 ? await databaseUser() : {}
  const folder = newFolder(identity)
  const env = { DATA_DIR: join(folder, 'data'), PORT: await freePort(), DEMO: '0', OLD: old }
  // A data folder as an older Holdfast would have left it.
  const prepare = `
    mkdir -m 700 data
    printf '%s\\n' ${'k'.repeat(64)} > data/secret-key
    $OLD/initdb -D data/postgres -U holdfast --auth=trust -E UTF8 --locale=C.UTF-8 > initdb.log
    $OLD/pg_ctl -D data/postgres -l log -w -o "-k $PWD -c listen_addresses=''" start > start.log
    $OLD/createdb -h "$PWD" -U holdfast holdfast
    export DATABASE_URL="postgres:///holdfast?host=$PWD&user=holdfast" SECRET_KEY_FILE=data/secret-key
    holdfast migrate
    holdfast crm create acme
    $OLD/pg_ctl -D data/postgres -m fast -w stop > stop.log
    unset DATABASE_URL SECRET_KEY_FILE
    holdfast serve || true`
  const before = await execute(prepare, folder, env, identity)
  expect(before).toEqual({ code: 0, output: expect.stringContaining('was made by PostgreSQL 15') })

  const stop = 'kill %1; wait %1'
  const { code, output } = await execute(`${runbook('upgrade')}\n${stop}`, folder, env, identity)
  expect([code, output]).toEqual([0, expect.stringContaining('The backup is valid.')])
  expect(output).toMatch(/\n18\n.*\nacme /s)
  expect(output).toContain('Emails and webhooks are sent again')
})

async function databaseUser(): Promise<Identity> {
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

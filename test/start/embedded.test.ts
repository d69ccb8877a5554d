import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { copyBinaries, packagedBinaries, runsAs } from '../../src/db/embedded/binaries.ts'
import { type EmbeddedPostgres, ensureDatabase, startEmbedded } from '../../src/db/embedded/index.ts'
import { databaseUser } from '../../src/db/embedded/system-user.ts'

const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off' }
// Real processes on a busy machine; the limit is only reached if something hangs.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 })
const patient = { timeout: 10_000, interval: 20 }

const cleanUps: (() => unknown)[] = []
let template: string
let templateLog: string[]

// initdb takes a second, so it runs once here and most tests use a copy.
beforeAll(async () => {
  template = newFolder()
  templateLog = []
  const embedded = await startEmbedded({ dataDir: template, settings, log: line => templateLog.push(line) })
  await embedded.stop()
})

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

afterAll(() => rmSync(template, { recursive: true, force: true }))

describe('a start', () => {
  test('creates a cluster in an empty folder that only its owner can enter', () => {
    expect(statSync(join(template, 'postgres')).mode & 0o777).toBe(0o700)
    expect(templateLog).toEqual([`Creating a database in ${join(realpathSync(template), 'postgres')}`])
    expect(readFileSync(join(template, 'postgres.log'), 'utf8')).toContain('ready to accept connections')
  })

  test('uses UTF-8, checksums, no network, and a socket that only its owner can reach', async () => {
    const { connection } = await start(clusterCopy())
    expect(await show(connection, 'server_encoding')).toBe('UTF8')
    expect(await show(connection, 'data_checksums')).toBe('on')
    expect(await show(connection, 'listen_addresses')).toBe('')
    expect(await show(connection, 'fsync')).toBe('off')
    expect(statSync(connection.host).mode & 0o777).toBe(0o700)
  })

  test('keeps the data of the previous start', async () => {
    const data = clusterCopy()
    const first = await start(data)
    await ensureDatabase(first.connection, 'holdfast')
    await ensureDatabase(first.connection, 'holdfast')
    await first.stop()
    const second = await start(data)
    expect(second.takenOver).toBe(false)
    expect(await ask(second.connection, 'select current_database() as it', 'holdfast')).toBe('holdfast')
  })

  test('does not change a socket folder that already exists', async () => {
    const data = clusterCopy()
    const first = await start(data)
    await first.stop()
    mkdirSync(first.connection.host)
    onCleanUp(() => rmSync(first.connection.host, { recursive: true, force: true }))
    const second = await start(data)
    expect(second.connection.host).not.toBe(first.connection.host)
    expect(await answer(second)).toBe(1)
  })

  test('of two processes on an empty folder results in one PostgreSQL for both', async () => {
    const data = newFolder(true)
    const [one, two] = await Promise.all([starter(data), starter(data)])
    expect(one.connection).toEqual(two.connection)
    expect([one.takenOver, two.takenOver].sort()).toEqual([false, true])
    expect(readdirSync(data).sort()).toEqual(['postgres', 'postgres.log'])
  })
})

describe('after kill -9', () => {
  test('of the service, the next one takes over its PostgreSQL and stops it at the end', async () => {
    const data = clusterCopy()
    const { child, connection } = await starter(data)
    const pid = postmasterPid(data)
    await kill(child)
    const next = await start(data)
    expect(next).toMatchObject({ takenOver: true, connection })
    expect(postmasterPid(data)).toBe(pid)
    expect(await answer(next)).toBe(1)
    await next.stop()
    expect(existsSync(join(data, 'postgres', 'postmaster.pid'))).toBe(false)
  })

  test('of PostgreSQL, it is restarted at the same address', async () => {
    const data = clusterCopy()
    const log: string[] = []
    const embedded = await start(data, log)
    process.kill(postmasterPid(data), 'SIGKILL')
    await vi.waitFor(() => expect(log).toContain('PostgreSQL is running again'), patient)
    expect(await answer(embedded)).toBe(1)
    expect(log[0]).toBe('PostgreSQL ended unexpectedly (SIGKILL); starting it again')
  })

  test('of PostgreSQL while it starts, it is started again', async () => {
    const data = clusterCopy()
    const starting = start(data)
    // The file is written after it is created, and 0 would be this process with all others of its group.
    await vi.waitFor(() => expect(postmasterPid(data)).toBeGreaterThan(0), { ...patient, interval: 1 })
    process.kill(postmasterPid(data), 'SIGKILL')
    expect(await answer(await starting)).toBe(1)
  })

  test('of PostgreSQL while its database is created, creation continues after the restart', async () => {
    const data = clusterCopy()
    const embedded = await start(data, [])
    process.kill(postmasterPid(data), 'SIGKILL')
    await ensureDatabase(embedded.connection, 'made_late')
    expect(await answer(embedded)).toBe(1)
  })

  test('of a PostgreSQL that was taken over, it is restarted too', async () => {
    const data = clusterCopy()
    const { child } = await starter(data)
    await kill(child)
    const log: string[] = []
    const embedded = await start(data, log)
    process.kill(postmasterPid(data), 'SIGKILL')
    await vi.waitFor(() => expect(log).toContain('PostgreSQL is running again'), patient)
    expect(await answer(embedded)).toBe(1)
  })

  test('of both, a start works even while an orphan runs a query', async () => {
    const data = clusterCopy()
    const { child, connection } = await starter(data)
    const busy = new pg.Client({ ...connection, database: 'postgres' })
    busy.on('error', () => {})
    await busy.connect()
    const endless = busy.query('do $$ begin loop end loop; end $$').catch(() => 'cut off')
    await vi.waitFor(async () => expect(await ask(connection, BUSY)).toBe(1), patient)
    const pid = postmasterPid(data)
    await kill(child)
    process.kill(pid, 'SIGKILL')
    const next = await start(data)
    expect(next.takenOver).toBe(false)
    expect(await answer(next)).toBe(1)
    expect(await endless).toBe('cut off')
  })

  test('during initdb, the next start creates a complete cluster and cleans up', async () => {
    const data = newFolder(true)
    const child = run(data)
    await vi.waitFor(() => expect(readdirSync(data)[0]).toMatch(/^postgres\.init-/), patient)
    await kill(child)
    expect(await answer(await start(data))).toBe(1)
    await vi.waitFor(() => expect(readdirSync(data).sort()).toEqual(['postgres', 'postgres.log']), patient)
  })

  test('a pid file whose pid belongs to another program is ignored', async () => {
    const data = clusterCopy()
    const owner = statSync(join(data, 'postgres'))
    const stranger = spawn('sleep', ['60'], isRoot ? { uid: owner.uid, gid: owner.gid } : {})
    onCleanUp(() => kill(stranger))
    const lines = [stranger.pid, join(data, 'postgres'), 1, 5432, '/tmp', '', '', 'ready', '']
    writeFileSync(join(data, 'postgres', 'postmaster.pid'), lines.join('\n'))
    const embedded = await start(data)
    expect(embedded.takenOver).toBe(false)
    expect(await answer(embedded)).toBe(1)
    expect(stranger.signalCode).toBe(null)
  })
})

test('Ctrl-C in the terminal reaches the service and not PostgreSQL', async () => {
  const data = clusterCopy()
  const { child, connection } = await starter(data)
  process.kill(-Number(child.pid), 'SIGINT')
  await once(child, 'exit')
  expect(await ask(connection, 'select 1 as it')).toBe(1)
})

test('leave() keeps PostgreSQL running without restarting it', async () => {
  const data = clusterCopy()
  const log: string[] = []
  const first = await start(data, log)
  first.leave()
  const next = await start(data)
  expect(next.takenOver).toBe(true)
  await next.stop()
  expect(log).toEqual([])
  await expect(answer(next)).rejects.toThrow(/ENOENT/)
})

describe('explains in one sentence:', () => {
  test('a folder that is not writable', async () => {
    const folder = newFolder(true)
    chmodSync(folder, 0o555)
    const child = run(join(folder, 'data'), isRoot ? 'process.setgid(65534); process.setuid(65534)' : '')
    expect(await lineOf(child)).toBe(
      `StartError: The folder ${folder}/data cannot be written: give this user write access to it, or choose another folder with DATA_DIR.`,
    )
  })

  test('a file instead of the folder', async () => {
    const file = join(newFolder(true), 'data')
    writeFileSync(file, '')
    await expect(start(file)).rejects.toThrow(`${file} is not a folder`)
  })

  test.skipIf(process.platform !== 'linux')(
    'a location where no folder can be created, without waiting',
    async () => {
      const child = run('/proc/holdfast', '')
      expect(await lineOf(child)).toBe(
        'StartError: The folder /proc/holdfast cannot be made there: choose another folder with DATA_DIR.',
      )
    },
  )

  test('files that are not a database', async () => {
    const data = newFolder(true)
    mkdirSync(join(data, 'postgres'))
    writeFileSync(join(data, 'postgres', 'holiday.jpg'), '')
    await expect(start(data)).rejects.toThrow('not a PostgreSQL database: move them away')
  })

  test('the database of another PostgreSQL version', async () => {
    const data = newFolder(true)
    mkdirSync(join(data, 'postgres'))
    writeFileSync(join(data, 'postgres', 'PG_VERSION'), '12\n')
    await expect(start(data)).rejects.toThrow('was made by PostgreSQL 12')
  })

  test('a setting that PostgreSQL rejects', async () => {
    const wrong = startEmbedded({ dataDir: template, log: () => {}, settings: { work_mem: 'much' } })
    await expect(wrong).rejects.toThrow(/does not start \(invalid value for parameter "work_mem": "much"\)/)
  })
})

describe.skipIf(!isRoot)('as root', () => {
  test('uses a system folder if the database user cannot enter the given one', async () => {
    const home = newFolder(true)
    chmodSync(home, 0o700)
    const log: string[] = []
    const embedded = await start(join(home, 'data'), log)
    onCleanUp(() => rmSync(join(embedded.where.data, '..'), { recursive: true, force: true }))
    expect(embedded.where.data).toMatch(/^\/var\/lib\/holdfast\/[0-9a-f]{12}\/postgres$/)
    expect(realpathSync(join(home, 'data', 'postgres'))).toBe(embedded.where.data)
    expect(log[0]).toMatch(/cannot enter .*: the database is kept in \/var\/lib\/holdfast/)
    await embedded.stop()
    const again = await start(join(home, 'data'))
    expect(again.where).toEqual(embedded.where)
    expect(await answer(again)).toBe(1)
  })

  test('opens an empty folder of root just enough for the database user', async () => {
    const data = newFolder(true)
    chmodSync(data, 0o700)
    const embedded = await start(data)
    expect(embedded.where.data).toBe(join(data, 'postgres'))
    expect(statSync(data).mode & 0o777).toBe(0o711)
  })

  test('copies binaries that the database user cannot reach once, links included', async () => {
    const home = newFolder(true)
    const target = newFolder(true)
    const real = await packagedBinaries()
    spawnSync('cp', ['-a', real.folder, join(home, 'native')])
    chmodSync(home, 0o700)
    const user = databaseUser(null)
    const packaged = { ...real, folder: join(home, 'native') }
    expect(runsAs(user, packaged)).toBe(false)
    const copy = copyBinaries(user, packaged, target)
    expect(runsAs(user, copy)).toBe(true)
    expect(lstatSync(join(copy.folder, 'lib', 'libpq.so.5')).isSymbolicLink()).toBe(
      lstatSync(join(real.folder, 'lib', 'libpq.so.5')).isSymbolicLink(),
    )
    const made = statSync(copy.folder).ino
    expect(statSync(copyBinaries(user, packaged, target).folder).ino).toBe(made)
  })

  test('runs data of a normal user as that user', async () => {
    const data = clusterCopy()
    spawnSync('chown', ['-R', '65534:65534', join(data, 'postgres')])
    const embedded = await start(data)
    expect(statSync(join(data, 'postgres', 'postmaster.pid')).uid).toBe(65534)
    expect(await answer(embedded)).toBe(1)
  })

  test('returns data copied by root to the database user', async () => {
    const data = clusterCopy()
    spawnSync('chown', ['-R', '0:0', join(data, 'postgres')])
    spawnSync('chmod', ['-R', 'a+rX', join(data, 'postgres')])
    expect(await answer(await start(data))).toBe(1)
  })
})

const BUSY = `select count(*)::int as it from pg_stat_activity where state = 'active' and query like 'do $$%'`

function newFolder(forThisTest = false): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hf-')))
  chmodSync(folder, 0o755)
  if (forThisTest) onCleanUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

function clusterCopy(): string {
  const folder = newFolder(true)
  spawnSync('cp', ['-a', join(template, 'postgres'), folder])
  return folder
}

async function start(dataDir: string, log: string[] = []): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded({ dataDir, settings, log: line => log.push(line) })
  onCleanUp(() => embedded.stop())
  return embedded
}

/** Another process that runs PostgreSQL on the folder, like the service does. */
async function starter(dataDir: string) {
  const child = run(dataDir)
  const { connection, takenOver } = JSON.parse(await lineOf(child)) as EmbeddedPostgres
  onCleanUp(() => start(dataDir).then(embedded => embedded.stop()))
  return { child, connection, takenOver }
}

function run(dataDir: string, before = ''): ChildProcess {
  const module = new URL('../../src/db/embedded/index.ts', import.meta.url)
  const script = `
    import { startEmbedded } from '${module}'
    ${before}
    setInterval(() => {}, 1000)
    startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: () => {}, settings: ${JSON.stringify(settings)} }).then(
      embedded => console.log(JSON.stringify(embedded)),
      error => console.log(error.constructor.name + ': ' + error.message),
    )`
  const args = ['--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  onCleanUp(() => kill(child))
  return child
}

async function lineOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('no output to read')
  const [line] = await once(createInterface(stdout), 'line')
  return line
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

const answer = ({ connection }: EmbeddedPostgres) => ask(connection, 'select 1 as it')
const show = (connection: EmbeddedPostgres['connection'], setting: string) =>
  ask(connection, `select current_setting('${setting}') as it`)

async function ask(connection: EmbeddedPostgres['connection'], query: string, database = 'postgres') {
  const client = new pg.Client({ ...connection, database })
  await client.connect()
  try {
    return (await client.query(query)).rows[0].it
  } finally {
    await client.end()
  }
}

function onCleanUp(work: () => unknown): void {
  cleanUps.push(work)
}

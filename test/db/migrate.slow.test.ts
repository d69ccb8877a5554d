import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { migrate } from '../../src/db/base/migrate.ts'
import { readMigrations } from '../../src/db/base/migrations.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { mustBeMigrated } from '../../src/db/base/schema-version.ts'
import { StartError } from '../../src/lib/start-error.ts'
import { addressOf, emptyDatabase, poolsOnEmptyDatabase } from '../support/databases.ts'
import { run } from '../support/process.ts'
import { eventually } from '../support/service.ts'

// One test starts real processes.
vi.setConfig({ testTimeout: 60_000 })

const names = readdirSync(new URL('../../migrations/', import.meta.url)).sort()
const impatient = { lockTimeoutsMs: [50], tries: 3, pauseMs: 20 }

async function emptyPool(): Promise<pg.Pool> {
  const [pool] = await poolsOnEmptyDatabase(1)
  return pool!
}

/** A folder of migrations, as a program would ship it. */
function program(files: Record<string, string>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

async function waitsFor(pool: pg.Pool, table: string): Promise<boolean> {
  const { rows } = await pool.query(
    'select from pg_locks where not granted and relation = $1::regclass and database = (select oid from pg_database where datname = current_database())',
    [table],
  )
  return rows.length > 0
}

const things = '-- works from 1\ncreate table thing (name text);'

describe('migrating', () => {
  it('records each migration once with its checksum, and does nothing the second time', async () => {
    const pool = await emptyPool()
    expect(await migrate(pool)).toEqual({ applied: names })
    const { rows } = await pool.query('select number, name, checksum from migration order by number')
    expect(rows).toEqual(
      names.map((name, at) => ({ number: at + 1, name, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) })),
    )
    expect(await migrate(pool)).toEqual({ applied: [] })
  })

  it('creates the schema once when several instances start at the same time', async () => {
    const pools = await poolsOnEmptyDatabase(3)
    const results = await Promise.all(pools.map(pool => migrate(pool)))
    expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, names.length])
    const { rows } = await pools[0]!.query(`select to_regclass('graphile_worker._private_jobs') as jobs`)
    expect(rows[0].jobs).not.toBeNull()
  })

  it('leaves the database unchanged when it fails, and continues on the next run', async () => {
    const pool = await emptyPool()
    await pool.query('create table staff (something_else int)')
    const refused = migrate(pool)
    await expect(refused).rejects.toThrow(StartError)
    await expect(refused).rejects.toThrow(/^Migration 0001_baseline failed: relation "staff" already exists/)
    expect((await pool.query(`select to_regclass('crm') as crm`)).rows[0].crm).toBeNull()
    await pool.query('drop table staff')
    expect((await migrate(pool)).applied).toHaveLength(names.length)
  })

  it('ends idle connections whose prepared statements no longer fit, and requests survive the others', async () => {
    const database = await emptyDatabase()
    const db = openDb(database)
    const { pool } = db
    onTestFinished(db.close)
    await migrate(pool, { folder: program({ '0001_things.sql': things }) })
    const folder = program({
      '0001_things.sql': things,
      '0002_size.sql': '-- works from 1\nalter table thing add column size int;',
    })
    const all = sql`select * from thing`
    /** Each of these prepares the statement on a connection of its own. */
    const prepareMany = () =>
      Promise.all(
        Array.from({ length: 10 }, () =>
          db.transaction(async tx => {
            await tx.query(all)
            await tx.query(sql`select pg_sleep(0.1)`)
          }),
        ),
      )
    const idle = async () =>
      (
        await pool.query(
          `select count(*)::int as count from pg_stat_activity where datname = current_database() and state = 'idle'`,
        )
      ).rows[0].count
    await prepareMany()
    const [listener, holder] = [await pool.connect(), await pool.connect()]
    await listener.query('listen things')
    await holder.query('select pg_advisory_lock(4711)')
    await new Promise(resolve => setTimeout(resolve, 1_100))
    expect(await idle()).toBeGreaterThan(8)
    const { pool: other, close: closeOther } = openDb(database)
    onTestFinished(closeOther)
    await migrate(other, { folder })
    expect(await idle()).toBeLessThan(6)
    await listener.query('select')
    await holder.query('select pg_advisory_unlock(4711)')
    for (const client of [listener, holder]) client.release()

    // More busy connections than a collision is retried.
    await prepareMany()
    await pool.query('alter table thing add column weight int')
    expect(await db.query(all)).toEqual([])
  })

  it('lets busy connections be replaced before the next column', async () => {
    const database = await emptyDatabase()
    const db = openDb(database)
    onTestFinished(db.close)
    const { pool, close } = openDb(database)
    onTestFinished(close)
    await migrate(pool, { folder: program({ '0001_things.sql': things }) })
    const folder = program({
      '0001_things.sql': things,
      '0002_size.sql': '-- works from 1\nalter table thing add column size int;',
      '0003_weight.sql': '-- works from 1\nalter table thing add column weight int;',
    })
    const busy = db.query(sql`select pg_sleep(60)`).catch(() => {})
    const running = `from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(60)'`
    await eventually(async () => (await pool.query(`select ${running} and state = 'active'`)).rowCount)
    await migrate(pool, { folder })
    await pool.query(`select pg_terminate_backend(pid) ${running}`)
    await busy
    const { rows } = await pool.query(
      'select applied_at - lag(applied_at) over (order by number) >= $1 as waited from migration offset 2',
      ['500 ms'],
    )
    expect(rows).toEqual([{ waited: true }])
  })

  it('gives up on a held lock soon and retries', async () => {
    const pool = await emptyPool()
    await migrate(pool, { folder: program({ '0001_things.sql': things }) })
    const folder = program({
      '0001_things.sql': things,
      '0002_size.sql': '-- works from 1\nalter table thing add column size int;',
    })
    const holder = await pool.connect()
    await holder.query('begin; select from thing')
    const refused = migrate(pool, { folder, patience: impatient })
    await expect(refused).rejects.toThrow(/^Migration 0002_size.sql did not get the lock it needs/)
    const waiting = migrate(pool, { folder, patience: { ...impatient, tries: 200 } })
    await new Promise(resolve => setTimeout(resolve, 150))
    // Statements between two tries do not wait.
    await pool.query('insert into thing values (1)')
    await holder.query('rollback')
    holder.release()
    expect((await waiting).applied).toEqual(['0002_size.sql'])
  })

  it('yields to a reader that locks two tables in another order, before the deadlock check', async () => {
    const pool = await emptyPool()
    const both = `${things}\ncreate table other (name text);`
    await migrate(pool, { folder: program({ '0001_both.sql': both }) })
    const folder = program({
      '0001_both.sql': both,
      '0002_sizes.sql':
        '-- works from 1\nalter table thing add column size int;\nalter table other add column size int;',
    })
    const reader = await pool.connect()
    onTestFinished(() => reader.release(true))
    // The reader would detect the deadlock first and be cancelled.
    await reader.query(`set deadlock_timeout = '900ms'; begin; select from other`)
    const waiting = migrate(pool, { folder })
    await vi.waitFor(async () => expect(await waitsFor(pool, 'other')).toBe(true), { interval: 10 })
    await reader.query('select from thing')
    await reader.query('commit')
    expect((await waiting).applied).toEqual(['0002_sizes.sql'])
  })

  it('retries after a deadlock', async () => {
    const pool = await emptyPool()
    await migrate(pool, { folder: program({ '0001_things.sql': things }) })
    // Fails only the first time.
    await pool.query(`create sequence tries; create function refuse_once() returns void language plpgsql as $$
      begin if nextval('tries') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if; end $$`)
    const folder = program({
      '0001_things.sql': things,
      '0002_size.sql': '-- works from 1\nselect refuse_once();\nalter table thing add column size int;',
    })
    expect((await migrate(pool, { folder, patience: impatient })).applied).toEqual(['0002_size.sql'])
  })

  it('builds an index concurrently, and rebuilds it after a failed build', async () => {
    const pool = await emptyPool()
    await migrate(pool, { folder: program({ '0001_things.sql': things }) })
    await pool.query(`insert into thing values ('twin'), ('twin')`)
    const folder = program({
      '0001_things.sql': things,
      '0002_index.sql': `-- works from 1
-- without a transaction
drop index concurrently if exists thing_name;
create unique index concurrently thing_name on thing (name);`,
    })
    await expect(migrate(pool, { folder })).rejects.toThrow(
      /^Migration 0002_index.sql failed: could not create unique index/,
    )
    expect((await pool.query('select max(number) as newest from migration')).rows).toEqual([{ newest: 1 }])
    await pool.query(`delete from thing`)
    // Two at once: the one that waits must not block the other's build.
    const both = await Promise.all([migrate(pool, { folder }), migrate(pool, { folder })])
    expect(both.flatMap(({ applied }) => applied)).toEqual(['0002_index.sql'])
    const { rows } = await pool.query(
      `select indisvalid from pg_index where indexrelid = 'thing_name'::regclass`,
    )
    expect(rows).toEqual([{ indisvalid: true }])
  })
})

describe('a database of another version', () => {
  const ours = program.bind(null, { '0001_things.sql': things })

  it('is refused and left unchanged if it is too new for this program', async () => {
    const pool = await emptyPool()
    await migrate(pool, {
      folder: program({
        '0001_things.sql': things,
        '0002_contract.sql': '-- works from 2\ndrop table thing;',
      }),
    })
    await expect(migrate(pool, { folder: ours() })).rejects.toThrow(
      /^The database was made by a newer version of Holdfast \(migration 2\), .* Update the program/,
    )
  })

  it('is accepted if it is newer and still compatible', async () => {
    const pool = await emptyPool()
    await migrate(pool, {
      folder: program({
        '0001_things.sql': things,
        '0002_expand.sql': '-- works from 1\nalter table thing add column size int;',
      }),
    })
    expect(await migrate(pool, { folder: ours() })).toEqual({ applied: [] })
  })

  it('is refused if a migration differs, with a hint what to do', async () => {
    const pool = await emptyPool()
    await migrate(pool, { folder: program({ '0001_things.sql': `${things} -- changed` }) })
    const sentence =
      /^The database was made by another version: its migration 0001_things.sql is not the one .* use an empty database/
    await expect(migrate(pool, { folder: ours() })).rejects.toThrow(sentence)
    await expect(mustBeMigrated(pool)).rejects.toThrow(StartError)
  })

  it('is refused the same way if it has no checksums', async () => {
    const pool = await emptyPool()
    await pool.query(
      `create table migration (number integer primary key, name text not null, applied_at timestamptz not null default now());
       insert into migration select n, '00' || n || '_tenants.sql' from generate_series(1, 16) n`,
    )
    await expect(migrate(pool)).rejects.toThrow(
      /^The database was made by another version: its migration 001_tenants/,
    )
  })

  it('is migrated by serve and migrate only', async () => {
    const env = { DATABASE_URL: addressOf(await emptyDatabase()), SECRET_KEY: 'x'.repeat(32) }
    const all = (await readMigrations()).map(one => one.name)
    const names = all.join(', ')
    const sentence =
      /^The database is not up to date: 0001_baseline, .* (is|are) missing\. .*holdfast migrate/
    for (const command of [['crm', 'list'], ['worker']]) {
      const { code, output } = await run(command, { ...env, DATABASE_WAIT_SECONDS: '0' })
      expect([code, output]).toEqual([1, expect.stringMatching(sentence)])
    }
    expect((await run(['migrate', '--dry-run'], env)).output).toBe(`Would apply: ${names}\n`)
    expect((await run(['migrate'], env)).output).toBe(
      `Migrated the database: ${all[0]} to ${all.at(-1)} (${all.length} migrations).\nThe database is up to date.\n`,
    )
    expect((await run(['migrate', '--dry-run'], env)).output).toBe('The database is up to date.\n')
    expect((await run(['crm', 'list'], env)).output).toMatch(/^There is no CRM yet/)
  })
})

describe('a migration', () => {
  it('names the oldest program that works beside it', async () => {
    const silent = program({ '0001_things.sql': 'create table thing ();' })
    await expect(readMigrations(silent)).rejects.toThrow(/must say which programs still work beside it/)
  })

  it('has a unique number', async () => {
    const twins = program({ '0001_a.sql': things, '0001_b.sql': things })
    await expect(readMigrations(twins)).rejects.toThrow(/^Two migrations have the number 1\./)
  })
})

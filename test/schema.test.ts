import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { dumpSchema, schemaFile } from '../scripts/schema.ts'
import { migrate, newestMigration } from '../src/db/base/migrate.ts'
import { openDb } from '../src/db/base/pool.ts'
import { ensureDatabase } from '../src/db/embedded/index.ts'
import { StartError } from '../src/lib/start-error.ts'
import { startTestService, type TestService } from './support/service.ts'

let test: TestService
let pool: pg.Pool
beforeAll(async () => {
  test = await startTestService()
  pool = test.service.db.pool
})
afterAll(() => test.close())

const files = readdirSync(new URL('../migrations/', import.meta.url)).sort()

describe('the schema', () => {
  it('is the one in docs/schema.sql', async () => {
    const kept = readFileSync(schemaFile, 'utf8')
    expect(await dumpSchema(pool), 'docs/schema.sql is out of date: run `npm run schema`').toBe(kept)
  })

  it('has a Provider or a CRM in each table of tenants', async () => {
    const ofNoTenant = [
      'console_session',
      'crm',
      'login_link',
      'migration',
      'rate_window',
      'worker_heartbeat',
    ]
    const { rows } = await pool.query(
      `select table_name from information_schema.tables t where table_schema = 'public' and not exists (
         select from information_schema.columns c where c.table_schema = 'public' and c.table_name = t.table_name
           and column_name in ('provider_id', 'crm_id'))`,
    )
    expect(rows.map(row => row.table_name).sort()).toEqual(ofNoTenant)
  })

  it('ties each of them to a Provider or CRM that exists', async () => {
    const { rows } = await pool.query(
      `select format('%s.%s', relname, attname) as name from pg_class
       join pg_attribute on attrelid = pg_class.oid
       where relnamespace = 'public'::regnamespace and relkind = 'r' and attname in ('provider_id', 'crm_id')
         and not exists (select from pg_constraint where conrelid = pg_class.oid and contype = 'f' and conkey = array[attnum])`,
    )
    expect(rows).toEqual([])
  })
})

describe('migrating', () => {
  it('records every file, once', async () => {
    const { rows } = await pool.query('select number, name from migration order by number')
    expect(rows).toEqual(files.map((name, index) => ({ number: index + 1, name })))
    expect(await newestMigration()).toBe(files.length)
  })

  it('does nothing the second time', async () => {
    expect(await migrate(pool)).toEqual({ applied: [] })
  })

  it('an empty database from several instances at once makes it once', async () => {
    const pools = await emptyDatabase(3)
    const results = await Promise.all(pools.map(migrate))
    expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, files.length])
    expect(await dumpSchema(pools[0]!)).toBe(await dumpSchema(pool))
    const { rows } = await pools[0]!.query(`select to_regclass('graphile_worker._private_jobs') as jobs`)
    expect(rows[0].jobs).not.toBeNull()
  })

  it('a database of a newer program is refused with a sentence, and changes nothing', async () => {
    const [newer] = (await emptyDatabase(1)) as [pg.Pool]
    await newer.query(
      `create table migration (number integer primary key, name text not null, applied_at timestamptz default now());
       insert into migration values (9999, '9999_future.sql')`,
    )
    const refused = migrate(newer)
    await expect(refused).rejects.toThrow(StartError)
    await expect(refused).rejects.toThrow(
      /^The database was made by a newer version of Holdfast \(migration 9999/,
    )
    const { rows } = await newer.query(
      `select to_regclass('crm') as crm, to_regnamespace('graphile_worker') as jobs`,
    )
    expect(rows[0]).toEqual({ crm: null, jobs: null })
  })

  it('that fails leaves the database as it was, and goes on from there when it is tried again', async () => {
    const [broken] = (await emptyDatabase(1)) as [pg.Pool]
    await broken.query('create table staff (something_else int)')
    const refused = migrate(broken)
    await expect(refused).rejects.toThrow(StartError)
    await expect(refused).rejects.toThrow(/^Migration 0001_baseline failed: relation "staff" already exists/)
    expect((await broken.query(`select to_regclass('crm') as crm`)).rows[0].crm).toBeNull()
    await broken.query('drop table staff')
    expect((await migrate(broken)).applied).toHaveLength(files.length)
  })
})

/** Pools on a new and empty database, until the test ends. */
async function emptyDatabase(instances: number): Promise<pg.Pool[]> {
  const postgres = inject('postgres')
  const database = `empty_${randomBytes(6).toString('hex')}`
  await ensureDatabase(postgres, database)
  const dbs = Array.from({ length: instances }, () => openDb({ ...postgres, database }))
  onTestFinished(async () => {
    await Promise.all(dbs.map(db => db.close()))
    await pool.query(`drop database ${database} with (force)`)
  })
  return dbs.map(db => db.pool)
}

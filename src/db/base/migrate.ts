import { readdir, readFile } from 'node:fs/promises'
import { Logger, runMigrations as migrateJobQueue } from 'graphile-worker'
import type pg from 'pg'
import { StartError } from '../../lib/start-error.ts'

const folder = new URL('../../../migrations/', import.meta.url)

// Any number that no other program on this database is likely to use.
const migrationLock = 7_304_115_221

type Migration = { number: number; name: string; text: string }

/** Brings the database to this program's version. Safe when several instances start at once. */
export async function migrate(pool: pg.Pool): Promise<{ applied: string[] }> {
  const migrations = await readMigrations()
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(
      `create table if not exists migration (
        number integer primary key, name text not null, applied_at timestamptz not null default now())`,
    )
    const applied = await applyMissing(client, migrations)
    await migrateJobQueue({ pgPool: pool, logger: new Logger(() => () => {}) })
    return { applied }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {})
    client.release()
  }
}

/** For those who only join: the service brings the database up to date, and they must be of its version. */
export async function mustBeMigrated(pool: pg.Pool) {
  const program = await newestMigration()
  const { rows } = await pool
    .query<{ number: number }>('select max(number) as number from migration')
    .catch(error => {
      throw new StartError(
        `The database cannot be used: ${(error as Error).message}. Start holdfast serve first.`,
      )
    })
  const database = rows[0]?.number ?? 0
  refuseNewerDatabase(database, program)
  if (database < program)
    throw new StartError(
      `The database is of an older version (migration ${database}, this program brings ${program}). Start holdfast serve of this version first, or run holdfast migrate.`,
    )
}

/** The number of the newest migration that this program brings along. */
export async function newestMigration(): Promise<number> {
  return (await readMigrations()).at(-1)?.number ?? 0
}

async function applyMissing(client: pg.PoolClient, migrations: Migration[]): Promise<string[]> {
  const { rows } = await client.query<{ number: number }>('select number from migration')
  const done = new Set(rows.map(row => row.number))
  refuseNewerDatabase(Math.max(0, ...done), migrations.at(-1)?.number ?? 0)
  const missing = migrations.filter(migration => !done.has(migration.number))
  for (const migration of missing) await apply(client, migration)
  return missing.map(migration => migration.name)
}

function refuseNewerDatabase(database: number, program: number) {
  if (database > program)
    throw new StartError(
      `The database was made by a newer version of Holdfast (migration ${database}, this program knows ${program}). Update the program, or use another database.`,
    )
}

async function apply(client: pg.PoolClient, { number, name, text }: Migration) {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migration (number, name) values ($1, $2)', [number, name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new StartError(`Migration ${name} failed: ${(error as Error).message}`)
  }
}

/** A migration is a file, or a folder of files that belong together and are run in the order of their names. */
async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => /^\d{4}_/.test(name)).sort()
  return Promise.all(
    names.map(async name => ({ number: Number(name.slice(0, 4)), name, text: await textOf(name) })),
  )
}

async function textOf(name: string): Promise<string> {
  if (name.endsWith('.sql')) return readFile(new URL(name, folder), 'utf8')
  const parts = (await readdir(new URL(`${name}/`, folder))).filter(part => part.endsWith('.sql')).sort()
  return (await Promise.all(parts.map(part => textOf(`${name}/${part}`)))).join('\n')
}

import { setTimeout as pause } from 'node:timers/promises'
import { Logger, runMigrations as migrateJobQueue } from 'graphile-worker'
import type pg from 'pg'
import { StartError } from '../../lib/start-error.ts'
import { type Migration, ourMigrations, readMigrations } from './migrations.ts'
import { deadlockDetected, insufficientPrivilege, lockNotAvailable } from './postgres-errors.ts'
import { compare, readApplied, readFit, refuseMisfit } from './schema-version.ts'

// Any number that no other program on this database is likely to use.
const migrationLock = 7_304_115_221

// A migration that waits for a lock keeps everybody waiting who comes after it. So it gives up soon, lets them pass, and
// tries again. Soon is well before PostgreSQL looks for deadlocks, after a second: where a migration of two tables and a
// statement that reads both stand in each other's way, the statement of a client would often be the one that is refused.
// Now and then it waits for longer, because that is what makes an autovacuum give way.
const patience = { lockTimeoutsMs: [500, 500, 500, 3_000], tries: 40, pauseMs: 1_000 }

const askAgainMs = 100

type Options = {
  folder?: URL
  patience?: typeof patience
  /** No further than this number: for rows of an earlier time, which later migrations are to change. */
  upTo?: number
}

/**
 * Brings the database to this program's version. Safe when several instances start at once. The connections of the pool
 * should have no limits of their own: large tables take their time.
 */
export async function migrate(pool: pg.Pool, options: Options = {}): Promise<{ applied: string[] }> {
  const { upTo = Number.POSITIVE_INFINITY } = options
  const all = await (options.folder ? readMigrations(options.folder) : ourMigrations())
  const migrations = all.filter(one => one.number <= upTo)
  return underLock(pool, async () => {
    const fit = compare(await readApplied(pool), migrations)
    refuseMisfit(fit)
    const missing = fit.kind === 'behind' ? fit.missing : []
    if (missing.length > 0) await ensureRecord(pool).catch(refuseWithoutRights)
    for (const migration of missing) await apply(pool, migration, options.patience ?? patience)
    await migrateJobQueue({ pgPool: pool, logger: new Logger(() => () => {}) })
    return { applied: missing.map(({ name }) => name) }
  })
}

/** What `migrate` would do. */
export async function missingMigrations(pool: pg.Pool): Promise<string[]> {
  const fit = await readFit(pool)
  refuseMisfit(fit)
  return fit.kind === 'behind' ? fit.missing.map(({ name }) => name) : []
}

/**
 * Held by a transaction of its own: that holds behind a pooler too, and while indexes are built outside of one. Such a
 * build waits for every snapshot that is older than itself, also for that of a statement which waits for this lock or,
 * sent with parameters, has not been followed by another. So it is asked for again and again, in plain text.
 */
function underLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  return withClient(pool, async client => {
    for (;;) {
      await client.query('begin; set local idle_in_transaction_session_timeout = 0')
      try {
        const { rows } = await client.query(`select pg_try_advisory_xact_lock(${migrationLock}) as mine`)
        if (rows[0].mine) return await work()
      } finally {
        await client.query('rollback').catch(() => {})
      }
      await pause(askAgainMs)
    }
  })
}

async function ensureRecord(pool: pg.Pool) {
  await pool.query(`
    create table if not exists migration (
      number integer primary key,
      name text not null,
      checksum text,
      works_from integer,
      applied_at timestamptz not null default now()
    )`)
}

async function apply(
  pool: pg.Pool,
  migration: Migration,
  { lockTimeoutsMs, tries, pauseMs }: typeof patience,
) {
  const work = migration.inTransaction ? inTransaction : statementByStatement
  for (let count = 1; ; count++) {
    const lockTimeoutMs = lockTimeoutsMs[(count - 1) % lockTimeoutsMs.length]!
    try {
      return await withClient(pool, client => work(client, migration, lockTimeoutMs))
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string }
      refuseWithoutRights(error as Error, false)
      if (![lockNotAvailable, deadlockDetected].includes(code))
        throw new StartError(`Migration ${migration.name} failed: ${message}`)
      if (count >= tries)
        throw new StartError(
          `Migration ${migration.name} did not get the lock it needs: a long transaction on this database is in its way. End that, then try again.`,
        )
      await pause(pauseMs)
    }
  }
}

function refuseWithoutRights(error: Error & { code?: string }, orThrow = true) {
  if (error.code === insufficientPrivilege)
    throw new StartError(
      `The user of DATABASE_URL lacks rights: ${error.message}. It must own the database, or be given them: grant create on database ... to ...; grant create on schema public to ...`,
    )
  if (orThrow) throw error
}

async function inTransaction(client: pg.PoolClient, migration: Migration, lockTimeoutMs: number) {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(migration.text)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

// Concurrent builds wait for others without keeping anybody waiting: no lock_timeout. One that was interrupted leaves an
// invalid index and no record; the file begins with `drop index concurrently if exists`, so that it can be run again.
async function statementByStatement(client: pg.PoolClient, migration: Migration) {
  await client.query('set lock_timeout = 0')
  for (const statement of migration.text.split(/;\s*$/m)) if (statement.trim()) await client.query(statement)
  await record(client, migration)
}

async function record(client: pg.PoolClient, { number, name, checksum, worksFrom }: Migration) {
  await client.query('insert into migration (number, name, checksum, works_from) values ($1, $2, $3, $4)', [
    number,
    name,
    checksum,
    worksFrom,
  ])
}

/** A connection that is thrown away afterwards, with whatever was set on it. */
async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release(true)
  }
}

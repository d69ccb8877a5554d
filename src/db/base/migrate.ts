import { setTimeout as pause } from 'node:timers/promises'
import { Logger, runMigrations as migrateJobQueue } from 'graphile-worker'
import type pg from 'pg'
import { StartError } from '../../lib/start-error.ts'
import { type Migration, ourMigrations, readMigrations } from './migrations.ts'
import { deadlockDetected, insufficientPrivilege, lockNotAvailable } from './postgres-errors.ts'
import { compare, readApplied, readFit, refuseMismatch } from './schema-version.ts'

// An arbitrary number that no other program on this database is likely to use.
const migrationLock = 7_304_115_221

// A migration that waits for a lock blocks all later statements on that table, so it gives up soon and
// retries. The short timeout is below deadlock_timeout (one second): in a deadlock with a client's statement,
// PostgreSQL would often cancel the client. Every fourth try waits longer, because only then PostgreSQL
// cancels an autovacuum that holds the lock.
const retries = { lockTimeoutsMs: [500, 500, 500, 3_000], tries: 40, pauseMs: 1_000 }

const askAgainMs = 100

/** Six tries of version 0.6.0 take 150 ms on average. */
const replaceMs = 500

type Options = {
  folder?: URL
  patience?: typeof retries
  /** Stops at this number: for tests that need rows of an earlier version. */
  upTo?: number
}

/**
 * Brings the database to this program's version. Safe when several instances start at once. The pool's
 * connections should have no time limits, because large tables take a while.
 */
export async function migrate(pool: pg.Pool, options: Options = {}): Promise<{ applied: string[] }> {
  const { upTo = Number.POSITIVE_INFINITY } = options
  const all = await (options.folder ? readMigrations(options.folder) : ourMigrations())
  const migrations = all.filter(one => one.number <= upTo)
  return underLock(pool, async () => {
    const fit = compare(await readApplied(pool), migrations)
    refuseMismatch(fit)
    const missing = fit.kind === 'behind' ? fit.missing : []
    if (missing.length > 0) await ensureRecord(pool).catch(refuseWithoutRights)
    for (const migration of missing) await apply(pool, migration, options.patience ?? retries)
    await migrateJobQueue({ pgPool: pool, logger: new Logger(() => () => {}) })
    return { applied: missing.map(({ name }) => name) }
  })
}

/** The migrations that `migrate` would apply. */
export async function missingMigrations(pool: pg.Pool): Promise<string[]> {
  const fit = await readFit(pool)
  refuseMismatch(fit)
  return fit.kind === 'behind' ? fit.missing.map(({ name }) => name) : []
}

/**
 * The advisory lock belongs to a transaction on its own connection, which also works behind a pooler and
 * while indexes are built outside a transaction. A concurrent index build waits for all older snapshots,
 * including that of a statement waiting for this lock. So the lock is polled, with simple queries.
 */
function underLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  return withClient(pool, async client => {
    await client.query(`set application_name = 'waiting to migrate'`)
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
  { lockTimeoutsMs, tries, pauseMs }: typeof retries,
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
    const stale = addsColumn(migration.text) ? await endIdleConnections(client) : 0
    await client.query('commit')
    if (stale > 0) await pause(replaceMs)
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const addsColumn = (text: string) => /\badd column\b/i.test(text)

/**
 * PostgreSQL refuses statements that were prepared before a column was added. Running instances replace such a
 * connection and repeat the request, version 0.6.0 up to six times. So connections that were not used for a second,
 * and are unlikely to be used at this moment, are ended here. Returns the number of the others: they need a moment
 * before the next column, or one request could meet a stale statement six times. Listeners and holders of locks
 * prepare nothing.
 */
async function endIdleConnections(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query(`
    select case when state = 'idle' and state_change < now() - interval '1 second' then pg_terminate_backend(pid) end as ended
    from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
      and application_name like 'holdfast%' and query !~* '^\\s*listen'
      and pid not in (select pid from pg_locks where locktype = 'advisory')
  `)
  return rows.filter(row => !row.ended).length
}

// Concurrent index builds block no one, so they have no lock_timeout. An interrupted build leaves an invalid index and
// no record; the file starts with `drop index concurrently if exists`. Each file can be run again from its start.
async function statementByStatement(client: pg.PoolClient, migration: Migration, lockTimeoutMs: number) {
  for (const statement of migration.text.split(/;\s*$/m).filter(one => one.trim())) {
    await client.query(`set lock_timeout = ${/\bconcurrently\b/i.test(statement) ? 0 : lockTimeoutMs}`)
    await client.query(statement)
    if (addsColumn(statement) && (await endIdleConnections(client)) > 0) await pause(replaceMs)
  }
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

/** A connection that is discarded afterwards, with all its settings. */
async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release(true)
  }
}

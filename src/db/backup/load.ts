import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartError } from '../../lib/start-error.ts'
import { migrate } from '../base/migrate.ts'
import { ourMigrations } from '../base/migrations.ts'
import { pauseOutgoing } from '../base/outgoing-pause.ts'
import { queryableOf } from '../base/queryable.ts'
import { readApplied } from '../base/schema-version.ts'
import { queueCancellations } from '../cancellations.ts'
import { beginEra } from '../events.ts'
import { queueImports } from '../import-jobs.ts'
import { queueWaitingMails } from '../mails.ts'
import type { Foot, Head } from './format.ts'
import type { BackupReader } from './read.ts'
import { setCounters, tablesToKeep } from './tables.ts'
import { target } from './write.ts'

export type Loaded = { rows: Map<string, number>; queuedMails: number; skipped: string[] }

/**
 * Fills an empty database: the schema of the backup's version, all rows in one transaction, then later
 * migrations. Constraints are active during the load, so invalid rows are rejected.
 */
export async function loadBackup(pool: pg.Pool, reader: BackupReader): Promise<Loaded> {
  const newest = await newestMigration(reader.head)
  await refuseUnlessEmpty(pool, newest)
  await migrate(pool, { upTo: newest })
  const client = await pool.connect()
  try {
    await client.query('begin')
    const loaded = await fill(client, reader)
    await pauseAfterRestore(client)
    await client.query('commit')
    await migrate(pool)
    return loaded
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(true)
  }
}

/** Pauses in the same transaction as the rows, so that a restored email is never sent in between. */
async function pauseAfterRestore(client: pg.PoolClient) {
  const table = (await ourMigrations()).find(({ name }) => name.endsWith('outgoing_pause.sql'))!
  await client.query(table.text)
  const tx = queryableOf(client)
  await pauseOutgoing(tx, 'restored from a backup')
}

async function fill(client: pg.PoolClient, reader: BackupReader): Promise<Loaded> {
  const known = new Map((await tablesToKeep(client)).map(table => [table.name, table]))
  const loaded: Loaded = { rows: new Map(), queuedMails: 0, skipped: [] }
  // The only rows that a migration inserts.
  await client.query('delete from event_era')
  for (;;) {
    const next = await reader.next()
    if ('end' in next) {
      // Without statistics the planner assumes empty tables, and the following statements become quadratic.
      await client.query('analyze')
      return { ...loaded, queuedMails: await finish(client, next, loaded) }
    }
    const rows = Readable.from(reader.rows(next.table))
    if (known.has(next.table)) {
      const copy = client.query(copyFrom(`copy ${target(next.table, next.columns)} from stdin`))
      await pipeline(rows, copy)
      loaded.rows.set(next.table, copy.rowCount ?? 0)
    } else {
      // A table of another program that shares the database.
      loaded.skipped.push(next.table)
      rows.resume()
      await new Promise((resolve, reject) => rows.once('end', resolve).once('error', reject))
    }
  }
}

/** Restores what is not stored as rows: sequences, a new event era, and jobs. */
async function finish(client: pg.PoolClient, foot: Foot, { rows, skipped }: Loaded): Promise<number> {
  if (foot.tables !== rows.size + skipped.length)
    throw new StartError('The backup is damaged: tables are missing.')
  await setCounters(
    client,
    foot.counters.filter(({ table }) => rows.has(table)),
  )
  const tx = queryableOf(client)
  await beginEra(tx)
  // Backups of earlier versions have no such tables.
  if (rows.has('cancellation')) await queueCancellations(tx, null)
  if (rows.has('data_import')) await queueImports(tx, null)
  return queueWaitingMails(tx)
}

/** Returns the newest migration of the backup. Throws if this program does not know it. */
async function newestMigration({ migrations, version }: Head): Promise<number> {
  const ours = new Map((await ourMigrations()).map(one => [one.number, one]))
  const unknownMigration = migrations.find(one => ours.get(one.number)?.checksum !== one.checksum)
  if (unknownMigration)
    throw new StartError(
      `The backup was made by Holdfast ${version}, whose migration ${unknownMigration.name} this program does not have. Restore it with that version, then update.`,
    )
  return Math.max(...migrations.map(one => one.number))
}

async function refuseUnlessEmpty(pool: pg.Pool, newest: number) {
  const applied = await readApplied(pool)
  const client = await pool.connect()
  try {
    const tables = await tablesToKeep(client)
    for (const { name } of tables.filter(table => applied.length === 0 || table.name !== 'event_era')) {
      const isUsed = applied.length === 0 || (await client.query(`select from "${name}" limit 1`)).rowCount
      if (isUsed)
        throw new StartError(
          `The database is not empty: there is something in table ${name}. Restore into a new one (another DATA_DIR or DATABASE_URL).`,
        )
    }
  } finally {
    client.release()
  }
  if (applied.some(one => one.number > newest))
    throw new StartError(
      'The database was migrated further than the backup. Restore into one without tables.',
    )
}

import { createHash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { readApplied } from '../base/schema-version.ts'
import { endOfRows, type Foot, formatName, formatVersion, type Head, type TableFoot } from './format.ts'
import { readCounters, type Table, tablesToKeep } from './tables.ts'

/**
 * Reads everything in one transaction with one snapshot: consistent, however long it takes, and without
 * blocking writers.
 */
export async function* writeBackup(client: pg.ClientBase, version: string): AsyncGenerator<Buffer | string> {
  await client.query('begin isolation level repeatable read, read only')
  try {
    const tables = await tablesToKeep(client)
    yield line(await headOf(client, version))
    for (const table of tables) yield* rowsOf(client, table)
    const foot: Foot = { end: true, tables: tables.length, counters: await readCounters(client, tables) }
    yield line(foot)
  } finally {
    await client.query('rollback').catch(() => {})
  }
}

const line = (value: object) => `${JSON.stringify(value)}\n`

async function headOf(client: pg.ClientBase, version: string): Promise<Head> {
  const migrations = await readApplied(client as unknown as pg.Pool)
  const { rows } = await client.query(
    `select now() as "takenAt", current_setting('server_version') as postgres,
      (select fingerprint from secret_fingerprint) as "secretFingerprint",
      (select to_jsonb(one) ->> 'still_needed' from secret_fingerprint as one) as "secretStillNeeded"`,
  )
  return {
    format: formatName,
    formatVersion,
    version,
    migrations: migrations.map(({ number, name, checksum }) => ({ number, name, checksum })),
    ...rows[0],
  }
}

async function* rowsOf(client: pg.ClientBase, { name, columns }: Table): AsyncGenerator<Buffer | string> {
  yield line({ table: name, columns })
  const sha256 = createHash('sha256')
  let rows = 0
  for await (const chunk of client.query(copyTo(`copy ${target(name, columns)} to stdout`))) {
    sha256.update(chunk)
    rows += newlinesIn(chunk)
    yield chunk
  }
  const foot: TableFoot = { rows, sha256: sha256.digest('hex') }
  yield endOfRows
  yield line(foot)
}

export const target = (name: string, columns: string[]) =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Each row is one line, because COPY escapes newlines within texts. */
export function newlinesIn(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++
  return count
}

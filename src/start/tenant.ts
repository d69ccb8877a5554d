import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { deleteTenant } from '../db/backup/delete.ts'
import { exportTenant } from '../db/backup/export.ts'
import { type Imported, importTenant } from '../db/backup/import.ts'
import { countTenant } from '../db/backup/tenant.ts'
import { type Connection, closePool, noLimits, openPool } from '../db/base/driver/connection.ts'
import type { Crm } from '../db/setup/crms.ts'
import { version } from '../lib/root.ts'
import { explainWrite, StartError } from '../lib/start-error.ts'

/** `-` is stdout. */
export async function writeTenant(connection: Connection, crm: Crm, file: string) {
  const target = file === '-' ? process.stdout : createWriteStream(file, { mode: 0o600, flush: true })
  if (file !== '-') await once(target, 'open').catch(error => refuse('write', file, error))
  await withClient(connection, client =>
    pipeline(Readable.from(exportTenant(client, crm, version)), target, { end: file !== '-' }),
  ).catch(async error => {
    if (file !== '-') await rm(file, { force: true })
    throw explainWrite(error, file)
  })
}

/** `-` is stdin. */
export async function readTenant(connection: Connection, file: string): Promise<Imported> {
  const source = file === '-' ? process.stdin : createReadStream(file)
  if (file !== '-') await once(source, 'open').catch(error => refuse('read', file, error))
  return withClient(connection, client => importTenant(client, linesOf(source)))
}

/** Splits at line feeds only: readline also splits at U+2028, which texts may contain. */
async function* linesOf(source: Readable) {
  let rest = ''
  for await (const piece of source.setEncoding('utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest
}

function refuse(verb: string, file: string, error: unknown): never {
  throw new StartError(`Cannot ${verb} ${file}: ${(error as Error).message}.`)
}

export const measureTenant = (connection: Connection, { id }: Crm) =>
  withClient(connection, client => countTenant(client, id))

export const removeTenant = (
  connection: Connection,
  { id }: Crm,
  progress: (table: string, count: number) => void,
) => withClient(connection, client => deleteTenant(client, id, progress))

/** A connection without time limits. */
async function withClient<T>(
  connection: Connection,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const pool = openPool(connection, { max: 1, limits: noLimits })
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release(true)
    await closePool(pool)
  }
}

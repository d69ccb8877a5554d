import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type pg from 'pg'
import { checkInvariants, type Finding } from '../db/backup/invariants.ts'
import { type Loaded, loadBackup } from '../db/backup/load.ts'
import { BackupReader } from '../db/backup/read.ts'
import { writeBackup } from '../db/backup/write.ts'
import { type Connection, closePool, noLimits, openPool } from '../db/base/driver/connection.ts'
import { ensureDatabase, startEmbedded } from '../db/embedded/index.ts'
import { version } from '../lib/root.ts'
import { explainWrite, StartError } from '../lib/start-error.ts'

const packing = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

/**
 * Writes to a temporary name and renames when the file is complete and on disk. `-` is stdout. Returns the
 * size.
 */
export async function backUp(connection: Connection, file: string): Promise<number> {
  const part = `${file}.part`
  const target = file === '-' ? process.stdout : await newFile(part)
  try {
    await withPool(connection, async pool => {
      const client = await pool.connect()
      try {
        const text = Readable.from(writeBackup(client, version))
        await pipeline(text, createZstdCompress(packing), target, { end: file !== '-' })
      } finally {
        client.release(true)
      }
    })
  } catch (error) {
    if (file !== '-') await rm(part, { force: true })
    throw explainWrite(error, file)
  }
  if (file === '-') return 0
  await rename(part, file)
  return (await stat(file)).size
}

/** Readable by its owner only: it contains personal data. */
async function newFile(path: string) {
  const stream = createWriteStream(path, { mode: 0o600, flush: true })
  await once(stream, 'open').catch(error => {
    throw new StartError(`Cannot write ${path}: ${(error as Error).message}.`)
  })
  return stream
}

export async function openBackup(file: string): Promise<BackupReader> {
  const packed = file === '-' ? process.stdin : createReadStream(await readable(file))
  const unpacked = packed.pipe(createZstdDecompress())
  packed.on('error', error => unpacked.destroy(error))
  return BackupReader.open(unpacked as AsyncIterable<Buffer>)
}

async function readable(file: string) {
  await open(file, 'r').then(
    handle => handle.close(),
    error => {
      throw new StartError(`Cannot read ${file}: ${(error as Error).message}.`)
    },
  )
  return file
}

export const restore = (connection: Connection, reader: BackupReader): Promise<Loaded> =>
  withPool(connection, pool => loadBackup(pool, reader))

export type Inspection = { loaded: Loaded; findings: Finding[] }

/** Restores into a temporary PostgreSQL and inspects the result. */
export async function inspect(reader: BackupReader): Promise<Inspection> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-verify-'))
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings })
  try {
    await ensureDatabase(embedded.connection, 'holdfast')
    return await withPool({ ...embedded.connection, database: 'holdfast' }, async pool => {
      const loaded = await loadBackup(pool, reader)
      return { loaded, findings: await checkInvariants(pool) }
    })
  } finally {
    await embedded.stop()
    await rm(embedded.where.data, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Without time limits. */
async function withPool<T>(connection: Connection, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = openPool(connection, { max: 4, limits: noLimits })
  try {
    return await work(pool)
  } finally {
    await closePool(pool)
  }
}

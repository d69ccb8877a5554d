import { randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { closePool, noLimits, openPool } from '../db/base/driver/connection.ts'
import type { Limits } from '../db/base/driver/session.ts'
import { migrate } from '../db/base/migrate.ts'
import { type Connection, type Db, openDb } from '../db/base/pool.ts'
import { mustBeMigrated } from '../db/base/schema-version.ts'
import { type EmbeddedPostgres, ensureDatabase, startEmbedded } from '../db/embedded/index.ts'
import { beginEraIfRestored } from '../db/events.ts'
import { makeFolders } from '../lib/make-folders.ts'
import { makeSigner } from '../lib/signer.ts'
import { StartError } from '../lib/start-error.ts'
import type { Service } from '../service.ts'
import { checkSecret } from './check-secret.ts'
import { makeService } from './make-service.ts'
import { reachDatabase } from './reach-database.ts'
import { refuseTransactionPooling } from './refuse-pooling.ts'

export type OpenService = {
  service: Service
  /** For those who need connections of their own: the job runner, the lock of an instance. */
  connection: Connection
  embedded: EmbeddedPostgres | null
  /** The owner of the data also stops a PostgreSQL that it took over. */
  close(isOwner?: boolean): Promise<void>
}

export type OpenOptions = {
  log: (line: string) => void
  /** `serve` and `migrate` bring the database up to date; everybody else refuses one that is not. */
  migrations: 'apply' | 'expect' | 'ignore'
}

/** Database reached and checked; secrets at hand. What every command and the server begin with. */
export async function openService(config: Config, { log, migrations }: OpenOptions): Promise<OpenService> {
  const dataDir = resolve(config.dataDir)
  // First: as root it may give the folder other rights, which it does only while it is empty.
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir, log })
  // A PostgreSQL that was running already may be a living service's: only who owns the data stops it.
  const closeEmbedded = async (isOwner: boolean) =>
    embedded?.takenOver && !isOwner ? embedded.leave() : embedded?.stop()
  let db: Db | null = null
  const close = async (isOwner = false) => {
    await db?.close()
    await closeEmbedded(isOwner)
  }
  try {
    const secretKey = await secretOf(config)
    const connection = embedded
      ? await embeddedConnection(embedded, config)
      : { connectionString: config.databaseUrl!, limits: limitsOf(config) }
    db = openDb(connection)
    const mustWrite = migrations === 'apply'
    const waitSeconds = mustWrite ? config.databaseWaitSeconds : 0
    await reachDatabase(db, config, { log, waitSeconds, mustWrite })
    if (!embedded) await refuseTransactionPooling(db.pool)
    if (migrations === 'apply') await bringUpToDate(connection, log).then(() => beginEraIfRestored(db!))
    if (migrations === 'expect') await mustBeMigrated(db.pool)
    if (migrations !== 'ignore')
      await checkSecret(
        db,
        { current: secretKey, previous: config.secretKeyPrevious },
        // Whoever deletes the file that we keep it in wants a new one.
        { mayChange: embedded !== null && config.secretKey === null },
      )
    const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`
    const service = makeService({
      config,
      db,
      signer: makeSigner(secretKey, config.secretKeyPrevious),
      baseUrl,
    })
    return { service, connection, embedded, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function bringUpToDate(connection: Connection, log: (line: string) => void) {
  const pool = openPool(connection, { max: 4, limits: noLimits })
  try {
    const { applied } = await migrate(pool)
    if (applied.length > 0) log(`Brought the database up to date: ${applied.join(', ')}.`)
  } finally {
    await closePool(pool)
  }
}

export const limitsOf = ({ connectSeconds, statementSeconds, lockSeconds, idleSeconds }: Config): Limits => ({
  connect: connectSeconds,
  statement: statementSeconds,
  lock: lockSeconds,
  idle: idleSeconds,
})

/** For a process beside the one that opened everything: its own connections, nothing started or changed. */
export async function joinService(config: Config, connection: Connection): Promise<Service> {
  const secretKey = await secretOf(config)
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`
  return makeService({
    config,
    db: openDb(connection),
    signer: makeSigner(secretKey, config.secretKeyPrevious),
    baseUrl,
  })
}

async function embeddedConnection(embedded: EmbeddedPostgres, config: Config): Promise<Connection> {
  await ensureDatabase(embedded.connection, 'holdfast')
  return { ...embedded.connection, database: 'holdfast', limits: limitsOf(config) }
}

export const secretOf = async (config: Config) =>
  config.secretKey ?? (await keptSecret(resolve(config.dataDir)))

/** The embedded service makes its own secret and keeps it beside the data. */
async function keptSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret-key')
  try {
    makeFolders(dataDir)
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new StartError(
        `Cannot write to DATA_DIR ${dataDir}: ${(error as Error).message}. Choose a folder that this user may write to.`,
      )
  }
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length < 32)
    throw new StartError(
      `${file} is damaged. Delete it to make a new secret; links and logins made with the old one end.`,
    )
  return secret
}

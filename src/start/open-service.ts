import { randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ensureKey } from '../actions/setup/keys.ts'
import type { Config } from '../config.ts'
import { closePool, noLimits, openPool } from '../db/base/driver/connection.ts'
import type { Limits } from '../db/base/driver/session.ts'
import { nameOfKey } from '../db/base/key-use.ts'
import { migrate } from '../db/base/migrate.ts'
import { type Connection, type Db, openDb } from '../db/base/pool.ts'
import { mustBeMigrated } from '../db/base/schema-version.ts'
import { makeFolders } from '../db/embedded/cluster-place.ts'
import { type EmbeddedPostgres, ensureDatabase, startEmbedded } from '../db/embedded/index.ts'
import { beginEraIfRestored } from '../db/events.ts'
import { makeSigner } from '../lib/signer.ts'
import { StartError } from '../lib/start-error.ts'
import type { Service } from '../service.ts'
import { checkSecret, fingerprint } from './check-secret.ts'
import { checkSandbox, refuseMissingDatabase } from './checks.ts'
import { reachDatabase } from './connect-database.ts'
import { makeService } from './make-service.ts'
import { refuseTransactionPooling } from './refuse-transaction-pooling.ts'

export type OpenService = {
  service: Service
  /** For parts that need their own connections: the job runner and the instance lock. */
  connection: Connection
  embedded: EmbeddedPostgres | null
  /** The owner of the data also stops a PostgreSQL that was already running. */
  close(isOwner?: boolean): Promise<void>
}

export type OpenOptions = {
  log: (line: string) => void
  /** `serve` and `migrate` apply migrations; all other commands refuse an outdated database. */
  migrations: 'apply' | 'expect' | 'ignore'
  /** Creates the embedded database if there is none. */
  mayCreate?: boolean
}

/**
 * Connects to the database, checks it and loads the secrets. Every command and the server start with this.
 */
export async function openService(
  config: Config,
  { log, migrations, mayCreate = false }: OpenOptions,
): Promise<OpenService> {
  if (!mayCreate) refuseMissingDatabase(config)
  const dataDir = resolve(config.dataDir)
  // First, because as root it may change the owner of the folder, which it only does while the folder is
  // empty.
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir, log })
  // A PostgreSQL that was already running may belong to a live service, so only the owner of the data stops
  // it.
  const closeEmbedded = async (isOwner: boolean) =>
    embedded?.takenOver && !isOwner ? embedded.leave() : embedded?.stop()
  let db: Db | null = null
  const close = async (isOwner = false) => {
    await db?.close()
    await closeEmbedded(isOwner)
  }
  try {
    const secretKey = await secretOf(config)
    const connection = named(
      secretKey,
      embedded
        ? await embeddedConnection(embedded, config)
        : { connectionString: config.databaseUrl!, limits: limitsOf(config) },
    )
    db = openDb({ ...connection, max: config.databasePool })
    const mustWrite = migrations === 'apply'
    const waitSeconds = mustWrite ? config.databaseWaitSeconds : 0
    await reachDatabase(db, config, { log, waitSeconds, mustWrite })
    if (!embedded) await refuseTransactionPooling(db.pool)
    await checkSandbox(db, config.sandbox, mustWrite)
    if (migrations === 'apply') await bringUpToDate(connection, log).then(() => beginEraIfRestored(db!))
    if (migrations === 'expect') await mustBeMigrated(db.pool)
    if (migrations !== 'ignore') await checkSecretOf(config, db)
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

/** A new database gets all of them. */
const shortList = (names: string[]) =>
  names.length <= 3 ? names.join(', ') : `${names[0]} to ${names.at(-1)} (${names.length} migrations)`

async function bringUpToDate(connection: Connection, log: (line: string) => void) {
  const pool = openPool(connection, { max: 4, limits: noLimits })
  try {
    const { applied } = await migrate(pool)
    if (applied.length > 0) log(`Migrated the database: ${shortList(applied)}.`)
  } finally {
    await closePool(pool)
  }
}

const named = (secretKey: string, connection: Connection): Connection => ({
  ...connection,
  name: nameOfKey(fingerprint(secretKey)),
})

export const limitsOf = ({ connectSeconds, statementSeconds, lockSeconds, idleSeconds }: Config): Limits => ({
  connect: connectSeconds,
  statement: statementSeconds,
  lock: lockSeconds,
  idle: idleSeconds,
})

/** For a second process beside the service: uses its own connections, starts and changes nothing. */
export async function joinService(config: Config, connection: Connection): Promise<Service> {
  const secretKey = await secretOf(config)
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`
  return makeService({
    config,
    db: openDb(named(secretKey, connection)),
    signer: makeSigner(secretKey, config.secretKeyPrevious),
    baseUrl,
  })
}

async function embeddedConnection(embedded: EmbeddedPostgres, config: Config): Promise<Connection> {
  await ensureDatabase(embedded.connection, 'holdfast')
  return { ...embedded.connection, database: 'holdfast', limits: limitsOf(config) }
}

/** Refuses keys that do not open what the database contains. */
export const checkSecretOf = async (config: Config, db: Db) =>
  checkSecret(
    db,
    { current: await secretOf(config), previous: config.secretKeyPrevious },
    // If the operator deletes the generated secret file, a new secret is intended.
    { mayChange: config.databaseUrl === null && config.secretKey === null },
  )

export const secretOf = async (config: Config) =>
  config.secretKey ?? (await loadOrCreateSecret(resolve(config.dataDir)))

/** The embedded service generates its own secret and keeps it beside the data. */
async function loadOrCreateSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret-key')
  try {
    makeFolders(dataDir)
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new StartError(
        `Cannot write to DATA_DIR ${dataDir}: ${(error as Error).message}. Choose a folder that this user can write to.`,
      )
  }
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length < 32)
    throw new StartError(
      `${file} is damaged. Delete it to create a new secret; links and logins signed with the old one stop working.`,
    )
  return secret
}

/** Creates what BOOTSTRAP_CRM and BOOTSTRAP_API_KEY require. */
export async function ensureBootstrap(service: Service) {
  const { bootstrapCrm, bootstrapApiKey } = service.config
  if (bootstrapCrm) await ensureKey(service, bootstrapCrm, bootstrapApiKey)
}

import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ensureCluster } from './cluster.ts'
import { choosePlace, follow } from './cluster-place.ts'
import { launch } from './launch.ts'
import { runningPostmaster } from './processes.ts'
import { chooseSocketFolder, PORT, type SocketConnection, SUPERUSER } from './socket.ts'
import { supervise } from './supervise.ts'

export type EmbeddedPostgres = {
  /** For pg's Pool: unix socket directory, port, user; the database is chosen by the caller. */
  connection: SocketConnection
  where: { data: string; binaries: string; systemUser: string | null }
  /** True if a PostgreSQL that was already running on this data was taken over. */
  takenOver: boolean
  /** Stops the supervision and PostgreSQL. */
  stop(): Promise<void>
  /** Stops the supervision but leaves PostgreSQL running for other processes. */
  leave(): void
}

type EmbeddedOptions = {
  dataDir: string
  log: (line: string) => void
  /** Additional PostgreSQL settings, such as `fsync: 'off'` in tests. */
  settings?: Record<string, string>
}

/** Runs the packaged PostgreSQL and keeps it running until `stop()`. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, settings = {} } = options
  const place = await choosePlace(resolve(options.dataDir), log)
  await ensureCluster(place, { sync: settings.fsync !== 'off', log })
  const first = { host: chooseSocketFolder(place), port: PORT, user: SUPERUSER }
  const server = await launch(place, { connection: first, settings, log })
  // A server that was taken over may listen at another address. Restarts keep it, because the caller's pool
  // uses it.
  const { connection } = server
  const supervisor = supervise(server, signal => launch(place, { connection, settings, log, signal }), log)
  return {
    connection,
    where: {
      data: place.cluster,
      binaries: place.binaries.folder,
      systemUser: place.user?.name ?? null,
    },
    takenOver: server.takenOver,
    ...supervisor,
  }
}

/**
 * False for a missing or empty folder, such as a fresh volume. A folder that cannot be read counts as a
 * cluster; starting it reports the error.
 */
export function hasCluster(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/**
 * The PostgreSQL of a service that runs on this folder, for commands that join it. Starts and changes
 * nothing.
 */
export function runningOn(dataDir: string): { pid: number; connection: SocketConnection } | null {
  const cluster = follow(join(resolve(dataDir), 'postgres'))
  const running = cluster && runningPostmaster(cluster)
  if (!running) return null
  const { pid, port, socketFolder } = running
  return { pid, connection: { host: socketFolder, port, user: SUPERUSER } }
}

const timeoutMs = 15_000

/** Retries, because the supervisor restarts a server that dies meanwhile. */
export async function ensureDatabase(connection: SocketConnection, name: string): Promise<void> {
  const until = performance.now() + timeoutMs
  for (;;)
    try {
      return await makeDatabase(connection, name)
    } catch (error) {
      const isAnswer = (error as { severity?: string }).severity === 'ERROR'
      if (isAnswer || performance.now() > until) throw error
      await pause(200)
    }
}

async function makeDatabase(connection: SocketConnection, name: string): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  // The next query reports the error.
  client.on('error', () => {})
  await client.connect()
  try {
    const found = await client.query('select from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } catch (error) {
    if (!isAlreadyCreated(error)) throw error
  } finally {
    await client.end()
  }
}

// Two instances that start at once both find it missing: duplicate_database, or unique_violation a moment
// earlier.
function isAlreadyCreated(error: unknown): boolean {
  return ['42P04', '23505'].includes((error as { code?: string }).code ?? '')
}

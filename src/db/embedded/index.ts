import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ensureCluster } from './cluster.ts'
import { launch } from './launch.ts'
import { choosePlace, follow } from './place.ts'
import { runningPostmaster } from './processes.ts'
import { chooseSocketFolder, PORT, type SocketConnection, SUPERUSER } from './socket.ts'
import { supervise } from './supervise.ts'

export type EmbeddedPostgres = {
  /** For pg's Pool: unix socket directory, port, user; the database is chosen by the caller. */
  connection: SocketConnection
  where: { data: string; binaries: string; systemUser: string | null }
  /** True when a PostgreSQL that was already running on this data was taken over. */
  takenOver: boolean
  /** Ends the supervision and PostgreSQL. */
  stop(): Promise<void>
  /** Ends the supervision and lets PostgreSQL run on, for whoever else uses it. */
  leave(): void
}

export type EmbeddedOptions = {
  dataDir: string
  log: (line: string) => void
  /** Settings of PostgreSQL on top of ours, such as `fsync: 'off'` in tests. */
  settings?: Record<string, string>
}

/** Runs the PostgreSQL that came with the packages, and keeps it running until `stop()`. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, settings = {} } = options
  const place = await choosePlace(resolve(options.dataDir), log)
  await ensureCluster(place, { sync: settings.fsync !== 'off', log })
  const first = { host: chooseSocketFolder(place), port: PORT, user: SUPERUSER }
  const server = await launch(place, { connection: first, settings, log })
  // A server that was taken over may listen elsewhere. Its successors stay there: the caller's pool knows that address.
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

/** The PostgreSQL of a service that runs on this folder, for those who join it. Nothing is started or changed. */
export function runningOn(dataDir: string): { pid: number; connection: SocketConnection } | null {
  const cluster = follow(join(resolve(dataDir), 'postgres'))
  const running = cluster && runningPostmaster(cluster)
  if (!running) return null
  const { pid, port, socketFolder } = running
  return { pid, connection: { host: socketFolder, port, user: SUPERUSER } }
}

const patienceMs = 15_000

/** A server that dies meanwhile is started again by whoever supervises it. */
export async function ensureDatabase(connection: SocketConnection, name: string): Promise<void> {
  const until = performance.now() + patienceMs
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
  // Told by whatever is asked next.
  client.on('error', () => {})
  await client.connect()
  try {
    const found = await client.query('select from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } catch (error) {
    if (!madeBySomebodyElse(error)) throw error
  } finally {
    await client.end()
  }
}

// Two instances that start at once both find it missing: duplicate_database, or unique_violation a moment earlier.
function madeBySomebodyElse(error: unknown): boolean {
  return ['42P04', '23505'].includes((error as { code?: string }).code ?? '')
}

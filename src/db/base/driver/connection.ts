import pg from 'pg'
import { type Hosts, hostsOf } from './hosts.ts'
import { Client, type Limits, prepareSession, socketOf } from './session.ts'

/** Where the database is and how to treat it. Plain data, because it is passed to other processes. */
export type Connection = pg.PoolConfig & {
  limits?: Limits
  /** Shown as the name of the connection; default: holdfast. */
  name?: string
}

export const usualLimits: Limits = { connect: 5, statement: 15, lock: 5, idle: 15 }

/** For work without a time limit. */
export const noLimits: Limits = { connect: 5, statement: 0, lock: 0, idle: 0 }

type Kind = {
  max: number
  /** Planner settings that suit only our own statements. */
  planned?: boolean
  limits?: Limits
}

// The server cancels slow statements. The client notices a silent network a little later, so that the
// server's error arrives first if there is one.
const networkMs = 2_000

/** A quiet service does not connect and prepare its statements again for each request. */
const keptOpen = 2

const silenceMs = ({ statement }: Limits) => (statement === 0 ? 0 : statement * 1000 + networkMs)

export function openPool(connection: Connection, { max, planned = false, limits }: Kind): pg.Pool {
  const allowed = limits ?? connection.limits ?? usualLimits
  const hosts = connection.connectionString ? hostsOf(connection.connectionString) : null
  const prepare = (client: pg.ClientBase) => prepareSession(client, allowed, planned)
  const pool = new pg.Pool({
    ...driverSettings(connection, allowed),
    Client,
    max,
    // Shorter than a request waits: at the limit of the server, others get what this process does not use.
    idleTimeoutMillis: Math.min(10, allowed.connect / 2) * 1000,
    ...(planned ? { min: keptOpen } : {}),
    // Not awaited if pipelined: it travels with the first statement, and if it fails, so does that statement.
    ...(planned ? { pipeline: true } : { onConnect: prepare }),
    ...(hosts && hosts.count > 1 ? severalHosts(hosts, prepare) : {}),
  })
  const clients = new Set<pg.PoolClient>()
  openClients.set(pool, clients)
  if (hosts && hosts.count > 1) guards.set(pool, hosts.guard(clients))
  surviveConnectionLoss(pool)
  pool.on('connect', client => {
    clients.add(client)
    if (planned) prepare(client).catch(() => {})
  })
  pool.on('remove', client => clients.delete(client))
  return pool
}

const severalHosts = ({ Client, check }: Hosts, prepare: (client: pg.ClientBase) => Promise<void>) => ({
  Client,
  async onConnect(client: pg.ClientBase) {
    await check(client)
    await prepare(client)
  },
})

/** For single connections and pools. */
export function driverSettings(connection: Connection, limits = connection.limits ?? usualLimits) {
  return {
    application_name: connection.name ?? 'holdfast',
    ...connection,
    connectionTimeoutMillis: limits.connect * 1000,
    query_timeout: silenceMs(limits),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}

const openClients = new WeakMap<pg.Pool, Set<pg.PoolClient>>()
const guards = new WeakMap<pg.Pool, () => void>()
const closeTimeoutMs = 2_000

/** Closes the pool without waiting for a silent server. */
export async function closePool(pool: pg.Pool) {
  const disconnect = setTimeout(() => {
    for (const client of openClients.get(pool) ?? []) socketOf(client).destroy()
  }, closeTimeoutMs)
  try {
    await pool.end()
  } finally {
    clearTimeout(disconnect)
    guards.get(pool)?.()
  }
}

/** The pool replaces a broken connection; without listeners the error would end the process. */
function surviveConnectionLoss(pool: pg.Pool) {
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
}

import pg from 'pg'
import { type Hosts, hostsOf } from './hosts.ts'
import { type Limits, prepareSession } from './session.ts'
import { watch } from './statements.ts'
import { streamOf } from './stream.ts'

/** Where the database is and how to treat it. Plain data: other processes of ours get it too. */
export type Connection = pg.PoolConfig & { limits?: Limits }

export const usualLimits: Limits = { connect: 5, statement: 15, lock: 5, idle: 15 }

/** For work that takes as long as it takes. */
export const noLimits: Limits = { connect: 5, statement: 0, lock: 0, idle: 0 }

type Kind = {
  max: number
  /** Settings of the planner that are right for our own statements only. */
  planned?: boolean
  limits?: Limits
}

// The server ends a statement that takes too long. A network that has gone silent is noticed by whoever waits for the
// answer: a little later, so that the server's word comes first where there is one.
const networkMs = 2_000

const silenceMs = ({ statement }: Limits) => (statement === 0 ? 0 : statement * 1000 + networkMs)

export function openPool(connection: Connection, { max, planned = false, limits }: Kind): pg.Pool {
  const allowed = limits ?? connection.limits ?? usualLimits
  const hosts = connection.connectionString ? hostsOf(connection.connectionString) : null
  const prepare = (client: pg.ClientBase) => prepareSession(client, allowed, planned)
  const pool = new pg.Pool({
    ...driverSettings(connection, allowed),
    // It is watched by the round trip instead.
    ...(planned ? { query_timeout: 0 } : {}),
    max,
    // Not waited for where statements may follow each other at once: it travels with the first one, and a connection that
    // cannot do this cannot do that either.
    ...(planned ? { pipeline: true } : { onConnect: prepare }),
    ...(hosts && hosts.count > 1 ? severalHosts(hosts, prepare) : {}),
  })
  const clients = new Set<pg.PoolClient>()
  openClients.set(pool, clients)
  surviveConnectionLoss(pool)
  pool.on('connect', client => {
    clients.add(client)
    if (!planned) return
    const patienceMs = silenceMs(allowed)
    if (patienceMs > 0) watch(client, patienceMs)
    prepare(client).catch(() => {})
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

/** For single connections as for pools. */
export function driverSettings(connection: Connection, limits = connection.limits ?? usualLimits) {
  return {
    application_name: 'holdfast',
    ...connection,
    connectionTimeoutMillis: limits.connect * 1000,
    query_timeout: silenceMs(limits),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}

const openClients = new WeakMap<pg.Pool, Set<pg.PoolClient>>()
const goodbyeMs = 2_000

/** Says goodbye to the database, but waits for no answer from one that has gone silent. */
export async function closePool(pool: pg.Pool) {
  const hangUp = setTimeout(() => {
    for (const client of openClients.get(pool) ?? []) streamOf(client)?.destroy()
  }, goodbyeMs)
  try {
    await pool.end()
  } finally {
    clearTimeout(hangUp)
  }
}

/** A connection that breaks is replaced by the pool; without listeners it would end the process. */
function surviveConnectionLoss(pool: pg.Pool) {
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
}

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { processClock } from '../../lib/clock.ts'
import { assertNoConnectionHeld, holdingConnection } from '../../lib/held-connection-check.ts'
import { traced } from '../../lib/watch/traced.ts'
import { type Connection, closePool, openPool, usualLimits } from './driver/connection.ts'
import { addressesOf } from './driver/hosts.ts'
import { run } from './driver/statements.ts'
import { StickyClient } from './driver/sticky-client.ts'
import { typeParsers } from './driver/values.ts'
import { JobHandOver } from './job-hand-over.ts'
import { requestsJobs } from './job-requests.ts'
import { retryWhenQueueFull } from './lock-queue.ts'
import { isConnectTimeout, isServerFull, isUnusableConnection } from './postgres-errors.ts'
import { type Db, type Queryable, queryable } from './queryable.ts'
import { inTransaction, retried } from './transactions.ts'

export type { Connection } from './driver/connection.ts'
export type { Db, Queryable, Transaction } from './queryable.ts'

const maxConnections = 10
const probing = { connect: 2, statement: 2, lock: 2, idle: 5 }

export function openDb(connection: Connection, clock: Clock = processClock): Db {
  const pool = openPool(
    { ...connection, types: typeParsers },
    { max: connection.max ?? maxConnections, planned: true },
  )
  const kept = new StickyClient(pool)
  const probe = openPool(connection, { max: 1, limits: probing })
  const hosts = connection.connectionString ? addressesOf(connection.connectionString).length : 1

  const waitSeconds = (connection.limits ?? usualLimits).connect
  const starvation = new Starvation()
  let isChecking = false
  let open = 0
  pool.on('connect', () => open++)
  pool.on('remove', () => open--)

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    assertNoConnectionHeld('a second connection')
    const client = kept.take() ?? (await starvation.watch(connect(pool, hosts, waitSeconds, starvation)))
    let broken = false
    try {
      await followClock(client, clock)
      return await holdingConnection(() => work(client))
    } catch (error) {
      broken = isUnusableConnection(error)
      throw error
    } finally {
      if (broken) client.release(true)
      else kept.give(client)
    }
  }

  const query: Queryable['query'] = statement => {
    const result = retried(() => withClient(client => run<never>(client, statement)))
    return requestsJobs(statement) ? result.finally(wakeJobs) : result
  }
  const asked = queryable(query)
  const jobs = new JobHandOver(asked)
  const wakeJobs = () => jobs.wake()

  return {
    pool,
    probe,
    jobs,
    starvedForMs() {
      // Without requests, only this check detects that connections are available again.
      if (!isChecking) {
        isChecking = true
        const checked = () => {
          isChecking = false
        }
        withClient(async () => {}).then(checked, checked)
      }
      // Without any connection, it has none to wait for.
      return open === 0 && starvation.ms > 1000 ? Number.POSITIVE_INFINITY : starvation.ms
    },
    ...asked,
    together: read =>
      retried(() => withClient(client => read(queryable(statement => run(client, statement))))),
    transaction: (work, isRival) =>
      traced('transaction', null, () =>
        retryWhenQueueFull(() =>
          retried(() => withClient(client => inTransaction(client, work, wakeJobs)), isRival),
        ),
      ),
    close: async () => {
      await jobs.stop()
      await Promise.all([closePool(pool), closePool(probe)])
    },
  }
}

const serverFullPauseMs = 20

/** How many times longer a request waits while other requests of this process get connections. */
const patience = 3

/**
 * Tries each of several hosts once. If the server accepts no further connection, one of this process will soon
 * be free, or another process closes one that it does not use.
 */
async function connect(
  pool: pg.Pool,
  hosts: number,
  waitSeconds: number,
  starvation: Starvation,
): Promise<pg.PoolClient> {
  const waitMs = waitSeconds * 1000
  const latest = performance.now() + patience * waitMs
  for (let since = performance.now(), left = hosts - 1; ; ) {
    try {
      return await pool.connect()
    } catch (error) {
      const now = performance.now()
      const isLate = isConnectTimeout(error) || now > since + waitMs
      if (isLate && starvation.endedAt > since && now < latest) since = now
      else if (isServerFull(error) && !isLate) await pause(serverFullPauseMs)
      else if (left-- <= 0 || !isUnusableConnection(error)) throw error
    }
  }
}

/** Shifted by tests and sandboxes only; see app_now() in the baseline. */
export type Clock = { shiftMs: number }

const shifts = new WeakMap<pg.PoolClient, number>()

async function followClock(client: pg.PoolClient, { shiftMs }: Clock) {
  if (shiftMs === (shifts.get(client) ?? 0)) return
  await client.query(`set holdfast.clock_shift = '${shiftMs} milliseconds'`)
  shifts.set(client, shiftMs)
}

/** Since when no connection was available. Any successful checkout ends it. */
class Starvation {
  since: number | null = null
  /** When a connection was last available to a request that waited for one. */
  endedAt = 0

  async watch<T>(connecting: Promise<T>): Promise<T> {
    this.since ??= performance.now()
    const connection = await connecting
    this.since = null
    this.endedAt = performance.now()
    return connection
  }

  get ms(): number {
    return this.since === null ? 0 : performance.now() - this.since
  }
}

/** Beyond this, bookings fail and the instance reports that it is not ready. */
export const starvedMs = 10_000

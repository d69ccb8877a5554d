import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { processClock } from '../../lib/clock.ts'
import { assertNoConnectionHeld, holdingConnection } from '../../lib/held-connection-check.ts'
import { traced } from '../../lib/watch/traced.ts'
import { type Clock, followClock } from './clock.ts'
import { type Connection, closePool, openPool, usualLimits } from './driver/connection.ts'
import { addressesOf } from './driver/hosts.ts'
import { run } from './driver/statements.ts'
import { StickyClient } from './driver/sticky-client.ts'
import { typeParsers } from './driver/values.ts'
import { retryWhenQueueFull } from './lock-queue.ts'
import { isServerFull, isUnusableConnection } from './postgres-errors.ts'
import type { Db } from './queryable.ts'
import { Starvation } from './starvation.ts'
import { inTransaction, retried } from './transactions.ts'

export type { Clock } from './clock.ts'
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

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    assertNoConnectionHeld('a second connection')
    const client = kept.take() ?? (await starvation.watch(connect(pool, hosts, waitSeconds)))
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

  return {
    pool,
    probe,
    starvedForMs() {
      // Without requests, only this check detects that connections are available again.
      if (!isChecking) {
        isChecking = true
        const checked = () => {
          isChecking = false
        }
        withClient(async () => {}).then(checked, checked)
      }
      return starvation.ms
    },
    query: statement => retried(() => withClient(client => run(client, statement))),
    together: read =>
      retried(() => withClient(client => read({ query: statement => run(client, statement) }))),
    transaction: (work, isRival) =>
      traced('transaction', null, () =>
        retryWhenQueueFull(() => retried(() => withClient(client => inTransaction(client, work)), isRival)),
      ),
    close: async () => {
      await Promise.all([closePool(pool), closePool(probe)])
    },
  }
}

const serverFullPauseMs = 20

/**
 * Tries each of several hosts once. If the server accepts no further connection, one that this process has
 * will soon be free.
 */
async function connect(pool: pg.Pool, hosts: number, waitSeconds: number): Promise<pg.PoolClient> {
  const until = performance.now() + waitSeconds * 1000
  for (let left = hosts - 1; ; ) {
    try {
      return await pool.connect()
    } catch (error) {
      if (isServerFull(error) && pool.totalCount > 0 && performance.now() < until)
        await pause(serverFullPauseMs)
      else if (left-- <= 0 || !isUnusableConnection(error)) throw error
    }
  }
}

import type pg from 'pg'
import { traced } from '../../lib/watch/traced.ts'
import { type Clock, followClock } from './clock.ts'
import { type Connection, closePool, openPool } from './driver/connection.ts'
import { addressesOf } from './driver/hosts.ts'
import { KeptClient } from './driver/kept-client.ts'
import { typeParsers } from './driver/prepared.ts'
import { run } from './driver/statements.ts'
import { afterOthers } from './in-turn.ts'
import { isSpoilt } from './postgres-errors.ts'
import type { Db } from './queryable.ts'
import { inTransaction, retried } from './transactions.ts'

export type { Clock } from './clock.ts'
export type { Connection } from './driver/connection.ts'
export type { Db, Queryable, Transaction } from './queryable.ts'

const mostConnections = 10
const probing = { connect: 2, statement: 2, lock: 2, idle: 5 }

export function openDb(connection: Connection, clock: Clock = { shiftMs: 0 }): Db {
  const pool = openPool(
    { ...connection, types: typeParsers },
    { max: connection.max ?? mostConnections, planned: true },
  )
  const kept = new KeptClient(pool)
  const probe = openPool(connection, { max: 1, limits: probing })
  const hosts = connection.connectionString ? addressesOf(connection.connectionString).length : 1

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = kept.take() ?? (await connect(pool, hosts))
    let broken = false
    try {
      await followClock(client, clock)
      return await work(client)
    } catch (error) {
      broken = isSpoilt(error)
      throw error
    } finally {
      if (broken) client.release(true)
      else kept.give(client)
    }
  }

  return {
    pool,
    probe,
    query: statement => retried(() => withClient(client => run(client, statement))),
    together: read =>
      retried(() => withClient(client => read({ query: statement => run(client, statement) }))),
    transaction: (work, isRival) =>
      traced('transaction', null, () =>
        afterOthers(() => retried(() => withClient(client => inTransaction(client, work)), isRival)),
      ),
    close: async () => {
      await Promise.all([closePool(pool), closePool(probe)])
    },
  }
}

/** Of several hosts each is tried once. */
async function connect(pool: pg.Pool, hosts: number): Promise<pg.PoolClient> {
  for (let left = hosts - 1; ; left--) {
    try {
      return await pool.connect()
    } catch (error) {
      if (left <= 0 || !isSpoilt(error)) throw error
    }
  }
}

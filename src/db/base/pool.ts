import pg from 'pg'
import { type Clock, followClock } from './clock.ts'
import { isConnectionLoss, isStalePlan } from './postgres-errors.ts'
import type { Db } from './queryable.ts'
import { prepareSession } from './session.ts'
import { run, typeParsers } from './statements.ts'
import { inTransaction, retried } from './transactions.ts'

export type { Clock } from './clock.ts'
export type { Db, Queryable, Transaction } from './queryable.ts'

export function openDb(connection: pg.PoolConfig, clock: Clock = { shiftMs: 0 }): Db {
  const pool = new pg.Pool({ max: 10, ...connection, types: typeParsers, pipeline: true })
  surviveConnectionLoss(pool)
  pool.on('connect', prepareSession)

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken = false
    try {
      await followClock(client, clock)
      return await work(client)
    } catch (error) {
      broken = isConnectionLoss(error) || isStalePlan(error)
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    pool,
    query: statement => withClient(client => run(client, statement)),
    transaction: (work, isRival) => retried(() => withClient(client => inTransaction(client, work)), isRival),
    close: () => pool.end(),
  }
}

/** A connection that breaks is replaced by the pool; without listeners it would end the process. */
export function surviveConnectionLoss(pool: pg.Pool) {
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
}

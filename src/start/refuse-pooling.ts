import type pg from 'pg'
import { StartError } from '../lib/start-error.ts'

/**
 * Statements are prepared once a connection, sessions have settings and workers listen: none of it holds where each
 * transaction gets another connection of a pooler. Noticed by taking away the one that was used last.
 */
export async function refuseTransactionPooling(pool: pg.Pool) {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()])
  try {
    const before = await backendOf(one)
    await other.query('begin')
    await backendOf(other)
    const after = await backendOf(one)
    await other.query('rollback')
    if (before !== after)
      throw new StartError(
        'DATABASE_URL leads through a pooler that gives each transaction another connection (PgBouncer with pool_mode = transaction). Set pool_mode = session for this database, or connect to PostgreSQL itself.',
      )
  } finally {
    one.release()
    other.release()
  }
}

async function backendOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

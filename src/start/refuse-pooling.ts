import type pg from 'pg'
import { StartError } from '../lib/start-error.ts'

const rounds = 3

/**
 * Statements are prepared once a connection, sessions have settings and workers listen: none of it holds where each
 * transaction gets another connection of a pooler. Noticed by taking away the one that was used last; which one that is only
 * the pooler knows, so it is tried more than once.
 */
export async function refuseTransactionPooling(pool: pg.Pool) {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()])
  try {
    const ofOne = new Set<number>()
    const ofOther = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      ofOne.add(await backendOf(one))
      await other.query('begin')
      ofOther.add(await backendOf(other))
      ofOne.add(await backendOf(one))
      await other.query('rollback')
    }
    if (ofOne.size > 1 || ofOther.size > 1 || !ofOne.isDisjointFrom(ofOther))
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

import type pg from 'pg'
import { StartError } from '../lib/start-error.ts'

const rounds = 3

/**
 * Prepared statements, session settings and LISTEN all break if each transaction may get a different
 * connection of a pooler. Detected by occupying the connection used last; only the pooler knows which one
 * that is, so it is tried several times.
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
        'DATABASE_URL uses a pooler that changes the connection for each transaction (PgBouncer with pool_mode = transaction). Set pool_mode = session for this database, or connect to PostgreSQL directly.',
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

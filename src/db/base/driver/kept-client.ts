import type pg from 'pg'

/**
 * The connection that was used last stays out of the pool for a moment: handing it back and asking for it again costs as much
 * as a short statement, and what an answer brings about is mostly the next question. Who waits for one does not wait longer.
 */
export class KeptClient {
  pool: pg.Pool
  client: pg.PoolClient | null = null
  given = 0

  constructor(pool: pg.Pool) {
    this.pool = pool
    pool.on('connect', client => client.once('end', () => this.client === client && this.drop()))
  }

  take(): pg.PoolClient | null {
    const { client } = this
    this.client = null
    return client
  }

  give(client: pg.PoolClient) {
    if (this.client || this.pool.waitingCount > 0) return client.release()
    this.client = client
    const time = ++this.given
    // What comes of it begins in the next turn.
    setImmediate(() => setImmediate(() => this.given === time && this.drop()))
  }

  drop() {
    this.take()?.release()
  }
}

import type pg from 'pg'
import type { Sql } from 'sql-template-tag'

export type Queryable = {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

export type Transaction = Queryable & {
  /** For the last statements of a transaction: the commit travels with them in one round trip. */
  last<T>(statements: Promise<T>): Promise<T>
}

/** Retries deadlocks and serialisation failures, including those of single statements. */
export type Db = Queryable & {
  /**
   * Runs the work in one transaction. Also retries errors that `isRival` recognises as caused by a concurrent
   * request.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, isRival?: (error: unknown) => boolean): Promise<T>
  /**
   * Sends all reads issued in here over one connection, in one round trip. Not for writes: they fail or
   * succeed together.
   */
  together<T>(read: (db: Queryable) => Promise<T>): Promise<T>
  pool: pg.Pool
  /** Passes on the jobs that transactions requested. */
  jobs: { start(): void; stop(): Promise<void>; readonly running: Promise<void> | null }
  /** A separate connection with short limits, for health checks. */
  probe: pg.Pool
  /** How long no connection has been available. Also requests one, without waiting for it. */
  starvedForMs(): number
  close(): Promise<void>
}

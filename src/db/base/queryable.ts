import type pg from 'pg'
import type { Sql } from 'sql-template-tag'

export type Queryable = {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

export type Transaction = Queryable & {
  /** For the last statements: the commit travels with them, in one round trip. */
  last<T>(statements: Promise<T>): Promise<T>
}

/** Deadlocks and serialisation failures are tried again, everywhere: those of a single statement too. */
export type Db = Queryable & {
  /** Runs the work in one transaction. What went wrong because a rival was faster is tried again too, if the caller can tell. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, isRival?: (error: unknown) => boolean): Promise<T>
  /** Whatever is read at once in here goes over one connection, in one round trip. Not for writing: it fails or succeeds together. */
  together<T>(read: (db: Queryable) => Promise<T>): Promise<T>
  pool: pg.Pool
  /** A connection that nothing else uses, with short limits: for whoever asks whether the database is there. */
  probe: pg.Pool
  close(): Promise<void>
}

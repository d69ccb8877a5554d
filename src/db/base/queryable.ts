import type pg from 'pg'
import type { Sql } from 'sql-template-tag'

type Query = <Row extends object>(statement: Sql) => Promise<Row[]>

export type Queryable = {
  query: Query
  /** The first row, if there is any. */
  first<Row extends object>(statement: Sql): Promise<Row | null>
  /** For statements that always return a row. */
  one<Row extends object>(statement: Sql): Promise<Row>
  /** Whether it returns a row. */
  any(statement: Sql): Promise<boolean>
  /** Of a statement with a single column, the value in the first row; null without a row. */
  value<Value>(statement: Sql): Promise<Value>
  /** Of a statement with a single column, the value in each row. */
  column<Value>(statement: Sql): Promise<Value[]>
}

/** They ask through `this`, so that an object with another `query` needs no others of its own. */
const shapes: Omit<Queryable, 'query'> & ThisType<Queryable> = {
  async first(statement) {
    return (await this.query<never>(statement))[0] ?? null
  },
  async one(statement) {
    return (await this.query<never>(statement))[0]!
  },
  async any(statement) {
    return (await this.query(statement)).length > 0
  },
  async value(statement) {
    const [first = null] = await this.column<never>(statement)
    return first!
  },
  async column(statement) {
    return (await this.query(statement)).map(row => Object.values(row)[0])
  },
}

export const queryable = (query: Query): Queryable => ({ query, ...shapes })

export type Transaction = Queryable & {
  /** For the last statements of a transaction: the commit travels with them in one round trip. */
  last<T>(statements: Promise<T>): Promise<T>
}

/** A connection outside of the pool. Its rows have the names of the columns. */
export const queryableOf = (client: pg.ClientBase): Queryable =>
  queryable(async statement => (await client.query(statement)).rows)

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

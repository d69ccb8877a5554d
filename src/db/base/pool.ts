import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import {
  failedTransaction,
  isAborted,
  isConnectionLoss,
  isRetryable,
  isStalePlan,
} from './postgres-errors.ts'

export type Queryable = {
  query<Row extends object>(statement: Sql): Promise<Row[]>
}

export type Transaction = Queryable & {
  /** For the last statements: the commit travels with them, in one round trip. */
  last<T>(statements: Promise<T>): Promise<T>
}

export type Db = Queryable & {
  /**
   * Runs the work in one transaction; deadlocks and serialisation failures are tried again, and so is what went wrong
   * because a rival was faster, if the caller can tell.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, isRival?: (error: unknown) => boolean): Promise<T>
  pool: pg.Pool
  close(): Promise<void>
}

/** Moved by tests only; see app_now() in the baseline. */
export type Clock = { shiftMs: number }

export function openDb(connection: pg.PoolConfig, clock: Clock = { shiftMs: 0 }): Db {
  const pool = new pg.Pool({ max: 10, ...connection, types: typeParsers, pipeline: true } as pg.PoolConfig)
  surviveConnectionLoss(pool)
  pool.on('connect', planOnce)

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

// Our statements are short, and planning one takes ten times as long as running it. PostgreSQL would plan them anew for
// each set of parameters where it believes that this pays; it never does here. And none of them is meant to read a whole
// table, as scans and hash and merge joins do: what looks like the shorter way while a table is small stays planned when it
// has grown. Not awaited: it travels
// with the first statement, and a connection that cannot do this cannot do that either.
function planOnce(client: pg.PoolClient) {
  client
    .query(
      'set plan_cache_mode = force_generic_plan; set jit = off; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off',
    )
    .catch(() => {})
}

async function inTransaction<T>(client: pg.PoolClient, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let firstError: unknown
  let ending: Promise<void> | undefined
  const noteFirst = (error: unknown) => {
    firstError ??= error
    throw error
  }
  const tx: Transaction = {
    async query(statement) {
      if (ending) throw new Error('This statement comes after the last ones.')
      gather(client)
      return run<never>(client, statement).catch(noteFirst)
    },
    async last(statements) {
      gather(client)
      ending = commit(client)
      const [result] = await Promise.all([statements, ending])
      return result
    },
  }
  gather(client)
  // Not awaited: the first statement travels in the same round trip. If begin fails, so does what follows it.
  client.query('begin').catch(() => {})
  try {
    const result = await work(tx)
    await (ending ?? commit(client))
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    // Statements that travel together all fail when one does; what that one said is what matters.
    throw isAborted(error) ? (firstError ?? error) : error
  }
}

/** What is sent until our turn ends leaves in one packet: PostgreSQL is woken once, not for each statement. */
function gather(client: pg.PoolClient) {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Where a statement has failed, PostgreSQL answers a commit with a rollback. */
async function commit(client: pg.PoolClient) {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT')
    throw Object.assign(new Error('The commit was refused.'), { code: failedTransaction })
}

async function run<Row extends object>(client: pg.PoolClient, statement: Sql): Promise<Row[]> {
  const { text, values } = statement
  const result = await client.query<Row>({ name: statementName(text), text, values })
  return result.rows
}

const maximumTries = 6

async function retried<T>(
  work: () => Promise<T>,
  isRival: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= maximumTries || !(isRetryable(error) || isRival(error))) throw error
      await new Promise(resolve => setTimeout(resolve, Math.random() * 20 * tries))
    }
  }
}

async function followClock(client: pg.PoolClient & { shiftMs?: number }, clock: Clock) {
  if (clock.shiftMs === (client.shiftMs ?? 0)) return
  await client.query(`set holdfast.clock_shift = '${clock.shiftMs} milliseconds'`)
  client.shiftMs = clock.shiftMs
}

// Statements are prepared once a connection. Texts are templates in the source, so there are few; those made for a
// variable number of parts could be many, and past this number stay unnamed.
const maximumNames = 500
const names = new Map<string, string>()

function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known) return known
  if (names.size >= maximumNames) return undefined
  const name = `q${names.size}`
  names.set(text, name)
  return name
}

const int8 = 20
const timestamptz = 1184

// Instants are numbers (epoch milliseconds) everywhere above this line; ids stay far below 2^53.
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return Number
    if (oid === timestamptz) {
      const parse = pg.types.getTypeParser(timestamptz, 'text')
      return (text: string) => (parse(text) as Date).getTime()
    }
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

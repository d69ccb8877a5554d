import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import sql from 'sql-template-tag'
import { retries } from '../../lib/watch/metrics.ts'
import { run, send } from './driver/statements.ts'
import { requestsJobs } from './job-requests.ts'
import {
  failedTransaction,
  isAborted,
  isConnectionLoss,
  isRetryable,
  isServerError,
  isStalePlan,
  LostCommit,
} from './postgres-errors.ts'
import { type Db, queryable, type Transaction } from './queryable.ts'

export async function inTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<T>,
  /** Called after the commit, also if its answer is lost. */
  jobsRequested: () => void = () => {},
): Promise<T> {
  let hasJobs = false
  let firstError: unknown
  let ending: Promise<void> | undefined
  // After a failed statement PostgreSQL refuses all others; the first error is the one to report.
  const rememberFirst = (error: unknown) => {
    firstError ??= error
    throw isAborted(error) ? firstError : error
  }
  const tx: Transaction = {
    ...queryable(async statement => {
      if (ending) throw new Error('This statement comes after the last ones.')
      hasJobs ||= requestsJobs(statement)
      return run<never>(client, statement).catch(rememberFirst)
    }),
    async last(statements) {
      ending = commit(client)
      const [result] = await Promise.all([statements, ending])
      return result
    },
  }
  // Not awaited: it travels with the first statement. If begin fails, so does that statement.
  send(client, 'begin').catch(() => {})
  try {
    const result = await work(tx)
    ending ??= commit(client)
    await ending
    return result
  } catch (error) {
    if (ending && isConnectionLoss(error) && !isServerError(error)) throw new LostCommit({ cause: error })
    await send(client, 'rollback').catch(() => {})
    throw isAborted(error) ? (firstError ?? error) : error
  } finally {
    if (hasJobs && ending) jobsRequested()
  }
}

/** After a failed statement PostgreSQL answers commit with a rollback. */
async function commit(client: pg.PoolClient) {
  const { command } = await send(client, 'commit')
  if (command !== 'COMMIT')
    throw Object.assign(new Error('The commit was refused.'), { code: failedTransaction })
}

const maximumTries = 6

/** After a migration every connection of the pool may have to be replaced before one works. */
const maximumStale = 100

export async function retried<T>(
  work: () => Promise<T>,
  isRival: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let tries = 1, stale = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (isStalePlan(error) && ++stale < maximumStale) tries = 0
      if (tries >= maximumTries || !(isRetryable(error) || isRival(error))) throw error
      retries.inc({ reason: isRetryable(error) ? 'collision' : 'rival' })
      await new Promise(resolve => setTimeout(resolve, Math.random() * 20 * tries))
    }
  }
}

/** A database whose transactions are part of an outer one: they commit together with it or not at all. */
export function nestedDb(db: Db, tx: Transaction): Db {
  return {
    ...db,
    query: tx.query,
    together: read => read(tx),
    transaction: (work, isRival) => retried(() => asPart(tx, work), isRival),
  }
}

async function asPart<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  await tx.query(sql`savepoint part`)
  try {
    // The outer transaction commits later, so these statements are not the last.
    const result = await work({ ...tx, last: statements => statements })
    await tx.query(sql`release savepoint part`)
    return result
  } catch (error) {
    await tx.query(sql`rollback to savepoint part`)
    // It still exists, and would hide the savepoint of a transaction around this one.
    await tx.query(sql`release savepoint part`)
    throw error
  }
}

const pausesMs = [0, 100, 300, 1000, 2000]

/** Retries idempotent work whose outcome is unknown, in case the database is unavailable for a moment. */
export async function retryUntilKnown<Done>(work: () => Promise<Done>): Promise<Done> {
  for (let tries = 0; ; tries++) {
    await pause(pausesMs[tries]!, undefined, { ref: false })
    try {
      return await work()
    } catch (error) {
      if (!isConnectionLoss(error) || tries + 1 >= pausesMs.length) throw error
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Transaction } from '../../../db/base/pool.ts'
import { isRetryable, isRowRefused, LostCommit } from '../../../db/base/postgres-errors.ts'
import { retryUntilKnown } from '../../../db/base/transactions.ts'
import { Refusal } from '../../../errors.ts'
import type { Pending } from '../../../lib/batcher.ts'

// Concurrent requests share one transaction, because most of their cost in the database is the transaction
// and its statements.

export type BatchResult<Done> =
  | { kind: 'done'; done: Done }
  | { kind: 'refused'; refusal: Refusal }
  /** Another transaction has locked the Resource, and batches do not wait. */
  | { kind: 'locked' }
  /** A rare case that batches do not handle. */
  | { kind: 'alone' }
  /** The commit was sent but its answer was lost, so the batch may or may not be written. */
  | { kind: 'unsure' }

type Work<Request, Done> = {
  /** All or nothing; one result per request. */
  all: (requests: Request[]) => Promise<BatchResult<Done>[]>
  /** Waits for the lock, and throws refusals. */
  one: (request: Request) => Promise<Done>
  /** Repeats a request that may have been committed: finds its result instead of doing it twice. */
  retryLostCommit: (request: Request) => Promise<Done>
  /** Never batched: needs data that batches do not read. */
  runsAlone?: (request: Request) => boolean
}

class NothingGranted<Done> extends Error {
  answers: BatchResult<Done>[]

  constructor(answers: BatchResult<Done>[]) {
    super('Nothing was granted.')
    this.answers = answers
  }
}

/**
 * Writes what was granted and returns one result per request. If nothing was granted, the transaction is
 * rolled back, so not even the revision changes.
 */
export async function commitGranted<Granted, Done>(
  db: Db,
  decide: (tx: Transaction) => Promise<(Granted | BatchResult<Done>)[]>,
  isGranted: (decision: Granted | BatchResult<Done>) => decision is Granted,
  write: (tx: Transaction, granted: Granted[]) => Promise<Done[]>,
): Promise<BatchResult<Done>[]> {
  try {
    return await db.transaction(async tx => {
      const decisions = await decide(tx)
      const granted = decisions.filter(isGranted)
      if (granted.length === 0) throw new NothingGranted(decisions as BatchResult<Done>[])
      const written = await write(tx, granted)
      return decisions.map(one => (isGranted(one) ? { kind: 'done', done: written.shift()! } : one))
    })
  } catch (error) {
    if (error instanceof NothingGranted) return error.answers
    throw error
  }
}

/** How long a batch waits for its requests that run alone before the next batch may start. */
const maxWaitMs = 50

/**
 * Most locks belong to the previous batch; after this many failed attempts a request waits for the lock
 * alone.
 */
const maxTries = 3

export function runBatch<Request, Done>({
  all,
  one,
  retryLostCommit,
  runsAlone = () => false,
}: Work<Request, Done>) {
  const alone = (request: Request) => one(request).catch(error => retryIfLost(error, request))
  const retryIfLost = (error: unknown, request: Request) => {
    // The request may have been granted: a 503 would make the client retry against its own booking.
    if (error instanceof LostCommit) return retryUntilKnown(() => retryLostCommit(request))
    throw error
  }
  return async (group: Pending<Request, Done>[], again: (pending: Pending<Request, Done>) => void) => {
    const settle = async (pending: Pending<Request, Done>, answer: BatchResult<Done>) => {
      const { item, resolve, reject, tries } = pending
      if (answer.kind === 'done') return resolve(answer.done)
      if (answer.kind === 'refused') return reject(answer.refusal)
      if (answer.kind === 'locked' && tries < maxTries) return again(pending)
      const result = answer.kind === 'unsure' ? retryUntilKnown(() => retryLostCommit(item)) : alone(item)
      return result.then(resolve, reject)
    }
    const answerAll = async (): Promise<BatchResult<Done>[]> => {
      const requests = group.map(({ item }) => item).filter(one => !runsAlone(one))
      if (requests.length < 2) return group.map(() => ({ kind: 'alone' }))
      const answers = await all(requests).catch(error => requests.map(() => fallbackFor<Done>(error)))
      return group.map(({ item }) => (runsAlone(item) ? { kind: 'alone' } : answers.shift()!))
    }
    const answers = await answerAll()
    const settled = group.map((pending, index) => settle(pending, answers[index]!))
    await Promise.race([Promise.all(settled), pause(maxWaitMs, undefined, { ref: false })])
  }
}

/**
 * If one of the requests or a concurrent transaction caused the error, each request retries alone, and only
 * the one at fault fails. Any other error fails all of them, and is answered and logged as it is.
 */
function fallbackFor<Done>(error: unknown): BatchResult<Done> {
  if (error instanceof LostCommit) return { kind: 'unsure' }
  const isTenantRefusal = error instanceof Refusal && (error.code === 'suspended' || error.code === 'moved')
  if (isTenantRefusal || isRowRefused(error) || isRetryable(error)) return { kind: 'alone' }
  throw error
}

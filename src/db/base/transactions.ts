import type pg from 'pg'
import { Counts } from '../../lib/counts.ts'
import { ask, run } from './driver/statements.ts'
import {
  failedTransaction,
  isAborted,
  isAnswered,
  isConnectionLoss,
  isRetryable,
  LostCommit,
} from './postgres-errors.ts'
import type { Transaction } from './queryable.ts'

export async function inTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let firstError: unknown
  let ending: Promise<void> | undefined
  const noteFirst = (error: unknown) => {
    firstError ??= error
    throw error
  }
  const tx: Transaction = {
    async query(statement) {
      if (ending) throw new Error('This statement comes after the last ones.')
      return run<never>(client, statement).catch(noteFirst)
    },
    async last(statements) {
      ending = commit(client)
      const [result] = await Promise.all([statements, ending])
      return result
    },
  }
  // Not awaited: the first statement travels in the same round trip. If begin fails, so does what follows it.
  ask(client, 'begin').catch(() => {})
  try {
    const result = await work(tx)
    ending ??= commit(client)
    await ending
    return result
  } catch (error) {
    if (ending && isConnectionLoss(error) && !isAnswered(error)) throw new LostCommit({ cause: error })
    await ask(client, 'rollback').catch(() => {})
    // Statements that travel together all fail when one does; what that one said is what matters.
    throw isAborted(error) ? (firstError ?? error) : error
  }
}

/** Where a statement has failed, PostgreSQL answers a commit with a rollback. */
async function commit(client: pg.PoolClient) {
  const { command } = await ask(client, 'commit')
  if (command !== 'COMMIT')
    throw Object.assign(new Error('The commit was refused.'), { code: failedTransaction })
}

const maximumTries = 6

export const retries = new Counts()

export async function retried<T>(
  work: () => Promise<T>,
  isRival: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= maximumTries || !(isRetryable(error) || isRival(error))) throw error
      retries.add(isRetryable(error) ? 'collision' : 'rival')
      await new Promise(resolve => setTimeout(resolve, Math.random() * 20 * tries))
    }
  }
}

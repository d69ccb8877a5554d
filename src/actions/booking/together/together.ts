import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Transaction } from '../../../db/base/pool.ts'
import { isRetryable, isRowRefused, LostCommit } from '../../../db/base/postgres-errors.ts'
import { surely } from '../../../db/base/surely.ts'
import type { Refusal } from '../../../errors.ts'
import type { Asked } from '../../../lib/gathering.ts'

// What comes at the same moment is one transaction: most of what each wish costs the database is what a transaction and
// its statements cost.

export type Answer<Done> =
  | { kind: 'done'; done: Done }
  | { kind: 'refused'; refusal: Refusal }
  /** Somebody else has the Resource, and a group waits for nobody. */
  | { kind: 'locked' }
  /** A rare case, not for a group. */
  | { kind: 'alone' }
  /** The group was written, or it was not: the answer to its commit never came. */
  | { kind: 'unsure' }

type Work<Wish, Done> = {
  /** All or nothing, one answer for each. */
  all: (wishes: Wish[]) => Promise<Answer<Done>[]>
  /** Waits for its turn and throws what is refused. */
  one: (wish: Wish) => Promise<Done>
  /** The same once more, where it may have been done already: it is then found, not done twice. */
  oneAgain: (wish: Wish) => Promise<Done>
  /** Never in a group: what it needs besides is not read for all. */
  isApart?: (wish: Wish) => boolean
  /** To be done as a group of one where nobody else comes: that reads less than the way of one alone. */
  isQuick?: (wish: Wish) => boolean
}

class NothingGranted<Done> extends Error {
  answers: Answer<Done>[]

  constructor(answers: Answer<Done>[]) {
    super('Nothing was granted.')
    this.answers = answers
  }
}

/**
 * Writes what was granted and answers each. If nothing was, the transaction is rolled back: nothing changes then, not even
 * the revision.
 */
export async function grantAll<Granted, Done>(
  db: Db,
  decide: (tx: Transaction) => Promise<(Granted | Answer<Done>)[]>,
  isGranted: (decision: Granted | Answer<Done>) => decision is Granted,
  write: (tx: Transaction, granted: Granted[]) => Promise<Done[]>,
): Promise<Answer<Done>[]> {
  try {
    return await db.transaction(async tx => {
      const decisions = await decide(tx)
      const granted = decisions.filter(isGranted)
      if (granted.length === 0) throw new NothingGranted(decisions as Answer<Done>[])
      const written = await write(tx, granted)
      return decisions.map(one => (isGranted(one) ? { kind: 'done', done: written.shift()! } : one))
    })
  } catch (error) {
    if (error instanceof NothingGranted) return error.answers
    throw error
  }
}

/** Whoever waits alone for a lock does not keep the groups behind them waiting for longer than this. */
const patienceMs = 50

/** Most locks are those of the group before; whoever is locked out so many times waits alone. */
const maximumTries = 3

export function together<Wish, Done>({
  all,
  one,
  oneAgain,
  isApart = () => false,
  isQuick = () => false,
}: Work<Wish, Done>) {
  const alone = (wish: Wish) => one(wish).catch(error => unlessUnsure(error, wish))
  const unlessUnsure = (error: unknown, wish: Wish) => {
    // Whoever is told that the database is away, while their wish was granted, would be in their own way.
    if (error instanceof LostCommit) return surely(() => oneAgain(wish))
    throw error
  }
  return async (group: Asked<Wish, Done>[], again: (asked: Asked<Wish, Done>) => void) => {
    const settle = async (asked: Asked<Wish, Done>, answer: Answer<Done>) => {
      const { item, resolve, reject, tries } = asked
      if (answer.kind === 'done') return resolve(answer.done)
      if (answer.kind === 'refused') return reject(answer.refusal)
      if (answer.kind === 'locked' && tries < maximumTries) return again(asked)
      const doing = answer.kind === 'unsure' ? surely(() => oneAgain(item)) : alone(item)
      return doing.then(resolve, reject)
    }
    const answerAll = async (): Promise<Answer<Done>[]> => {
      const wishes = group.map(({ item }) => item).filter(one => !isApart(one))
      if (wishes.length === 0 || (wishes.length === 1 && !isQuick(wishes[0]!)))
        return group.map(() => ({ kind: 'alone' }))
      const answers = await all(wishes).catch(error => wishes.map(() => inStead<Done>(error)))
      return group.map(({ item }) => (isApart(item) ? { kind: 'alone' } : answers.shift()!))
    }
    const answers = await answerAll()
    const settled = group.map((asked, index) => settle(asked, answers[index]!))
    await Promise.race([Promise.all(settled), pause(patienceMs, undefined, { ref: false })])
  }
}

/**
 * Only what one of the wishes caused, or its rivals did, is tried again by each alone: it then goes wrong for whom it
 * concerns. All else goes wrong for all of them, and is answered and logged as what it is.
 */
function inStead<Done>(error: unknown): Answer<Done> {
  if (error instanceof LostCommit) return { kind: 'unsure' }
  if (isRowRefused(error) || isRetryable(error)) return { kind: 'alone' }
  throw error
}

import type { Db, Transaction } from '../../../db/base/pool.ts'
import { Refusal } from '../../../errors.ts'
import type { Asked } from '../../../lib/gathering.ts'

// What comes at the same moment is one transaction: most of what each wish costs the database is what a transaction and
// its statements cost.

/** `locked`: somebody else has the Resource, and a group waits for nobody. `alone`: a rare case, not for a group. */
export type Answer<Done> = Done | Refusal | 'locked' | 'alone'

type Work<Wish, Done> = {
  /** All or nothing, one answer for each. */
  all: (wishes: Wish[]) => Promise<Answer<Done>[]>
  /** Waits for its turn and throws what is refused. */
  one: (wish: Wish) => Promise<Done>
}

class NothingGranted<Done> extends Error {
  answers: Answer<Done>[]

  constructor(answers: Answer<Done>[]) {
    super('Nothing was granted.')
    this.answers = answers
  }
}

/**
 * Decides in a transaction, and writes if anything was granted. If not, it is rolled back: nothing changes then, not even
 * the revision.
 */
export async function grantAll<Decision, Done>(
  db: Db,
  decide: (tx: Transaction) => Promise<Decision[]>,
  isGranted: (decision: Decision) => boolean,
  write: (tx: Transaction, decisions: Decision[]) => Promise<Answer<Done>[]>,
): Promise<Answer<Done>[]> {
  try {
    return await db.transaction(async tx => {
      const decisions = await decide(tx)
      if (!decisions.some(isGranted)) throw new NothingGranted(decisions as Answer<Done>[])
      return write(tx, decisions)
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

export function together<Wish, Done>({ all, one }: Work<Wish, Done>) {
  return async (group: Asked<Wish, Done>[], again: (asked: Asked<Wish, Done>) => void) => {
    const settle = async (asked: Asked<Wish, Done>, answer: Answer<Done>) => {
      const { item, resolve, reject, tries } = asked
      if (answer === 'locked' && tries < maximumTries) return again(asked)
      if (answer === 'locked' || answer === 'alone') return one(item).then(resolve, reject)
      return answer instanceof Refusal ? reject(answer) : resolve(answer)
    }
    const wishes = group.map(({ item }) => item)
    // Whatever goes wrong for all is tried again by each alone, and goes wrong for whom it concerns.
    const answers = wishes.length === 1 ? [] : await all(wishes).catch(() => [])
    const settled = group.map((asked, index) => settle(asked, answers[index] ?? 'alone'))
    await Promise.race([Promise.all(settled), pause(patienceMs)])
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms).unref())

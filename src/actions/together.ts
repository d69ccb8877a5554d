import { Refusal } from '../errors.ts'
import type { Asked } from '../gathering.ts'

// What comes at the same moment is one transaction: most of what each wish costs the database is what a transaction and
// its statements cost.

/** `alone`: not together with the others, because somebody has the Resource locked or because the case is a rare one. */
export type Answer<Done> = Done | Refusal | 'alone'

type Work<Wish, Done> = {
  /** All or nothing, one answer for each; waits for nobody. */
  all: (wishes: Wish[]) => Promise<Answer<Done>[]>
  /** Waits for its turn and throws what is refused. */
  one: (wish: Wish) => Promise<Done>
}

export function together<Wish, Done>({ all, one }: Work<Wish, Done>) {
  const settle = async ({ item, resolve, reject }: Asked<Wish, Done>, answer: Answer<Done>) => {
    if (answer === 'alone') return one(item).then(resolve, reject)
    return answer instanceof Refusal ? reject(answer) : resolve(answer)
  }
  return async (group: Asked<Wish, Done>[]) => {
    const wishes = group.map(({ item }) => item)
    // Whatever goes wrong for all is tried again by each alone, and goes wrong for whom it concerns.
    const answers = wishes.length === 1 ? [] : await all(wishes).catch(() => [])
    await Promise.all(group.map((asked, index) => settle(asked, answers[index] ?? 'alone')))
  }
}

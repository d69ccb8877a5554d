import type { Queryable } from './pool.ts'
import { type Found, findRefs } from './refs.ts'

type Answer = { found: Found[]; now: number }
type Waiting = { refs: string[]; resolve: (answer: Answer) => void; reject: (error: unknown) => void }

/**
 * Asks the database what refs mean and at which revision they are. Questions that come while one is under way are put
 * together into the next one, which starts after they came: an answer is never older than its question, and a crowd
 * of readers costs a few round trips.
 */
export class RefChecker {
  db: Queryable
  waiting: Waiting[] = []
  isAsking = false

  constructor(db: Queryable) {
    this.db = db
  }

  check(refs: string[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ refs, resolve, reject })
      if (this.isAsking) return
      this.isAsking = true
      // Not at once: requests that came in the same moment are put together, too.
      setImmediate(() => void this.ask())
    })
  }

  async ask() {
    while (this.waiting.length > 0) {
      const asked = this.waiting
      this.waiting = []
      await this.answer(asked)
    }
    this.isAsking = false
  }

  async answer(asked: Waiting[]) {
    try {
      const refs = [...new Set(asked.flatMap(one => one.refs))]
      const { found, now } = await findRefs(this.db, refs)
      const byRef = Map.groupBy(found, one => refs[one.position - 1]!)
      for (const one of asked)
        one.resolve({ now, found: one.refs.flatMap((ref, index) => renumbered(byRef.get(ref), index + 1)) })
    } catch (error) {
      for (const one of asked) one.reject(error)
    }
  }
}

const renumbered = (found: Found[] = [], position: number) => found.map(one => ({ ...one, position }))

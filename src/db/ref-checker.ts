import { type Asked, Gathering } from '../gathering.ts'
import type { Queryable } from './pool.ts'
import { type Found, findRefs } from './refs.ts'

type Answer = { found: Found[]; now: number }

/** Asks the database what refs mean and at which revision they are; a crowd of readers costs a few round trips. */
export class RefChecker {
  db: Queryable
  questions = new Gathering<string[], Answer>(group => this.answer(group))

  constructor(db: Queryable) {
    this.db = db
  }

  check(refs: string[]): Promise<Answer> {
    return this.questions.add(refs)
  }

  async answer(group: Asked<string[], Answer>[]) {
    const refs = [...new Set(group.flatMap(one => one.item))]
    const { found, now } = await findRefs(this.db, refs)
    const byRef = Map.groupBy(found, one => refs[one.position - 1]!)
    for (const { item, resolve } of group)
      resolve({ now, found: item.flatMap((ref, index) => renumbered(byRef.get(ref), index + 1)) })
  }
}

const renumbered = (found: Found[] = [], position: number) => found.map(one => ({ ...one, position }))

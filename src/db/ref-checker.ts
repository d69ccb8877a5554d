import { type Asked, Gathering } from '../gathering.ts'
import type { Queryable } from './pool.ts'
import { type Found, findKnown, findRefs, type Known } from './refs.ts'

type Answer = { found: Found[]; now: number }

/** Asks the database what refs mean and at which revision they are; a crowd of readers costs a few round trips. */
export class RefChecker {
  db: Queryable
  /** What uuids mean; of references only the database knows what they mean now. */
  known = new Map<string, Known>()
  questions = new Gathering<string[], Answer>(group => this.answer(group))

  constructor(db: Queryable) {
    this.db = db
  }

  check(refs: string[]): Promise<Answer> {
    return this.questions.add(refs)
  }

  async answer(group: Asked<string[], Answer>[]) {
    const refs = [...new Set(group.flatMap(one => one.item))]
    const { found, now } = await this.find(refs)
    const byRef = Map.groupBy(found, one => refs[one.position - 1]!)
    for (const { item, resolve } of group)
      resolve({ now, found: item.flatMap((ref, index) => renumbered(byRef.get(ref), index + 1)) })
  }

  async find(refs: string[]): Promise<Answer> {
    const known = refs.flatMap(ref => this.known.get(ref) ?? [])
    if (known.length === refs.length) return findKnown(this.db, known)
    const answer = await findRefs(this.db, refs)
    this.remember(refs, answer.found)
    return answer
  }

  remember(refs: string[], found: Found[]) {
    if (this.known.size > mostKnown) this.known.clear()
    for (const { position, rank, resource_id, channel_key } of found)
      if (rank <= 2) this.known.set(refs[position - 1]!, { resource_id, channel_key, rank })
  }
}

const mostKnown = 100_000

const renumbered = (found: Found[] = [], position: number) => found.map(one => ({ ...one, position }))

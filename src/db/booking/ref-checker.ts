import { LRUCache } from 'lru-cache'
import { type Asked, Gathering } from '../../lib/gathering.ts'
import type { Queryable } from '../base/pool.ts'
import { type Found, findRefs, findRevisions, type Known } from './refs.ts'

type Answer = { found: Found[]; now: number }

/** Asks the database what refs mean and at which revision they are; a crowd of readers costs a few round trips. */
export class RefChecker {
  db: Queryable
  /** What uuids mean; of references only the database knows what they mean now. */
  known = new LRUCache<string, Known>({ max: 100_000 })
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
    const unchanged = await this.findUnchanged(refs)
    if (unchanged) return unchanged
    const answer = await findRefs(this.db, refs)
    this.remember(refs, answer.found)
    return answer
  }

  /** The usual case: all of them are known, and nothing has happened to them. */
  async findUnchanged(refs: string[]): Promise<Answer | null> {
    const known = refs.flatMap(ref => this.known.get(ref) ?? [])
    if (known.length < refs.length) return null
    const ids = known.map(one => one.resourceId)
    const { now, revisions } = await findRevisions(this.db, ids)
    if (known.some(one => one.revision !== revisions.get(one.resourceId))) return null
    return { now, found: known.map((one, index) => ({ ...one, position: index + 1 })) }
  }

  remember(refs: string[], found: Found[]) {
    for (const ref of refs) this.known.delete(ref)
    for (const { position, ...one } of found) if (one.rank <= 2) this.known.set(refs[position - 1]!, one)
  }
}

const renumbered = (found: Found[] = [], position: number) => found.map(one => ({ ...one, position }))

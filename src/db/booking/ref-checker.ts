import { LRUCache } from 'lru-cache'
import { Batcher, type Pending } from '../../lib/batcher.ts'
import { areOnlyBookings } from '../../rules/offers/changed-ranges.ts'
import type { Queryable } from '../base/pool.ts'
import { type FoundRefs as Answer, type Found, findRefs, findRevisions } from './refs.ts'

type ByRef = Omit<Answer, 'found'> & { byRef: Map<string, Found[]> }

/** Resolves refs and reads their revisions; concurrent readers share round trips. */
export class RefChecker {
  db: Queryable
  /** Caches uuids only; a reference can change its meaning at any time. */
  known = new LRUCache<string, Found>({ max: 100_000 })
  history = ''
  questions = new Batcher<string[], Answer>(group => this.answer(group))

  constructor(db: Queryable) {
    this.db = db
  }

  check(refs: string[]): Promise<Answer> {
    return this.questions.add(refs)
  }

  /** The name of the CRM that a Resource belongs to, if its uuid was asked for recently. */
  crmOf(ref: string): string | undefined {
    return this.known.peek(ref)?.crm
  }

  async answer(group: Pending<string[], Answer>[]) {
    const refs = [...new Set(group.flatMap(one => one.item))]
    const { byRef, now, history } = await this.find(refs)
    for (const { item, resolve } of group) resolve({ now, history, found: foundFor(item, byRef) })
  }

  async find(refs: string[]): Promise<ByRef> {
    const unchanged = await this.findUnchanged(refs)
    if (unchanged) return unchanged
    const answer = await findRefs(this.db, refs)
    this.remember(refs, answer)
    const { found, now, history } = answer
    return { now, history, byRef: Map.groupBy(found, one => refs[one.position - 1]!) }
  }

  /** The usual case: all are cached, and only bookings have changed, which leave the meaning of a uuid as it is. */
  async findUnchanged(refs: string[]): Promise<ByRef | null> {
    const known = refs.flatMap(ref => this.known.get(ref) ?? [])
    if (known.length < refs.length) return null
    const ids = known.map(one => one.resourceId)
    const { now, history, revisions } = await findRevisions(this.db, ids)
    if (history !== this.history) return null
    const byRef = new Map<string, Found[]>()
    for (const [index, one] of known.entries()) {
      const at = revisions.get(one.resourceId)
      if (!at || !areOnlyBookings(one.revision, at)) return null
      const latest = at.revision === one.revision ? one : { ...one, ...at }
      if (latest !== one) this.known.set(refs[index]!, latest)
      byRef.set(refs[index]!, [latest])
    }
    return { now, history, byRef }
  }

  remember(refs: string[], { found, history }: Answer) {
    if (history !== this.history) this.known.clear()
    this.history = history
    for (const ref of refs) this.known.delete(ref)
    for (const one of found)
      if (one.rank <= 2) this.known.set(refs[one.position - 1]!, { ...one, position: 1 })
  }
}

/** Nearly all requests name one Resource. */
function foundFor(refs: string[], byRef: Map<string, Found[]>): Found[] {
  const only = refs.length === 1 ? byRef.get(refs[0]!) : undefined
  if (only?.every(one => one.position === 1)) return only
  return refs.flatMap((ref, index) => renumbered(byRef.get(ref), index + 1))
}

const renumbered = (found: Found[] = [], position: number) =>
  found.map(one => (one.position === position ? one : { ...one, position }))

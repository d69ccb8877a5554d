import { type FreeSlot, matches, type Wish } from '../../src/rules/waiting/wish.ts'

type Entry = Wish & {
  id: number
  priority: number
  since: number
  /** "Earlier than mine": the start of the person's own booking. */
  before: number | null
  /** Starts that were offered before, by Resource. */
  offered: { resourceId: number; start: number }[]
}

/** Who is offered which of these times: the model of the statement that decides it. */
export function nextInLine<E extends Entry, S extends FreeSlot>(
  entries: E[],
  slots: S[],
): { entry: E; slot: S } | null {
  const inOrder = entries.toSorted((a, b) => b.priority - a.priority || a.since - b.since || a.id - b.id)
  const byTime = slots.toSorted((a, b) => a.start - b.start)
  for (const entry of inOrder) {
    const slot = byTime.find(one => matches(entry, one) && !isRuledOut(entry, one))
    if (slot) return { entry, slot }
  }
  return null
}

const isRuledOut = ({ before, offered }: Entry, { resourceId, start }: FreeSlot) =>
  (before !== null && start >= before) ||
  offered.some(one => one.resourceId === resourceId && one.start === start)

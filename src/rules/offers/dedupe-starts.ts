import type { Product, Timeslot } from './window.ts'

/** A start at which a Timeslot has room for these Products. */
export type OfferedStart = { timeslot: Timeslot; start: number; products: Product[] }

/**
 * Overlapping Timeslots may offer the same start. Each Product is listed once per start, with the Timeslot
 * that has the most places; the others can still be reserved. Accepts any order and returns the rest ordered
 * by start.
 */
export function dedupeStarts<T extends OfferedStart>(offers: T[]): T[] {
  // The common case: Timeslots rarely overlap.
  if (isOneByOne(offers)) return offers
  const ordered = offers.toSorted((a, b) => a.start - b.start)
  const kept: T[] = []
  for (let first = 0, next = 1; first < ordered.length; first = next++) {
    while (ordered[next]?.start === ordered[first]!.start) next++
    if (next - first === 1) kept.push(ordered[first]!)
    else kept.push(...largest(ordered.slice(first, next)))
  }
  return kept
}

/** Ordered by start, without equal starts. */
function isOneByOne(offers: OfferedStart[]): boolean {
  for (let index = 1; index < offers.length; index++)
    if (offers[index - 1]!.start >= offers[index]!.start) return false
  return true
}

/** Of offers with the same start, each Product keeps the largest Timeslot, or the first of equals. */
function largest<T extends OfferedStart>(offers: T[]): T[] {
  const best = new Map<number, Timeslot>()
  for (const { timeslot, products } of offers)
    for (const { id } of products) {
      const known = best.get(id)
      if (!known || known.capacity < timeslot.capacity) best.set(id, timeslot)
    }
  return offers
    .map(one => ({ ...one, products: one.products.filter(({ id }) => best.get(id) === one.timeslot) }))
    .filter(one => one.products.length > 0)
}

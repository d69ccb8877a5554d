import type { Product, Timeslot } from './window.ts'

/** A start at which a Timeslot has room for these Products. */
export type OfferedStart = { timeslot: Timeslot; start: number; products: Product[] }

/**
 * Timeslots may overlap, and then several of them offer the same start. For each Product it is listed once, with the
 * Timeslot that has the most places; the others can be reserved all the same. Takes offers in any order, and returns what
 * is left of them in the order of time.
 */
export function onceEach<T extends OfferedStart>(offers: T[]): T[] {
  // Timeslots hardly ever overlap.
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

/** In the order of time, and none beside another. */
function isOneByOne(offers: OfferedStart[]): boolean {
  for (let index = 1; index < offers.length; index++)
    if (offers[index - 1]!.start >= offers[index]!.start) return false
  return true
}

/** Of offers with the same start, each Product stays with the largest; of equals with the first. */
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

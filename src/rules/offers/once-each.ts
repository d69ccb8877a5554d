import type { Product, Timeslot } from './window.ts'

/** A start at which a Timeslot has room for these Products. */
export type OfferedStart = { timeslot: Timeslot; start: number; products: Product[] }

/**
 * Timeslots may overlap, and then several of them offer the same start. For each Product it is listed once, with the
 * Timeslot that has the most places; the others can be reserved all the same. Takes offers in any order, and returns what
 * is left of them in the order of time.
 */
export function onceEach<T extends OfferedStart>(offers: T[]): T[] {
  const ordered = inOrder(offers) ? offers : offers.toSorted((a, b) => a.start - b.start)
  const kept: T[] = []
  for (let first = 0, next = 1; first < ordered.length; first = next++) {
    while (ordered[next]?.start === ordered[first]!.start) next++
    kept.push(...(next - first === 1 ? [ordered[first]!] : largest(ordered.slice(first, next))))
  }
  return kept
}

const inOrder = (offers: OfferedStart[]) =>
  offers.every((one, index) => index === 0 || offers[index - 1]!.start <= one.start)

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

import type { Product, Timeslot } from './window.ts'

/** A start at which a Timeslot has room for these Products. */
export type OfferedStart = { timeslot: Timeslot; start: number; products: Product[] }

/**
 * Offers of Timeslots that overlap, by start. Each Product is listed once per start, with the Timeslot that
 * has the most places, or the first of equals; the others can still be reserved. What is not listed is not
 * kept: hundreds of Timeslots may offer the same starts.
 */
export class StartsByTime<T extends OfferedStart> {
  byStart = new Map<number, T[]>()

  add(offer: T) {
    const known = this.byStart.get(offer.start)
    if (!known) this.byStart.set(offer.start, [offer])
    else if (offer.products.some(({ id }) => isBetter(offer, known, id)))
      this.byStart.set(offer.start, combine(known, offer))
  }

  inOrder(): T[] {
    const starts = [...this.byStart].sort(([one], [other]) => one - other)
    return starts.flatMap(([_key, offers]) => offers)
  }
}

/** Accepts offers in any order and returns the listed ones ordered by start. */
export function dedupeStarts<T extends OfferedStart>(offers: T[]): T[] {
  // The common case: Timeslots rarely overlap.
  if (isOneByOne(offers)) return offers
  const starts = new StartsByTime<T>()
  for (const offer of offers) starts.add(offer)
  return starts.inOrder()
}

/** Ordered by start, without equal starts. */
function isOneByOne(offers: OfferedStart[]): boolean {
  for (let index = 1; index < offers.length; index++)
    if (offers[index - 1]!.start >= offers[index]!.start) return false
  return true
}

/** Whether no known offer of this Product has as many places. */
const isBetter = ({ timeslot }: OfferedStart, known: OfferedStart[], productId: number) =>
  known.every(
    one => one.timeslot.capacity < timeslot.capacity || one.products.every(({ id }) => id !== productId),
  )

function combine<T extends OfferedStart>(known: T[], offer: T): T[] {
  const better = offer.products.filter(({ id }) => isBetter(offer, known, id))
  const replaced = new Set(better.map(({ id }) => id))
  const rest = known.map(one => ({ ...one, products: one.products.filter(({ id }) => !replaced.has(id)) }))
  return [...rest.filter(one => one.products.length > 0), { ...offer, products: better }]
}

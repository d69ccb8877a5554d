import type { Bookable, Product, PublicData } from './api-types.ts'
import type { Span } from './slots.ts'

export type Listed = { visible: boolean; bookables: Bookable[] }

/** The answer to a list, without its groups. */
export function listOf(groups: Record<string, Bookable[] | boolean>): Listed {
  const lists = Object.values(groups).filter(value => Array.isArray(value))
  return { visible: groups.public_visible !== false, bookables: lists.flat() }
}

/** What the first question answers; a page of the service brings it along. */
export type Beginning = { places: PublicData[]; products: Product[]; listed: Listed | null; span: Span }

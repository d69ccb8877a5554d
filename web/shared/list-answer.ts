import type { Bookable, Product, PublicData } from './api-types.ts'
import type { Span } from './slots.ts'

export type Listed = { visible: boolean; bookables: Bookable[] }

/** The slots of a list answer, without its grouping and its Products. */
export function listOf({ products: _, ...groups }: Record<string, Bookable[] | boolean>): Listed {
  const lists = Object.values(groups).filter(value => Array.isArray(value))
  return { visible: groups.public_visible !== false, bookables: lists.flat() }
}

/** The answer to the first request; our own pages embed it. */
export type FirstAnswer = { places: PublicData[]; products: Product[]; listed: Listed | null; span: Span }

/** The Resources that offer a Product; all of them before one is chosen. */
export const offering = (places: PublicData[], product: string | null | undefined): PublicData[] =>
  product ? places.filter(one => one.resource.supportedProducts.includes(product)) : places

/** From so many services on, they can be searched. */
export const manyProducts = 12

import { type Bookable, listOf, type Product, type PublicData } from './api.ts'
import type { Beginning } from './flow.ts'

type Brought = {
  places: PublicData[]
  products: Product[]
  bookables: Record<string, Bookable[] | boolean>
  from: number
  to: number
}

/** A page of the service puts the first answers beside the element, so that nothing has to be asked. */
export function readBeginning(element: Element): Beginning | null {
  const script = element.querySelector('script[type="application/json"]')
  if (!script?.textContent) return null
  const { places, products, bookables, from, to } = JSON.parse(script.textContent) as Brought
  return { places, products, listed: listOf(bookables), span: { from, to } }
}

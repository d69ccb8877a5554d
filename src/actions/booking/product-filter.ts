import type { Queryable } from '../../db/base/pool.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { findProductOfEach } from '../../db/setup/products.ts'
import { notFound } from '../../errors.ts'
import type { Wants } from '../../rules/offers/bookables.ts'

/**
 * The Products that `prdRef` selects at each Resource: of its own Provider, because Providers may share
 * references, and none if that Provider has no such Product. Without `prdRef`, all; a name unknown to all
 * Providers returns 404.
 */
export async function productFilter(
  db: Queryable,
  providerIds: number[],
  ref: string | null | undefined,
): Promise<(loaded: Pick<ResourceWindow, 'provider'>) => Wants> {
  if (ref == null) return () => () => true
  const products = await findProductOfEach(db, providerIds, ref)
  if (products.length === 0) throw notFound('Product', ref, 'prdRef')
  const idOf = new Map(products.map(product => [product.providerId, product.id]))
  return ({ provider }) => {
    const wanted = idOf.get(provider.id)
    return productId => productId === wanted
  }
}

import type { Queryable } from '../../db/base/pool.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { findProductOfEach } from '../../db/setup/products.ts'
import { notFound } from '../../errors.ts'

/** No Product has it: nothing of a Provider without the asked Product is offered. */
const none = -1

/**
 * What `prdRef` means at each Resource: the Product of its own Provider, for they may share a reference. No filter at
 * all is null; a name that none of the Providers knows is a 404.
 */
export async function productFilter(
  db: Queryable,
  providerIds: number[],
  ref: string | null | undefined,
): Promise<(loaded: Pick<ResourceWindow, 'provider'>) => number | null> {
  if (ref == null) return () => null
  const products = await findProductOfEach(db, providerIds, ref)
  if (products.length === 0) throw notFound('Product', ref, 'prdRef')
  const idOf = new Map(products.map(product => [product.provider_id, product.id]))
  return ({ provider }) => idOf.get(provider.id) ?? none
}

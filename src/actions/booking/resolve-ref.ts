import type { Queryable } from '../../db/base/pool.ts'
import { findRefs } from '../../db/booking/refs.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { findProductOfEach } from '../../db/setup/products.ts'
import { notFound, Refusal } from '../../errors.ts'
import type { Wants } from '../../rules/offers/bookables.ts'
import type { Service } from '../../service.ts'

type Found = { position: number; rank: number; providerId: number }

/**
 * The one Resource (or Timeslot) that a ref refers to. If it can be read in several ways, the first match counts.
 */
export function resolveRef<T extends Found>(
  found: T[],
  ref: string,
  position: number,
  noun = 'Resource',
  field = 'ref',
): T {
  const mine = found.filter(one => one.position === position)
  const first = mine[0]
  if (!first) throw notFound(noun, ref, field)
  if (mine.some(one => one.rank === first.rank && one.providerId !== first.providerId)) {
    const form = `${noun.split(' ')[0]!.toLowerCase()}Id@providerUuid@platform`
    throw new Refusal('not-found', { rule: 'several', field, noun, name: ref, form })
  }
  return first
}

/** The CRM of the Resource that a consumer names; null if several or none match. */
export async function crmOfRef({ db }: Service, { ref }: { ref: string }): Promise<number | null> {
  const { found } = await findRefs(db, [ref])
  const [crmId, ...others] = new Set(found.map(one => one.crmId))
  return others.length === 0 ? (crmId ?? null) : null
}

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

import type { Found } from '../db/refs.ts'
import { notFound, Refusal } from '../errors.ts'

/** The one Resource that a ref means. Of several ways to read it, the first that fits counts. */
export function meant(found: Found[], ref: string, position: number): Found {
  const mine = found.filter(one => one.position === position)
  const first = mine[0]
  if (!first) throw notFound('Resource', ref, 'ref')
  if (mine.filter(one => one.rank === first.rank).length > 1)
    throw new Refusal(
      'not-found',
      `Several Providers have a Resource ${ref}. Name the Provider: resourceId@providerUuid@platform.`,
      { field: 'ref' },
    )
  return first
}

import type { Queryable } from '../../db/base/pool.ts'
import { violates } from '../../db/base/postgres-errors.ts'
import { isSlugUsed, type ProviderRow, setSlug } from '../../db/setup/providers.ts'
import { addressTaken } from '../../errors.ts'
import { isReservedSlug } from '../../rules/references.ts'

/**
 * Takes the slug for this Provider, whose former one keeps leading to it. Slugs of others are refused, former ones
 * too, and references of other Providers and of Resources: their pages have the same address.
 */
export async function claimSlug(
  tx: Queryable,
  { id, slug: before }: Pick<ProviderRow, 'id' | 'slug'>,
  slug: string | null,
) {
  if (slug === before) return
  if (slug !== null && (isReservedSlug(slug) || (await isSlugUsed(tx, id, slug)))) throw addressTaken(slug)
  await setSlug(tx, id, slug).catch(error => {
    // Another business took it at the same moment.
    throw violates(error, 'provider_slug') ? addressTaken(slug!) : error
  })
}

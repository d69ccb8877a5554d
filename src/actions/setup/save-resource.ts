import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../callers.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { violates } from '../../db/base/postgres-errors.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import {
  findResource,
  linkProducts,
  lockResource,
  type ResourceFields,
  type ResourceRecord,
  type ResourceRow,
  type ResourceValues,
  unknownProducts,
  updateResource,
} from '../../db/setup/resources.ts'
import { resource } from '../../entities/resource.ts'
import { notFound, referenceExists } from '../../errors.ts'
import { omitUndefined } from '../../lib/objects.ts'
import { recordEvents } from '../record-events.ts'
import { rollbackIfUnchanged } from '../rollback-if-unchanged.ts'
import { chooseContact } from './choose-contact.ts'

/** Changes only the fields sent. */
export async function changeResource(
  { service, actor, provider }: ProviderContext,
  reference: string,
  fields: Partial<ResourceFields>,
  check: (current: ResourceRecord) => void = () => {},
): Promise<ResourceRecord> {
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    let before: ResourceRecord | undefined
    const look = (current: ResourceRecord) => {
      before = current
      check(current)
    }
    if (!(await applyResourceFields(tx, provider, reference, fields, look)))
      throw notFound('Resource', reference)
    const saved = (await findResource(tx, provider.id, fields.reference ?? reference))!
    if (isDeepStrictEqual(before, saved)) same(saved)
    await recordEvents(tx, service, { actor, provider, events: { 'resource.changed': [saved.id] } })
    return saved
  })
}

/** False if there is no such Resource. */
export async function applyResourceFields(
  tx: Queryable,
  provider: ProviderRow,
  reference: string,
  fields: Partial<ResourceFields>,
  check: ((current: ResourceRecord) => void) | null = null,
): Promise<boolean> {
  const existing = await lockResource(tx, provider.id, reference)
  if (!existing) return false
  check?.((await findResource(tx, provider.id, reference))!)
  const values = await withFields(tx, provider, existing, fields)
  try {
    await updateResource(tx, existing.id, values)
  } catch (error) {
    if (violates(error, 'resource_reference')) throw referenceExists('Resource', values.reference)
    throw error
  }
  if (fields.products !== undefined) await linkProducts(tx, provider.id, existing.id, fields.products ?? [])
  return true
}

const { contact: _, contactProfileReference: _profile, products: _products, ...empty } = resource.empty
export const emptyResource: ResourceValues = {
  ...empty,
  reference: '',
  publicName: '',
  internalName: '',
  contactUserId: null,
  contactProfileId: null,
}

async function withFields(
  tx: Queryable,
  provider: ProviderRow,
  existing: ResourceValues | ResourceRow,
  fields: Partial<ResourceFields>,
): Promise<ResourceValues> {
  const [unknown] = fields.products?.length ? await unknownProducts(tx, provider.id, fields.products) : []
  if (unknown !== undefined) throw notFound('Product', unknown, 'products')
  return { ...unresolvedValues(existing, fields), ...(await chooseContact(tx, provider, existing, fields)) }
}

/** The values that need no lookup. */
export function unresolvedValues(existing: ResourceValues, fields: Partial<ResourceFields>): ResourceValues {
  const { contact: _, contactProfileReference: _profile, products: _products, ...own } = omitUndefined(fields)
  return { ...existing, ...own, archived: own.archived ?? existing.archived }
}

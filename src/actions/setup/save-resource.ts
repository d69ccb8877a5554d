import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../db/base/pool.ts'
import { violates } from '../../db/base/postgres-errors.ts'
import type { Address } from '../../db/setup/accounts.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import {
  findResource,
  linkProducts,
  lockResource,
  type ResourceRecord,
  type ResourceRow,
  type ResourceValues,
  unknownProducts,
  updateResource,
} from '../../db/setup/resources.ts'
import { notFound, referenceExists } from '../../errors.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { rollbackIfUnchanged } from '../rollback-if-unchanged.ts'
import { chooseContact } from './choose-contact.ts'

export type ResourceFields = {
  reference: string
  publicName: string
  internalName: string
  description?: string | null
  products?: string[] | null
  contact?: string | null
  contactProfileReference?: string | null
  website?: string | null
  address?: Address | null
  archived?: boolean | null
}

/** Changes only the fields sent. */
export async function changeResource(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
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
    const resource = (await findResource(tx, provider.id, fields.reference ?? reference))!
    if (isDeepStrictEqual(before, resource)) same(resource)
    await recordEvents(tx, service, { actor, provider, events: { 'resource.changed': [resource.id] } })
    return resource
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

export const emptyResource: ResourceValues = {
  reference: '',
  publicName: '',
  internalName: '',
  description: null,
  contactUserId: null,
  contactProfileId: null,
  website: null,
  address: null,
  archived: false,
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
export const unresolvedValues = (existing: ResourceValues, fields: Partial<ResourceFields>) => ({
  reference: fields.reference ?? existing.reference,
  publicName: fields.publicName ?? existing.publicName,
  internalName: fields.internalName ?? existing.internalName,
  description: sent(fields.description, existing.description),
  website: sent(fields.website, existing.website),
  address: sent(fields.address, existing.address),
  archived: fields.archived ?? existing.archived,
})

const sent = <T>(value: T | undefined, existing: T): T => (value === undefined ? existing : value)

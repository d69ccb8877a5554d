import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../db/base/pool.ts'
import { violates } from '../../db/base/postgres-errors.ts'
import type { Address } from '../../db/setup/accounts.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import {
  findResource,
  insertResource,
  linkProducts,
  lockResource,
  type ResourceRecord,
  type ResourceRow,
  type ResourceValues,
  unknownProducts,
  updateResource,
} from '../../db/setup/resources.ts'
import { duplicateReference, notFound, referenceExists } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import { channelKeys } from '../../rules/offers/channels.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { inTurn } from '../in-turn.ts'
import { chooseContact } from './choose-contact.ts'

type ResourceFields = {
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

type Outcome = { resource: ResourceRecord; created: boolean }

/** A known reference is updated, unless the caller wants an error. */
export async function createResource(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  fields: ResourceFields,
  onDuplicateRaise: boolean,
): Promise<Outcome> {
  return service.db.transaction(tx => createIn(tx, service, actor, provider, fields, onDuplicateRaise))
}

/** All of them or none. */
export async function createResources(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  sent: ResourceFields[],
  onDuplicateRaise: boolean,
): Promise<{ resources: ResourceRecord[]; created: boolean }> {
  return service.db.transaction(async tx => {
    const made = await inTurn('resources', sent, fields =>
      createIn(tx, service, actor, provider, fields, onDuplicateRaise),
    )
    return { resources: made.map(one => one.resource), created: made.some(one => one.created) }
  })
}

async function createIn(
  tx: Queryable,
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  fields: ResourceFields,
  onDuplicateRaise: boolean,
): Promise<Outcome> {
  const known = await findResource(tx, provider.id, fields.reference)
  if (known && onDuplicateRaise) throw duplicateReference('Resource', fields.reference)
  // Systems that send all they have every night change nothing of most of it.
  if (known && (await isUnchanged(tx, provider, known, fields))) return { resource: known, created: false }
  // What is new is open; `archived` counts for what is there already.
  const values = { ...(await withFields(tx, provider, emptyResource, fields)), archived: false }
  const id = await insertResource(tx, provider.id, values, channelKeys)
  if (id === null && onDuplicateRaise) throw duplicateReference('Resource', fields.reference)
  if (id === null) await change(tx, provider, fields.reference, fields)
  else if (fields.products) await linkProducts(tx, provider.id, id, fields.products)
  const resource = (await findResource(tx, provider.id, fields.reference))!
  const kind = id === null ? 'resource.changed' : 'resource.created'
  await happened(tx, service, { actor, provider, news: { [kind]: [resource.id] } })
  return { resource, created: id !== null }
}

async function isUnchanged(
  tx: Queryable,
  provider: ProviderRow,
  known: ResourceRecord,
  fields: ResourceFields,
): Promise<boolean> {
  const values = await withFields(tx, provider, known, fields)
  const existing = Object.fromEntries(
    Object.keys(values).map(name => [name, known[name as keyof ResourceValues]]),
  )
  const products = fields.products === undefined ? known.products : [...new Set(fields.products ?? [])]
  return isDeepStrictEqual(existing, values) && isDeepStrictEqual(products, known.products)
}

/** Only the fields sent change. */
export async function changeResource(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  fields: Partial<ResourceFields>,
  check: ((current: ResourceRecord) => void) | null = null,
): Promise<ResourceRecord> {
  return service.db.transaction(async tx => {
    await change(tx, provider, reference, fields, check)
    const resource = (await findResource(tx, provider.id, fields.reference ?? reference))!
    await happened(tx, service, { actor, provider, news: { 'resource.changed': [resource.id] } })
    return resource
  })
}

async function change(
  tx: Queryable,
  provider: ProviderRow,
  reference: string,
  fields: Partial<ResourceFields>,
  check: ((current: ResourceRecord) => void) | null = null,
) {
  const existing = await lockResource(tx, provider.id, reference)
  if (!existing) throw notFound('Resource', reference)
  check?.((await findResource(tx, provider.id, reference))!)
  const values = await withFields(tx, provider, existing, fields)
  try {
    await updateResource(tx, existing.id, values)
  } catch (error) {
    if (violates(error, 'resource_reference')) throw referenceExists('Resource', values.reference)
    throw error
  }
  if (fields.products !== undefined) await linkProducts(tx, provider.id, existing.id, fields.products ?? [])
}

const emptyResource: ResourceValues = {
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
  const [unknown] = await unknownProducts(tx, provider.id, fields.products ?? [])
  if (unknown !== undefined) throw notFound('Product', unknown, 'products')
  return {
    reference: fields.reference ?? existing.reference,
    publicName: fields.publicName ?? existing.publicName,
    internalName: fields.internalName ?? existing.internalName,
    description: sent(fields.description, existing.description),
    website: sent(fields.website, existing.website),
    address: sent(fields.address, existing.address),
    archived: fields.archived ?? existing.archived,
    ...(await chooseContact(tx, provider, existing, fields)),
  }
}

const sent = <T>(value: T | undefined, existing: T): T => (value === undefined ? existing : value)

import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../callers.ts'
import { RestartTransaction } from '../../db/base/postgres-errors.ts'
import type { Queryable, Transaction } from '../../db/base/queryable.ts'
import { productIds } from '../../db/setup/products.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import {
  findResource,
  findResources,
  insertResources,
  linkNewProducts,
  type MadeResource,
  type ResourceFields,
  type ResourceRecord,
  type ResourceValues,
} from '../../db/setup/resources.ts'
import { duplicateReference, notFound } from '../../errors.ts'
import { omitUndefined } from '../../lib/objects.ts'
import type { Actor } from '../../rules/messages/events.ts'
import { channelKeys } from '../../rules/offers/channels.ts'
import type { Service } from '../../service.ts'
import { forEachEntry } from '../for-each-entry.ts'
import { recordEvents } from '../record-events.ts'
import { chooseContact } from './choose-contact.ts'
import { applyResourceFields, emptyResource, unresolvedValues } from './save-resource.ts'

// Some systems send all their Resources every night, one by one or a thousand at a time. New ones are written
// in one statement, and unchanged ones cost one read.

/** A known reference is updated, unless the caller asks for an error. */
export async function createResource(
  context: ProviderContext,
  fields: ResourceFields,
  onDuplicateRaise: boolean,
): Promise<{ resource: ResourceRecord; created: boolean }> {
  const batch = { ...context, sent: [fields], onDuplicateRaise, inTurn: alone }
  const { resources, created } = await create(batch)
  return { resource: resources[0]!, created }
}

/** All or none. */
export function createResources(context: ProviderContext, sent: ResourceFields[], onDuplicateRaise: boolean) {
  const oneByOne: InTurn = (entries, work) => forEachEntry('resources', entries, work)
  return create({ ...context, sent, onDuplicateRaise, inTurn: oneByOne })
}

/** Runs the entries one by one, so that a refusal can name its entry. */
type InTurn = <T, R>(entries: T[], work: (entry: T) => Promise<R>) => Promise<R[]>

const alone: InTurn = (entries, work) => Promise.all(entries.map(work))

type Batch = {
  service: Service
  actor: Actor
  provider: ProviderRow
  sent: ResourceFields[]
  onDuplicateRaise: boolean
  inTurn: InTurn
}

type Known = Map<string, ResourceRecord>

function create(batch: Batch): Promise<{ resources: ResourceRecord[]; created: boolean }> {
  const { service, provider, sent } = batch
  return service.db.transaction(async tx => createIn(tx, batch, await findKnown(tx, provider, sent)))
}

async function findKnown(db: Queryable, provider: ProviderRow, sent: ResourceFields[]): Promise<Known> {
  const references = sent.map(one => one.reference)
  return new Map((await findResources(db, provider.id, references)).map(one => [one.reference, one]))
}

type New = { values: ResourceValues; fields: ResourceFields; products: number[] }

async function createIn(tx: Transaction, batch: Batch, known: Known) {
  const { service, actor, provider, sent, onDuplicateRaise } = batch
  const newResources = new Map<string, New>()
  const saved = new Map<string, ResourceRecord>()
  const changed: number[] = []
  const changeKnown = async (fields: ResourceFields) => {
    if (onDuplicateRaise) throw duplicateReference('Resource', fields.reference)
    // Deleted since it was read.
    if (!(await applyResourceFields(tx, provider, fields.reference, fields))) throw new RestartTransaction()
    const resource = (await findResource(tx, provider.id, fields.reference))!
    saved.set(fields.reference, resource)
    changed.push(resource.id)
  }
  const prepare = await preparing(tx, provider, sent)
  await batch.inTurn(sent, async fields => {
    const { reference } = fields
    const last = known.get(reference)
    if (!last) newResources.set(reference, await prepare(fields))
    else if (!onDuplicateRaise && isAsKnown(last, fields)) saved.set(reference, last)
    else await changeKnown(fields)
  })
  const made = await insert(tx, provider, [...newResources.values()])
  for (const resource of made) saved.set(resource.reference, resource)
  // Another request was faster.
  await batch.inTurn(sent, async fields => {
    const { reference } = fields
    if (saved.has(reference)) return
    const there = (await findResource(tx, provider.id, reference)) ?? undefined
    // It may have been this very call: its commit succeeded and the answer was lost.
    if (there && !onDuplicateRaise && isAsKnown(there, fields)) saved.set(reference, there)
    else await changeKnown(fields)
  })
  const subjects = { 'resource.created': made.map(one => one.id), 'resource.changed': changed }
  await tx.last(recordEvents(tx, service, { actor, provider, events: subjects }))
  return { resources: sent.map(one => saved.get(one.reference)!), created: made.length > 0 }
}

/** Many Resources share Products and contacts, so each is looked up once. */
async function preparing(tx: Queryable, provider: ProviderRow, sent: ResourceFields[]) {
  const named = [...new Set(sent.flatMap(one => one.products ?? []))]
  const ids = named.length > 0 ? await productIds(tx, provider.id, named) : new Map<string, number>()
  const contacts = new Map<string, ReturnType<typeof chooseContact>>()
  return async (fields: ResourceFields): Promise<New> => {
    const products = [...new Set(fields.products)].map(reference => {
      const id = ids.get(reference)
      if (id === undefined) throw notFound('Product', reference, 'products')
      return id
    })
    const key = JSON.stringify([fields.contact, fields.contactProfileReference])
    if (!contacts.has(key)) contacts.set(key, chooseContact(tx, provider, emptyResource, fields))
    // A new Resource is open; `archived` applies only to existing ones.
    const values = {
      ...unresolvedValues(emptyResource, fields),
      ...(await contacts.get(key)!),
      archived: false,
    }
    return { values, fields, products }
  }
}

async function insert(
  tx: Transaction,
  provider: ProviderRow,
  newResources: New[],
): Promise<ResourceRecord[]> {
  if (newResources.length === 0) return []
  const values = newResources.map(one => ({ ...one.values, providerId: provider.id }))
  const rows = await insertResources(tx, values, channelKeys)
  const byReference = new Map(newResources.map(one => [one.values.reference, one]))
  const made = rows.map(row => ({ ...row, ...byReference.get(row.reference)! }))
  await linkNewProducts(tx, made)
  return made.map(one => recordOf(one, one))
}

const recordOf = (
  { values, fields }: New,
  { id, uuid, providerId, updatedAt }: MadeResource,
): ResourceRecord => ({
  ...values,
  id,
  uuid,
  providerId,
  updatedAt,
  deletedAt: null,
  contact: fields.contact ?? null,
  contactProfileReference: fields.contactProfileReference ?? null,
  products: [...new Set(fields.products)],
})

/** True if saving would change nothing. */
function isAsKnown(known: ResourceRecord | undefined, fields: ResourceFields): boolean {
  if (!known) return false
  const { archived, products, ...others } = omitUndefined(fields)
  const wanted = {
    ...others,
    archived: archived ?? known.archived,
    products: products === undefined ? known.products : [...new Set(products)],
  }
  return Object.entries(wanted).every(([name, value]) =>
    isDeepStrictEqual(value, known[name as keyof ResourceRecord]),
  )
}

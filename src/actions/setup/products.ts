import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../callers.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { RestartTransaction } from '../../db/base/postgres-errors.ts'
import {
  insertProduct,
  lockAgainstLinks,
  lockProduct,
  markProductDeleted,
  type ProductFields,
  type ProductRow,
  resourcesWith,
  updateProduct,
} from '../../db/setup/products.ts'
import { formOfBusiness, saveForms } from '../../db/setup/questions.ts'
import { bumpForProduct } from '../../db/setup/revisions.ts'
import { product } from '../../entities/product.ts'
import { invalidField, notFound, onlyProduct } from '../../errors.ts'
import { omitUndefined } from '../../lib/objects.ts'
import { forEachEntry } from '../for-each-entry.ts'
import { recordEvents } from '../record-events.ts'
import { checkQuestionKeys } from './questions.ts'

type Outcome = { product: ProductRow; created: boolean }

/** A known reference updates the fields sent. */
export async function createProduct(context: ProviderContext, fields: ProductFields): Promise<Outcome> {
  return context.service.db.transaction(tx => createIn(tx, context, fields))
}

/** All or none. */
export async function createProducts(
  context: ProviderContext,
  sent: ProductFields[],
): Promise<{ products: ProductRow[]; created: boolean }> {
  return context.service.db.transaction(async tx => {
    const made = await forEachEntry('products', sent, fields => createIn(tx, context, fields))
    return { products: made.map(one => one.product), created: made.some(one => one.created) }
  })
}

async function createIn(tx: Queryable, context: ProviderContext, fields: ProductFields): Promise<Outcome> {
  const { provider } = context
  checkDurations(fields.minDuration ?? null, fields.maxDuration ?? null)
  await checkQuestionKeys(tx, provider.id, fields.questions)
  const made = await insertProduct(tx, provider.id, {
    ...fields,
    ...(await formFor(tx, provider.id, fields, true)),
  })
  const known = made ? null : (await lockProduct(tx, provider.id, fields.reference))!
  const created = known === null || known.deletedAt !== null
  const wanted = known && merged(known, { ...fields, ...(await formFor(tx, provider.id, fields, created)) })
  if (known && !created && isDeepStrictEqual(wanted, known)) return { product: known, created }
  const saved = made ?? (await updateProduct(tx, wanted!))
  await finishSaving(tx, context, known, saved, created ? 'product.created' : 'product.changed')
  return { product: saved, created }
}

async function finishSaving(
  tx: Queryable,
  { service, actor, provider }: ProviderContext,
  known: ProductRow | null,
  saved: ProductRow,
  kind: 'product.created' | 'product.changed',
) {
  await bumpForProduct(tx, provider.id, saved.id)
  const hasOtherForm = !isDeepStrictEqual(known?.questions ?? [], saved.questions)
  if (hasOtherForm) await saveForms(tx, provider.id)
  await recordEvents(tx, service, { actor, provider, events: { [kind]: [saved.id] } })
}

/** A list that is sent is the Product's own. A new Product without one follows the business. */
async function formFor(
  tx: Queryable,
  providerId: number,
  sent: Partial<ProductFields>,
  isNew: boolean,
): Promise<Pick<ProductFields, 'questions' | 'ownQuestions'>> {
  const isList = Array.isArray(sent.questions)
  const isOwn = sent.ownQuestions ?? (isList || (isNew || sent.questions === null ? false : undefined))
  if (isOwn === false) return { questions: await formOfBusiness(tx, providerId), ownQuestions: false }
  return isOwn ? { ...(isList && { questions: sent.questions }), ownQuestions: true } : {}
}

/** A deleted Product keeps nothing but its reference. */
function merged(known: ProductRow, fields: Partial<ProductFields>): ProductRow {
  const existing = known.deletedAt === null ? known : { ...known, ...product.empty }
  const wanted = product.filled({ ...existing, ...omitUndefined(fields) } as ProductRow)
  checkDurations(wanted.minDuration, wanted.maxDuration)
  return wanted
}

function checkDurations(minimum: number | null, maximum: number | null) {
  if (minimum !== null && maximum !== null && minimum > maximum)
    throw invalidField('minDuration', 'above-max:duration')
}

/** Changes only the fields sent. Buffers apply to new Appointments; existing ones keep theirs. */
export async function changeProduct(
  context: ProviderContext,
  named: ProductRow,
  change: Partial<ProductFields>,
  check: (current: ProductRow) => void = () => {},
) {
  const { service, provider } = context
  return service.db.transaction(async tx => {
    await checkQuestionKeys(tx, provider.id, change.questions)
    const form = await formFor(tx, provider.id, change, false)
    const locked = await lockExisting(tx, named)
    check(locked)
    const changed = merged(locked, { ...change, ...form })
    if (isDeepStrictEqual(changed, locked)) return locked
    const saved = await updateProduct(tx, changed)
    await finishSaving(tx, context, locked, saved, 'product.changed')
    return saved
  })
}

async function lockExisting(tx: Queryable, { providerId, reference, uuid }: ProductRow): Promise<ProductRow> {
  const locked = await lockProduct(tx, providerId, reference)
  if (!locked || locked.deletedAt !== null) throw notFound('Product', uuid)
  return locked
}

/**
 * Takes the Product off offer; existing bookings stay. Refused if it is the only Product that a Resource
 * links: without any, the Resource would offer all of them.
 */
export async function deleteProduct({ service, actor, provider }: ProviderContext, named: ProductRow) {
  const { id } = named
  await service.db.transaction(async tx => {
    await lockExisting(tx, named)
    // Locks the Resources that link it, so that their links cannot change while we check them.
    const locked = await bumpForProduct(tx, provider.id, id)
    await lockAgainstLinks(tx, id)
    const linking = await resourcesWith(tx, id)
    // One of them linked it only after we took the locks.
    if (linking.some(one => !locked.includes(one.id))) throw new RestartTransaction()
    const stuck = linking.filter(one => one.isOnly)
    if (stuck.length > 0) throw onlyProduct(stuck.map(one => one.internalName))
    await markProductDeleted(tx, id)
    await recordEvents(tx, service, {
      actor,
      provider,
      // Their list of Products has changed.
      events: { 'product.deleted': [id], 'resource.changed': linking.map(one => one.id) },
    })
  })
}

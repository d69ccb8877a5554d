import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../callers.ts'
import type { Queryable } from '../../db/base/pool.ts'
import {
  insertProduct,
  lockProduct,
  type ProductFields,
  type ProductRow,
  updateProduct,
} from '../../db/setup/products.ts'
import { formOfBusiness, saveForms } from '../../db/setup/questions.ts'
import { bumpForProduct } from '../../db/setup/revisions.ts'
import { product } from '../../entities/product.ts'
import { invalidField } from '../../errors.ts'
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

async function createIn(
  tx: Queryable,
  { service, actor, provider }: ProviderContext,
  fields: ProductFields,
): Promise<Outcome> {
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
  await bumpForProduct(tx, provider.id, saved.id)
  if (hasOtherForm(known, saved)) await saveForms(tx, provider.id)
  const kind = created ? 'product.created' : 'product.changed'
  await recordEvents(tx, service, { actor, provider, events: { [kind]: [saved.id] } })
  return { product: saved, created }
}

/** A list that is sent is the Product's own. A new Product without one follows the business. */
export async function formFor(
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
function merged(known: ProductRow, fields: ProductFields): ProductRow {
  const existing = known.deletedAt === null ? known : { ...known, ...product.empty }
  const wanted = product.filled({ ...existing, ...omitUndefined(fields) } as ProductRow)
  checkDurations(wanted.minDuration, wanted.maxDuration)
  return wanted
}

export const hasOtherForm = (known: ProductRow | null, saved: ProductRow) =>
  !isDeepStrictEqual(known?.questions ?? [], saved.questions)

export function checkDurations(minimum: number | null, maximum: number | null) {
  if (minimum !== null && maximum !== null && minimum > maximum)
    throw invalidField('minDuration', 'above-max:duration')
}

import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../db/base/pool.ts'
import {
  insertProduct,
  lockProduct,
  type ProductFields,
  type ProductRow,
  updateProduct,
} from '../../db/setup/products.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { saveForms } from '../../db/setup/questions.ts'
import { bumpForProduct } from '../../db/setup/revisions.ts'
import { product } from '../../entities/product.ts'
import { invalidField } from '../../errors.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { forEachEntry } from '../for-each-entry.ts'
import { recordEvents } from '../record-events.ts'
import { checkQuestionKeys } from './questions.ts'

type Outcome = { product: ProductRow; created: boolean }

/** A known reference updates the fields sent. */
export async function createProduct(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  fields: ProductFields,
): Promise<Outcome> {
  return service.db.transaction(tx => createIn(tx, service, actor, provider, fields))
}

/** All or none. */
export async function createProducts(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  sent: ProductFields[],
): Promise<{ products: ProductRow[]; created: boolean }> {
  return service.db.transaction(async tx => {
    const made = await forEachEntry('products', sent, fields =>
      createIn(tx, service, actor, provider, fields),
    )
    return { products: made.map(one => one.product), created: made.some(one => one.created) }
  })
}

async function createIn(
  tx: Queryable,
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  fields: ProductFields,
): Promise<Outcome> {
  checkDurations(fields.minDuration ?? null, fields.maxDuration ?? null)
  await checkQuestionKeys(tx, provider.id, fields.questions)
  const made = await insertProduct(tx, provider.id, fields)
  const known = made ? null : (await lockProduct(tx, provider.id, fields.reference))!
  const created = known === null || known.deletedAt !== null
  const wanted = known && merged(known, fields)
  if (known && !created && isDeepStrictEqual(wanted, known)) return { product: known, created }
  const saved = made ?? (await updateProduct(tx, wanted!))
  await bumpForProduct(tx, provider.id, saved.id)
  if (hasOtherForm(known, saved)) await saveForms(tx, provider.id)
  const kind = created ? 'product.created' : 'product.changed'
  await recordEvents(tx, service, { actor, provider, events: { [kind]: [saved.id] } })
  return { product: saved, created }
}

/** A deleted Product keeps nothing but its reference. */
function merged(known: ProductRow, fields: ProductFields): ProductRow {
  const existing = known.deletedAt === null ? known : { ...known, ...product.empty }
  const wanted = withDefaults({ ...existing, ...omitUndefined(fields) } as ProductRow)
  checkDurations(wanted.minDuration, wanted.maxDuration)
  return wanted
}

export const hasOtherForm = (known: ProductRow | null, saved: ProductRow) =>
  !isDeepStrictEqual(known?.questions ?? [], saved.questions)

/** Null clears them. */
export const withDefaults = (row: ProductRow): ProductRow => ({
  ...row,
  questions: row.questions ?? [],
  answersRequired: row.answersRequired ?? false,
  maxPlaces: row.maxPlaces ?? 1,
  placeNamesRequired: row.placeNamesRequired ?? false,
})

export function checkDurations(minimum: number | null, maximum: number | null) {
  if (minimum !== null && maximum !== null && minimum > maximum)
    throw invalidField('minDuration', 'minDuration must not be longer than maxDuration.')
}

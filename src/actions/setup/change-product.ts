import { isDeepStrictEqual } from 'node:util'
import { lockProduct, type ProductFields, type ProductRow, updateProduct } from '../../db/setup/products.ts'
import { saveForms } from '../../db/setup/questions.ts'
import { bumpForProduct } from '../../db/setup/revisions.ts'
import { product } from '../../entities/product.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { checkDurations, formFor, hasOtherForm } from './create-product.ts'
import { checkQuestionKeys } from './questions.ts'

/** Buffers apply to new Appointments; existing ones keep theirs. */
export async function changeProduct(
  service: Service,
  actor: Actor,
  named: ProductRow,
  change: Partial<ProductFields>,
  check: (current: ProductRow) => void = () => {},
) {
  return service.db.transaction(async tx => {
    await checkQuestionKeys(tx, named.providerId, change.questions)
    const form = await formFor(tx, named.providerId, change, false)
    const locked = await lockProduct(tx, named.providerId, named.reference)
    if (!locked || locked.deletedAt !== null) throw notFound('Product', named.uuid)
    check(locked)
    const changed = product.filled({ ...locked, ...change, ...form } as ProductRow)
    checkDurations(changed.minDuration, changed.maxDuration)
    if (isDeepStrictEqual(changed, locked)) return locked
    const saved = await updateProduct(tx, changed)
    await bumpForProduct(tx, named.providerId, named.id)
    if (hasOtherForm(locked, saved)) await saveForms(tx, named.providerId)
    const provider = { id: named.providerId }
    await recordEvents(tx, service, { actor, provider, events: { 'product.changed': [named.id] } })
    return saved
  })
}

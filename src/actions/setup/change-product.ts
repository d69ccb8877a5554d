import { isDeepStrictEqual } from 'node:util'
import { lockProduct, type ProductFields, type ProductRow, updateProduct } from '../../db/setup/products.ts'
import { saveForms } from '../../db/setup/questions.ts'
import { bumpForProduct } from '../../db/setup/revisions.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { checkDurations, hasOtherForm, withDefaults } from './create-product.ts'
import { checkQuestionKeys } from './questions.ts'

/** Buffers apply to new Appointments; existing ones keep theirs. */
export async function changeProduct(
  service: Service,
  actor: Actor,
  product: ProductRow,
  change: Partial<ProductFields>,
  check: (current: ProductRow) => void = () => {},
) {
  return service.db.transaction(async tx => {
    await checkQuestionKeys(tx, product.providerId, change.questions)
    const locked = await lockProduct(tx, product.providerId, product.reference)
    if (!locked || locked.deletedAt !== null) throw notFound('Product', product.uuid)
    check(locked)
    const changed = withDefaults({ ...locked, ...change } as ProductRow)
    checkDurations(changed.minDuration, changed.maxDuration)
    if (isDeepStrictEqual(changed, locked)) return locked
    const saved = await updateProduct(tx, changed)
    await bumpForProduct(tx, product.providerId, product.id)
    if (hasOtherForm(locked, saved)) await saveForms(tx, product.providerId)
    const provider = { id: product.providerId }
    await recordEvents(tx, service, { actor, provider, events: { 'product.changed': [product.id] } })
    return saved
  })
}

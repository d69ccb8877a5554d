import { BeginAnew } from '../../db/base/postgres-errors.ts'
import {
  lockAgainstLinks,
  lockProduct,
  markProductDeleted,
  type ProductRow,
  resourcesWith,
} from '../../db/setup/products.ts'
import { bumpForProduct } from '../../db/setup/revisions.ts'
import { notFound, onlyProduct } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'

/**
 * It is offered no more; what was booked with it stays as it is. Refused where a Resource links nothing else: without any
 * Product it would offer all of them.
 */
export async function deleteProduct(service: Service, actor: Actor, product: ProductRow) {
  const { id, providerId, reference } = product
  await service.db.transaction(async tx => {
    const found = await lockProduct(tx, providerId, reference)
    if (!found || found.deletedAt !== null) throw notFound('Product', product.uuid)
    // Locks those that link it, so that what they link stays as it is while we look.
    const locked = await bumpForProduct(tx, providerId, id)
    await lockAgainstLinks(tx, id)
    const linking = await resourcesWith(tx, id)
    // One of them did not link it yet when we locked them.
    if (linking.some(one => !locked.includes(one.id))) throw new BeginAnew()
    const stuck = linking.filter(one => one.isOnly)
    if (stuck.length > 0) throw onlyProduct(stuck.map(one => one.internalName))
    await markProductDeleted(tx, id)
    await happened(tx, service, {
      actor,
      provider: { id: providerId },
      // Those that linked it link one less.
      news: { 'product.deleted': [id], 'resource.changed': linking.map(one => one.id) },
    })
  })
}

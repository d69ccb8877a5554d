import { RestartTransaction } from '../../db/base/postgres-errors.ts'
import {
  lockAgainstLinks,
  lockProduct,
  markProductDeleted,
  type ProductRow,
  resourcesWith,
} from '../../db/setup/products.ts'
import { bumpForProduct } from '../../db/setup/revisions.ts'
import { notFound, onlyProduct } from '../../errors.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

/**
 * Takes the Product off offer; existing bookings stay. Refused if it is the only Product that a Resource
 * links: without any, the Resource would offer all of them.
 */
export async function deleteProduct(service: Service, actor: Actor, product: ProductRow) {
  const { id, providerId, reference } = product
  await service.db.transaction(async tx => {
    const found = await lockProduct(tx, providerId, reference)
    if (!found || found.deletedAt !== null) throw notFound('Product', product.uuid)
    // Locks the Resources that link it, so that their links cannot change while we check them.
    const locked = await bumpForProduct(tx, providerId, id)
    await lockAgainstLinks(tx, id)
    const linking = await resourcesWith(tx, id)
    // One of them linked it only after we took the locks.
    if (linking.some(one => !locked.includes(one.id))) throw new RestartTransaction()
    const stuck = linking.filter(one => one.isOnly)
    if (stuck.length > 0) throw onlyProduct(stuck.map(one => one.internalName))
    await markProductDeleted(tx, id)
    await recordEvents(tx, service, {
      actor,
      provider: { id: providerId },
      // Their list of Products has changed.
      events: { 'product.deleted': [id], 'resource.changed': linking.map(one => one.id) },
    })
  })
}

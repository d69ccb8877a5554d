import type { Creation, NewResource } from '../../db/setup/new-resource.ts'
import { insertResources, linkNewProducts } from '../../db/setup/resources.ts'
import type { Pending } from '../../lib/batcher.ts'
import { channelKeys } from '../../rules/offers/channels.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

/**
 * New Resources that arrive at the same moment share a transaction, which is most of what each would cost.
 * Returns null for those that were not created; their callers retry alone to get the reason.
 */
export const createResourceBatch =
  (service: Service) =>
  async (group: Pending<NewResource, Creation>[]): Promise<void> => {
    const made = await makeAll(
      service,
      group.map(one => one.item),
    ).catch(() => [])
    const free = new Map(made.map(one => [keyOf(one.providerId, one.reference), one]))
    for (const { item, resolve } of group) {
      const key = keyOf(item.provider.id, item.values.reference)
      resolve(free.get(key) ?? null)
      // If two requests in the batch use the same reference, only one creates it.
      free.delete(key)
    }
  }

const keyOf = (providerId: number, reference: string) => `${providerId} ${reference}`

function makeAll(service: Service, wanted: NewResource[]) {
  const byKey = new Map(wanted.toReversed().map(one => [keyOf(one.provider.id, one.values.reference), one]))
  const values = [...byKey.values()].map(one => ({ ...one.values, providerId: one.provider.id }))
  return service.db.transaction(async tx => {
    const rows = await insertResources(tx, values, channelKeys)
    const made = rows.map(row => ({ ...row, ...byKey.get(keyOf(row.providerId, row.reference))! }))
    const eventBatches = made.map(({ id, actor, provider }) => ({
      actor,
      provider,
      events: { 'resource.created': [id] },
    }))
    await tx.last(Promise.all([linkNewProducts(tx, made), recordEvents(tx, service, eventBatches)]))
    return made.map(({ id, uuid, providerId, reference }) => ({ id, uuid, providerId, reference }))
  })
}

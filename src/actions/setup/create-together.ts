import { insertResources, linkNewProducts } from '../../db/setup/resources.ts'
import type { Creation, WantedResource } from '../../db/setup/wanted-resource.ts'
import type { Asked } from '../../lib/gathering.ts'
import { channelKeys } from '../../rules/offers/channels.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'

/**
 * New Resources that come at the same moment are one transaction: most of what each of them costs is what a transaction and its
 * statements cost. Null for those that were not made; whoever asked tries alone, and is told why not.
 */
export const createTogether =
  (service: Service) =>
  async (group: Asked<WantedResource, Creation>[]): Promise<void> => {
    const made = await makeAll(
      service,
      group.map(one => one.item),
    ).catch(() => [])
    const free = new Map(made.map(one => [keyOf(one.providerId, one.reference), one]))
    for (const { item, resolve } of group) {
      const key = keyOf(item.provider.id, item.values.reference)
      resolve(free.get(key) ?? null)
      // Two asked for the same: one of them made it.
      free.delete(key)
    }
  }

const keyOf = (providerId: number, reference: string) => `${providerId} ${reference}`

function makeAll(service: Service, wanted: WantedResource[]) {
  const byKey = new Map(wanted.toReversed().map(one => [keyOf(one.provider.id, one.values.reference), one]))
  const values = [...byKey.values()].map(one => ({ ...one.values, providerId: one.provider.id }))
  return service.db.transaction(async tx => {
    const rows = await insertResources(tx, values, channelKeys)
    const made = rows.map(row => ({ ...row, ...byKey.get(keyOf(row.providerId, row.reference))! }))
    const stories = made.map(({ id, actor, provider }) => ({
      actor,
      provider,
      news: { 'resource.created': [id] },
    }))
    await tx.last(Promise.all([linkNewProducts(tx, made), happened(tx, service, stories)]))
    return made.map(({ id, uuid, providerId, reference }) => ({ id, uuid, providerId, reference }))
  })
}

import { Batcher, type Pending } from '../../lib/batcher.ts'
import type { Db } from '../base/pool.ts'
import { findProviders, type ProviderRow } from './providers.ts'
import { findResourcesOf, type ResourceRecord } from './resources.ts'

type ProviderName = { crmId: number; provider: string }
type ResourceName = ProviderName & { resource: string }
export type NamedResource = { provider: ProviderRow | null; resource: ResourceRecord | null }

/** Resolves references in API requests; concurrent lookups share one round trip. */
export class ReferenceLookup {
  private readonly db: Db
  private readonly providers = new Batcher<ProviderName, ProviderRow | null>(group =>
    this.findProviders(group),
  )
  private readonly resources = new Batcher<ResourceName, NamedResource>(group => this.findResources(group))

  constructor(db: Db) {
    this.db = db
  }

  provider(crmId: number, provider: string): Promise<ProviderRow | null> {
    return this.providers.add({ crmId, provider })
  }

  /** Includes its Provider. */
  resource(crmId: number, provider: string, resource: string): Promise<NamedResource> {
    return this.resources.add({ crmId, provider, resource })
  }

  private async findProviders(group: Pending<ProviderName, ProviderRow | null>[]) {
    await Promise.all(
      [...Map.groupBy(group, one => one.item.crmId)].map(async ([crmId, lookups]) => {
        const references = lookups.map(one => one.item.provider)
        const found = byReference(await findProviders(this.db, crmId, unique(references)))
        for (const { item, resolve } of lookups) resolve(found.get(item.provider) ?? null)
      }),
    )
  }

  private async findResources(group: Pending<ResourceName, NamedResource>[]) {
    const byProvider = Map.groupBy(group, ({ item }) => `${item.crmId} ${item.provider}`)
    await this.db.together(db =>
      Promise.all(
        [...byProvider.values()].map(async lookups => {
          const { crmId, provider: name } = lookups[0]!.item
          const references = lookups.map(one => one.item.resource)
          const [[provider = null], resources] = await Promise.all([
            findProviders(db, crmId, [name]),
            findResourcesOf(db, crmId, name, unique(references)),
          ])
          const found = byReference(resources)
          for (const { item, resolve } of lookups)
            resolve({ provider, resource: found.get(item.resource) ?? null })
        }),
      ),
    )
  }
}

const unique = (references: string[]) => [...new Set(references)]

const byReference = <Row extends { reference: string }>(rows: Row[]) =>
  new Map(rows.map(row => [row.reference, row]))

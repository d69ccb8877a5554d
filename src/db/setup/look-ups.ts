import { type Asked, Gathering } from '../../lib/gathering.ts'
import type { Db } from '../base/pool.ts'
import { findProviders, type ProviderRow } from './providers.ts'
import { findResourcesOf, type ResourceRecord } from './resources.ts'

type ProviderName = { crmId: number; provider: string }
type ResourceName = ProviderName & { resource: string }
export type NamedResource = { provider: ProviderRow | null; resource: ResourceRecord | null }

/** Finds what calls of integrators name: what many of them ask in the same moment is one round trip. */
export class LookUps {
  private readonly db: Db
  private readonly providers = new Gathering<ProviderName, ProviderRow | null>(group =>
    this.findProviders(group),
  )
  private readonly resources = new Gathering<ResourceName, NamedResource>(group => this.findResources(group))

  constructor(db: Db) {
    this.db = db
  }

  provider(crmId: number, provider: string): Promise<ProviderRow | null> {
    return this.providers.add({ crmId, provider })
  }

  /** Together with its Provider. */
  resource(crmId: number, provider: string, resource: string): Promise<NamedResource> {
    return this.resources.add({ crmId, provider, resource })
  }

  private async findProviders(group: Asked<ProviderName, ProviderRow | null>[]) {
    await Promise.all(
      [...Map.groupBy(group, one => one.item.crmId)].map(async ([crmId, asked]) => {
        const references = asked.map(one => one.item.provider)
        const found = byReference(await findProviders(this.db, crmId, unique(references)))
        for (const { item, resolve } of asked) resolve(found.get(item.provider) ?? null)
      }),
    )
  }

  private async findResources(group: Asked<ResourceName, NamedResource>[]) {
    const byProvider = Map.groupBy(group, ({ item }) => `${item.crmId} ${item.provider}`)
    await this.db.together(db =>
      Promise.all(
        [...byProvider.values()].map(async asked => {
          const { crmId, provider: name } = asked[0]!.item
          const references = asked.map(one => one.item.resource)
          const [[provider = null], resources] = await Promise.all([
            findProviders(db, crmId, [name]),
            findResourcesOf(db, crmId, name, unique(references)),
          ])
          const found = byReference(resources)
          for (const { item, resolve } of asked)
            resolve({ provider, resource: found.get(item.resource) ?? null })
        }),
      ),
    )
  }
}

const unique = (references: string[]) => [...new Set(references)]

const byReference = <Row extends { reference: string }>(rows: Row[]) =>
  new Map(rows.map(row => [row.reference, row]))

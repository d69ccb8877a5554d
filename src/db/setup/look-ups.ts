import { type Asked, Gathering } from '../../lib/gathering.ts'
import type { Queryable } from '../base/pool.ts'
import { findProviders, type ProviderRow } from './providers.ts'
import { findResources, type ResourceRecord } from './resources.ts'

type Named = { ownerId: number; reference: string }
type Find<Row> = (db: Queryable, ownerId: number, references: string[]) => Promise<Row[]>

/** Finds what calls of integrators name: what many of them ask in the same moment is one question. */
export class LookUps {
  private readonly providers: Gathering<Named, ProviderRow | null>
  private readonly resources: Gathering<Named, ResourceRecord | null>

  constructor(db: Queryable) {
    this.providers = new Gathering(group => answer(db, group, findProviders))
    this.resources = new Gathering(group => answer(db, group, findResources))
  }

  provider(crmId: number, reference: string): Promise<ProviderRow | null> {
    return this.providers.add({ ownerId: crmId, reference })
  }

  resource(providerId: number, reference: string): Promise<ResourceRecord | null> {
    return this.resources.add({ ownerId: providerId, reference })
  }
}

async function answer<Row extends { reference: string }>(
  db: Queryable,
  group: Asked<Named, Row | null>[],
  find: Find<Row>,
) {
  const byOwner = Map.groupBy(group, one => one.item.ownerId)
  const answering = [...byOwner].map(async ([ownerId, asked]) => {
    const references = [...new Set(asked.map(one => one.item.reference))]
    const found = new Map((await find(db, ownerId, references)).map(row => [row.reference, row]))
    for (const { item, resolve } of asked) resolve(found.get(item.reference) ?? null)
  })
  await Promise.all(answering)
}

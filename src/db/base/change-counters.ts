import sql from 'sql-template-tag'
import type { Queryable } from './pool.ts'

/**
 * A counter that changes whenever anything at the Resources of these Providers changes. Providers without
 * Resources are absent.
 */
export async function changeCounters(db: Queryable, providerIds: number[]): Promise<Map<number, string>> {
  if (providerIds.length === 0) return new Map()
  const rows = await db.query<{ providerId: number; pulse: string }>(sql`
    select provider_id, sum(revision)::text as pulse from resource
    where provider_id = any (${providerIds}::bigint[]) group by provider_id
  `)
  const found = new Map(rows.map(row => [row.providerId, row.pulse]))
  return new Map(providerIds.map(id => [id, found.get(id) ?? '0']))
}

export const changeCounter = async (db: Queryable, providerId: number): Promise<string> =>
  (await changeCounters(db, [providerId])).get(providerId)!

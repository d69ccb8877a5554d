import sql from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import type { Queryable } from '../base/pool.ts'

export type MyProvider = {
  id: number
  uuid: string
  reference: string
  name: string
  crm: string
  timeZone: string
  language: Language
  isSuspended: boolean
}

/** For the Provider switch in the console; operators see the first thousand by name and search for others. */
export async function listMyProviders(db: Queryable, ids: number[] | null): Promise<MyProvider[]> {
  const whose = ids === null ? sql`true` : sql`provider.id = any (${ids}::bigint[])`
  return db.query<MyProvider>(sql`
    select provider.id, provider.uuid, provider.reference, provider.name, crm.name as crm,
      provider.time_zone, provider.language, coalesce(suspended_until > clock_timestamp(), false) as is_suspended
    from provider join crm on crm.id = provider.crm_id
    where ${whose} order by provider.name, provider.id limit 1000
  `)
}

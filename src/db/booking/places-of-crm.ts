import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

/** The Resources of a CRM that anyone may book, for its own agents. */
export async function placesOfCrm(db: Queryable, crmId: number) {
  return db.query<{ ref: string; name: string; business: string }>(sql`
    select resource.uuid::text as ref, resource.public_name as name, provider.name as business
    from (select id, name from provider where crm_id = ${crmId} offset 0) as provider
    cross join lateral (
      select id, uuid, public_name from resource
      where provider_id = provider.id and deleted_at is null and not archived offset 0
    ) as resource
    cross join lateral (
      select from channel where resource_id = resource.id and key = 'RESOURCE_PUBLIC' and visible offset 0
    ) as open
    order by provider.id, resource.id limit 100
  `)
}

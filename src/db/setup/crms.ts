import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import { beginningsOf } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'

export type Crm = { id: number; name: string; language: Language | null }

export async function ensureCrm(db: Queryable, name: string, language: Language | null = null) {
  const rows = await db.query<Crm & { created: boolean }>(sql`
    with made as (
      insert into crm (name, language) values (${name}, ${language}) on conflict (name) do nothing
      returning id, name, language
    )
    select *, true as created from made
    union all
    select id, name, language, false from crm where name = ${name}
    limit 1
  `)
  // Two instances start at once: the second insert does nothing, and its snapshot does not include the first
  // one's row.
  return rows[0] ?? { ...(await findCrm(db, name))!, created: false }
}

/** Whether the installation has been used. */
export const hasCrm = (db: Queryable) => db.any(sql`select from crm limit 1`)

export const findCrm = (db: Queryable, name: string) =>
  db.first<Crm>(sql`select id, name, language from crm where name = ${name}`)

type CrmSummary = Crm & { providers: number; keys: number; isSuspended: boolean; movedTo: string | null }

type CrmFilter = { id?: number | null; search?: string; limit?: number | null }

/** By name. `search`: beginnings of words. */
export async function listCrms(
  db: Queryable,
  { id = null, search = '', limit = null }: CrmFilter = {},
): Promise<CrmSummary[]> {
  const words = beginningsOf(search)
  const isWanted =
    id !== null ? sql`id = ${id}` : words ? sql`name_words(name) @@ ${words}::tsquery` : sql`true`
  return db.query<CrmSummary>(sql`
    select id, name, language, coalesce(suspended_until > clock_timestamp(), false) as is_suspended, moved_to,
      (select count(*) from provider where crm_id = crm.id and deleted_at is null) as providers,
      (select count(*) from api_key where crm_id = crm.id and revoked_at is null) as keys
    from (select * from crm where ${isWanted} order by name limit ${limit}) as crm order by name
  `)
}

export const findCrmById = (db: Queryable, id: number) =>
  db.first<Crm>(sql`select id, name, language from crm where id = ${id}`)

// A reference given by a consumer is looked up in one CRM only, so that no tenant can disturb or take over
// another's names: the CRM after the last at sign, if any, else the first CRM to have used the name.

/**
 * The id of that CRM. `wanted` has the name as `text` and the part after its last at sign as `platform`;
 * `bearers` are provider_id and created_at of all rows that ever had the name.
 */
export const namedCrm = (namedRows: Sql): Sql => sql`coalesce(
  (select id from crm where name = wanted.platform),
  (select crm_id from provider where id = (
    select provider_id from (${namedRows} offset 0) as bearer order by created_at, provider_id limit 1
  ))
)`

/** Whether the Provider belongs to that CRM. */
export const isOfCrm = (providerId: Sql, crm: Sql): Sql =>
  sql`(select crm_id from provider where id = ${providerId}) = ${crm}`

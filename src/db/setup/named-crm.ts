import sql, { type Sql } from 'sql-template-tag'

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

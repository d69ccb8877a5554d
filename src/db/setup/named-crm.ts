import sql, { type Sql } from 'sql-template-tag'

// What consumers name by a reference is looked for in one CRM only, so that no tenant can disturb or inherit a name of
// another's: the CRM that the name ends with, if there is one, else the one that had the name first.

/**
 * The id of that CRM. `wanted` has the name as `text` and what stands behind its last at sign as `platform`; `bearers` are
 * the provider_id and created_at of all that ever had the name.
 */
export const namedCrm = (bearers: Sql): Sql => sql`coalesce(
  (select id from crm where name = wanted.platform),
  (select crm_id from provider where id = (
    select provider_id from (${bearers} offset 0) as bearer order by created_at, provider_id limit 1
  ))
)`

/** Does the row of this Provider belong to that CRM? */
export const isOfCrm = (providerId: Sql, crm: Sql): Sql =>
  sql`(select crm_id from provider where id = ${providerId}) = ${crm}`

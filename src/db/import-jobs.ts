import sql, { type Sql } from 'sql-template-tag'
import { addJobs, requestJobs } from './base/job-requests.ts'
import type { Queryable } from './base/queryable.ts'

type Key = { providerId: number; id: number }

const jobOf = (from: Sql) => ({
  kind: sql`'import'`,
  payload: sql`json_build_object('providerId', provider_id, 'id', id)`,
  from,
  key: sql`'import:' || id`,
  isBulk: sql`true`,
})

/** Continues in a worker. A job of the same import that runs already is followed by another one. */
export const queueImport = (tx: Queryable, { providerId, id }: Key) =>
  requestJobs(tx, jobOf(sql`(select ${providerId}::bigint as provider_id, ${id}::bigint as id) as one`))

/** Creates the jobs of those in progress after a database was filled, or a CRM was resumed. */
export const queueImports = (tx: Queryable, crmId: number | null) =>
  addJobs(
    tx,
    jobOf(sql`(
      select provider_id, id from data_import where state in ('CHECKING', 'RUNNING', 'UNDOING')
      and (${crmId}::bigint is null or provider_id = any (array (select id from provider where crm_id = ${crmId})))
    ) as one`),
  )

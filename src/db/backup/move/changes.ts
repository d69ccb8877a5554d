import type pg from 'pg'
import type { Removal } from './apply.ts'
import type { MovedTable } from './columns.ts'
import { offsetOf, owned, stagingOf, type TenantSnapshot } from './stage.ts'

// Changes that triggers have tracked since the previous round. They make a round as fast as it has changes,
// however large the CRM is.

/** Ids of written and deleted rows by table, of all CRMs. */
export async function readChanges(source: pg.ClientBase, since: string): Promise<Map<string, string[]>> {
  const { rows } = await source.query<{ name: string; ids: string[] }>(
    `select table_name as name, array_agg(distinct row_id)::text[] as ids from tracked_change
     where xid >= $1::xid8 group by table_name`,
    [since],
  )
  return new Map(rows.map(({ name, ids }) => [name, ids]))
}

/**
 * Ids, as they are in the target, of rows that no longer exist or belong to another CRM: among the changed ones, or,
 * where everything was staged, among all. Tables without ids are staged completely and compared by their keys.
 */
export async function missingIds(
  target: pg.ClientBase,
  tables: MovedTable[],
  reading: TenantSnapshot,
  changes: Map<string, string[]> | null,
  targetCrmId: string,
): Promise<Removal[]> {
  const missing: Removal[] = []
  for (const table of tables.filter(one => one.hasId)) {
    const known = changes
      ? `select given + ${offsetOf(table, reading)} as id from unnest($1::bigint[]) as given`
      : `select id from "${table.name}" where ${owned(table, targetCrmId)}`
    const { rows } = await target.query<{ id: string }>(
      `select id::text from (${known}) as known
       where not exists (select from ${stagingOf(table)} staged where staged.id = known.id)`,
      changes ? [changes.get(table.name)] : [],
    )
    if (rows.length > 0) missing.push({ table, ids: rows.map(row => row.id) })
  }
  return missing
}

import type pg from 'pg'
import type { MovedTable } from './columns.ts'
import { offsetOf } from './removed.ts'
import { stagingOf, type TenantSnapshot } from './stage.ts'

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

/** Ids, as they are in the target, of changed rows that no longer exist or belong to another CRM. */
export async function missingIds(
  target: pg.ClientBase,
  tables: MovedTable[],
  reading: TenantSnapshot,
  changes: Map<string, string[]>,
): Promise<Map<MovedTable, string[]>> {
  const missing = new Map<MovedTable, string[]>()
  for (const table of tables) {
    const ids = changes.get(table.name)
    if (!ids) continue
    const { rows } = await target.query<{ id: string }>(
      `select id::text from unnest($1::bigint[]) as changed (given), lateral (select given + ${offsetOf(table, reading)}) as raised (id)
       where not exists (select from ${stagingOf(table)} staged where staged.id = raised.id)`,
      [ids],
    )
    if (rows.length > 0)
      missing.set(
        table,
        rows.map(row => row.id),
      )
  }
  return missing
}

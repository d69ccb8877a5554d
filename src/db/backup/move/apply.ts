import type pg from 'pg'
import type { MovedTable } from './columns.ts'
import { owned, stagingOf } from './stage.ts'

// Writes the staged rows into the target's tables. Removed rows go first, then changed rows release their
// unique values, then all rows are written. No intermediate state violates a constraint, whatever the
// original order of changes.

const foreignKeyViolation = '23503'

export type Removal = { table: MovedTable; ids: string[] }

/**
 * Temporary values for changed rows, so that other rows can take their time, person or name. Overwritten in
 * the same transaction.
 */
const vacating: Record<string, string> = {
  appointment: `state = 'CANCELLED'`,
  participation: `state = 'CANCELED', expires_at = null, placeholder = null, deleted_at = now()`,
  customer: 'user_id = null',
}

export async function applyStaged(
  target: pg.ClientBase,
  tables: MovedTable[],
  removals: Removal[],
  targetCrmId: string,
) {
  const later: Removal[] = []
  for (const removal of removals.toReversed())
    if (!(await removed(target, removal, targetCrmId))) later.push(removal)
  for (const table of tables.toReversed()) if (!table.hasId) await removeMissing(target, table, targetCrmId)
  for (const { name } of tables)
    if (vacating[name])
      await target.query(
        `update "${name}" set ${vacating[name]} where id in (select id from ${stagingOf({ name })})`,
      )
  for (const table of tables) await write(target, table)
  for (const { table, ids } of later) await remove(target, table, ids, targetCrmId)
}

/** Returns false if rows that are about to change still refer to it. */
async function removed(
  target: pg.ClientBase,
  { table, ids }: Removal,
  targetCrmId: string,
): Promise<boolean> {
  await target.query('savepoint removing')
  try {
    await remove(target, table, ids, targetCrmId)
    await target.query('release savepoint removing')
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== foreignKeyViolation) throw error
    await target.query('rollback to savepoint removing')
    return false
  }
}

const remove = (target: pg.ClientBase, table: MovedTable, ids: string[], crmId: string) =>
  target.query(`delete from "${table.name}" where ${owned(table, crmId)} and id = any ($1::bigint[])`, [ids])

/** Tables without ids are staged completely, so rows missing from the staging table were deleted. */
async function removeMissing(target: pg.ClientBase, table: MovedTable, crmId: string) {
  const { name, key } = table
  const match = key.map(column => `staged."${column}" = "${name}"."${column}"`).join(' and ')
  await target.query(
    `delete from "${name}" where ${owned(table, crmId)}
     ${match ? `and not exists (select from ${stagingOf(table)} staged where ${match})` : ''}`,
  )
}

async function write(target: pg.ClientBase, table: MovedTable) {
  const { name, columns, key, hasId } = table
  const list = columns.map(column => `"${column}"`).join(', ')
  // An id never changes, and PostgreSQL refuses to update one that it generates.
  const others = columns.filter(column => !key.includes(column) && !(hasId && column === 'id'))
  // As text, because values of the type json cannot be compared.
  const values = (from: string) => others.map(column => `${from}."${column}"::text`).join(', ')
  const onConflict =
    key.length === 0
      ? ''
      : others.length === 0 || name === 'event'
        ? 'on conflict do nothing'
        : `on conflict (${key.map(column => `"${column}"`).join(', ')}) do update
           set ${others.map(column => `"${column}" = excluded."${column}"`).join(', ')}
           where (${values('"target"')}) is distinct from (${values('excluded')})`
  await target.query(
    `insert into "${name}" as "target" (${list}) overriding system value
     select ${list} from ${stagingOf(table)} ${hasId ? 'order by id' : ''} ${onConflict}`,
  )
}

import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type MovedTable, movedColumns, type Shift } from './columns.ts'

// Reads changed rows from one snapshot of the source into temporary tables of the target.

export type Sides = { source: pg.ClientBase; target: pg.ClientBase }

export type TenantSnapshot = Shift & {
  crmId: number
  /** The target has all changes before this transaction, and later ones are tracked; null: everything is copied. */
  changedSince: string | null
}

export const stagingOf = (table: { name: string }) => `"incoming_${table.name}"`

const listOf = (columns: string[]) => columns.map(column => `"${column}"`).join(', ')

export const offsetOf = (table: MovedTable, { idOffset }: TenantSnapshot) =>
  table.hasRaisedId ? idOffset : '0'

export const owned = ({ isOwned }: MovedTable, crmId: number | string) =>
  isOwned.replaceAll('$1', String(crmId))

/** All rows, or those with these ids. Returns their number. */
export async function stage(
  { source, target }: Sides,
  table: MovedTable,
  reading: TenantSnapshot,
  ids: string[] | null,
): Promise<number> {
  const staging = stagingOf(table)
  const wanted = ids ? `one.id = any ('{${ids.join(',')}}'::bigint[])` : 'true'
  const rows = source.query(
    copyTo(
      `copy (select ${movedColumns(table, reading).join(', ')} from "${table.name}" one
        where ${owned(table, reading.crmId)} and ${wanted}) to stdout`,
    ),
  )
  const copy = target.query(copyFrom(`copy ${staging} (${listOf(table.columns)}) from stdin`))
  await pipeline(rows, copy)
  const count = copy.rowCount ?? 0
  if (count > few && table.key.length > 0)
    await target.query(`create index on ${staging} (${listOf(table.key)}); analyze ${staging}`)
  return count
}

/** Up to this many rows, an index does not help. */
const few = 200

/** One round trip for all tables, because the CRM may be closed meanwhile. */
export const prepareStaging = (target: pg.ClientBase, tables: MovedTable[]) =>
  target.query(
    tables
      .map(table => `create temp table ${stagingOf(table)} (like "${table.name}") on commit drop`)
      .join(';'),
  )

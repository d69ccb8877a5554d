import type { MovedTable } from './columns.ts'
import { owned, type Sides, stagingOf, type TenantSnapshot } from './stage.ts'

// Finds rows that were deleted in the source. Including the staged rows, the target has every row of the
// source and possibly more, so equal counts mean equal rows. Rows are counted in ranges of ids; only ranges
// that differ are compared.

const groupBits = 12

type Group = { name: string; group: string; count: string }

export const offsetOf = (table: MovedTable, { idOffset }: TenantSnapshot) =>
  table.hasRaisedId ? idOffset : '0'

const keyOf = ({ name, group }: Group) => `${name} ${group}`

/**
 * Ids by table, as they are in the target. Tables without ids are staged completely and need no comparison.
 */
export async function removedIds(
  sides: Sides,
  tables: MovedTable[],
  reading: TenantSnapshot,
  targetCrmId: string,
): Promise<Map<MovedTable, string[]>> {
  const counted = tables.filter(table => table.hasId)
  const [here, there] = await Promise.all([
    sides.source.query<Group>(counted.map(table => countHere(table, reading)).join(' union all ')),
    sides.target.query<Group>(
      counted.map(table => countThere(table, reading, targetCrmId)).join(' union all '),
    ),
  ])
  const expected = new Map(here.rows.map(one => [keyOf(one), one.count]))
  const differing = there.rows.filter(one => expected.get(keyOf(one)) !== one.count)
  const removed = new Map<MovedTable, string[]>()
  for (const [name, groups] of Map.groupBy(differing, one => one.name)) {
    const table = counted.find(one => one.name === name)!
    const ids = groups.map(one => one.group)
    removed.set(table, await compare(sides, table, reading, { groups: ids, targetCrmId }))
  }
  return removed
}

const countHere = (table: MovedTable, { crmId }: TenantSnapshot) => `
  select '${table.name}' as name, (id >> ${groupBits})::text as group, count(*)::text as count from "${table.name}"
  where ${owned(table, crmId)} group by 2`

/** Counts existing and staged rows. */
function countThere(table: MovedTable, reading: TenantSnapshot, targetCrmId: string): string {
  const { name, key } = table
  const group = `(id - ${offsetOf(table, reading)}) >> ${groupBits} as group_id`
  const match = key.map(column => `known."${column}" = staged."${column}"`).join(' and ')
  return `select '${name}', group_id::text, sum(count)::text from (
    select ${group}, count(*) from "${name}" where ${owned(table, targetCrmId)} group by 1
    union all
    select ${group}, count(*) from ${stagingOf(table)} staged
    where not exists (select from "${name}" known where ${match}) group by 1
  ) as counted group by 2`
}

async function compare(
  { source, target }: Sides,
  table: MovedTable,
  reading: TenantSnapshot,
  { groups, targetCrmId }: { groups: string[]; targetCrmId: string },
): Promise<string[]> {
  const offset = offsetOf(table, reading)
  const inGroups = (raised: string) => `(id - ${raised}) >> ${groupBits} = any ($1::bigint[])`
  const [kept, known] = await Promise.all([
    source.query<{ id: string }>(
      `select (id + ${offset})::text as id from "${table.name}" where ${owned(table, reading.crmId)} and ${inGroups('0')}`,
      [groups],
    ),
    target.query<{ id: string }>(
      `select id::text as id from "${table.name}" where ${owned(table, targetCrmId)} and ${inGroups(offset)}`,
      [groups],
    ),
  ])
  const stays = new Set(kept.rows.map(row => row.id))
  return known.rows.map(row => row.id).filter(id => !stays.has(id))
}

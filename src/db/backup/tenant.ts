import type pg from 'pg'
import { type Table, tablesToKeep } from './tables.ts'

// What belongs to one CRM: every table says so itself, by crm_id or by provider_id. Which other columns hold ids is known by their
// foreign keys: one that is given up for speed has to be named here, and in a version before.

/** Nobody's. */
const shared = ['event_era', 'kept_answer']

/** Sealed with the SECRET_KEY, or of a place in a log that is another one elsewhere: made anew, not taken along. */
const staysBehind = ['console_user', 'webhook', 'delivery', 'event_pruned']

const owners = new Map([
  ['crm_id', 'crm'],
  ['provider_id', 'provider'],
])

export type TenantTable = Table & {
  /** Which rows are of the CRM with the id $1. */
  isOwned: string
  /** Which table the ids in a column are of. */
  idsOf: Map<string, string>
  /** Whether its rows have an id of their own, counted here. */
  hasId: boolean
}

/** Those that others refer to first. */
export async function tenantTables(client: pg.ClientBase): Promise<TenantTable[]> {
  const all = (await tablesToKeep(client)).filter(table => !shared.includes(table.name))
  const { rows: keys } = await client.query<{ from: string; column: string; to: string; key: string }>(`
    select own.relname::text as from, own_column.attname::text as column, other.relname::text as to,
      other_column.attname::text as key
    from pg_constraint join pg_class own on own.oid = conrelid join pg_class other on other.oid = confrelid
    join pg_attribute own_column on own_column.attrelid = conrelid and own_column.attnum = conkey[1]
    join pg_attribute other_column on other_column.attrelid = confrelid and other_column.attnum = confkey[1]
    where contype = 'f' and connamespace = current_schema()::regnamespace`)
  const { rows: identities } = await client.query<{ name: string }>(
    `select attrelid::regclass::text as name from pg_attribute where attname = 'id' and attidentity <> ''`,
  )
  const counted = new Set(identities.map(one => one.name))
  /** A key may lead to a column that is a key itself. Whose a row is stands everywhere, and is not a key everywhere. */
  const tableOf = (table: string, column: string): string | null => {
    const owner = owners.get(column)
    if (owner) return owner
    const found = keys.find(one => one.from === table && one.column === column)
    if (!found) return null
    return found.key === 'id' ? found.to : tableOf(found.to, found.key)
  }
  return all.map(table => ({
    ...table,
    isOwned: ownership(table),
    idsOf: new Map(
      table.columns.flatMap(column => {
        const of = tableOf(table.name, column)
        return of ? [[column, of] as const] : []
      }),
    ),
    hasId: counted.has(table.name),
  }))
}

/** Events come last: they speak of rows of all others, and no key says so. */
export const travelling = (tables: TenantTable[]) =>
  tables
    .filter(table => !staysBehind.includes(table.name))
    .toSorted((one, other) => Number(one.name === 'event') - Number(other.name === 'event'))

function ownership({ name, columns }: Table): string {
  if (name === 'crm') return 'id = $1'
  if (name === 'console_user')
    return '(crm_id = $1 or user_id in (select id from app_user where crm_id = $1))'
  if (columns.includes('crm_id')) return 'crm_id = $1'
  if (columns.includes('provider_id')) return 'provider_id in (select id from provider where crm_id = $1)'
  throw new Error(
    `Nobody knows which rows of ${name} belong to a CRM: it has neither crm_id nor provider_id.`,
  )
}

export type Counts = Record<string, number>

/** How much there is of a CRM, table by table. */
export async function countTenant(client: pg.ClientBase, crmId: number): Promise<Counts> {
  const counts: Counts = {}
  for (const { name, isOwned } of await tenantTables(client)) {
    const { rows } = await client.query(`select count(*)::int as count from "${name}" where ${isOwned}`, [
      crmId,
    ])
    counts[name] = rows[0].count
  }
  return counts
}

/** All of it or nothing. What waits to be sent finds no mail any more, and ends. */
export async function deleteTenant(client: pg.ClientBase, crmId: number): Promise<Counts> {
  const counts: Counts = {}
  await client.query('begin')
  try {
    for (const { name, isOwned } of (await tenantTables(client)).toReversed())
      counts[name] = (await client.query(`delete from "${name}" where ${isOwned}`, [crmId])).rowCount ?? 0
    await client.query('commit')
    return counts
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

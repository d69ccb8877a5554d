import type pg from 'pg'
import { type Table, tablesToKeep } from './tables.ts'

// The tables of one CRM, recognised by a crm_id or provider_id column. Foreign keys show which other columns
// hold ids: a key that is dropped for speed must be listed here, one version earlier.

/** Tables that belong to no CRM. */
const shared = ['event_era', 'kept_answer']

/**
 * Not exported: encrypted with the SECRET_KEY, links of this installation, positions in the event log of the source, or
 * imported files, which are kept for days.
 */
const notExported = [
  'console_user',
  'invitation',
  'webhook',
  'delivery',
  'event_pruned',
  'crm_origin',
  'crm_departure',
  'calendar_source',
  'calendar_check',
  'busy_span',
  'calendar_mirror',
  'mirror_entry',
  'data_import',
  'data_import_line',
]

const owners = new Map([
  ['crm_id', 'crm'],
  ['provider_id', 'provider'],
])

/** Columns that hold ids without a foreign key. */
const unchecked = new Map([['busy_span.resource_id', 'resource']])

export type TenantTable = Table & {
  /** A condition for the rows of the CRM with the id $1. */
  isOwned: string
  /** For each column that holds ids, the table they refer to. */
  idsOf: Map<string, string>
  /** Whether its rows have a generated id. */
  hasId: boolean
}

/** Referenced tables first. */
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
  /**
   * A foreign key may lead to a column that is a foreign key itself. Ownership columns exist in every table
   * but are not foreign keys everywhere.
   */
  const tableOf = (table: string, column: string): string | null => {
    const owner = owners.get(column) ?? unchecked.get(`${table}.${column}`)
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

/** Events come last: they refer to rows of all other tables, without foreign keys. */
export const exportedTables = (tables: TenantTable[]) =>
  tables
    .filter(table => !notExported.includes(table.name))
    .toSorted((one, other) => Number(one.name === 'event') - Number(other.name === 'event'))

function ownership({ name, columns }: Table): string {
  if (name === 'crm') return 'id = $1'
  if (name === 'console_user')
    return '(crm_id = $1 or user_id in (select id from app_user where crm_id = $1))'
  if (columns.includes('crm_id')) return 'crm_id = $1'
  if (columns.includes('provider_id')) return 'provider_id in (select id from provider where crm_id = $1)'
  throw new Error(`Cannot tell which rows of ${name} belong to a CRM: it has neither crm_id nor provider_id.`)
}

export type Counts = Record<string, number>

/** The number of rows of a CRM by table. */
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

/**
 * The slug, or one with a number if another Provider of the database has it: slugs are unique per installation. `incoming`: a table
 * with the slugs that arrive together.
 */
export const freeSlug = (slug: string, id: string, incoming: string) => `(
  select candidate from (
    select ${slug} as candidate, 1 as n
    union all
    select left(${slug}, 56) || '-' || n, n from generate_series(2, 999) as n
  ) as candidates
  where not exists (
    select from provider as other
    where other.id <> ${id} and (other.slug = candidate or other.former_slugs @> array[candidate])
  ) and (n = 1 or not exists (select from ${incoming} as arriving where arriving.slug = candidate))
  order by n limit 1
)`

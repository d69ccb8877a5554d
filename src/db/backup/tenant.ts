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

/** Referenced tables first. Events come last: they refer to rows of all other tables, without foreign keys. */
export async function tenantTables(client: pg.ClientBase): Promise<TenantTable[]> {
  const all = (await tablesToKeep(client))
    .filter(table => !shared.includes(table.name))
    .toSorted((one, other) => Number(one.name === 'event') - Number(other.name === 'event'))
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

export const exportedTables = (tables: TenantTable[]) =>
  tables.filter(table => !notExported.includes(table.name))

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

/** SQL expressions: the Provider that arrives. */
type Arriving = { id: string; crmId: string }

/**
 * Whether the name leads to another business or Resource of the database: as its slug, a former one, or, in another CRM, its
 * reference. Nothing that arrives takes such a name over.
 */
const isOthers = (name: string, { id, crmId }: Arriving) => `(
  exists (
    select from provider as other
    where other.id <> ${id} and (other.slug = ${name} or other.former_slugs @> array[${name}])
  ) or exists (
    select from provider as other where other.reference = ${name} and other.crm_id <> ${crmId} and other.deleted_at is null
  ) or exists (
    select from resource as other join provider as owner on owner.id = other.provider_id
    where other.reference = ${name} and owner.crm_id <> ${crmId} and other.deleted_at is null
  )
)`

/** The slug, or one with a number if it leads elsewhere. `incoming`: a table with the slugs that arrive together. */
export const freeSlug = (slug: string, arriving: Arriving, incoming: string) => `(
  select candidate from (
    select ${slug} as candidate, 1 as n
    union all
    select left(${slug}, 56) || '-' || n, n from generate_series(2, 999) as n
  ) as candidates
  where not ${isOthers('candidate', arriving)}
  and (n = 1 or not exists (select from ${incoming} as arriving where arriving.slug = candidate))
  order by n limit 1
)`

/** The former slugs that lead nowhere else, as an array. */
export const freeFormerSlugs = (slugs: string, arriving: Arriving) => `array (
  select former.slug from unnest(${slugs}) with ordinality as former (slug, position)
  where not ${isOthers('former.slug', arriving)} order by former.position
)`

/** A booking page's address that is another after an import; `to` is null if the former address of one is lost. */
export type ChangedAddress = { from: string; to: string | null }

type Addresses = { uuid: string; slug: string | null; formerSlugs: string[] }

export async function addressesOf(client: pg.ClientBase, crmName: string): Promise<Addresses[]> {
  const { rows } = await client.query<Addresses>(
    `select provider.uuid, slug, former_slugs as "formerSlugs" from provider join crm on crm.id = crm_id where crm.name = $1 order by provider.id`,
    [crmName],
  )
  return rows
}

export function changedAddresses(before: Addresses[], after: Addresses[]): ChangedAddress[] {
  const byUuid = new Map(after.map(one => [one.uuid, one]))
  return before.flatMap(one => {
    const now = byUuid.get(one.uuid)
    if (!now) return []
    const renamed = one.slug !== null && one.slug !== now.slug ? [{ from: one.slug, to: now.slug }] : []
    const lost = one.formerSlugs.filter(slug => !now.formerSlugs.includes(slug))
    return [...renamed, ...lost.map(from => ({ from, to: null }))]
  })
}

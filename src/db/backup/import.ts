import type pg from 'pg'
import { StartError } from '../../lib/start-error.ts'
import { queryableOf } from '../base/queryable.ts'
import { readApplied } from '../base/schema-version.ts'
import { queueCancellations } from '../cancellations.ts'
import { queueMailsOf } from '../mails.ts'
import { type TenantFoot, type TenantHead, tenantFormat } from './export.ts'
import {
  addressesOf,
  type ChangedAddress,
  type Counts,
  changedAddresses,
  exportedTables,
  freeFormerSlugs,
  freeSlug,
  type TenantTable,
  tenantTables,
} from './tenant.ts'

/** The table of an event's subject, where its name differs from the first word of the event kind. */
const subjectTables = {
  user: 'app_user',
  staff: 'app_user',
  profile: 'contact_profile',
  key: 'api_key',
  settings: 'resource',
  waiting: 'waiting_entry',
}

export type Imported = { counts: Counts; addresses: ChangedAddress[] }

/** Imports an exported CRM in one transaction. Uuids and references stay the same; ids are new. */
export async function importTenant(client: pg.ClientBase, lines: AsyncIterable<string>): Promise<Imported> {
  await client.query('begin')
  try {
    await client.query(`
      create temp table incoming (seq bigint generated always as identity, of text, row jsonb) on commit drop;
      create temp table moved (of text, old bigint, new bigint, primary key (of, old)) on commit drop;
      create function pg_temp.moved_to(of text, old text) returns bigint language sql as
        'select new from moved where moved.of = $1 and moved.old = $2::bigint'`)
    await importRows(client, lines)
    await client.query('create index on incoming (of, seq)')
    const counts: Counts = {}
    for (const table of exportedTables(await tenantTables(client)))
      counts[table.name] = await place(client, table)
    const { rows } = await client.query(`select new, name from moved join crm on id = new where of = 'crm'`)
    const tx = queryableOf(client)
    const crmId = Number(rows[0].new)
    await queueMailsOf(tx, crmId)
    await queueCancellations(tx, crmId)
    const sent = await client.query(
      `select row ->> 'uuid' as uuid, row ->> 'slug' as slug, ${formerSlugs} as "formerSlugs"
       from incoming where of = 'provider' order by seq`,
    )
    const addresses = changedAddresses(sent.rows, await addressesOf(client, rows[0].name))
    await client.query('commit')
    return { counts, addresses }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw explainConflict(error)
  }
}

const atOnce = 500

async function importRows(client: pg.ClientBase, lines: AsyncIterable<string>) {
  let head: TenantHead | null = null
  let waiting: string[] = []
  let count = 0
  const flush = async () => {
    await client.query(
      `insert into incoming (of, row) select value ->> 'table', value -> 'row' from unnest($1::text[]) with ordinality
       as sent (line, number) cross join lateral (select line::jsonb as value) as read order by number`,
      [waiting],
    )
    count += waiting.length
    waiting = []
  }
  for await (const line of lines) {
    if (head === null) head = await checkHead(client, line)
    else if (line.startsWith('{"end":')) {
      await flush()
      if ((JSON.parse(line) as TenantFoot).rows !== count) throw new StartError('The export is not whole.')
      return
    } else if (waiting.push(line) >= atOnce) await flush()
  }
  throw new StartError('The export is not whole: its last line is missing.')
}

async function checkHead(client: pg.ClientBase, line: string): Promise<TenantHead> {
  const head = parsed(line)
  if (head?.format !== tenantFormat.format || head.formatVersion !== tenantFormat.formatVersion)
    throw new StartError('This is no export of a CRM that this program can read.')
  const here = (await readApplied(client as unknown as pg.Pool)).at(-1)!
  if (here.checksum !== head.migration.checksum)
    throw new StartError(
      `The export is of migration ${head.migration.name}, this database of ${here.name}. Bring both to the same version first.`,
    )
  const { rows } = await client.query('select from crm where name = $1', [head.crm])
  if (rows.length > 0) throw new StartError(`There is a CRM ${head.crm} here already.`)
  return head
}

function parsed(line: string): TenantHead | null {
  try {
    return JSON.parse(line) as TenantHead
  } catch {
    return null
  }
}

async function place(client: pg.ClientBase, table: TenantTable): Promise<number> {
  const { name, columns, hasId, idsOf } = table
  if (hasId)
    await client.query(
      `insert into moved select of, (row ->> 'id')::bigint,
         nextval(pg_get_serial_sequence($1, 'id')::regclass) from incoming where of = $1 order by seq`,
      [name],
    )
  const changes = [
    ...[...idsOf].map(([column, of]) => `'${column}', pg_temp.moved_to('${of}', row ->> '${column}')`),
    ...(hasId ? [`'id', pg_temp.moved_to('${name}', row ->> 'id')`] : []),
    ...(special[name] ?? []),
  ]
  const list = columns.map(column => `"${column}"`).join(', ')
  const { rowCount } = await client.query(
    `insert into "${name}" (${list}) overriding system value
     select ${columns.map(column => `one."${column}"`).join(', ')}
     from (select * from incoming where of = $1 order by seq offset 0) as incoming
     cross join lateral jsonb_populate_record(null::"${name}", row || jsonb_build_object(${changes.join(', ')})) as one
     order by seq`,
    [name],
  )
  return rowCount ?? 0
}

/** Nothing of the CRM is there before its Providers. */
const unknown = { id: '0', crmId: '0' }
const formerSlugs = `array (select jsonb_array_elements_text(row -> 'former_slugs'))`

/** References that no foreign key declares. */
const special: Record<string, string[]> = {
  crm: [`'suspended_until', null, 'moved_to', null`],
  provider: [
    `'slug', ${freeSlug(`(row ->> 'slug')`, unknown, `(select one.row ->> 'slug' as slug from incoming as one where of = 'provider')`)}`,
    `'former_slugs', to_jsonb(${freeFormerSlugs(formerSlugs, unknown)})`,
  ],
  channel: [
    `'product_ids', case when jsonb_typeof(row -> 'product_ids') = 'array' then (
       select coalesce(jsonb_agg(pg_temp.moved_to('product', id)), '[]') from jsonb_array_elements_text(row -> 'product_ids') id) end`,
  ],
  waiting_entry: [
    `'resource_ids', case when jsonb_typeof(row -> 'resource_ids') = 'array' then (
       select coalesce(jsonb_agg(pg_temp.moved_to('resource', id)), '[]') from jsonb_array_elements_text(row -> 'resource_ids') id) end`,
  ],
  // Counted up to an id; counted again here with the next booking.
  appointment: [`'counted_to', null, 'counted_places', null, 'counted_people', null`],
  mail: [`'batch', null`, `'data_of', pg_temp.moved_to('mail', row ->> 'data_of')`],
  event: [
    `'era', (select max(number) from event_era)`,
    `'xid', pg_current_xact_id()::text`,
    `'subject', pg_temp.moved_to(coalesce('${JSON.stringify(subjectTables)}'::jsonb ->> split_part(row ->> 'kind', '.', 1),
       split_part(row ->> 'kind', '.', 1)), row ->> 'subject')`,
  ],
}

/** Email addresses and user names of Users are unique per installation, so an import can conflict. */
function explainConflict(error: unknown): unknown {
  const { code, detail, table } = error as { code?: string; detail?: string; table?: string }
  if (code !== '23505') return error
  return new StartError(`Nothing was imported: another ${table} here has the same. ${detail ?? ''}`)
}

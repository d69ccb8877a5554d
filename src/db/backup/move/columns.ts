import type pg from 'pg'
import { eraStep } from '../../events.ts'
import { type TenantTable, tenantTables } from '../tenant.ts'

// How rows of a CRM are converted for the target: ids are raised by an offset that keeps them unique there,
// and events are placed before all events of the target (placeHere() in db/events.ts).

export type MovedTable = TenantTable & {
  key: string[]
  /** Event ids are positions in a log and stay the same; all other ids are raised. */
  hasRaisedId: boolean
}

/** Tables in which each installation records its own moves. */
const ownNotes = ['crm_origin', 'crm_departure']

export async function movedTables(client: pg.ClientBase): Promise<MovedTable[]> {
  const { rows } = await client.query<{ name: string; key: string[] }>(
    `select relname::text as name, array(
       select attname::text from pg_attribute where attrelid = indrelid and attnum = any (indkey)
     ) as key
     from pg_index join pg_class on pg_class.oid = indrelid
     where indisprimary and relnamespace = current_schema()::regnamespace`,
  )
  const keys = new Map(rows.map(({ name, key }) => [name, key]))
  const tables = (await tenantTables(client)).filter(table => !ownNotes.includes(table.name))
  return tables.map(table => ({
    ...table,
    key: keys.get(table.name) ?? [],
    hasRaisedId: table.hasId && table.name !== 'event',
  }))
}

export type Shift = { idOffset: string; eraBase: number }

/** SQL expressions for the values of a row in the target. */
export function movedColumns(table: MovedTable, shift: Shift): string[] {
  const special = specialColumns(shift)
  return table.columns.map(column => {
    const name = `one."${column}"`
    const other = special.get(`${table.name}.${column}`)
    if (other) return other
    const isId = table.idsOf.has(column) || (column === 'id' && table.hasRaisedId)
    return isId ? `${name} + ${shift.idOffset}` : name
  })
}

function specialColumns({ idOffset, eraBase }: Shift): Map<string, string> {
  const raised = (column: string) => `one."${column}" + ${idOffset}`
  const each = (column: string) =>
    `case when one."${column}" = '{}' then one."${column}" else
       (select array_agg(id + ${idOffset} order by place) from unnest(one."${column}") with ordinality as ids (id, place)) end`
  const packed = (era: string, xid: string) =>
    `case when one."${era}" = 0 then one."${xid}" else
       ((one."${xid}"::text::numeric + (one."${era}" + ${eraBase})::numeric * ${eraStep})::text)::xid8 end`
  const firstEra = (era: string) => `case when one."${era}" is not null then 0 end`
  return new Map([
    ['crm.suspended_until', `'infinity'::timestamptz`],
    ['crm.moved_to', 'null::text'],
    // Counted again in the target.
    ['appointment.counted_to', 'null::bigint'],
    ['appointment.counted_places', 'null::integer'],
    ['appointment.counted_people', 'null::integer'],
    ['channel.product_ids', each('product_ids')],
    ['waiting_entry.resource_ids', each('resource_ids')],
    ['mail.batch', each('batch')],
    ['staff.resource_ids', each('resource_ids')],
    ['mail.data_of', raised('data_of')],
    ['event.era', firstEra('era')],
    ['event.xid', packed('era', 'xid')],
    ['event.subject', raised('subject')],
    ['event_pruned.era', firstEra('era')],
    ['event_pruned.xid', packed('era', 'xid')],
    ['delivery.era', firstEra('era')],
    ['delivery.xid', packed('era', 'xid')],
    ['webhook.provider_ids', each('provider_ids')],
    ['webhook.after_era', firstEra('after_era')],
    ['webhook.after_xid', packed('after_era', 'after_xid')],
    [
      'webhook.retries',
      `(select jsonb_agg(each || jsonb_build_object('era', 0, 'xid', case when (each ->> 'era')::int = 0 then each ->> 'xid'
         else ((each ->> 'xid')::numeric + ((each ->> 'era')::int + ${eraBase})::numeric * ${eraStep})::text end) order by number)
       from jsonb_array_elements(one."retries") with ordinality as waiting (each, number))`,
    ],
    ['webhook.worked_until', `'-infinity'::timestamptz`],
    ['calendar_check.worked_until', `'-infinity'::timestamptz`],
    ['calendar_mirror.worked_until', `'-infinity'::timestamptz`],
  ])
}

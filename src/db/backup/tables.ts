import type pg from 'pg'
import type { Db } from '../base/pool.ts'

/** Sessions, workers, requested jobs, rate counters and the request log: short-lived and not worth a backup. */
const shortLived = [
  'rate_window',
  'worker_heartbeat',
  'job_request',
  'console_session',
  'login_link',
  'cluster_timeline',
  'write_probe',
  'outgoing_pause',
  'tracked_change',
  'waiting_scan',
  'api_request',
  'report_day',
]

/** Created by the program, or stored in the header of the file. */
const notInRows = ['migration', 'secret_fingerprint']

const leftOut = [...shortLived, ...notInRows]

export type Table = { name: string; columns: string[] }

/** All tables to back up, referenced ones first. */
export async function tablesToKeep(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(
    `select relname::text as name,
      array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
      ) as columns,
      array(
        select other.relname::text from pg_constraint join pg_class as other on other.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
      ) as needs
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> all ($1)
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname`,
    [leftOut],
  )
  return inOrder(rows).map(({ name, columns }) => ({ name, columns }))
}

function inOrder<T extends { name: string; needs: string[] }>(tables: T[]): T[] {
  const byName = new Map(tables.map(table => [table.name, table]))
  const done = new Set<T>()
  const visit = (table: T, path: string[]) => {
    if (path.includes(table.name))
      throw new Error(`Tables refer to each other in a circle: ${[...path, table.name].join(', ')}.`)
    if (done.has(table)) return
    for (const name of table.needs) if (byName.has(name)) visit(byName.get(name)!, [...path, table.name])
    done.add(table)
  }
  for (const table of tables) visit(table, [])
  return [...done]
}

export type Counter = { table: string; column: string; value: string }

/** The sequence values: ids of deleted rows must not be reused, because events still refer to them. */
export async function readCounters(client: pg.ClientBase, tables: Table[]): Promise<Counter[]> {
  const { rows } = await client.query<Counter>(
    `select relname::text as table, attname::text as column,
      pg_sequence_last_value(pg_get_serial_sequence(quote_ident(relname), attname)::regclass)::text as value
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relname = any ($1) and attidentity <> '' and not attisdropped`,
    [tables.map(table => table.name)],
  )
  return rows.filter(row => row.value !== null)
}

export async function setCounters(client: pg.ClientBase, counters: Counter[]) {
  for (const { table, column, value } of counters)
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2)::regclass, $3::bigint)', [
      table,
      column,
      value,
    ])
}

/** Deletes everything that a backup would contain, and the jobs. For sandboxes only. Ids are not used again. */
export async function emptyDatabase({ pool }: Db) {
  const client = await pool.connect()
  try {
    const tables = await tablesToKeep(client)
    const names = tables.map(({ name }) => `"${name}"`).filter(name => !name.startsWith('"event_'))
    await client.query('begin')
    await client.query(`truncate ${names.join(', ')} cascade`)
    await client.query('delete from job_request')
    await client.query(
      'select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where locked_at is null))',
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { lockNotAvailable } from '../base/postgres-errors.ts'
import { type TenantTable, tenantTables } from './tenant.ts'

// The fence: triggers that refuse writes to suspended CRMs (fence_tenant() in the migrations). While a CRM is being moved, other
// triggers track which rows are written (track_change()). Both cost every write a little, so they are switched on only when needed.

/** The first half of the advisory lock that every fenced write shares; the CRM's id is the second. */
const lockClass = 1_212_563_524
/** The second half for commands that switch the fence on or off. */
const commands = 0

/**
 * In these tables, deliveries in progress may still record their results. No new deliveries start while the
 * CRM is suspended.
 */
const events: Record<string, string> = { mail: 'insert', webhook: 'insert or delete' }
const unfenced = ['delivery', 'crm_origin', 'crm_departure']

/**
 * Longer than deadlock_timeout (one second), after which PostgreSQL cancels an autovacuum that blocks the
 * lock.
 */
const lockTimeout = '3s'

/** Exempts this session from the fence. */
export const passFence = (client: pg.ClientBase) =>
  client.query(`select set_config('holdfast.fence', 'off', false)`)

type Kind = 'fence' | 'track'

export async function raiseFence(client: pg.ClientBase) {
  await alone(client, async () => {
    const tables = (await tenantTables(client)).filter(table => !unfenced.includes(table.name))
    await switchOn(client, 'fence', tables)
  })
}

/** Every row of these tables that is written from now on is tracked. Returns whether all were before. */
export function startTracking(client: pg.ClientBase, tables: TenantTable[]): Promise<boolean> {
  return alone(client, () =>
    switchOn(
      client,
      'track',
      tables.filter(table => table.hasId),
    ),
  )
}

/** Keeps the fence while another CRM needs it. */
export async function lowerFence(client: pg.ClientBase) {
  await alone(client, async () => {
    const { rowCount } = await client.query('select from crm_departure limit 1')
    if (!rowCount) await switchOff(client, 'fence')
  })
  await stopTracking(client)
}

/** Continues to track while another CRM is being moved. */
export async function stopTracking(client: pg.ClientBase) {
  await alone(client, async () => {
    const { rowCount } = await client.query('select from crm_departure where left_at is null limit 1')
    if (rowCount) return
    await switchOff(client, 'track')
    await retryOnLockTimeout(client, 'truncate tracked_change')
  })
}

/** Returns whether it was on everywhere. */
async function switchOn(client: pg.ClientBase, kind: Kind, tables: TenantTable[]): Promise<boolean> {
  const states = await triggerStates(client, kind)
  const off = tables.filter(table => states.get(table.name) !== 'O')
  for (const table of off) {
    const statement = states.has(table.name) ? switching(table.name, kind, 'enable') : creating[kind](table)
    await retryOnLockTimeout(client, statement)
  }
  return off.length === 0
}

async function switchOff(client: pg.ClientBase, kind: Kind) {
  for (const [table, state] of await triggerStates(client, kind))
    if (state !== 'D') await retryOnLockTimeout(client, switching(table, kind, 'disable'))
}

/** Waits for transactions that wrote to the CRM before it was suspended. Returns false on timeout. */
export async function waitForWriters(client: pg.ClientBase, crmId: number, until: number): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1, ($2::bigint % 2147483647)::integer) as locked',
      [lockClass, crmId],
    )
    if (rows[0]!.locked) {
      await client.query('select pg_advisory_unlock($1, ($2::bigint % 2147483647)::integer)', [
        lockClass,
        crmId,
      ])
      return true
    }
    if (performance.now() > until) return false
    await pause(10)
  }
}

/** Blocks all fenced writes to the CRM until the transaction ends. */
export const holdOffWriters = (client: pg.ClientBase, crmId: number) =>
  client.query('select pg_advisory_xact_lock($1, ($2::bigint % 2147483647)::integer)', [lockClass, crmId])

const creating: Record<Kind, (table: TenantTable) => string> = {
  fence({ name, columns }) {
    const column = name === 'crm' ? 'id' : columns.includes('crm_id') ? 'crm_id' : 'provider_id'
    return `create trigger fence after ${events[name] ?? 'insert or update or delete'} on "${name}"
      for each row execute function fence_tenant('${column}')`
  },
  track: ({ name }) =>
    `create trigger track after insert or update or delete on "${name}"
      for each row execute function track_change()`,
}

const switching = (table: string, kind: Kind, how: 'enable' | 'disable') =>
  `alter table "${table}" ${how} trigger ${kind}`

async function triggerStates(client: pg.ClientBase, kind: Kind): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; state: string }>(
    `select relname::text as name, tgenabled::text as state from pg_trigger join pg_class on pg_class.oid = tgrelid
     where tgname = $1 and relnamespace = current_schema()::regnamespace`,
    [kind],
  )
  return new Map(rows.map(({ name, state }) => [name, state]))
}

/**
 * The table lock waits for running transactions and blocks later ones, so it times out soon and is retried.
 */
async function retryOnLockTimeout(client: pg.ClientBase, statement: string) {
  for (;;)
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = '${lockTimeout}'`)
      await client.query(statement)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if ((error as { code?: string }).code !== lockNotAvailable) throw error
      await pause(200)
    }
}

/** Ensures that only one command at a time moves or deletes a CRM. The lock ends with the session. */
export async function claimTenant(client: pg.ClientBase, crmId: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1, (-1 - $2::bigint % 2147483647)::integer) as locked',
    [lockClass, crmId],
  )
  return rows[0]!.locked
}

async function alone<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('select pg_advisory_lock($1, $2)', [lockClass, commands])
  try {
    return await work()
  } finally {
    await client.query('select pg_advisory_unlock($1, $2)', [lockClass, commands]).catch(() => {})
  }
}

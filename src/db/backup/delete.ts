import type pg from 'pg'
import { StartError } from '../../lib/start-error.ts'
import { claimTenant, lowerFence, passFence, raiseFence, waitForWriters } from './fence.ts'
import { type Counts, type TenantTable, tenantTables } from './tenant.ts'

const atOnce = 5000

/**
 * Deletes a CRM in small transactions. The CRM is suspended and fenced first, so requests in progress fail
 * and no new ones start. An interrupted run can be repeated. Jobs for its emails find no email and end.
 */
export async function deleteTenant(
  client: pg.ClientBase,
  crmId: number,
  progress: (table: string, count: number) => void,
): Promise<Counts> {
  await passFence(client)
  if (!(await claimTenant(client, crmId)))
    throw new StartError('Another command is moving or deleting this CRM.')
  await client.query(
    `insert into crm_departure (crm_id, move, target) values ($1, gen_random_uuid(), 'deleted')
     on conflict (crm_id) do nothing`,
    [crmId],
  )
  await client.query(`update crm set suspended_until = 'infinity' where id = $1`, [crmId])
  await raiseFence(client)
  await waitForWriters(client, crmId, Number.POSITIVE_INFINITY)
  const counts: Counts = {}
  // The row that marks the deletion in progress is deleted together with the CRM.
  const tables = (await tenantTables(client)).filter(table => table.name !== 'crm_departure')
  for (const table of tables.toReversed()) {
    counts[table.name] = await empty(client, table, crmId, count => progress(table.name, count))
  }
  await lowerFence(client)
  return counts
}

async function empty(
  client: pg.ClientBase,
  { name, isOwned }: TenantTable,
  crmId: number,
  progress: (count: number) => void,
): Promise<number> {
  let total = 0
  for (;;) {
    const { rowCount } = await client.query(
      `delete from "${name}" where ctid = any (array (select ctid from "${name}" where ${isOwned} limit ${atOnce}))`,
      [crmId],
    )
    total += rowCount ?? 0
    if (!rowCount || rowCount < atOnce) return total
    progress(total)
  }
}

import type { Db } from '../base/pool.ts'
import { tablesToKeep } from './tables.ts'

/** Deletes everything that a backup would contain, and the jobs. For sandboxes only. Ids are not used again. */
export async function emptyDatabase({ pool }: Db) {
  const client = await pool.connect()
  try {
    const tables = await tablesToKeep(client)
    const names = tables.map(({ name }) => `"${name}"`).filter(name => !name.startsWith('"event_'))
    await client.query('begin')
    await client.query(`truncate ${names.join(', ')} cascade`)
    await client.query('delete from graphile_worker._private_jobs where locked_at is null')
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

import type pg from 'pg'
import sql from 'sql-template-tag'
import type { Queryable } from './queryable.ts'
import { tablesWithoutRights } from './rights.ts'
import { type Fit, readFit } from './schema-version.ts'

export type State = {
  fit: Fit
  isReadOnly: boolean
  /** How long the oldest job that should have run by now has been waiting. */
  oldestJobSeconds: number
}

/** What can be known about the database in a moment, on a connection of its own. */
export const readState = (probe: pg.Pool): Promise<State> => twice(() => ask(probe))

/** Asked before it: without them there may be no state to read. */
export const readMissingRights = (probe: pg.Pool): Promise<string[]> =>
  twice(() => tablesWithoutRights(probe))

/** A connection that nobody used for a while may lead to a host that is gone: only the second failure counts. */
const twice = <T>(ask: () => Promise<T>): Promise<T> => ask().catch(ask)

async function ask(probe: pg.Pool): Promise<State> {
  const fit = await readFit(probe)
  const { rows } = await probe.query<Omit<State, 'fit'>>(sql`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly", (
      select greatest(0, coalesce(extract(epoch from now() - min(run_at)), 0))::float8
      from graphile_worker.jobs where run_at < now() and locked_at is null and attempts < max_attempts
    ) as "oldestJobSeconds"
  `)
  return { fit, ...rows[0]! }
}

/** Which PostgreSQL it is, as in 180001, and whether it can be written to. */
export async function askServer(db: Queryable): Promise<{ version: number; isReadOnly: boolean }> {
  const [server] = await db.query<{ version: number; isReadOnly: boolean }>(sql`
    select current_setting('server_version_num')::int as version,
      current_setting('transaction_read_only') = 'on' as is_read_only
  `)
  return server!
}

import type pg from 'pg'
import sql from 'sql-template-tag'
import { jobsAndRequests } from './job-requests.ts'
import { tablesWithoutRights } from './missing-rights.ts'
import type { Queryable } from './queryable.ts'
import { type Fit, readFit } from './schema-version.ts'

export type State = {
  fit: Fit
  isReadOnly: boolean
  /** Age of the oldest job that is due. */
  oldestJobSeconds: number
}

/** Database state that can be read quickly, on a separate connection. */
export const readState = (probe: pg.Pool): Promise<State> => retryOnce(() => ask(probe))

/** Checked first: without these rights the state may be unreadable. */
export const readMissingRights = (probe: pg.Pool): Promise<string[]> =>
  retryOnce(() => tablesWithoutRights(probe))

/** An idle connection may lead to a host that is gone, so only the second failure counts. */
const retryOnce = <T>(ask: () => Promise<T>): Promise<T> => ask().catch(ask)

async function ask(probe: pg.Pool): Promise<State> {
  const fit = await readFit(probe)
  const { rows } = await probe.query<Omit<State, 'fit'>>(sql`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly", (
      select greatest(0, coalesce(extract(epoch from now() - min(run_at)), 0))::float8
      from ${fit.kind === 'behind' ? sql`graphile_worker.jobs` : jobsAndRequests} where run_at < now() and locked_at is null and attempts < max_attempts
    ) as "oldestJobSeconds"
  `)
  return { fit, ...rows[0]! }
}

/** PostgreSQL's version, as in 180001, and whether it is writable. */
export const readServer = (db: Queryable) =>
  db.one<{ version: number; isReadOnly: boolean }>(sql`
    select current_setting('server_version_num')::int as version,
      current_setting('transaction_read_only') = 'on' as is_read_only
  `)

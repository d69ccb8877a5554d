import sql, { empty, type Sql } from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

// Jobs are written as requests, in the transaction that needs them. The queue's own functions notify its workers,
// and PostgreSQL commits transactions that notify one after the other, so a request is handed to the queue after the commit: many
// at once, in one statement that also deletes them. See job-hand-over.ts.

/** Jobs that come by the thousand have this flag, which some workers do not take, and come last. */
export const bulkFlag = 'bulk'
const bulkPriority = 10

/** One job for each row of `from`; the others are expressions of its columns. */
type Jobs = {
  kind: Sql
  /** As json. */
  payload: Sql
  from?: Sql
  /** At once, unless stated otherwise. */
  runAt?: Sql
  maxAttempts?: number
  /** Allows one waiting job: the latest request replaces it. */
  key?: Sql
  isBulk?: Sql
}

const columns = sql`priority, kind, payload, run_at, max_attempts, key, flags`

const rowsOf = ({ kind, payload, from, runAt, maxAttempts, key, isBulk = sql`false` }: Jobs) => sql`
  select (case when ${isBulk} then ${bulkPriority} else 0 end)::smallint as priority, (${kind})::text as kind, ${payload} as payload,
    ${runAt ?? sql`now()`} as run_at, ${maxAttempts ?? null}::smallint as max_attempts, (${key ?? sql`null`})::text as key,
    case when ${isBulk} then array[${bulkFlag}]::text[] end as flags
  ${from ? sql`from ${from}` : empty}
`

const requesting = new WeakSet<Sql>()

/** Whether this statement requests jobs, which are handed over after its commit. */
export const requestsJobs = (statement: Sql): boolean => requesting.has(statement)

/** `before`: a `with` clause that `from` refers to. */
export async function requestJobs(tx: Queryable, jobs: Jobs, before: Sql = empty) {
  const statement = sql`${before} insert into job_request (${columns}) ${rowsOf(jobs)}`
  requesting.add(statement)
  await tx.query(statement)
}

/**
 * Without a request: for databases that no service may be running on, and for what an operator starts again, which a
 * worker may begin before a request is handed over.
 */
export async function addJobs(tx: Queryable, jobs: Jobs, before: Sql = empty) {
  await tx.query(sql`${before} ${addToQueue(rowsOf(jobs))}`)
}

const addToQueue = (rows: Sql) => sql`
  select count(*) as added from (
    select array_agg(row(kind, payload, null, run_at, max_attempts, key, priority, flags)::graphile_worker.job_spec) as specs
    from (${rows}) as requests having count(*) > 0
  ) as wanted, graphile_worker.add_jobs(specs)
`

/**
 * Deletes requests and adds their jobs, in one statement: each request becomes a job exactly once. Those that
 * another instance is handing over are skipped. Returns the number of requests.
 */
export const handOverRequests = (db: Queryable, limit: number) =>
  db.value<number>(sql`
    with taken as (
      delete from job_request where ctid = any (array (
        select ctid from job_request order by priority, id limit ${limit} for update skip locked
      )) returning id, ${columns}
    ), added as (
      -- The latest of each key: the queue refuses a key twice in one call.
      ${addToQueue(sql`select distinct on (coalesce(key, id::text)) * from taken order by coalesce(key, id::text), id desc`)}
    )
    select (select count(*) from taken) as taken from added
  `)

/** Jobs of the queue and requests, as columns that both have. */
export const jobsAndRequests = sql`(
  select task_identifier as kind, key, run_at, locked_at, attempts, max_attempts from graphile_worker.jobs
  union all
  select kind, key, run_at, null, 0, 1 from job_request
) as job`

import sql from 'sql-template-tag'
import { deliveryJobs } from '../../rules/messages/messages.ts'
import { jobsAndRequests } from './job-requests.ts'
import type { Queryable } from './pool.ts'

const deadAfter = sql`interval '15 seconds'`

export async function recordHeartbeat(db: Queryable, poolIds: string[]) {
  await db.query(sql`
    insert into worker_heartbeat (worker_id, seen_at) select id, now() from unnest(${poolIds}::text[]) id
    on conflict (worker_id) do update set seen_at = excluded.seen_at
  `)
  await db.query(sql`delete from worker_heartbeat where seen_at < now() - interval '1 hour'`)
}

/** Unlocks the jobs of workers without a recent heartbeat. Returns the number of such workers. */
export async function releaseStaleJobs(db: Queryable): Promise<number> {
  const dead = await db.column<string>(sql`
    select distinct locked_by from graphile_worker.jobs
    where locked_at < now() - ${deadAfter} and locked_by not in (
      select worker_id from worker_heartbeat where seen_at > now() - ${deadAfter}
    )
  `)
  if (dead.length > 0) await db.query(sql`select graphile_worker.force_unlock_workers(${dead}::text[])`)
  return dead.length
}

type FailedJob = {
  id: string
  task: string
  attempts: number
  most: number
  error: string
  runAt: number
  createdAt: number
}

/** The job kinds that workers of this version run. */
const jobKinds = [
  ...deliveryJobs,
  'tidy',
  'remind',
  'extend-hours',
  'purge',
  'import',
  'cancel',
  'prepare-reports',
] as const

export type JobKind = (typeof jobKinds)[number]

/** Jobs that failed at least once and are not done, and jobs of unknown kinds, which no worker would ever take; abandoned ones first. */
export const listFailedJobs = (db: Queryable, limit: number) =>
  db.query<FailedJob>(sql`
    select id::text as id, task_identifier as task, attempts, max_attempts as most,
      coalesce(last_error, 'No worker of this version knows this kind of job.') as error, run_at, created_at
    from graphile_worker.jobs where last_error is not null or task_identifier <> all (${jobKinds}::text[])
    order by attempts >= max_attempts desc, id desc limit ${limit}
  `)

/** Runs the job now, with all its attempts. False if it is gone or already running. */
export const runJobAgain = (db: Queryable, id: string) =>
  db.any(sql`
    select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)
  `)

/** Deletes a job. A job with waiting emails is kept, because they would never be sent. */
export async function removeJob(db: Queryable, id: string): Promise<'removed' | 'has emails' | 'not found'> {
  const hasEmails = await db.value<boolean | null>(sql`
    select exists (
      select from mail as first join mail on mail.id = any (coalesce(first.batch, array[first.id]))
      where first.id = substr(job.key, 6)::bigint and mail.state = 'queued'
    ) as has_emails from graphile_worker.jobs as job
    where job.id = ${id}::bigint and job.key like 'mail:%'
  `)
  if (hasEmails) return 'has emails'
  const isRemoved = await db.any(sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`)
  return isRemoved ? 'removed' : 'not found'
}

type Queue = { waiting: number; failed: number; oldestSeconds: number }
export type TaskQueue = Queue & { name: string }

const counts = sql`
  count(*) filter (where attempts < max_attempts) as waiting,
  count(*) filter (where attempts >= max_attempts) as failed,
  coalesce(extract(epoch from now() - min(run_at) filter (
    where run_at < now() and locked_at is null and attempts < max_attempts
  )), 0)::float8 as oldest_seconds
`

export const readQueue = (db: Queryable) => db.one<Queue>(sql`select ${counts} from ${jobsAndRequests}`)

/** The same for each task that has jobs. */
export const readQueueByTask = (db: Queryable) =>
  db.query<TaskQueue>(sql`
    select kind as name, ${counts} from ${jobsAndRequests} group by kind order by kind
  `)

export const readDatabase = (db: Queryable) =>
  db.one<{ version: string; bytes: number }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes
  `)

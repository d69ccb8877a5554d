import sql from 'sql-template-tag'
import type { Queryable } from './pool.ts'

const deadAfter = sql`interval '15 seconds'`

export async function leaveSignOfLife(db: Queryable, poolIds: string[]) {
  await db.query(sql`
    insert into worker_heartbeat (worker_id, seen_at) select id, now() from unnest(${poolIds}::text[]) id
    on conflict (worker_id) do update set seen_at = excluded.seen_at
  `)
  await db.query(sql`delete from worker_heartbeat where seen_at < now() - interval '1 hour'`)
}

/** Unlocks the jobs of workers that have not been seen for a while. Returns the number of such workers. */
export async function handOnJobsOfTheDead(db: Queryable): Promise<number> {
  const rows = await db.query<{ dead: string[] | null }>(sql`
    select array_agg(distinct locked_by) as dead from graphile_worker.jobs
    where locked_at < now() - ${deadAfter} and locked_by not in (
      select worker_id from worker_heartbeat where seen_at > now() - ${deadAfter}
    )
  `)
  const dead = rows[0]?.dead ?? []
  if (dead.length > 0) await db.query(sql`select graphile_worker.force_unlock_workers(${dead}::text[])`)
  return dead.length
}

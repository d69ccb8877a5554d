import sql from 'sql-template-tag'
import type { Queryable } from './pool.ts'

/** Counts one more in the current window of this bucket. */
export async function countHit(db: Queryable, bucket: string, windowSeconds: number) {
  const rows = await db.query<{ hits: number; secondsLeft: number }>(sql`
    insert into rate_window (bucket, window_start, hits)
    values (${bucket}, to_timestamp(floor(extract(epoch from app_now()) / ${windowSeconds}::int) * ${windowSeconds}::int), 1)
    on conflict (bucket, window_start) do update set hits = rate_window.hits + 1
    returning hits, extract(epoch from window_start + make_interval(secs => ${windowSeconds}::int) - app_now())::float8
      as "secondsLeft"
  `)
  return rows[0]!
}

/** Windows that have passed. */
export async function forgetOldHits(db: Queryable) {
  await db.query(sql`delete from rate_window where window_start < app_now() - interval '1 hour'`)
}

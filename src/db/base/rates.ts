import sql from 'sql-template-tag'
import type { Queryable } from './pool.ts'

export type Bucket = { name: string; windowSeconds: number }
export type Hits = { name: string; hits: number; windowAge: number }

/** Counts one more in the current window of each bucket. In one order for all: nobody waits for whoever waits for them. */
export async function countHits(db: Queryable, buckets: Bucket[]): Promise<Hits[]> {
  return db.query<Hits>(sql`
    insert into rate_window (bucket, window_start, hits)
    select name, to_timestamp(floor(extract(epoch from app_now()) / seconds) * seconds), 1
    from unnest(${buckets.map(one => one.name)}::text[], ${buckets.map(one => one.windowSeconds)}::int[])
      as wanted (name, seconds)
    order by name
    on conflict (bucket, window_start) do update set hits = rate_window.hits + 1
    returning bucket as name, hits, extract(epoch from app_now() - window_start)::float8 as "windowAge"
  `)
}

/** Windows that have passed, the longest of which are an hour long. */
export async function forgetOldHits(db: Queryable) {
  await db.query(sql`delete from rate_window where window_start < app_now() - interval '2 hours'`)
}

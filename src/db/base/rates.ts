import sql from 'sql-template-tag'
import type { Queryable } from './pool.ts'
import { refusedByCount } from './postgres-errors.ts'

type Bucket = { name: string; windowSeconds: number }
export type Limit = Bucket & { most: number }

/** Counts one more hit in the current window of the bucket. */
export const countHits = (db: Queryable, { name, windowSeconds }: Bucket) =>
  db.one<{ hits: number; windowAge: number }>(sql`
    insert into rate_window (bucket, window_start, hits)
    values (${name}, window_of(${windowSeconds}), 1)
    on conflict (bucket, window_start) do update set hits = rate_window.hits + 1
    returning hits, extract(epoch from app_now() - window_start)::float8 as window_age
  `)

/** Takes one hit back from the current window of each bucket. */
export async function refundHits(db: Queryable, names: string[], windowSeconds: number) {
  await db.query(sql`
    update rate_window set hits = hits - 1
    where bucket = any (${names}::text[]) and window_start = window_of(${windowSeconds}) and hits > 0
  `)
}

/** Counts several buckets. Throws if one is full; the transaction then changes nothing. */
export async function countOrRefuse(tx: Queryable, limits: Limit[]) {
  await tx.query(sql`
    select count_or_refuse(${limits.map(one => one.name)}::text[], ${limits.map(one => one.windowSeconds)}::int[],
      ${limits.map(one => one.most)}::int[])
  `)
}

/** Seconds until the full bucket has room again; null for any other error. */
export function secondsToWait(error: unknown): number | null {
  const { code, detail } = (error ?? {}) as { code?: string; detail?: string }
  return code === refusedByCount ? Math.max(1, Number(detail)) : null
}

/** Deletes past windows; the longest lasts an hour. */
export async function deleteOldHits(db: Queryable) {
  await db.query(sql`delete from rate_window where window_start < app_now() - interval '2 hours'`)
}

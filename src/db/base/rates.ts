import sql from 'sql-template-tag'
import type { Queryable } from './pool.ts'
import { refusedByCount } from './postgres-errors.ts'

type Bucket = { name: string; windowSeconds: number }
export type Limit = Bucket & { most: number }

/** Counts one more in the current window of the bucket. */
export async function countHits(
  db: Queryable,
  { name, windowSeconds }: Bucket,
): Promise<{ hits: number; windowAge: number }> {
  const rows = await db.query<{ hits: number; windowAge: number }>(sql`
    insert into rate_window (bucket, window_start, hits)
    values (${name}, window_of(${windowSeconds}), 1)
    on conflict (bucket, window_start) do update set hits = rate_window.hits + 1
    returning hits, extract(epoch from app_now() - window_start)::float8 as window_age
  `)
  return rows[0]!
}

/** The same for several, or an error where one of them is full: then the transaction counts and changes nothing. */
export async function countOrRefuse(tx: Queryable, limits: Limit[]) {
  await tx.query(sql`
    select count_or_refuse(${limits.map(one => one.name)}::text[], ${limits.map(one => one.windowSeconds)}::int[],
      ${limits.map(one => one.most)}::int[])
  `)
}

/** How long whoever ran into a full bucket has to wait; null for any other error. */
export function secondsToWait(error: unknown): number | null {
  const { code, detail } = (error ?? {}) as { code?: string; detail?: string }
  return code === refusedByCount ? Math.max(1, Number(detail)) : null
}

/** Windows that have passed, the longest of which are an hour long. */
export async function forgetOldHits(db: Queryable) {
  await db.query(sql`delete from rate_window where window_start < app_now() - interval '2 hours'`)
}

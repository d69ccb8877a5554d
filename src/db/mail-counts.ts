import sql from 'sql-template-tag'
import { jobsAndRequests } from './base/job-requests.ts'
import type { Queryable } from './base/pool.ts'

// Counts recent emails. A month may have hundreds of thousands, but the count of a past day does not change,
// so each day is counted once. Only new and unsent emails are counted each time.

type Day = { day: number; count: number; firstId: number }

const days = 30
/** A transaction that starts on one day is committed by the end of the next. */
const unsettledDays = 2

const known = new WeakMap<Queryable, Map<number, Day>>()

type MailCounts = { lately: number; queued: number; failed: number; kept: number }

/** Today and the 30 days before, in UTC. */
export async function countMails(db: Queryable) {
  const today = await dayOf(db)
  const settled = await settledDays(db, today - days, today - unsettledDays)
  const before = settled.reduce((sum, one) => sum + one.count, 0)
  const firstId = settled.find(one => one.count > 0)?.firstId ?? null
  const { lately, queued, failed, kept } = await db.one<MailCounts>(sql`
    with lately as materialized (select id from mail where created_at >= ${startOf(today - unsettledDays + 1)}),
    first as materialized (select coalesce(${firstId}::bigint, (select min(id) from lately)) as id)
    select (select count(*) from lately) as lately,
      (${unsentSince('failed')}) as failed,
      (${unsentSince('kept')}) as kept,
      (select count(*) from mail where state = 'queued' and id >= (select id from first) and id = any (array (
        select unnest(coalesce(batch, array[id])) from mail where id = any (array (
          select substr(key, 6)::bigint from ${jobsAndRequests} where key like 'mail:%'
        ))
      ))) as queued
  `)
  return { queued, sent: before + lately - queued - failed - kept, failed, kept }
}

/**
 * Ordered like the index made for it: on an empty table, the planner would otherwise choose the index by
 * Provider.
 */
const unsentSince = (unsent: 'failed' | 'kept') => sql`
  select count(*) from (
    select from mail where unsent = ${unsent} and id >= (select id from first) order by id offset 0
  ) as unsent
`

const startOf = (day: number) => sql`to_timestamp(${day} * 86400::float8)`

const dayOf = (db: Queryable) =>
  db.value<number>(sql`select floor(date_part('epoch', app_now()) / 86400)::int as day`)

async function settledDays(db: Queryable, first: number, last: number): Promise<Day[]> {
  const counted = known.get(db) ?? new Map<number, Day>()
  known.set(db, counted)
  for (const day of counted.keys()) if (day < first) counted.delete(day)
  const missing = range(first, last).find(day => !counted.has(day))
  if (missing !== undefined) for (const one of await countDays(db, missing, last)) counted.set(one.day, one)
  return range(first, last).map(day => counted.get(day)!)
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

async function countDays(db: Queryable, first: number, last: number): Promise<Day[]> {
  const rows = await db.query<Day>(sql`
    select floor(date_part('epoch', created_at) / 86400)::int as day, count(*) as count, min(id) as first_id from mail
    where created_at >= ${startOf(first)} and created_at < ${startOf(last + 1)} group by 1 order by 1
  `)
  const found = new Map(rows.map(one => [one.day, one]))
  return range(first, last).map(day => found.get(day) ?? { day, count: 0, firstId: 0 })
}

import sql from 'sql-template-tag'
import type { Queryable } from './base/pool.ts'

// What is kept no longer than the operator wants. All of it walks a table by its primary key, a page at a time: no
// statement takes long, no index is there for this alone, and nobody waits.

const pageSize = 1000

type EmptiedPage = {
  /** Where to go on; null: nothing older is left. */
  next: number | null
  byCrm: { crmId: number; count: number }[]
}

/**
 * Forgets what mails said, and to whom; that there was one stays. One that still waits is left alone: it is
 * younger, or somebody has just sent it again.
 */
export async function emptyMails(
  db: Queryable,
  after: number,
  days: number,
  dryRun: boolean,
): Promise<EmptiedPage> {
  const emptied = dryRun
    ? sql`select crm_id from doomed`
    : sql`
      update mail set recipient = null, data = '{}', last_error = null from doomed where mail.id = doomed.id
      returning mail.crm_id
    `
  const rows = await db.query<EmptiedPage>(sql`
    with page as materialized (
      select id, crm_id, created_at < app_now() - make_interval(days => ${days}) as is_old,
        state <> 'queued' and recipient is not null as is_full
      from mail where id > ${after} order by id limit ${pageSize}
    ), doomed as materialized (
      select id, crm_id from page where is_old and is_full
    ), emptied as (${emptied})
    select (select max(id) from page having bool_and(is_old)) as next, coalesce((
      select jsonb_agg(jsonb_build_object('crmId', crm_id, 'count', count))
      from (select crm_id, count(*) as count from emptied group by crm_id) as counted
    ), '[]') as by_crm
  `)
  return rows[0]!
}

type Dormant = { id: number; providerId: number; reference: string }

type DormantPage = { next: number | null; dormant: Dormant[] }

/**
 * Customers who merely booked once and have had no Appointment for so long. Those whom the CRM or the console made or
 * accepted are theirs to erase.
 */
export async function dormantCustomers(db: Queryable, after: number, months: number): Promise<DormantPage> {
  const since = sql`app_now() - make_interval(months => ${months})`
  const rows = await db.query<Dormant & { isDormant: boolean }>(sql`
    select id, provider_id, reference, erased_at is null and not invited and created_at < ${since} and not exists (
      select from participation join appointment on appointment.id = appointment_id
      where (customer_id = page.id or (customer_id is null and participation.provider_id = page.provider_id
        and lower(participation.email) = lower(page.email))) and end_at > ${since}
    ) as is_dormant
    from (select * from customer where id > ${after} order by id limit ${pageSize}) as page
    order by id
  `)
  return {
    next: rows.length < pageSize ? null : rows.at(-1)!.id,
    dormant: rows.filter(row => row.isDormant),
  }
}

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from './base/pool.ts'

/** A suspended CRM keeps its data until it is resumed. */
const isSuspended = sql`coalesce(suspended_until > clock_timestamp(), false)`

// Deletes expired data. Each walk follows a primary key page by page, so no statement takes long, no extra
// index is needed, and no request waits.

const pageSize = 1000

/** Retention periods; null means forever, or for a CRM, the operator's setting. */
export type Retention = { mailDays: number | null; customerMonths: number | null }
export type CrmRetention = Retention & { id: number; name: string }

const columns = sql`
  id, name, retention_mail_days as mail_days, retention_customer_months as customer_months
`

export const listRetentions = (db: Queryable) =>
  db.query<CrmRetention>(sql`select ${columns} from crm order by name`)

export const findRetention = (db: Queryable, crmId: number) =>
  db.one<CrmRetention>(sql`select ${columns} from crm where id = ${crmId}`)

export const lockRetention = (tx: Queryable, crmId: number) =>
  tx.one<CrmRetention>(sql`select ${columns} from crm where id = ${crmId} for no key update`)

export async function updateRetention(tx: Queryable, { id, mailDays, customerMonths }: CrmRetention) {
  await tx.query(sql`
    update crm set retention_mail_days = ${mailDays}, retention_customer_months = ${customerMonths} where id = ${id}
  `)
}

type EmptiedPage = {
  /** Where to continue; null if nothing older is left. */
  next: number | null
  byCrm: { crmId: number; count: number }[]
}

/**
 * Deletes recipient and content of emails older than their CRM's setting or, without one, than `days`. The
 * row stays. Waiting emails are skipped: they are newer, or were just sent again. Nothing is deleted before
 * `shortest` days, so the walk ends there.
 */
export async function emptyMails(
  db: Queryable,
  after: number,
  { days, shortest, dryRun }: { days: number | null; shortest: number; dryRun: boolean },
): Promise<EmptiedPage> {
  const emptied = dryRun
    ? sql`select crm_id from doomed`
    : sql`
      update mail set recipient = null, data = '{}', last_error = null from doomed where mail.id = doomed.id
      returning mail.crm_id
    `
  return db.one<EmptiedPage>(sql`
    with page as materialized (
      select mail.id, crm_id, state <> 'queued' and recipient is not null and not ${isSuspended} as is_full,
        mail.created_at < app_now() - make_interval(days => coalesce(retention_mail_days, ${days}::int)) as is_old,
        mail.created_at < app_now() - make_interval(days => ${shortest}) as may_be_old
      from (select * from mail where id > ${after} order by id limit ${pageSize}) as mail
      left join crm on crm.id = crm_id
    ), doomed as materialized (
      select id, crm_id from page where is_old and is_full
    ), emptied as (${emptied})
    select (select max(id) from page having bool_and(may_be_old)) as next, coalesce((
      select jsonb_agg(jsonb_build_object('crmId', crm_id, 'count', count))
      from (select crm_id, count(*) as count from emptied group by crm_id) as counted
    ), '[]') as by_crm
  `)
}

type Dormant = { id: number; crmId: number; providerId: number; reference: string }

type DormantPage = { next: number | null; dormant: Dormant[] }

/**
 * Customers who only booked themselves, wait for nothing and have had no Appointment for as long as their
 * CRM's setting or, without one, for `months`. Customers created or accepted by the CRM or the console are not erased
 * automatically.
 */
export async function dormantCustomers(
  db: Queryable,
  after: number,
  months: number | null,
): Promise<DormantPage> {
  const page = sql`select * from customer where id > ${after} order by id limit ${pageSize}`
  const rows = await dormancy(db, page, months)
  return {
    next: rows.length < pageSize ? null : rows.at(-1)!.id,
    dormant: rows.filter(row => row.isDormant),
  }
}

/** Checked again under the Customer's lock. */
export async function isStillDormant(tx: Queryable, id: number, months: number | null): Promise<boolean> {
  const [row] = await dormancy(tx, sql`select * from customer where id = ${id}`, months)
  return row?.isDormant ?? false
}

const dormancy = (db: Queryable, customers: Sql, months: number | null) =>
  db.query<Dormant & { isDormant: boolean }>(sql`
    select page.id, crm_id, page.provider_id, page.reference,
      since is not null and not is_suspended and erased_at is null and not invited and page.created_at < since and not exists (
        select from participation join appointment on appointment.id = appointment_id
        where (customer_id = page.id or (customer_id is null and participation.provider_id = page.provider_id
          and lower(participation.email) = lower(page.email))) and end_at > since
      ) and not exists (
        select from waiting_entry where customer_id = page.id and (ended_at is null or ended_at > since)
      ) as is_dormant
    from (${customers}) as page
    join lateral (
      select crm.id as crm_id, ${isSuspended} as is_suspended,
        app_now() - make_interval(months => coalesce(retention_customer_months, ${months}::int)) as since
      from provider join crm on crm.id = provider.crm_id where provider.id = page.provider_id
    ) as setting on true
    order by page.id
  `)

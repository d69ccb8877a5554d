import sql, { join, type Sql } from 'sql-template-tag'
import { jobsAndRequests } from './base/job-requests.ts'
import type { Queryable } from './base/pool.ts'
import { type MailRow, type MailState, mailColumns } from './mails.ts'

// Email search. There may be millions, so each filter uses an index that leads to few rows; filters without
// an index match so many that the newest emails contain enough.

type MailFilter = {
  providerIds: number[] | null
  state?: MailState
  kind?: string
  to?: string
  before?: number
  limit: number
}

/**
 * Newest first; for the next page, `before` is the last id. The newest emails of each Provider are looked up
 * separately.
 */
export async function listMails(db: Queryable, filter: MailFilter): Promise<MailRow[]> {
  const { providerIds, to, limit } = filter
  if (providerIds === null) return db.query<MailRow>(newestMails(filter, null))
  // A recipient gets emails from few Providers. The sum keeps the planner from reading all emails of these
  // Providers.
  if (to !== undefined)
    return db.query<MailRow>(newestMails(filter, sql`provider_id + 0 = any (${providerIds}::bigint[])`))
  return db.query<MailRow>(sql`
    select mail.* from unnest(${providerIds}::bigint[]) as provider (id)
    cross join lateral (${newestMails(filter, sql`provider_id = provider.id`)}) as mail
    order by mail.id desc limit ${limit}
  `)
}

type SentMail = { kind: MailRow['kind']; recipient: string; at: number }

/** What was sent to these addresses by this Provider, newest first; for a data request. */
export const mailsTo = (db: Queryable, providerId: number, addresses: string[]): Promise<SentMail[]> =>
  db.query<SentMail>(sql`
    select kind, recipient, coalesce(sent_at, created_at) as at from mail
    where lower(recipient) = any (${addresses}::text[]) and provider_id + 0 = ${providerId}
    order by id desc limit 1000
  `)

function newestMails(filter: MailFilter, whose: Sql | null): Sql {
  const { state, kind, before = Number.MAX_SAFE_INTEGER, limit } = filter
  const { source, order } = indexScanFor(filter, whose !== null)
  const conditions = [
    ...source,
    sql`id < ${before}`,
    ...(whose ? [whose] : []),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
  ]
  return sql`
    select ${mailColumns} from mail where ${join(conditions, ' and ')} order by ${join([...order, sql`id desc`])} limit ${limit}
  `
}

type IndexScan = { source: Sql[]; order: Sql[] }

function indexScanFor({ state, kind, to, before, limit }: MailFilter, isOfProvider: boolean): IndexScan {
  if (to !== undefined) return indexOn(sql`lower(recipient)`, sql`lower(${to})`)
  if (state === 'failed' || state === 'kept') return indexOn(sql`unsent`, sql`${state}`)
  if (state === 'queued') return { source: [isInBatch(before ?? Number.MAX_SAFE_INTEGER, limit)], order: [] }
  if (kind === undefined || usualKinds.includes(kind) || isOfProvider) return { source: [], order: [] }
  const { source, order } = indexOn(sql`kind`, sql`${kind}`)
  return { source: [sql`kind not in ('booked', 'booking-notice', 'reminder')`, ...source], order }
}

/** The most common kinds, which are not in the index of kinds (mail_unusual). */
const usualKinds = ['booked', 'booking-notice', 'reminder']

/**
 * Ordered like the index that starts with this column. A range of one value: with `=` the planner drops the
 * column from the order and may read all emails from the newest back.
 */
const indexOn = (column: Sql, value: Sql): IndexScan => ({
  source: [sql`${column} >= ${value} and ${column} <= ${value}`],
  order: [sql`${column} desc`],
})

/** Emails written concurrently may have ids within another batch, so the lookup extends beyond the page. */
const slack = 100

/** Each waiting email has a job or a request for one, named by the first id of its batch. */
const isInBatch = (before: number, limit: number) => sql`id = any (array (
  select unnest(coalesce(batch, array[id])) from mail where id = any (array (
    select substr(key, 6)::bigint as first from ${jobsAndRequests}
    where key like 'mail:%' and substr(key, 6)::bigint < ${before}
    order by first desc limit ${limit + slack}
  ))
))`

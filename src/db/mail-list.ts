import sql, { join, type Sql } from 'sql-template-tag'
import type { Queryable } from './base/pool.ts'
import { type MailRow, type MailState, mailColumns } from './mails.ts'

// Mails as people look for them. There may be millions: each question has an index that leads to few, and what has none is
// so common that the newest mails hold enough of it.

type MailFilter = {
  providerIds: number[] | null
  state?: MailState
  kind?: string
  to?: string
  before?: number
  limit: number
}

/** Newest first; page on with `before` = the last id seen. Of each Provider the newest are looked up by themselves. */
export async function listMails(db: Queryable, filter: MailFilter): Promise<MailRow[]> {
  const { providerIds, to, limit } = filter
  if (providerIds === null) return db.query<MailRow>(newestMails(filter, null))
  // Whoever gets mails gets them of few. The sum keeps the planner from reading all mails of those Providers.
  if (to !== undefined)
    return db.query<MailRow>(newestMails(filter, sql`provider_id + 0 = any (${providerIds}::bigint[])`))
  return db.query<MailRow>(sql`
    select mail.* from unnest(${providerIds}::bigint[]) as provider (id)
    cross join lateral (${newestMails(filter, sql`provider_id = provider.id`)}) as mail
    order by mail.id desc limit ${limit}
  `)
}

function newestMails(filter: MailFilter, whose: Sql | null): Sql {
  const { state, kind, before = Number.MAX_SAFE_INTEGER, limit } = filter
  const { source, order } = wayTo(filter, whose !== null)
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

type Way = { source: Sql[]; order: Sql[] }

function wayTo({ state, kind, to, before, limit }: MailFilter, isOfProvider: boolean): Way {
  if (to !== undefined) return along(sql`lower(recipient)`, sql`lower(${to})`)
  if (state === 'failed' || state === 'kept') return along(sql`unsent`, sql`${state}`)
  if (state === 'queued') return { source: [isInBatch(before ?? Number.MAX_SAFE_INTEGER, limit)], order: [] }
  if (kind === undefined || usualKinds.includes(kind) || isOfProvider) return { source: [], order: [] }
  const { source, order } = along(sql`kind`, sql`${kind}`)
  return { source: [sql`kind not in ('booked', 'booking-notice', 'reminder')`, ...source], order }
}

/** What most mails are. They are not in the index of kinds (mail_unusual). */
const usualKinds = ['booked', 'booking-notice', 'reminder']

/**
 * In the order of the index that begins with this column. A range of one value: with `=` the planner leaves the column out of
 * the order, and may then read all mails from the newest back.
 */
const along = (column: Sql, value: Sql): Way => ({
  source: [sql`${column} >= ${value} and ${column} <= ${value}`],
  order: [sql`${column} desc`],
})

/** Beyond the page: mails that are written at the same moment may stand in each other's jobs' places. */
const slack = 100

/** Every mail that waits is in a job, which bears the number of the first of its batch. */
const isInBatch = (before: number, limit: number) => sql`id = any (array (
  select unnest(coalesce(batch, array[id])) from mail where id = any (array (
    select substr(key, 6)::bigint as first from graphile_worker.jobs
    where task_identifier = 'deliver-mail' and key like 'mail:%' and substr(key, 6)::bigint < ${before}
    order by first desc limit ${limit + slack}
  ))
))`

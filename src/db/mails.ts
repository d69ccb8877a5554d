import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../languages.ts'
import { leaveOutEmpty, type MailKind } from '../rules/news/mails.ts'
import { jsonRows } from './base/json.ts'
import type { Queryable } from './base/pool.ts'

export type MailState = 'queued' | 'sent' | 'failed' | 'kept'
export const mailStates: MailState[] = ['queued', 'sent', 'failed', 'kept']

export type MailRow = {
  id: number
  /** Null for those who run the service. */
  crmId: number | null
  providerId: number | null
  uuid: string
  kind: MailKind
  recipient: string | null
  language: Language
  data: unknown
  state: MailState
  attempts: number
  lastError: string | null
  eraseWhenDone: boolean
  createdAt: number
  sentAt: number | null
}

export type NewMail = {
  crmId: number | null
  providerId?: number | null
  kind: MailKind
  to: string
  language: Language
  data: object
  userId?: number | null
  participationId?: number | null
  eraseWhenDone?: boolean
}

/**
 * So many are delivered by one job, side by side. Few enough that a stop need not wait long for a slow server; enough for what
 * a moment's bookings cause, as a job writes as much as a mail does.
 */
const batchSize = 16

/**
 * Writes the mails and the jobs that deliver them, in the caller's transaction: both happen or neither. Mails that are
 * made from the same data send it to the database once. The first of those that share a job says which ones they are.
 */
export async function insertMails(tx: Queryable, mails: NewMail[]) {
  if (mails.length === 0) return
  const data = [...new Set(mails.map(mail => mail.data))]
  const rows = mails.map((mail, index) => ({
    ...mail,
    data: data.indexOf(mail.data),
    batch: Math.floor(index / batchSize),
  }))
  await tx.query(sql`
    with numbered as materialized (
      select nextval('mail_id_seq') as id, sent.*
      from jsonb_to_recordset(${jsonRows(rows)}::jsonb) as sent (crm_id bigint, provider_id bigint, kind text, "to" text,
        language text, data integer, user_id bigint, participation_id bigint, erase_when_done boolean, batch integer)
    ), written as (
      insert into mail (id, batch, crm_id, provider_id, kind, recipient, language, data, data_of, user_id, participation_id,
        erase_when_done)
      overriding system value
      select id, case when id = min(id) over together then array_agg(id) over together end, crm_id, provider_id, kind, "to", language,
        case when id = holder then ${padded(sql`told`)} end,
        nullif(holder, id), user_id, participation_id, erases
      from (
        select numbered.*, ${JSON.stringify(data, leaveOutEmpty)}::jsonb -> data as told,
          coalesce(erase_when_done, false) as erases,
          -- What empties itself is nobody else's.
          case when bool_or(erase_when_done) over same then id else min(id) over same end as holder
        from numbered window same as (partition by data)
      ) as held
      window together as (partition by batch order by id rows between unbounded preceding and unbounded following)
      returning batch
    )
    ${queueDelivery(sql`written where batch is not null`)}
  `)
}

/**
 * With blanks up to the 2 KB from which on PostgreSQL packs a value and puts it beside the row. Noting that a mail was sent writes
 * its row anew: a small one in its own page, without a word to any index; a large one as a whole in another, and into all of them.
 */
const padded = (data: Sql) => sql`
  case when pg_column_size(${data}) between 512 and 2047
    then ${data} || jsonb_build_object('', repeat(' ', 2048 - pg_column_size(${data}))) else ${data} end
`

const withoutBlanks = (data: Sql) => sql`${data} - ''::text`

/** Some 25 tries over about four days, with a growing pause between them. */
const maximumAttempts = 25

/**
 * The key keeps it at one waiting job for each batch: asking for a mail that still waits brings its job forward. One call
 * for all of them: most of what a job costs is the call.
 */
function queueDelivery(batches: Sql) {
  return sql`
    select count(*) from (
      select array_agg(row('deliver-mail', json_build_object('mailIds', batch), null, null, ${maximumAttempts},
        'mail:' || batch[1], null, null)::graphile_worker.job_spec) as specs from ${batches}
    ) as wanted, graphile_worker.add_jobs(specs)
  `
}

/** Between the first of a batch and its last there may be mails that others wrote at the same moment. */
const furthest = sql`500`

/** The mails that share a job with this one. Each mail of the versions up to 0.4.0 names them itself. */
export const batchOf = sql`coalesce(mail.batch, (
  select first.batch from mail as first
  where first.id < mail.id and first.id > mail.id - ${furthest} and mail.id = any (first.batch)
  order by first.id desc limit 1
), array[mail.id])`

/** The two mails of a booking are made from the same data, which one of them keeps. */
const dataOf = sql`coalesce(mail.data, (select data from mail as holder where holder.id = mail.data_of), '{}')`

export const mailColumns = sql`
  mail.id, mail.crm_id, mail.provider_id, mail.uuid, mail.kind, mail.recipient, mail.language, ${withoutBlanks(dataOf)} as data, mail.state,
  mail.attempts, mail.last_error, mail.erase_when_done, mail.created_at, mail.sent_at
`

export async function findMailsToDeliver(db: Queryable, ids: number[]): Promise<MailRow[]> {
  return db.query<MailRow>(sql`
    select ${mailColumns} from mail where id = any (${ids}::bigint[]) and state = 'queued'
  `)
}

/** The last mail to somebody who was erased forgets them once nothing more happens to it. */
const forgetting = sql`
  recipient = case when erase_when_done then null else recipient end,
  data = case when erase_when_done then '{}' else data end
`

export async function markMailsSent(db: Queryable, ids: number[]) {
  await db.query(sql`
    update mail set state = 'sent', sent_at = app_now(), attempts = attempts + 1, last_error = null, ${forgetting}
    where id = any (${ids}::bigint[])
  `)
}

/** Not erased. Said in words that no index is made for: as `is not null` it would lead through the index of all recipients. */
const isToSomebody = sql`coalesce(recipient, '') <> ''`

/** There is no SMTP server: the mails can be read in the console. */
export async function markMailsKept(db: Queryable, ids: number[]) {
  await db.query(sql`
    update mail set state = 'kept', last_error = null, ${forgetting}
    where id = any (${ids}::bigint[]) and state = 'queued' and ${isToSomebody}
  `)
}

/** Servers like to repeat the address in what they answer: once the recipient is erased, nothing is noted. */
export async function noteMailFailure(db: Queryable, id: number, error: string) {
  await db.query(sql`
    update mail set attempts = attempts + 1, last_error = ${error} where id = ${id} and ${isToSomebody}
  `)
}

/** False if it was not waiting any more. */
export async function giveUpMail(db: Queryable, id: number): Promise<boolean> {
  const rows = await db.query(sql`
    update mail set state = 'failed', last_error = case when erase_when_done then null else last_error end, ${forgetting}
    where id = ${id} and state = 'queued' returning id
  `)
  return rows.length > 0
}

/** What still waits for an address that turned out to be somebody else's is never sent. */
export async function dropWaitingMails(tx: Queryable, participationIds: number[], address: string) {
  await tx.query(sql`
    update mail set state = 'failed', last_error = 'The address was corrected before this was sent.'
    where participation_id = any (${participationIds}::bigint[]) and state = 'queued' and lower(recipient) = lower(${address})
  `)
}

/** Brings forward deliveries that failed and wait to be tried again, those that come next first. Returns how many. */
export async function wakeDeliveries(db: Queryable, most: number): Promise<number> {
  const rows = await db.query(sql`
    select id from graphile_worker.reschedule_jobs(array(
      select id from graphile_worker.jobs
      where task_identifier = 'deliver-mail' and attempts > 0 and attempts < max_attempts and run_at > now() and locked_at is null
      order by run_at limit ${most}
    ), run_at => now())
  `)
  // By themselves workers look every two seconds. A new job calls them at once; so do those that are new again.
  if (rows.length > 0)
    await db.query(sql`
      select pg_notify('jobs:insert', json_build_object('r', random(), 'count', ${rows.length}::int)::text)
    `)
  return rows.length
}

export async function findMail(
  db: Queryable,
  uuid: string,
  providerIds: number[] | null,
): Promise<MailRow | null> {
  const rows = await db.query<MailRow>(sql`
    select ${mailColumns} from mail
    where uuid = ${uuid} and (${providerIds}::bigint[] is null or provider_id = any (${providerIds}))
  `)
  return rows[0] ?? null
}

/** Puts the mail back into the queue, as new. */
export async function requeueMail(tx: Queryable, id: number) {
  await tx.query(sql`
    with again as (
      -- With data of its own from now on: whoever keeps it may be old, and emptied.
      update mail set state = 'queued', attempts = 0, last_error = null, data = ${dataOf}, data_of = null where id = ${id}
      returning ${batchOf} as batch
    )
    ${queueDelivery(sql`again`)}
  `)
}

/** Jobs for the mails of a CRM that has just come in. */
export const queueMailsOf = (tx: Queryable, crmId: number) =>
  queueWhere(tx, sql`state = 'queued' and crm_id = ${crmId}`)

async function queueWhere(tx: Queryable, condition: Sql) {
  await tx.query(
    queueDelivery(sql`(select distinct ${batchOf} as batch from mail where ${condition}) as waiting`),
  )
}

/** Jobs for all mails that wait, where there are none: in a database that was just filled. Returns how many wait. */
export async function queueWaitingMails(tx: Queryable): Promise<number> {
  await queueWhere(tx, sql`state = 'queued'`)
  const rows = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from mail where state = 'queued'`,
  )
  return rows[0]!.count
}

export async function mailsById(db: Queryable, ids: number[]) {
  return db.query<MailRow & { participationReference: string | null }>(sql`
    select ${mailColumns}, (select reference from participation where id = participation_id) as participation_reference
    from mail where id = any (${ids}::bigint[])
  `)
}

import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../languages.ts'
import { type Channel, channels, leaveOutEmpty, type MessageKind } from '../rules/messages/messages.ts'
import { suspendedCrms } from './base/conditions.ts'
import { addJobs, requestJobs } from './base/job-requests.ts'
import { jsonRows } from './base/json.ts'
import type { Queryable } from './base/pool.ts'
import { textFor } from './email-texts.ts'

export type MailState = 'queued' | 'sent' | 'failed' | 'kept'
export const mailStates: MailState[] = ['queued', 'sent', 'failed', 'kept']

export type MailRow = {
  id: number
  /** Null for operators. */
  crmId: number | null
  providerId: number | null
  uuid: string
  kind: MessageKind
  channel: Channel
  recipient: string | null
  language: Language
  data: unknown
  /** What the business added, as it was when the email was queued. */
  ownText: string | null
  state: MailState
  attempts: number
  lastError: string | null
  eraseWhenDone: boolean
  createdAt: number
  sentAt: number | null
}

export type NewMessage = {
  crmId: number | null
  providerId?: number | null
  kind: MessageKind
  /** By email, unless stated otherwise. */
  channel?: Channel
  to: string
  language: Language
  data: object
  userId?: number | null
  participationId?: number | null
  eraseWhenDone?: boolean
}

/**
 * The number of emails that one job delivers concurrently. Few enough that stopping does not wait long for a
 * slow server; enough for a burst of bookings, because a job costs as many writes as an email.
 */
const batchSize = 16

/**
 * Reminders come by the thousand. Their jobs are small and bulk: with a slow mail server, a confirmation waits
 * for the few that are on their way, not for all.
 */
const reminderBatch = 4

/**
 * The outbox of all channels: inserts the messages and their delivery jobs in the caller's transaction. Those made from the
 * same data send it to the database once. The first of a batch stores which ones belong to it.
 */
export async function queueMessages(tx: Queryable, mails: NewMessage[]) {
  if (mails.length === 0) return
  const data = [...new Set(mails.map(mail => mail.data))]
  const rows = mails.map((mail, index) => ({
    channel: 'email',
    ...mail,
    data: data.indexOf(mail.data),
    batch: Math.floor(index / (mail.kind === 'reminder' ? reminderBatch : batchSize)),
  }))
  const written = sql`
    with numbered as materialized (
      select nextval('mail_id_seq') as id, sent.*
      from jsonb_to_recordset(${jsonRows(rows)}::jsonb) as sent (crm_id bigint, provider_id bigint, kind text, channel text, "to" text,
        language text, data integer, user_id bigint, participation_id bigint, erase_when_done boolean, batch integer)
    ), written as (
      insert into mail (id, batch, crm_id, provider_id, kind, channel, recipient, language, data, data_of, user_id, participation_id,
        erase_when_done, own_text)
      overriding system value
      select id, case when id = min(id) over together then array_agg(id) over together end, crm_id, provider_id, kind, channel, "to", language,
        case when id = holder then ${padded(sql`content`)} end,
        nullif(holder, id), user_id, participation_id, erases, ${textFor(sql`held`)}
      from (
        select numbered.*, ${JSON.stringify(data, leaveOutEmpty)}::jsonb -> data as content,
          coalesce(erase_when_done, false) as erases,
          -- Data that is erased after sending is not shared with other emails.
          case when bool_or(erase_when_done) over same then id else min(id) over same end as holder
        from numbered window same as (partition by data)
      ) as held
      window together as (partition by batch, channel order by id rows between unbounded preceding and unbounded following)
      returning batch, kind, channel
    )
  `
  const jobs = deliveryOf(sql`written where batch is not null`)
  await requestJobs(tx, { ...jobs, isBulk: sql`kind = 'reminder'` }, written)
}

/**
 * Pads data of medium size to 2 KB, from which PostgreSQL compresses a value and stores it outside the row. Marking an
 * email as sent rewrites its row: a small row stays in its page without index writes, a large one moves and
 * touches all indexes.
 */
const padded = (data: Sql) => sql`
  case when pg_column_size(${data}) between 512 and 2047
    then ${data} || jsonb_build_object('', repeat(' ', 2048 - pg_column_size(${data}))) else ${data} end
`

const withoutBlanks = (data: Sql) => sql`${data} - ''::text`

/** About 25 attempts over four days, with growing pauses. */
const maximumAttempts = 25

/** The kind of job that delivers messages of this channel. */
function jobOfChannel() {
  const jobs = Object.fromEntries(Object.entries(channels).map(([name, { job }]) => [name, job]))
  return sql`${JSON.stringify(jobs)}::jsonb ->> channel`
}

/** The job key allows one waiting job per batch; queueing an email that still waits brings its job forward. */
const deliveryOf = (batches: Sql) => ({
  kind: jobOfChannel(),
  payload: sql`json_build_object('mailIds', batch)`,
  maxAttempts: maximumAttempts,
  key: sql`'mail:' || batch[1]`,
  from: batches,
})

/** Concurrent transactions may insert emails between the first and last of a batch. */
const maxBatchSpan = sql`500`

/** The emails that share a job with this one. Emails of versions up to 0.4.0 store them in each row. */
export const batchOf = sql`coalesce(mail.batch, (
  select first.batch from mail as first
  where first.id < mail.id and first.id > mail.id - ${maxBatchSpan} and mail.id = any (first.batch)
  order by first.id desc limit 1
), array[mail.id])`

/** The two emails of a booking share their data, which one of them stores. */
const dataOf = sql`coalesce(mail.data, (select data from mail as holder where holder.id = mail.data_of), '{}')`

export const mailColumns = sql`
  mail.id, mail.crm_id, mail.provider_id, mail.uuid, mail.kind, mail.channel, mail.recipient, mail.language, ${withoutBlanks(dataOf)} as data, mail.own_text, mail.state,
  mail.attempts, mail.last_error, mail.erase_when_done, mail.created_at, mail.sent_at
`

/** Emails of a suspended CRM wait. */
const mayBeSent = sql`coalesce(mail.crm_id, 0) <> all (${suspendedCrms})`

export const findMailsToDeliver = (db: Queryable, ids: number[]) =>
  db.query<MailRow>(sql`
    select ${mailColumns} from mail where id = any (${ids}::bigint[]) and state = 'queued' and ${mayBeSent}
  `)

/**
 * A job whose CRM is suspended for a moment is retried after it. For a CRM suspended without an end, resuming
 * creates new jobs.
 */
export async function deliverLater(db: Queryable, channel: Channel, ids: number[]) {
  await requestJobs(db, {
    kind: sql`${channels[channel].job}`,
    payload: sql`json_build_object('mailIds', ids)`,
    runAt: sql`greatest(again_at, now()) + interval '1 second'`,
    maxAttempts: maximumAttempts,
    from: sql`(
      select array_agg(mail.id) as ids, max(suspended_until) as again_at
      from mail join crm on crm.id = crm_id
      where mail.id = any (${ids}::bigint[]) and state = 'queued' and ${hasRecipient}
        and (suspended_until is null or suspended_until < 'infinity')
    ) as waiting where ids is not null`,
  })
}

/** Once the last email to an erased person is finished, its content is deleted. */
const erasedColumns = sql`
  recipient = case when erase_when_done then null else recipient end,
  data = case when erase_when_done then '{}' else data end
`

/** Sent or not, nothing personal is left. */
export const emptied = sql`
  recipient = null, data = '{}', last_error = null, state = case when state = 'queued' then 'failed' else state end
`

export async function markMailsSent(db: Queryable, ids: number[]) {
  await db.query(sql`
    update mail set state = 'sent', sent_at = app_now(), attempts = attempts + 1, last_error = null, ${erasedColumns}
    where id = any (${ids}::bigint[])
  `)
}

/** Not erased. Written so that no index matches: `is not null` would use the index of all recipients. */
const hasRecipient = sql`coalesce(recipient, '') <> ''`

/** Without an SMTP server, emails can be read in the console. */
export async function markMailsKept(db: Queryable, ids: number[]) {
  await db.query(sql`
    update mail set state = 'kept', last_error = null, ${erasedColumns}
    where id = any (${ids}::bigint[]) and state = 'queued' and ${hasRecipient} and ${mayBeSent}
  `)
}

/** Servers often repeat the address in their response, so nothing is stored for an erased recipient. */
export async function recordMailFailure(db: Queryable, id: number, error: string) {
  await db.query(sql`
    update mail set attempts = attempts + 1, last_error = ${error} where id = ${id} and ${hasRecipient}
  `)
}

/** False if it was no longer waiting. */
export const abandonMail = (db: Queryable, id: number) =>
  db.any(sql`
    update mail set state = 'failed', last_error = case when erase_when_done then null else last_error end, ${erasedColumns}
    where id = ${id} and state = 'queued' returning id
  `)

/** Discards emails that wait for an address that was corrected. */
export async function deleteWaitingMails(tx: Queryable, participationIds: number[], address: string) {
  await tx.query(sql`
    update mail set state = 'failed', last_error = 'The address was corrected before this was sent.'
    where participation_id = any (${participationIds}::bigint[]) and state = 'queued' and lower(recipient) = lower(${address})
  `)
}

/** Brings forward emails that failed and wait for a retry, next ones first. Returns their number. */
export async function wakeDeliveries(db: Queryable, most: number): Promise<number> {
  const rows = await db.query(sql`
    select id from graphile_worker.reschedule_jobs(array(
      select id from graphile_worker.jobs
      where task_identifier = ${channels.email.job} and attempts > 0 and attempts < max_attempts and run_at > now() and locked_at is null
      order by run_at limit ${most}
    ), run_at => now())
  `)
  // Workers poll every two seconds. New jobs notify them at once, so rescheduled ones do too.
  if (rows.length > 0)
    await db.query(sql`
      select pg_notify('jobs:insert', json_build_object('r', random(), 'count', ${rows.length}::int)::text)
    `)
  return rows.length
}

export const findMail = (db: Queryable, uuid: string) =>
  db.first<MailRow>(sql`select ${mailColumns} from mail where uuid = ${uuid}`)

/** Puts the email back into the queue as a new one. */
export async function requeueMail(tx: Queryable, id: number) {
  const again = sql`
    with again as (
      -- Copies the shared data, because the email that stores it may be emptied by retention.
      update mail set state = 'queued', attempts = 0, last_error = null, data = ${dataOf}, data_of = null where id = ${id}
      returning ${batchOf} as batch, channel
    ), replaced as (
      delete from job_request where key = any (select 'mail:' || batch[1] from again)
    )
  `
  await addJobs(tx, deliveryOf(sql`again`), again)
}

/** Creates jobs for the emails of an imported CRM. */
export const queueMailsOf = (tx: Queryable, crmId: number) =>
  queueWhere(tx, sql`state = 'queued' and crm_id = ${crmId}`)

async function queueWhere(tx: Queryable, condition: Sql) {
  const waiting = sql`(select distinct ${batchOf} as batch, channel from mail where ${condition}) as waiting`
  await addJobs(tx, deliveryOf(waiting))
}

/**
 * Creates missing jobs for all waiting emails, after a database was filled. Returns the number of waiting
 * emails.
 */
export async function queueWaitingMails(tx: Queryable): Promise<number> {
  await queueWhere(tx, sql`state = 'queued'`)
  return tx.value<number>(sql`select count(*)::int as count from mail where state = 'queued'`)
}

export const mailsById = (db: Queryable, ids: number[]) =>
  db.query<MailRow & { participationReference: string | null }>(sql`
    select ${mailColumns}, (select reference from participation where id = participation_id) as participation_reference
    from mail where id = any (${ids}::bigint[])
  `)

import sql from 'sql-template-tag'
import type { StoredAnswers } from '../../rules/questions/define.ts'
import { json } from '../base/json.ts'
import { lockRecords } from '../base/ledger.ts'
import type { Queryable } from '../base/pool.ts'

// Answers to the questions of a booking form. They do not change availability.

/** Waits for other changes to this Participation; returns the time after that. */
export const lockParticipation = (tx: Queryable, uuid: string) =>
  tx.value<number | null>(sql`
    select app_clock() as now from participation where uuid = ${uuid} for no key update
  `)

/** A pending request to move the booking gets the answers too. Returns the ids. */
export const writeAnswers = (tx: Queryable, id: number, answers: StoredAnswers | null, isMissing: boolean) =>
  tx.column<number>(sql`
    update participation set answers = ${json(answers)}::jsonb, answers_missing = ${isMissing}
    where id = any (array (
      select ${id}::bigint union all select id from participation where replaces = ${id} and state = 'REQUESTED'
    ))
    returning id
  `)

export type KeptQuestion = { providerId: number; crmId: number; key: string; keepDays: number }

/** Questions whose answers are removed some days after the Appointment. A suspended CRM keeps its data. */
export const questionsWithPeriod = (db: Queryable): Promise<KeptQuestion[]> =>
  db.query<KeptQuestion>(sql`
    select question.provider_id, provider.crm_id, question.key, (definition ->> 'keepDays')::int as keep_days
    from question join provider on provider.id = question.provider_id join crm on crm.id = provider.crm_id
    where definition -> 'keepDays' <> 'null' and not coalesce(suspended_until > clock_timestamp(), false)
    order by question.id
  `)

const pageSize = 500

/**
 * Removes the answers to one question, also from stored emails, page by page. `next` is null at the end; `ids`
 * are the Participations concerned.
 */
export async function removeOldAnswers(
  tx: Queryable,
  { providerId, key, keepDays }: KeptQuestion,
  after: number,
  dryRun: boolean,
): Promise<{ next: number | null; ids: number[] }> {
  const page = await tx.query<{ id: number; isOld: boolean }>(sql`
    select page.id, page.answers ? ${key} and appointment.end_at < app_now() - make_interval(days => ${keepDays}) as is_old
    from (
      select id, appointment_id, answers from participation
      where provider_id = ${providerId} and answers is not null and id > ${after} order by id limit ${pageSize}
    ) as page
    cross join lateral (select end_at from appointment where id = page.appointment_id offset 0) as appointment
    order by page.id
  `)
  const ids = page.filter(one => one.isOld).map(one => one.id)
  if (ids.length > 0 && !dryRun) {
    await lockRecords(tx, ids)
    await tx.query(sql`
      update participation set answers = nullif(answers - ${key}, '{}'::jsonb) where id = any (${ids}::bigint[])
    `)
    await tx.query(sql`
      update mail set data = data - 'answers' where participation_id = any (${ids}::bigint[]) and data ? 'answers'
    `)
  }
  return { next: page.length < pageSize ? null : page.at(-1)!.id, ids }
}

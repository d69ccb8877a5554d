import sql, { type Sql } from 'sql-template-tag'
import type { Actor } from '../rules/messages/events.ts'
import { addJobs, requestJobs } from './base/job-requests.ts'
import { json } from './base/json.ts'
import type { Queryable } from './base/pool.ts'

/** The cancellation of a group whose people are cancelled in batches, while some are left. */
export type Cancellation = {
  providerId: number
  reference: string
  actor: Actor
  message: string | null
  sendMails: boolean
}

/** Goes on in a worker if the request ends before its last batch. */
export async function queueCancellation(
  tx: Queryable,
  id: number,
  { providerId, actor, message, sendMails }: Omit<Cancellation, 'reference'>,
) {
  await tx.query(sql`
    insert into cancellation (provider_id, appointment_id, actor, message, send_mails)
    values (${providerId}, ${id}, ${json(actor)}::jsonb, ${message}, ${sendMails})
    on conflict (provider_id, appointment_id) do update
    set actor = excluded.actor, message = excluded.message, send_mails = excluded.send_mails
  `)
  const runAt = sql`now() + interval '1 minute'`
  await requestJobs(tx, { ...jobOf(sql`(select ${id}::bigint as appointment_id) as cancellation`), runAt })
}

const jobOf = (from: Sql) => ({
  kind: sql`'cancel'`,
  payload: sql`json_build_object('appointmentId', appointment_id)`,
  from,
  key: sql`'cancel:' || appointment_id`,
})

/** Creates their jobs after a database was filled, or a CRM was resumed. */
export const queueCancellations = (tx: Queryable, crmId: number | null) =>
  addJobs(
    tx,
    jobOf(sql`(
      select appointment_id from cancellation
      where ${crmId}::bigint is null or provider_id = any (array (select id from provider where crm_id = ${crmId}))
    ) as cancellation`),
  )

export const findCancellation = (db: Queryable, appointmentId: number) =>
  db.first<Cancellation>(sql`
    select cancellation.*, reference from appointment
    join cancellation on cancellation.provider_id = appointment.provider_id and appointment_id = appointment.id
    where appointment.id = ${appointmentId}
  `)

/** All are cancelled, or the Appointment was restored. */
export async function endCancellation(tx: Queryable, appointmentId: number) {
  await tx.query(sql`
    delete from cancellation using appointment
    where appointment.id = ${appointmentId} and cancellation.provider_id = appointment.provider_id and appointment_id = appointment.id
  `)
}

import sql from 'sql-template-tag'
import type { Actor, EventKind } from '../../rules/messages/events.ts'
import type { Queryable } from '../base/pool.ts'

// The history of one Appointment: its events and emails.

type HistoryLine = {
  kind: EventKind
  at: number
  actorKind: Actor['kind']
  /** The name of the staff member, or the prefix of the key. */
  actorName: string | null
  /** The participant concerned, if any. */
  person: string | null
}

/** Newest first. */
export const historyOf = (db: Queryable, uuid: string, limit: number) =>
  db.query<HistoryLine>(sql`
    with wanted as materialized (
      select id, provider_id from appointment where uuid = ${uuid}
    ), record (id, kinds, person) as materialized (
      select id, 'appointment.%', null from wanted
      union all
      select participation.id, 'participation.%', name from participation join wanted on wanted.id = appointment_id
    )
    select event.kind, event.at, event.actor_kind, record.person,
      coalesce((select name from console_user where uuid::text = event.actor), event.actor) as actor_name
    from wanted cross join record
    cross join lateral (
      select * from event where provider_id = wanted.provider_id and subject = record.id and kind like record.kinds offset 0
    ) as event
    order by event.at desc, event.id desc limit ${limit}
  `)

type HistoryMail = {
  uuid: string
  kind: string
  to: string | null
  state: 'queued' | 'sent' | 'failed' | 'kept'
  lastError: string | null
  createdAt: number
  sentAt: number | null
}

/** Newest first. */
export const mailsAbout = (db: Queryable, uuid: string, limit: number) =>
  db.query<HistoryMail>(sql`
    select mail.uuid, mail.kind, recipient as "to", mail.state, last_error,
      mail.created_at, sent_at
    from appointment
    join participation on appointment_id = appointment.id
    join mail on participation_id = participation.id
    where appointment.uuid = ${uuid}
    order by mail.id desc limit ${limit}
  `)

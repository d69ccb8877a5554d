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

/** Newest first. Reads the Provider's log back to the day the Appointment was created. */
export async function historyOf(db: Queryable, uuid: string, limit: number): Promise<HistoryLine[]> {
  return db.query<HistoryLine>(sql`
    with wanted as materialized (
      select id, provider_id, created_at from appointment where uuid = ${uuid}
    ), people as materialized (
      select participation.id, name from participation join wanted on wanted.id = appointment_id
    )
    select event.kind, event.at, event.actor_kind, people.name as person,
      coalesce((select name from console_user where uuid::text = event.actor), event.actor) as actor_name
    from wanted
    join event on event.provider_id = wanted.provider_id and event.at >= wanted.created_at - interval '1 minute'
    left join people on event.kind like 'participation.%' and people.id = event.subject
    where (event.kind like 'appointment.%' and event.subject = wanted.id) or people.id is not null
    order by event.at desc, event.id desc limit ${limit}
  `)
}

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
export async function mailsAbout(db: Queryable, uuid: string, limit: number): Promise<HistoryMail[]> {
  return db.query<HistoryMail>(sql`
    select mail.uuid, mail.kind, recipient as "to", mail.state, last_error,
      mail.created_at, sent_at
    from appointment
    join participation on appointment_id = appointment.id
    join mail on participation_id = participation.id
    where appointment.uuid = ${uuid}
    order by mail.id desc limit ${limit}
  `)
}

import sql from 'sql-template-tag'
import type { Actor, EventKind } from '../rules/events.ts'
import { json } from './base/json.ts'
import type { Queryable } from './base/pool.ts'

export type NewEvent = {
  kind: EventKind
  actor: Actor
  /** Null where the Provider says it. */
  crmId: number | null
  providerId: number | null
  subject: number | null
  /** A Customer who is made by this transaction and whose id nobody has read yet. */
  customerUuid?: string
  detail?: string | null
}

/** One statement for all that a transaction did, in the order in which it did it. */
export async function insertEvents(tx: Queryable, events: NewEvent[]) {
  if (events.length === 0) return
  const rows = events.map(({ actor, ...event }) => ({ ...event, by: actor.kind, name: actor.name }))
  await tx.query(sql`
    insert into event (crm_id, era, kind, provider_id, subject, detail, actor_kind, actor)
    select coalesce("crmId", (select crm_id from provider where id = "providerId")),
      (select max(number) from event_era), kind, "providerId",
      coalesce(subject, (select id from customer where uuid = "customerUuid")), detail, by, name
    from jsonb_to_recordset(${json(rows)}::jsonb) as happened (kind text, "crmId" bigint, "providerId" bigint,
      subject bigint, "customerUuid" uuid, detail text, by text, name text)
  `)
}

import sql from 'sql-template-tag'
import { json } from './base/json.ts'
import type { Queryable } from './base/pool.ts'

/** Who did it: an API key (its prefix), a console user (uuid), a consumer, or the service itself. */
export type Actor = { kind: 'key' | 'console' | 'consumer' | 'system'; name: string }

export type AuditEntry = {
  actor: Actor
  crmId: number | null
  providerId?: number | null
  action: string
  reference: string | null
}

/** What was done to a Customer stays findable under their new reference, so that an erasure finds it too. */
export async function renameCustomerInAudit(tx: Queryable, providerId: number, from: string, to: string) {
  await tx.query(sql`
    update audit set reference = ${to}
    where provider_id = ${providerId} and reference = ${from} and action like 'customer.%'
  `)
}

export const recordAudit = (tx: Queryable, entry: AuditEntry) => recordAudits(tx, [entry])

export async function recordAudits(tx: Queryable, entries: AuditEntry[]) {
  const rows = entries.map(({ actor, ...entry }) => ({ ...entry, kind: actor.kind, actor: actor.name }))
  await tx.query(sql`
    insert into audit (crm_id, provider_id, actor_kind, actor, action, reference)
    select "crmId", "providerId", kind, actor, action, reference
    from jsonb_to_recordset(${json(rows)}::jsonb)
      as entry ("crmId" bigint, "providerId" bigint, kind text, actor text, action text, reference text)
  `)
}

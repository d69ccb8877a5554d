import sql from 'sql-template-tag'
import type { Queryable } from './pool.ts'

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

export async function recordAudit(tx: Queryable, entry: AuditEntry) {
  const { actor, crmId, providerId = null, action, reference } = entry
  await tx.query(sql`
    insert into audit (crm_id, provider_id, actor_kind, actor, action, reference)
    values (${crmId}, ${providerId}, ${actor.kind}, ${actor.name}, ${action}, ${reference})
  `)
}

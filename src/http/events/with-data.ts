import type { Queryable } from '../../db/base/pool.ts'
import type { EventRow } from '../../db/events.ts'
import { providersById } from '../../db/setup/providers.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { EventWithData } from '../../webhooks/log.ts'
import { eventData } from './event-data.ts'

/** Adds the current data to events. */
export async function withData(db: Queryable, rows: EventRow[]): Promise<EventWithData[]> {
  const ids = [...new Set(rows.flatMap(row => row.providerId ?? []))]
  const [data, providers] = await Promise.all([eventData(db, rows), providersById(db, ids)])
  const references = new Map(providers.map(one => [one.id, one.reference]))
  return rows.map((row, index) => ({
    id: row.uuid,
    kind: row.kind,
    at: toUtcText(row.at),
    provider: row.providerId === null ? null : (references.get(row.providerId) ?? null),
    actor: { kind: row.actorKind, name: row.actor },
    data: data[index]!,
  }))
}

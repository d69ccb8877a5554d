import type { EventRow } from '../../db/events.ts'
import { providersById } from '../../db/setup/providers.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import type { EventWithData } from '../../webhooks/log.ts'
import { eventData } from './event-data.ts'

/** Both names of kind and time: those of the log, and those of Standard Webhooks. */
export const named = (kind: string, at: number) => ({
  kind,
  type: kind,
  at: toUtcText(at),
  timestamp: toUtcText(at),
})

/** Adds the current data to events. */
export async function withData(
  source: Pick<Service, 'db' | 'signer'>,
  rows: EventRow[],
): Promise<EventWithData[]> {
  const ids = [...new Set(rows.flatMap(row => row.providerId ?? []))]
  const [data, providers] = await Promise.all([eventData(source, rows), providersById(source.db, ids)])
  const references = new Map(providers.map(one => [one.id, one.reference]))
  return rows.map((row, index) => ({
    id: row.uuid,
    sequence: row.id,
    ...named(row.kind, row.at),
    provider: row.providerId === null ? null : (references.get(row.providerId) ?? null),
    actor: { kind: row.actorKind, name: row.actor },
    data: data[index]!,
  }))
}

import type { Queryable } from '../db/base/pool.ts'
import { type EventRow, readEvents } from '../db/events.ts'
import type { Reached } from './cursor.ts'

// The log of a CRM as others see it: over HTTP, or brought by a webhook.

export type Filter = { kinds: string[] | null; providerIds: number[] | null }

export type LogPage = {
  rows: EventRow[]
  /** Up to here everything was looked at, wanted or not. */
  reached: Reached
  /** There is more at once. */
  more: boolean
}

/** Looked through at once, when most of them may not be wanted. */
const mostLookedAt = 5000

export async function readPage(
  db: Queryable,
  crmId: number,
  after: Reached,
  limit: number,
  { kinds, providerIds }: Filter,
): Promise<LogPage> {
  const isFiltered = kinds !== null || providerIds !== null
  const most = isFiltered ? mostLookedAt : limit
  const found = await readEvents(db, crmId, after, most)
  const rows: EventRow[] = []
  let reached = after
  for (const row of found) {
    if (rows.length === limit) break
    const isWanted =
      (kinds === null || kinds.includes(row.kind)) &&
      (providerIds === null || (row.providerId !== null && providerIds.includes(row.providerId)))
    if (isWanted) rows.push(row)
    reached = row
  }
  return { rows, reached, more: found.length === most || reached.id !== (found.at(-1) ?? reached).id }
}

/** An event with all that it tells. */
export type ToldEvent = {
  id: string
  kind: string
  at: string
  provider: string | null
  actor: { kind: string; name: string | null }
  data: Record<string, unknown>
}

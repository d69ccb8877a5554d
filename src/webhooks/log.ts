import type { Queryable } from '../db/base/pool.ts'
import { type EventRow, readEvents } from '../db/events.ts'
import type { LogCursor } from './cursor.ts'

// The log of a CRM as clients read it over HTTP or receive it by webhook.

export type Filter = { kinds: string[] | null; providerIds: number[] | null }

export type LogPage = {
  rows: EventRow[]
  /** All events up to here were examined, matching or not. */
  reached: LogCursor
  /** More events are available now. */
  more: boolean
}

/** The maximum examined at once, since most may not match the filter. */
const maxExamined = 5000

export async function readPage(
  db: Queryable,
  crmId: number,
  after: LogCursor,
  limit: number,
  { kinds, providerIds }: Filter,
): Promise<LogPage> {
  const isFiltered = kinds !== null || providerIds !== null
  const most = isFiltered ? maxExamined : limit
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

/** An event with its data. */
export type EventWithData = {
  id: string
  kind: string
  at: string
  provider: string | null
  actor: { kind: string; name: string | null }
  data: Record<string, unknown>
}

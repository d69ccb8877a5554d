import type { Queryable } from '../db/base/pool.ts'
import { type EventRow, type LogFilter, readEvents } from '../db/events.ts'
import type { LogCursor } from './cursor.ts'

// The log of a CRM as clients read it over HTTP or receive it by webhook.

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
  filter: LogFilter,
): Promise<LogPage> {
  const isFiltered = filter.kinds !== null || filter.providerIds !== null
  const most = isFiltered ? maxExamined : limit
  const found = await readEvents(db, crmId, after, most, filter)
  const last = found.at(-1)
  if (!last) return { rows: [], reached: after, more: false }
  return firstOf(
    { rows: found.filter(row => row.isWanted), reached: last, more: last.examined === most },
    limit,
  )
}

/** The first rows of a page, as a page. */
export function firstOf(page: LogPage, limit: number): LogPage {
  if (page.rows.length <= limit) return page
  return { rows: page.rows.slice(0, limit), reached: page.rows[limit - 1]!, more: true }
}

/** An event with its data. */
export type EventWithData = {
  id: string
  /** Rises with each change of one record, whatever the order of the log. */
  sequence: number
  kind: string
  /** The same as `kind` and `at`, under the names of Standard Webhooks. */
  type: string
  at: string
  timestamp: string
  provider: string | null
  actor: { kind: string; name: string | null }
  data: Record<string, unknown>
}

import { changeCounter } from '../db/base/change-counters.ts'
import type { EventWatch } from '../db/event-listener.ts'
import type { Service } from '../service.ts'
import { type LogCursor, refuseIfMissed } from './cursor.ts'
import { type Filter, type LogPage, readPage } from './log.ts'

/** `asker`: the key or login that waits. */
type Question = {
  asker: string
  crmId: number
  after: LogCursor
  limit: number
  filter: Filter
  watch?: EventWatch | null
}

/** The next events; if there are none, waits for new ones. A different change counter also ends the wait. */
export async function waitForEvents(
  service: Service,
  { asker, crmId, after, limit, filter, watch = null }: Question,
  waitMs: number,
  signal: AbortSignal,
): Promise<LogPage> {
  const until = performance.now() + waitMs
  for (let reached = after; ; ) {
    const page = await readPage(service.db, crmId, reached, limit, filter)
    await refuseIfMissed(service.db, crmId, reached)
    const left = until - performance.now()
    const isOver = left <= 0 || signal.aborted || service.eventListener.isStopped
    if (page.rows.length > 0 || page.more || isOver) return page
    if (watch && (await changeCounter(service.db, watch.providerId)) !== watch.pulse) return page
    reached = page.reached
    await service.eventListener.wait(asker, crmId, reached, left, signal, watch)
  }
}

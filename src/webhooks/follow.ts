import { pulseOf } from '../db/base/pulse.ts'
import type { Watch } from '../db/event-bell.ts'
import type { Service } from '../service.ts'
import { type Reached, refuseIfMissed } from './cursor.ts'
import { type Filter, type LogPage, readPage } from './log.ts'

type Question = { crmId: number; after: Reached; limit: number; filter: Filter; watch?: Watch | null }

/** The next events; if there are none, those that come while the caller waits. A pulse that is another one ends it, too. */
export async function follow(
  service: Service,
  { crmId, after, limit, filter, watch = null }: Question,
  waitMs: number,
  signal: AbortSignal,
): Promise<LogPage> {
  const until = performance.now() + waitMs
  for (let reached = after; ; ) {
    const page = await readPage(service.db, crmId, reached, limit, filter)
    await refuseIfMissed(service.db, crmId, reached)
    const left = until - performance.now()
    const isOver = left <= 0 || signal.aborted || service.bell.isStopped
    if (page.rows.length > 0 || page.more || isOver) return page
    if (watch && (await pulseOf(service.db, watch.providerId)) !== watch.pulse) return page
    reached = page.reached
    await service.bell.wait(crmId, reached, left, signal, watch)
  }
}

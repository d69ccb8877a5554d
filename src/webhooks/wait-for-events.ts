import { changeCounter } from '../db/base/ledger.ts'
import type { EventWatch } from '../db/event-listener.ts'
import type { LogFilter } from '../db/events.ts'
import type { Service } from '../service.ts'
import { type LogCursor, refuseIfMissed } from './cursor.ts'
import { type LogPage, readPage } from './log.ts'

/** `asker`: the key or login that waits. */
type Question = {
  asker: string
  crmId: number
  after: LogCursor
  limit: number
  filter: LogFilter
  watch?: EventWatch | null
}

/** The next events; if there are none, waits for new ones. A different change counter also ends the wait. */
export async function waitForEvents(
  service: Service,
  question: Question,
  waitMs: number,
  signal: AbortSignal,
): Promise<LogPage> {
  const { after, watch = null } = question
  if (waitMs === 0) return read(service, after, question)
  const { eventListener } = service
  const until = performance.now() + waitMs
  for (let reached = after; ; ) {
    const waiter = await eventListener.enter({ ...question, watch })
    try {
      const page = await shared(service, reached, question)
      const left = until - performance.now()
      const isOver = left <= 0 || signal.aborted || eventListener.isStopped
      if (page.rows.length > 0 || page.more || isOver) return page
      if (watch && (await changeCounter(service.db, watch.providerId)) !== watch.pulse) return page
      reached = page.reached
      await eventListener.wait(waiter, left, signal)
    } finally {
      waiter.wake()
    }
  }
}

async function read({ db }: Service, after: LogCursor, { crmId, limit, filter }: Question): Promise<LogPage> {
  const page = await readPage(db, crmId, after, limit, filter)
  await refuseIfMissed(db, crmId, after)
  return page
}

/**
 * An event wakes all requests with the same cursor, so they share one read. A page that is a moment old lacks
 * only the newest events: they wake the request again, or come with its next one.
 */
function shared(service: Service, after: LogCursor, question: Question): Promise<LogPage> {
  const { crmId, limit, filter } = question
  const key = JSON.stringify([crmId, after.era, after.xid, after.id, after.uuid, limit, filter])
  return service.eventListener.share(key, () => read(service, after, question))
}

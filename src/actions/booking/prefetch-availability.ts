import { findRefs } from '../../db/booking/refs.ts'
import { fromNow, loadWindows } from '../../db/booking/windows.ts'
import { day } from '../../rules/offers/window.ts'
import type { Service } from '../../service.ts'
import type { Unknown } from './availability-cache.ts'

/** How far ahead most visitors look. */
const usually = 28 * day

/**
 * Reads what a list would read, for Resources whose slots are held without a list on this instance: by a
 * robot, or by visitors whose list came from another instance. Best effort: it gives way to waiting lists,
 * and after a failure requests read for themselves as before.
 */
export async function prefetchAvailability(service: Service) {
  const { offers, making } = service
  for (const one of offers.takeUnknown()) {
    if (making.waiting === 0)
      await making.run(one.resource, () => learn(service, one), 'prefetch').catch(() => undefined)
    offers.learned(one)
  }
}

async function learn({ db, offers }: Service, { resource, channelKey, to }: Unknown) {
  const { found, history, now } = await findRefs(db, [resource])
  const [first] = found
  if (!first) return
  const bounds = { from: now, to: Math.max(to, now + usually) }
  const [read] = await loadWindows(
    db,
    [{ resourceId: first.resourceId, channelKey }],
    fromNow(bounds.from, bounds.to),
  )
  if (!read) return
  const sold = { ...read, window: { ...read.window, appointments: [] } }
  offers.note({ ...first, history, ref: resource }, read, sold, bounds)
}

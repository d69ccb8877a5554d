import { findRefs } from '../../db/booking/refs.ts'
import { fromNowOn, loadWindows } from '../../db/booking/windows.ts'
import { day } from '../../rules/offers/window.ts'
import type { Service } from '../../service.ts'
import type { Unknown } from './known-offers.ts'

/** As far ahead as people look. */
const usually = 28 * day

/**
 * Reads what a list would read, where nobody looks at one and slots are held all the same: by a robot, or by people whose list came from
 * another instance. Nobody waits for it: while lists wait to be made it is left, and if it fails, those who come next read for
 * themselves as before.
 */
export async function learnOffers(service: Service) {
  const { offers, making } = service
  for (const one of offers.takeUnknown()) {
    if (making.waiting === 0) await making.run(one.resource, () => learn(service, one)).catch(() => undefined)
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
    fromNowOn(bounds.from, bounds.to),
  )
  if (!read) return
  const sold = { ...read, window: { ...read.window, appointments: [] } }
  offers.note({ ...first, history, ref: resource }, read, sold, bounds)
}

import type { Queryable } from '../../db/base/pool.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { findProductByUuid } from '../../db/setup/products.ts'
import { notFound, Refusal, slotTaken } from '../../errors.ts'
import { type Placement, place } from '../../rules/offers/slots.ts'
import { minute, productByUuid, type Span, type Timeslot } from '../../rules/offers/window.ts'
import { isUuid } from '../../rules/references.ts'
import { asRefusal, gone, notOpenAt } from './refuse-slot.ts'
import type { ReserveWish } from './wishes.ts'

// Which slot somebody means who wants to hold one.

/** The one place that the wish means, if it can be had. */
export async function choose(tx: Queryable, loaded: ResourceWindow, wish: ReserveWish): Promise<Placement> {
  const { window, now } = loaded
  const { uuid } = wish.target
  const productId = productByUuid(window, wish.productUuid)?.id
  if (productId === undefined) throw await whyNotProduct(tx, loaded, wish.productUuid)
  const appointment = window.appointments.find(one => one.uuid === uuid)
  if (appointment) return granted(place(window, { appointment, productId }, now))
  const timeslot = window.timeslots.find(one => one.uuid === uuid)
  const readings = wish.readings(loaded.provider.timeZone)
  if (!timeslot) throw wish.appointmentUuid ? slotTaken(gone) : notOpenAt(readings[0]![0]!.from, now)
  const results = placesAt(loaded, timeslot, productId, readings)
  return granted(results.find(result => !('reason' in result)) ?? results[0]!)
}

/**
 * Whether the wish can only mean a slot in this Timeslot that nobody else has: then there is nothing else to be looked at. What
 * is wrong with it is for whoever reads everything to say.
 */
export function isFreeSlot(loaded: ResourceWindow, wish: ReserveWish, timeslot: Timeslot): boolean {
  const productId = productByUuid(loaded.window, wish.productUuid)?.id
  if (productId === undefined) return false
  const [only, ...others] = placesAt(loaded, timeslot, productId, readingsOrNone(loaded, wish))
  return only !== undefined && others.length === 0 && !('reason' in only) && only.kind === 'new'
}

function readingsOrNone({ provider }: ResourceWindow, wish: ReserveWish): Span[][] {
  try {
    return wish.readings(provider.timeZone)
  } catch (error) {
    if (error instanceof Refusal) return [[]]
    throw error
  }
}

const placesAt = (
  { window, now }: ResourceWindow,
  timeslot: Timeslot,
  productId: number,
  readings: Span[][],
) =>
  likeliest(timeslot, readings).map(({ from, to }) =>
    place(window, { timeslot, productId, start: from, end: to }, now),
  )

function granted(result: ReturnType<typeof place>): Placement {
  if ('reason' in result) throw asRefusal(result)
  return result
}

/** The first reading that falls on a raster line of the Timeslot, else the last one. */
function likeliest(timeslot: Timeslot, readings: Span[][]): Span[] {
  const fits = ({ from }: Span) =>
    from >= timeslot.start &&
    from < timeslot.end &&
    (from - timeslot.start) % (timeslot.raster * minute) === 0
  return readings.find(spans => spans.some(fits)) ?? readings.at(-1)!
}

/** Unknown is 404; known to the Provider, but not offered here, is as good as taken. */
export async function whyNotProduct(
  tx: Queryable,
  { provider }: ResourceWindow,
  uuid: string,
): Promise<Refusal> {
  const elsewhere = isUuid(uuid) ? await findProductByUuid(tx, uuid) : null
  const isKnown = elsewhere?.providerId === provider.id
  return isKnown ? asRefusal({ reason: 'product' }) : notFound('Product', uuid, 'product_uuid')
}

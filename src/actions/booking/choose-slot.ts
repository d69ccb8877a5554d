import type { Queryable } from '../../db/base/pool.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { findProductByUuid } from '../../db/setup/products.ts'
import { notFound, type Refusal, slotTaken } from '../../errors.ts'
import { type Placement, place } from '../../rules/offers/slots.ts'
import { minute, productByUuid, type Span, type Timeslot } from '../../rules/offers/window.ts'
import { isUuid } from '../../rules/references.ts'
import { notOpenAt, toRefusal } from './refuse-slot.ts'
import type { PreparedReserve } from './requests.ts'
import { refuseTooManyPlaces } from './take-places.ts'

// Finds the slot that a hold request refers to.

/**
 * The one place that the request refers to; throws if it is not available. A booking that moves keeps its
 * number of places, whatever the Product allows by now.
 */
export async function chooseSlot(
  tx: Queryable,
  loaded: ResourceWindow,
  request: PreparedReserve,
  movedPlaces: number | null,
): Promise<Placement> {
  const places = movedPlaces ?? request.places
  const placement = await findSlot(tx, loaded, request, places)
  if (movedPlaces === null) refuseTooManyPlaces(placement.product, places)
  return placement
}

async function findSlot(
  tx: Queryable,
  loaded: ResourceWindow,
  request: PreparedReserve,
  places: number,
): Promise<Placement> {
  const { window, now } = loaded
  const { uuid } = request.target
  const productId = productByUuid(window, request.productUuid)?.id
  if (productId === undefined) throw await productRefusal(tx, loaded, request.productUuid)
  const appointment = window.appointments.find(one => one.uuid === uuid)
  if (appointment) return granted(place(window, { appointment, productId, places }, now))
  const timeslot = window.timeslots.find(one => one.uuid === uuid)
  const readings = request.readings(loaded.provider.timeZone)
  if (!timeslot) throw request.appointmentUuid ? slotTaken('gone') : notOpenAt(readings[0]![0]!.from, now)
  const results = placesAt(loaded, timeslot, { productId, places }, readings)
  return granted(results.find(result => !('reason' in result)) ?? results[0]!)
}

const placesAt = (
  { window, now }: ResourceWindow,
  timeslot: Timeslot,
  wanted: { productId: number; places: number },
  readings: Span[][],
) =>
  likeliest(timeslot, readings).map(({ from, to }) =>
    place(window, { timeslot, ...wanted, start: from, end: to }, now),
  )

function granted(result: ReturnType<typeof place>): Placement {
  if ('reason' in result) throw toRefusal(result)
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

/** Returns 404 for an unknown Product; one that the Provider has but does not offer here counts as taken. */
export async function productRefusal(
  tx: Queryable,
  { provider }: ResourceWindow,
  uuid: string,
): Promise<Refusal> {
  const elsewhere = isUuid(uuid) ? await findProductByUuid(tx, uuid) : null
  const isKnown = elsewhere?.providerId === provider.id
  return isKnown ? toRefusal({ reason: 'product' }) : notFound('Product', uuid, 'product_uuid')
}

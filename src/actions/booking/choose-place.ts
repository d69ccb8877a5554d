import type { Held } from '../../db/booking/held.ts'
import type { TargetWindow } from '../../db/booking/targets.ts'
import { type Refusal, slotTaken } from '../../errors.ts'
import { place, type SlotRequest } from '../../rules/offers/slots.ts'
import {
  type Appointment,
  offeredProducts,
  productByUuid,
  productToJoin,
  type Timeslot,
} from '../../rules/offers/window.ts'
import { notOpenAt, toRefusal } from './refuse-slot.ts'
import type { CompleteRequest } from './requests.ts'

// Finds the place for a completion that does not simply use its own hold.

/** A hold can be completed through another channel than it was made through, if that channel sells it too. */
export function channelRefusal(
  { appointmentId, ownTimeslotUuid, productId, places, startAt: start, endAt: end }: Held,
  { window, now }: TargetWindow,
): Refusal | null {
  const appointment = window.appointments.find(one => one.id === appointmentId)
  const timeslot = window.timeslots.find(one => one.uuid === ownTimeslotUuid)
  if (!appointment && !timeslot) return notOpenAt(start, now)
  const wanted = { productId, places }
  const request = appointment ? { appointment, ...wanted } : { timeslot: timeslot!, ...wanted, start, end }
  const result = place(window, request, now)
  return 'reason' in result ? toRefusal(result) : null
}

/** A request that says nothing means the places of its hold, live or not. */
const placesWanted = ({ places }: Pick<CompleteRequest, 'places'>, own: Held | null) =>
  places ?? own?.places ?? 1

type Chosen =
  /** One for each Product that the request may refer to, the most likely first. */
  | { kind: 'requests'; requests: SlotRequest[] }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'other product'; uuid: string }

/**
 * The named Appointment if the times match, else these times in its Timeslot. So the uuid of a hold's
 * Appointment still identifies its slot after the hold has expired.
 */
export function choosePlace(request: CompleteRequest, own: Held | null, loaded: TargetWindow): Chosen {
  const { window, now } = loaded
  const { start, end } = request
  const named = window.appointments.find(one => one.uuid === request.targetUuid)
  const timeslot = timeslotOf(loaded, named)
  const isAtThisTime = (one: Appointment) => one.start === start && one.end === end
  const joined =
    named && isAtThisTime(named)
      ? named
      : window.appointments.find(one => isAtThisTime(one) && one.timeslotUuid === timeslot?.uuid)
  const products = productsFor(request, own, loaded, joined)
  if (products.kind === 'other product') return products
  const places = placesWanted(request, own)
  if (joined && joined === named)
    return {
      kind: 'requests',
      requests: products.ids.map(productId => ({ appointment: named, productId, places })),
    }
  if (timeslot)
    return {
      kind: 'requests',
      requests: products.ids.map(productId => ({ timeslot, productId, places, start, end })),
    }
  const isGone = loaded.target.kind === 'appointment' && !named
  return { kind: 'refused', refusal: isGone ? slotTaken('gone') : notOpenAt(start, now) }
}

/** The named Timeslot, or the one that the named Appointment was made from or lies in. */
function timeslotOf({ window, target }: TargetWindow, named: Appointment | undefined): Timeslot | undefined {
  const isIt = (one: Timeslot) =>
    target.timeslotId === null ? one.uuid === named?.timeslotUuid : one.id === target.timeslotId
  return window.timeslots.find(isIt)
}

type Products = { kind: 'ids'; ids: number[] } | { kind: 'other product'; uuid: string }

/**
 * The requested Product; else that of the Appointment or the hold; else any Product of the channel that fits.
 */
function productsFor(
  { productUuid }: CompleteRequest,
  own: Held | null,
  { window, target }: TargetWindow,
  joined: Appointment | undefined,
): Products {
  if (productUuid) {
    const product = productByUuid(window, productUuid)
    return product ? { kind: 'ids', ids: [product.id] } : { kind: 'other product', uuid: productUuid }
  }
  // An Appointment is joined with its own Product, linked to the Resource or not.
  const toJoin = joined && productToJoin(window, joined)
  if (toJoin) return { kind: 'ids', ids: [toJoin.id] }
  const offered = offeredProducts(window).map(one => one.id)
  const implied = offered.find(id => id === own?.productId) ?? offered.find(id => id === target.productId)
  return { kind: 'ids', ids: implied === undefined ? offered : [implied] }
}

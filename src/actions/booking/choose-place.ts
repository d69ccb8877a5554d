import type { Queryable } from '../../db/base/pool.ts'
import type { Held } from '../../db/booking/held.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import { alreadyBooked, missingField } from '../../errors.ts'
import { type Placement, place } from '../../rules/slots.ts'
import { type Appointment, offeredProducts, productToJoin } from '../../rules/window.ts'
import { notOpenAt } from './refuse-slot.ts'
import { granted, productOf } from './reserve.ts'
import type { CompleteWish } from './wishes.ts'

// Where a completion goes that is not simply its own hold.

/** Held through one channel and completed through another: that one must sell it as well. */
export function refuseInChannel(
  { appointment_id, own_timeslot_uuid, ...own }: Held,
  { window, now }: ResourceWindow,
) {
  const productId = own.product_id
  const appointment = window.appointments.find(one => one.id === appointment_id)
  const timeslot = window.timeslots.find(one => one.uuid === own_timeslot_uuid)
  if (appointment) granted(place(window, { appointment, productId }, now))
  else if (timeslot)
    granted(place(window, { timeslot, productId, start: own.start_at, end: own.end_at }, now))
  else throw notOpenAt(own.start_at, now)
}

export async function choosePlace(
  tx: Queryable,
  loaded: ResourceWindow,
  wish: CompleteWish,
  taken: Set<number>,
): Promise<Placement> {
  const { window, now } = loaded
  const appointment = window.appointments.find(one => one.uuid === wish.targetUuid)
  const timeslot = window.timeslots.find(one => one.uuid === wish.targetUuid)
  const at =
    appointment ??
    window.appointments.find(one => one.timeslotUuid === timeslot?.uuid && one.start === wish.start)
  if (at && taken.has(at.id)) throw alreadyBooked()
  const productId = (await chosenProduct(tx, loaded, wish, at)).id
  if (appointment) return granted(place(window, { appointment, productId }, now))
  if (!timeslot) throw notOpenAt(wish.start, now)
  return granted(place(window, { timeslot, productId, start: wish.start, end: wish.end }, now))
}

async function chosenProduct(
  tx: Queryable,
  loaded: ResourceWindow,
  { productUuid }: CompleteWish,
  joined: Appointment | undefined,
) {
  if (productUuid) return productOf(tx, loaded, productUuid)
  const offered = offeredProducts(loaded.window)
  const only =
    (joined && productToJoin(loaded.window, joined)) ?? (offered.length === 1 ? offered[0] : undefined)
  if (!only) throw missingField('product_uuid', 'product_uuid is needed: several Products are offered here.')
  return only
}

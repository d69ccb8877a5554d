import type { Queryable } from '../../db/base/pool.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { findOwnPlaces } from '../../db/booking/own-places.ts'
import { invalidToken } from '../../errors.ts'
import { isOn, refuseTooLate } from './consumer-cancel.ts'

/** Whoever holds a place to move there: what they move, and all that is theirs. */
export type Mover = { booking: Booking; places: number[] }

/** Refused as the move would be: nobody is kept waiting with a hold that leads nowhere. */
export async function findMover(tx: Queryable, uuid: string | null): Promise<Mover | null> {
  if (uuid === null) return null
  const [[booking], places] = await Promise.all([findBookingsByUuid(tx, uuid), findOwnPlaces(tx, uuid)])
  if (!booking || !isOn(booking)) throw invalidToken()
  refuseTooLate(booking)
  return { booking, places }
}

/** A link moves within its Provider only. */
export const placesOfMover = (mover: Mover | null, providerId: number) =>
  mover?.booking.providerId === providerId
    ? { replaces: mover.booking.participationId, beside: mover.places }
    : { replaces: null, beside: [] }

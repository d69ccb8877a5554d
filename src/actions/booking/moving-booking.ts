import type { Queryable } from '../../db/base/pool.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { findOwnPlaces } from '../../db/booking/own-places.ts'
import { invalidToken } from '../../errors.ts'
import { isActive, refuseTooLate } from './consumer-cancel.ts'

/** A hold made for a move: the booking that moves, and all Participations that belong to it. */
export type Mover = { booking: Booking; places: number[] }

/** Refuses what the move itself would refuse, so that no useless hold is made. */
export async function findMover(tx: Queryable, uuid: string | null): Promise<Mover | null> {
  if (uuid === null) return null
  const [[booking], places] = await Promise.all([findBookingsByUuid(tx, uuid), findOwnPlaces(tx, uuid)])
  if (!booking || !isActive(booking)) throw invalidToken()
  refuseTooLate(booking)
  return { booking, places }
}

/** A link moves a booking within its Provider only. */
export const placesOfMover = (mover: Mover | null, providerId: number) =>
  mover?.booking.providerId === providerId
    ? { replaces: mover.booking.participationId, beside: mover.places, movedPlaces: mover.booking.places }
    : { replaces: null, beside: [], movedPlaces: null }

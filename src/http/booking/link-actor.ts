import type { FastifyRequest } from 'fastify'
import { findBookingsByUuid } from '../../db/booking/bookings.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { actingStaff, actorIn } from '../wire/callers/acting-staff.ts'
import { sessionIn } from '../wire/callers/session-cookie.ts'
import { tokenOf } from './signed-token.ts'

/**
 * The staff member who uses the token of a customer's link, or null: named by one of our pages, or known from
 * the session that the browser sends.
 */
export async function actorOfLink(
  service: Service,
  request: FastifyRequest,
  purpose: 'cancel' | 'move' | 'booked',
): Promise<Actor | null> {
  const named = actorIn(request.headers)
  if (named || !sessionIn(service, request)) return named
  const uuid = service.signer.open(purpose, tokenOf(request))
  const [booking] = uuid === null ? [] : await findBookingsByUuid(service.db, uuid)
  return booking ? actingStaff(service, request, booking) : null
}

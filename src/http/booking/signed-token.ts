import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { findBookingsByUuid } from '../../db/booking/bookings.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { actingStaff, actorIn } from '../wire/callers/acting-staff.ts'
import { sessionIn } from '../wire/callers/session-cookie.ts'

// Consumers authenticate with the token of one of their links; there is no other login.

const name = 'x-signed-app-customer'

export const TokenHeader = (link: 'cancel' | 'move' | 'cancel or move') => ({
  'X-SIGNED-APP-CUSTOMER': Type.String({ description: `The token of the ${link} link.` }),
})

/** Empty if none was sent: no link has an empty token. */
export function tokenOf({ headers }: { headers: IncomingHttpHeaders }): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

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

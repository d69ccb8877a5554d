import { release } from '../../actions/booking/release.ts'
import { answer, publicRoute } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { RevokeBody } from './booking-bodies.ts'

export const revokeReservation = publicRoute({
  method: 'POST',
  path: '/resources/:ref/revoke_reservation',
  operationId: 'revokeReservation',
  tag: 'C. Booking',
  summary: 'Give a held slot back',
  description: 'Safe to send again, too late, or after the booking: a completed booking is never touched.',
  body: RevokeBody,
  replies: { 200: Wrapped({}) },
  async handle({ body, service }) {
    if (body.placeholder_id) await release(service, body.placeholder_id)
    return answer(200, wrap({}))
  },
})

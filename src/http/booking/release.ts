import { release } from '../../actions/booking/release.ts'
import { answer, publicRoute } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { RevokeBody } from './booking-bodies.ts'

export const revokeReservation = publicRoute({
  method: 'POST',
  path: '/resources/:ref/revoke_reservation',
  operationId: 'revokeReservation',
  tag: 'C. Booking',
  summary: 'Release a held slot',
  description:
    'Safe to repeat, and to send after the hold has expired or was booked: a completed booking never changes.',
  body: RevokeBody,
  replies: { 200: Wrapped({}) },
  async handle({ body, service }) {
    if (body.placeholder_id) await release(service, body.placeholder_id)
    return answer(200, wrap({}))
  },
})

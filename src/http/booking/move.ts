import { moveByConsumer } from '../../actions/booking/move.ts'
import type { MoveRequest } from '../../actions/booking/requests.ts'
import { notAfterStart } from '../../errors.ts'
import { spokenLanguage } from '../../languages.ts'
import { readInstant, readPeriod } from '../../rules/time/read-times.ts'
import { offsetAt, toOffsetText, zoneOffsets } from '../../rules/time/time.ts'
import { clientOf } from '../wire/callers/clients.ts'
import { arrivalOf } from '../wire/requests/request.ts'
import { publicRoutes } from '../wire/route.ts'
import { wrap } from '../wire/wrapper.ts'
import { MoveBody } from './booking-bodies.ts'
import { MoveReply } from './booking-schemas.ts'
import { completeReply } from './complete.ts'
import { zoneFor } from './read-times.ts'
import { actorOfLink, TokenHeader, tokenOf } from './signed-token.ts'

export const moveAppointment = publicRoutes('C. Booking')({
  method: 'POST',
  path: '/resources/:ref/move_appointment',
  operationId: 'moveBooking',
  summary: 'Move my booking',
  description:
    'Send the token of the move link in the header X-SIGNED-APP-CUSTOMER. Takes the new place and releases the old one, or changes nothing; the booking never blocks its own new time. `placeholder_id` uses the caller’s own hold. The booking keeps its answers; send those that the Product asks in addition (see My booking) as `answers`. If the channel requires confirmation, the new place is requested and the old one is kept until the provider decides. If two requests move a booking at the same time, one succeeds; the other returns 409 `changed`, unless both have the same target.',
  headers: TokenHeader('move'),
  body: MoveBody,
  replies: { 200: MoveReply },
  errors: [
    'not-found',
    'invalid-token',
    'missing-answer',
    'change-notice',
    'changed',
    '201',
    '202',
    'channel-hidden',
  ],
  limit: 'complete',
  isShedUnderLoad: true,
  async handle({ params, body, service, request, reply }) {
    const arrived = arrivalOf(reply)
    const zone = await zoneFor(service, params.ref, body.start + body.end + (body.old_start ?? ''))
    const { start, end } = readPeriod({ start: body.start, end: body.end }, zone)
    if (end <= start) throw notAfterStart('end', 'start')
    const moveRequest: MoveRequest = {
      refs: [params.ref],
      targetUuid: body.timeslot_uuid,
      productUuid: body.product_uuid || null,
      start,
      end,
      placeholder: body.placeholder_id || null,
      answers: body.answers ?? null,
      language: spokenLanguage(body.locale),
      client: clientOf(service, request),
      oldStart: body.old_start ? readInstant(body.old_start, zone, 'old_start') : null,
      arrived,
      actor: await actorOfLink(service, request, 'move'),
    }
    const { completion, before } = await moveByConsumer(service, tokenOf(request), moveRequest)
    const text = (instant: number) =>
      toOffsetText(instant, offsetAt(zoneOffsets(completion.timeZone, instant, instant), instant))
    const replaced = {
      appointment_uuid: before.appointmentUuid,
      start: text(before.startAt),
      end: text(before.endAt),
    }
    return wrap({ createdAppointment: completeReply(completion, null), replaced })
  },
})

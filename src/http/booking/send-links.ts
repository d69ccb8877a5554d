import Type from 'typebox'
import { sendLinks as send } from '../../actions/booking/send-links.ts'
import { invalidField } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'
import { Email, RequiredUuid } from '../wire/fields.ts'
import { publicRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'

export const sendLinks = publicRoutes('C. Booking')({
  method: 'POST',
  path: '/bookings/links',
  operationId: 'sendLinks',
  summary: 'Email the links to a booking again',
  description:
    'For consumers who have lost their email. Sends the links to reschedule and cancel if the booking has this address and has not started, at most once in ten minutes. The response is the same if there is no such booking.',
  body: Type.Object({ appointment_uuid: RequiredUuid, email: Email }, { title: 'SendLinksInput' }),
  replies: { 202: Wrapped({}) },
  errors: [],
  limit: 'links',
  async handle({ body, service }) {
    if (!isUuid(body.appointment_uuid)) throw invalidField('appointment_uuid', 'uuid:plain')
    await send(service, body.appointment_uuid, body.email)
    return wrap({})
  },
})

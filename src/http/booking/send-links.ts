import Type from 'typebox'
import { sendLinks as send } from '../../actions/booking/send-links.ts'
import { invalidField } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'
import { Email, RequiredUuid } from '../wire/fields.ts'
import { answer, publicRoute } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'

export const sendLinks = publicRoute({
  method: 'POST',
  path: '/bookings/links',
  operationId: 'sendLinks',
  tag: 'C. Booking',
  summary: 'Mail the links to a booking again',
  description:
    'For consumers who have lost the mail: the links to move and to cancel go to the address of the booking, if it is this one and the Appointment is still to come; at most once in ten minutes. The answer is the same whether there is such a booking or not.',
  body: Type.Object({ appointment_uuid: RequiredUuid, email: Email }, { title: 'SendLinksInput' }),
  replies: { 202: Wrapped({}) },
  errors: [],
  limit: 'links',
  async handle({ body, service }) {
    if (!isUuid(body.appointment_uuid)) throw invalidField('appointment_uuid', 'It is not a uuid.')
    await send(service, body.appointment_uuid, body.email)
    return answer(202, wrap({}))
  },
})

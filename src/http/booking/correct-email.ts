import Type from 'typebox'
import { correctEmail as correct } from '../../actions/booking/correct-email.ts'
import { consumerActor } from '../../rules/messages/events.ts'
import { clientOf } from '../wire/callers/clients.ts'
import { Email, EmailText } from '../wire/fields.ts'
import { publicRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { actorOfLink, tokenOf } from './signed-token.ts'

const Token = Type.String({ description: 'The token of the confirmation link: the part after /booked/.' })

export const correctEmail = publicRoutes('C. Booking')({
  method: 'POST',
  path: '/bookings/email',
  operationId: 'correctEmail',
  summary: 'Correct a mistyped email address',
  description:
    'Changes the address of the booking and sends its emails there. Possible once, within ten minutes of booking, and not for Customers added by the CRM.',
  headers: { 'X-SIGNED-APP-CUSTOMER': Token },
  body: Type.Object({ email: Email }, { title: 'CorrectEmailInput' }),
  replies: { 200: Wrapped({ email: EmailText }) },
  errors: ['invalid-token', 'transition-not-allowed', '202'],
  limit: 'correct',
  async handle({ body, service, request }) {
    const token = tokenOf(request)
    const { email } = body
    const client = clientOf(service, request)
    const staff = await actorOfLink(service, request, 'booked')
    await correct(service, token, { email, client, actor: staff ?? consumerActor })
    return wrap({ email })
  },
})

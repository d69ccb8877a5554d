import Type from 'typebox'
import { setAttendance as mark } from '../../actions/scheduling/appointments/attendance.ts'
import {
  createParticipation as create,
  updateParticipation as update,
} from '../../actions/scheduling/appointments/participations.ts'
import { lockParticipationRecord } from '../../actions/scheduling/lock-records.ts'
import { findParticipation, type ParticipationRecord } from '../../db/scheduling/participations.ts'
import { ParticipationInAppointment, ParticipationState, participation } from '../../entities/appointment.ts'
import { notFound } from '../../errors.ts'
import { maxPlacesAtOnce } from '../../rules/offers/window.ts'
import { longText, Optional, OptionalText, Reference, Text } from '../wire/fields.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { AttendanceInput } from './appointments.ts'

const crmRoute = crmRoutes('B6. Participations')

const sendMails = Type.Boolean({ default: true, description: 'Whether to notify the Customer by email.' })

export const placesInput = {
  places: Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxPlacesAtOnce,
      description: 'How many places of the Appointment it takes. Default: 1 for a new one, else as before.',
    }),
  ),
  placeNames: Optional(
    Type.Array(Text(255), {
      maxItems: maxPlacesAtOnce,
      description: 'Who takes the places; at most one name for each.',
    }),
  ),
}

export const ParticipationReplyRecord = Type.Object(
  { ...ParticipationInAppointment.properties, appointmentReference: Type.String() },
  { title: 'Participation' },
)
const ParticipationReply = Wrapped({ participation: ParticipationReplyRecord })

export const getParticipation = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/participations/:participationRef',
  operationId: 'getParticipation',
  summary: 'Get Participation',
  description: 'A RESERVED Participation that has expired is not found.',
  isRecord: true,
  replies: { 200: ParticipationReply },
  async handle({ params, service, found: provider }) {
    const participation = await findParticipation(service.db, provider.id, params.participationRef)
    if (!participation) throw notFound('Participation', params.participationRef)
    return wrap({ participation: participationRecord(participation) })
  },
})

export const createParticipation = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/participations',
  operationId: 'createParticipation',
  summary: 'Create Participation',
  description:
    'Updates an existing reference by the rules of Update Participation (200), or refuses it with onDuplicateRaise. RESERVED expires like a hold.',
  query: {
    ignoreCapacity: Type.Boolean({
      default: false,
      description: 'Add the Customer even if the Appointment is full.',
    }),
    onDuplicateRaise: Type.Boolean({ default: false, description: 'Refuse an existing reference.' }),
    sendMails,
  },
  body: Type.Object(
    {
      reference: Reference,
      appointmentReference: Reference,
      customerReference: Reference,
      state: ParticipationState,
      message: OptionalText(longText),
      ...placesInput,
    },
    { title: 'ParticipationInput' },
  ),
  replies: { 200: ParticipationReply, 201: ParticipationReply },
  errors: [
    'duplicate-reference',
    'reference-exists',
    'capacity-exceeded',
    'appointment-cancelled',
    'transition-not-allowed',
    'already-participates',
  ],
  async handle({ query, body, context }) {
    const made = await create(context, body, query)
    return answer(made.created ? 201 : 200, wrap({ participation: participationRecord(made.participation) }))
  },
})

export const updateParticipation = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/participations/:participationRef',
  operationId: 'updateParticipation',
  summary: 'Update Participation',
  description:
    'Changes the state and, where sent, the places. Sending the current state has no effect. `message` is included in the email.',
  query: {
    sendMails,
    ignoreCapacity: Type.Boolean({ default: false, description: 'More places even if there are none left.' }),
  },
  body: Type.Object(
    { state: ParticipationState, message: OptionalText(longText), ...placesInput },
    { title: 'ParticipationChange' },
  ),
  ifMatch: { record: getParticipation, lock: lockParticipationRecord },
  replies: { 200: ParticipationReply },
  errors: ['transition-not-allowed', 'appointment-cancelled', 'conflict', 'capacity-exceeded'],
  async handle({ params, query, body, context }) {
    const participation = await update(context, params.participationRef, body, query)
    return wrap({ participation: participationRecord(participation) })
  },
})

export const setAttendance = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/participations/:participationRef/attendance',
  operationId: 'setAttendance',
  summary: 'Record attendance',
  description:
    'ATTENDED or MISSED, for a BOOKED Participation; null clears it. Does not change the state and sends no email.',
  body: AttendanceInput,
  ifMatch: { record: getParticipation, lock: lockParticipationRecord },
  replies: { 200: ParticipationReply },
  errors: ['transition-not-allowed'],
  async handle({ params, body, context }) {
    const participation = await mark(context, params.participationRef, body.attendance)
    return wrap({ participation: participationRecord(participation) })
  },
})

export function participationRecord(row: ParticipationRecord) {
  const messages = row.messages.length > 0 ? row.messages : null
  return {
    ...participation.record(row),
    messages,
    answers: row.answers ?? {},
    placeNames: row.placeNames ?? [],
    appointmentReference: row.appointmentReference,
  }
}

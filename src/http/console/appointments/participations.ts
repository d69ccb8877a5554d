import Type from 'typebox'
import { setAttendance as mark } from '../../../actions/scheduling/appointments/attendance.ts'
import {
  changeBookedPlaces,
  updateParticipation,
} from '../../../actions/scheduling/appointments/participations.ts'
import { Attendance } from '../../../entities/appointment.ts'
import type { ParticipationState } from '../../../rules/states/participations.ts'
import { AttendanceInput } from '../../scheduling/appointments.ts'
import { placesInput } from '../../scheduling/participations.ts'
import { Choice, Optional, OptionalText, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { participationInPath } from '../subjects.ts'
import { flags } from './walk-ins.ts'

const answers = { accept: 'BOOKED', decline: 'CANCELED', cancel: 'CANCELED' } as const

/** The state each reply expects, so that a late reply does not undo an earlier one. */
const needed = { accept: 'REQUESTED', decline: 'REQUESTED', cancel: 'BOOKED' } as const

export const decideParticipation = consoleRoute({
  method: 'POST',
  path: '/console/api/participations/:uuid/decide',
  operationId: 'decideParticipation',
  access: { right: 'book', whose: participationInPath },
  summary: 'Accept or decline a request, or cancel a booking',
  description:
    'Returns 409 if the state has changed since, for example because a colleague has already replied.',
  body: Type.Object(
    {
      answer: Choice(['accept', 'decline', 'cancel']),
      message: Optional(Type.String({ maxLength: 1024, description: 'Included in the email.' })),
      sendMails: Optional(Type.Boolean({ description: 'Default true.' })),
    },
    { title: 'ParticipationDecision' },
  ),
  replies: {
    200: Type.Object(
      { uuid: Uuid, state: Choice(['BOOKED', 'CANCELED']) },
      { title: 'DecidedParticipation' },
    ),
  },
  errors: ['transition-not-allowed', 'appointment-cancelled', 'capacity-exceeded'],
  async handle({ body, found, context }) {
    const state = answers[body.answer]
    const input = {
      state: state as ParticipationState,
      message: body.message ?? null,
      from: needed[body.answer],
    }
    await updateParticipation(context, found.reference, input, {
      sendMails: body.sendMails ?? true,
    })
    return { uuid: found.uuid, state }
  },
})

export const changeParticipationPlaces = consoleRoute({
  method: 'POST',
  path: '/console/api/participations/:uuid/places',
  operationId: 'changePlaces',
  access: { right: 'book', whose: participationInPath },
  summary: 'Change how many places a booking takes',
  description:
    'If there are not enough places, returns 409 `capacity-exceeded` unless ignoreConflicts is set.',
  query: { sendMails: flags.sendMails, ignoreConflicts: flags.ignoreConflicts },
  body: Type.Object({ ...placesInput, message: OptionalText(1024) }, { title: 'PlacesChange' }),
  replies: {
    200: Type.Object(
      { uuid: Uuid, places: Type.Number(), placeNames: Type.Array(Type.String()) },
      { title: 'ChangedPlaces' },
    ),
  },
  errors: ['capacity-exceeded', 'transition-not-allowed'],
  async handle({ query, body, found, context }) {
    const { sendMails, ignoreConflicts: ignoreCapacity } = query
    const saved = await changeBookedPlaces(context, found.reference, body, { sendMails, ignoreCapacity })
    return { uuid: saved.uuid, places: saved.places, placeNames: saved.placeNames ?? [] }
  },
})

export const setAttendance = consoleRoute({
  method: 'POST',
  path: '/console/api/participations/:uuid/attendance',
  operationId: 'markAttendance',
  access: { right: 'book', whose: participationInPath },
  summary: 'Record attendance',
  description: 'ATTENDED or MISSED, for a BOOKED Participation; null clears it. Sends no email.',
  body: AttendanceInput,
  replies: {
    200: Type.Object({ uuid: Uuid, attendance: Attendance }, { title: 'MarkedParticipation' }),
  },
  errors: ['transition-not-allowed'],
  async handle({ body, found, context }) {
    const { uuid, attendance } = await mark(context, found.reference, body.attendance)
    return { uuid, attendance }
  },
})

import Type from 'typebox'
import { setAttendances } from '../../../actions/scheduling/appointments/attendance.ts'
import {
  cancelAppointment as cancel,
  deleteAppointment as remove,
} from '../../../actions/scheduling/appointments/cancel-appointments.ts'
import {
  addToAppointment,
  changeAppointment,
  type Editable,
} from '../../../actions/scheduling/appointments/change-appointment.ts'
import { messagePeople } from '../../../actions/scheduling/appointments/message-people.ts'
import { moveAppointment } from '../../../actions/scheduling/appointments/move-appointment.ts'
import { restoreAppointment } from '../../../actions/scheduling/appointments/restore-appointment.ts'
import { swapAppointments } from '../../../actions/scheduling/appointments/swap-appointments.ts'
import { mayAt } from '../../../callers.ts'
import { findDiaryEntry } from '../../../db/scheduling/diary.ts'
import { invalidField, notFound } from '../../../errors.ts'
import { maximumCapacity } from '../../../rules/offers/timeslots.ts'
import type { Service } from '../../../service.ts'
import { AttendanceInput, MessageInput, MessageReply } from '../../scheduling/appointments.ts'
import { placesInput } from '../../scheduling/participations.ts'
import { recordAt } from '../../wire/callers/permit.ts'
import { Choice, LocalTime, longText, Optional, RequiredUuid, Uuid, UuidInput } from '../../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../../wire/if-match.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { appointmentInPath, type FoundEntry, resourceInPath } from '../subjects.ts'
import { AppointmentPage, pageOf } from './appointment-page.ts'
import { flags, message, personFields, whoOf } from './walk-ins.ts'

export const getAppointmentPage = consoleRoute({
  method: 'GET',
  path: '/console/api/appointments/:uuid',
  operationId: 'getAppointmentPage',
  access: { right: 'see-calendar', whose: appointmentInPath },
  summary: 'Get an Appointment with its history and emails',
  description: 'The ETag covers what `PATCH` changes; `PATCH` accepts it as If-Match.',
  replies: { 200: AppointmentPage },
  async handle({ caller, service, reply, found: entry, only }) {
    withEtag(reply, editable(entry))
    const page = await pageOf(service, entry, only)
    // The links change the booking without a login.
    const links = mayAt(caller, 'book', entry.providerId) ? page.links : []
    return { ...page, links }
  },
})

export const patchAppointment = consoleRoute({
  method: 'PATCH',
  path: '/console/api/appointments/:uuid',
  operationId: 'changeAppointment',
  access: { right: 'book', whose: appointmentInPath },
  summary: 'Change the capacity, notes or description of an Appointment',
  description: 'Sends no emails. Reducing the capacity does not remove existing participants.',
  headers: IfMatch,
  body: Type.Partial(
    Type.Object({
      capacity: Type.Integer({ minimum: 0, maximum: maximumCapacity }),
      notes: Nullable(Type.String({ maxLength: longText })),
      description: Nullable(Type.String({ maxLength: longText })),
    }),
    { title: 'AppointmentChange' },
  ),
  replies: { 200: AppointmentPage },
  async handle({ body, service, request, reply, found: entry, only, context }) {
    await changeAppointment(context, entry.reference, body, ifUnchanged(request, editable))
    const saved = (await findDiaryEntry(service.db, entry.uuid))!
    withEtag(reply, editable(saved))
    return pageOf(service, saved, only)
  },
})

export const cancelConsoleAppointment = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/cancel',
  operationId: 'cancelWholeAppointment',
  access: { right: 'book', whose: appointmentInPath },
  summary: 'Cancel an Appointment for all participants',
  description: 'Cancelling again has no effect.',
  query: { sendMails: flags.sendMails },
  body: Type.Object({ message }, { title: 'AppointmentCancellation' }),
  replies: { 200: AppointmentPage },
  async handle({ query, body, service, found: entry, only, context }) {
    await cancel(context, entry.reference, body.message ?? null, query.sendMails)
    return savedPage(service, entry, only)
  },
})

export const restoreConsoleAppointment = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/restore',
  operationId: 'restoreAppointment',
  access: { right: 'book', whose: appointmentInPath },
  summary: 'Restore a cancelled Appointment',
  description:
    'Restores the Appointment and the places of the Participations that are named. If its time has been booked since, returns 409 `conflict` (`capacity-exceeded` if their place is taken) unless ignoreConflicts is set. With sendMails, the participants receive a booking email.',
  query: flags,
  body: Type.Object(
    {
      people: Type.Array(
        Type.Object({ uuid: UuidInput, state: Choice(['BOOKED', 'REQUESTED']) }, { title: 'FormerPlace' }),
        { maxItems: maximumCapacity },
      ),
    },
    { title: 'AppointmentRestoration' },
  ),
  replies: { 200: AppointmentPage },
  errors: ['conflict', 'capacity-exceeded', 'already-participates'],
  async handle({ query, body, service, found: entry, only, context }) {
    await restoreAppointment(context, entry.reference, body.people, query)
    return savedPage(service, entry, only)
  },
})

export const moveConsoleAppointment = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/move',
  operationId: 'moveWholeAppointment',
  access: { right: 'book', whose: appointmentInPath },
  summary: 'Move an Appointment with all participants',
  description:
    'If it would overlap another Appointment, returns 409 `conflict`, which names it, unless ignoreConflicts is set. If two moves happen at the same time, one succeeds; the other returns 409 `changed`.',
  query: flags,
  body: Type.Object(
    { start: LocalTime, end: LocalTime, resourceUuid: Optional(Uuid), message },
    { title: 'ConsoleAppointmentMove' },
  ),
  replies: { 200: AppointmentPage },
  errors: ['conflict', 'changed', 'appointment-cancelled'],
  async handle({ query, body, service, found: entry, only, context }) {
    const { resourceUuid, ...rest } = body
    const resource = resourceUuid
      ? await recordAt(service.db, resourceInPath, entry.providerId, resourceUuid, only)
      : null
    const input = { ...rest, resourceReference: resource?.reference ?? null }
    await moveAppointment(context, entry.reference, input, query)
    return savedPage(service, entry, only)
  },
})

export const swapConsoleAppointments = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/swap',
  operationId: 'swapAppointments',
  access: { right: 'book', whose: appointmentInPath },
  summary: 'Swap two Appointments',
  description:
    'Each takes the start and the Resource of the other and keeps its duration. Both move or neither does. If they would overlap other Appointments, returns 409 `conflict` unless ignoreConflicts is set.',
  query: flags,
  body: Type.Object({ withUuid: RequiredUuid, message }, { title: 'AppointmentSwap' }),
  replies: { 200: AppointmentPage },
  errors: ['conflict', 'changed', 'appointment-cancelled'],
  async handle({ query, body, service, found: entry, only, context }) {
    const other = await recordAt(service.db, appointmentInPath, entry.providerId, body.withUuid, only)
    const { message = null } = body
    const swap = { reference: entry.reference, otherReference: other.reference, message }
    await swapAppointments(context, swap, query)
    return savedPage(service, entry, only)
  },
})

export const deleteConsoleAppointment = consoleRoute({
  method: 'DELETE',
  path: '/console/api/appointments/:uuid',
  operationId: 'deleteWholeAppointment',
  access: { right: 'book', whose: appointmentInPath },
  summary: 'Delete an Appointment without notification',
  description:
    'For Appointments booked by mistake: removes it from every list without an email. To notify participants, cancel it instead.',
  replies: { 204: null },
  handle: ({ found: entry, context }) => remove(context, entry.reference),
})

export const addParticipant = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/participations',
  operationId: 'addParticipant',
  access: { right: 'book', whose: appointmentInPath },
  summary: 'Add a Customer to an Appointment',
  description:
    'An existing Customer (`customerUuid`) or a new one (`customer`). If the Appointment is full or the Customer is booked elsewhere at that time, returns 409 `capacity-exceeded` or `conflict` unless ignoreConflicts is set.',
  query: flags,
  body: Type.Object({ ...personFields, ...placesInput, message }, { title: 'NewParticipant' }),
  replies: { 201: AppointmentPage },
  errors: ['conflict', 'capacity-exceeded', 'appointment-cancelled', 'already-participates'],
  async handle({ query, body, service, found: entry, only, context }) {
    const person = await whoOf(service, entry.providerId, body)
    if (!person) throw invalidField('customerUuid', 'one-person')
    await addToAppointment(context, entry.reference, person, body, query)
    return savedPage(service, entry, only)
  },
})

export const messageParticipants = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/message',
  operationId: 'messageParticipants',
  access: { right: 'book', whose: appointmentInPath },
  summary: 'Send everyone in an Appointment a message',
  description: 'One email to each person with a place, in their language, with your text.',
  body: MessageInput,
  replies: { 200: MessageReply },
  errors: ['appointment-cancelled'],
  handle: ({ body, found: entry, context }) => messagePeople(context, entry.reference, body.message.trim()),
})

export const markParticipants = consoleRoute({
  method: 'POST',
  path: '/console/api/appointments/:uuid/attendance',
  operationId: 'markParticipants',
  access: { right: 'book', whose: appointmentInPath },
  summary: 'Record the attendance of several people',
  description: 'All of them or none: 409 if a person is not booked. Sends no emails.',
  body: Type.Object(
    {
      people: Type.Array(Type.Object({ uuid: UuidInput, ...AttendanceInput.properties }), {
        maxItems: 1000,
      }),
    },
    { title: 'AttendanceList' },
  ),
  replies: { 200: AppointmentPage },
  errors: ['transition-not-allowed'],
  async handle({ body, service, found: entry, only, context }) {
    const references = new Map(entry.people.map(one => [one.uuid, one.reference]))
    const marks = body.people.map(({ uuid, attendance }) => {
      const reference = references.get(uuid.toLowerCase())
      if (!reference) throw notFound('Participation', uuid, 'people')
      return { reference, attendance }
    })
    await setAttendances(context, marks)
    return savedPage(service, entry, only)
  },
})

const editable = ({ capacity, notes, description }: Editable) => ({ capacity, notes, description })

const savedPage = async (service: Service, { uuid }: FoundEntry, only: string[] | null) =>
  pageOf(service, (await findDiaryEntry(service.db, uuid))!, only)

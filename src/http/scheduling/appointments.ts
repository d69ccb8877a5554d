import Type from 'typebox'
import {
  cancelAppointment as cancel,
  deleteAppointment,
} from '../../actions/scheduling/appointments/cancel-appointments.ts'
import { createAppointment, createSeries } from '../../actions/scheduling/appointments/create-appointments.ts'
import { messagePeople } from '../../actions/scheduling/appointments/message-people.ts'
import { moveAppointment as move } from '../../actions/scheduling/appointments/move-appointment.ts'
import { lockAppointmentRecord } from '../../actions/scheduling/lock-records.ts'
import { deleteSeries } from '../../actions/scheduling/series/cancel.ts'
import { findAppointmentRecord } from '../../db/scheduling/appointment-records.ts'
import { AppointmentRecord, Attendance, appointment, participant } from '../../entities/appointment.ts'
import { pick } from '../../entities/entity.ts'
import { invalidField, missingField, notFound } from '../../errors.ts'
import {
  Choice,
  Either,
  Ignorable,
  isUuid,
  LocalTime,
  longText,
  Optional,
  OptionalText,
  Reference,
  readAddressOrText,
  Uuid,
} from '../wire/fields.ts'
import { refuseRepeats } from '../wire/requests/body.ts'
import { answer, crmRoutes, type GuardedCall } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B5. Appointments')

/** Required: clearing it needs an explicit null. */
export const AttendanceInput = Type.Object({ attendance: Attendance }, { title: 'AttendanceInput' })

const common = {
  ...pick(appointment.inputs, [
    'capacity',
    'acceptBookings',
    'resourceReference',
    'productReference',
    'productName',
    'contactReference',
  ]),
  contact: appointment.inputs.contactReference,
  ...pick(appointment.inputs, ['contactProfileReference', 'description', 'notes', 'address', 'price']),
}

const AppointmentInput = Type.Object(
  {
    reference: appointment.inputs.reference,
    start: LocalTime,
    end: LocalTime,
    ...common,
    participations: Optional(
      Type.Array(Type.Object({ reference: Reference, ...participant }), { maxItems: 1000 }),
    ),
  },
  { title: 'AppointmentInput' },
)
type AppointmentInput = Type.Static<typeof AppointmentInput>

const AppointmentSeriesInput = Type.Object(
  {
    // Those of series_data count.
    from: Ignorable(LocalTime),
    to: Ignorable(LocalTime),
    series_data: Type.Object({
      from: LocalTime,
      to: LocalTime,
      raster: Type.Integer({ minimum: 1, maximum: 1440, description: 'Minutes per Appointment.' }),
      weekdays: Optional(
        Type.Array(Choice(['1', '2', '3', '4', '5', '6', '7']), {
          description: 'From "1" for Monday to "7" for Sunday. Required if the series spans several days.',
        }),
      ),
    }),
    ...common,
    participations: Optional(
      Type.Array(Type.Object({ reference: Ignorable(Reference), ...participant }), { maxItems: 1000 }),
    ),
  },
  { title: 'AppointmentSeriesInput' },
)
type AppointmentSeriesInput = Type.Static<typeof AppointmentSeriesInput>

const AppointmentBody = Either('series_data', AppointmentSeriesInput, AppointmentInput)

const Single = Wrapped({ appointment: AppointmentRecord })
const Series = Wrapped({ seriesId: Uuid, appointments: Type.Array(AppointmentRecord) })

export const createAppointments = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/appointments',
  operationId: 'createAppointments',
  summary: 'Create Appointments',
  description:
    'Creates one Appointment, or with series_data a series: on each listed weekday from the first date to the last, from the local time of `from` to the local time of `to`, divided by the raster. Appointments created by the provider may overlap. Participations sent here are stored as they are, without emails. Sending the same single Appointment again returns 200.',
  body: AppointmentBody,
  replies: { 200: Single, 201: Type.Union([Series, Single]) },
  errors: ['reference-exists'],
  async handle({ body, context }) {
    if (asksForSeries(body)) {
      const { series_data, ...rest } = fieldsOf(body)
      const series = { ...rest, ...series_data }
      const { seriesId, appointments } = await createSeries(context, series)
      return answer(201, wrap({ seriesId, appointments }))
    }
    refuseRepeats('participations', 'reference', body.participations ?? [])
    const single = fieldsOf(body)
    const made = await createAppointment(context, single)
    return answer(made.created ? 201 : 200, wrap({ appointment: made.appointment }))
  },
})

export const getAppointment = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/appointments/:appointmentRef',
  operationId: 'getAppointment',
  summary: 'Get Appointment',
  description: 'An active or cancelled Appointment.',
  isRecord: true,
  replies: { 200: Single },
  async handle({ params, service, found: provider }) {
    const appointment = await findAppointmentRecord(service.db, provider.id, params.appointmentRef)
    if (!appointment) throw notFound('Appointment', params.appointmentRef)
    return wrap({ appointment })
  },
})

export const MessageInput = Type.Object(
  {
    message: Type.String({
      minLength: 1,
      maxLength: longText,
      pattern: '\\S',
      description: 'The text of the email.',
    }),
  },
  { title: 'MessageInput' },
)

const counts = {
  sent: Type.Integer({ description: 'How many emails were queued.' }),
  withoutAddress: Type.Integer({ description: 'How many people have no email address.' }),
}
export const MessageReply = Type.Object(counts, { title: 'SentMessage' })

export const messageAppointment = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/appointments/:appointmentRef/message',
  operationId: 'messageAppointment',
  summary: 'Message all participants',
  description: 'One email to each person with a place, in their language, with your text.',
  body: MessageInput,
  replies: { 200: Wrapped(counts) },
  errors: ['appointment-cancelled'],
  handle: async ({ params, body, context }) =>
    wrap(await messagePeople(context, params.appointmentRef, body.message.trim())),
})

export const moveAppointment = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/appointments/:appointmentRef/move',
  operationId: 'moveAppointment',
  summary: 'Move Appointment',
  description:
    'Moves the Appointment with all participants, and emails them the old and new time. The reference does not change. Returns 409 `conflict`, which names the other Appointment, if the two would overlap, buffers included, unless ignoreConflicts is set. If two moves happen at the same time, one succeeds; the other returns 409 `changed` with the current time, unless both request the same.',
  query: {
    sendMails: Type.Boolean({ default: true, description: 'Whether to notify participants by email.' }),
    ignoreConflicts: Type.Boolean({ default: false, description: 'Move it despite conflicts.' }),
  },
  body: Type.Object(
    {
      start: LocalTime,
      end: LocalTime,
      resourceReference: Optional(Reference),
      message: OptionalText(longText),
    },
    { title: 'AppointmentMove' },
  ),
  ifMatch: { record: getAppointment, lock: lockAppointmentRecord },
  replies: { 200: Single },
  errors: ['conflict', 'changed', 'appointment-cancelled'],
  async handle({ params, query, body, context }) {
    const appointment = await move(context, params.appointmentRef, body, query)
    return wrap({ appointment })
  },
})

/** The Appointment that the body or the query names. A series has no ETag. */
function appointmentIn({ params, query, body }: GuardedCall) {
  const named = (body ?? {}) as { appointmentReference?: string }
  const reference = named.appointmentReference ?? (query.appointmentReference as string | undefined)
  if (!reference) throw invalidField('If-Match', 'if-match')
  return { ...params, appointmentRef: reference }
}

export const cancelAppointment = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/appointments',
  operationId: 'cancelAppointment',
  summary: 'Cancel Appointment',
  description:
    'Notifies all participants by email, which includes `message`. Send the reference in the body or in the query.',
  query: {
    message: Type.Optional(Type.String({ maxLength: longText, description: 'Included in the email.' })),
    appointmentReference: Type.Optional(
      Type.String({ description: 'For clients behind proxies that drop the body of a DELETE.' }),
    ),
  },
  body: Optional(
    Type.Object({ appointmentReference: Optional(Reference) }, { title: 'CancelAppointmentInput' }),
  ),
  ifMatch: { record: getAppointment, lock: lockAppointmentRecord, paramsOf: appointmentIn },
  replies: { 200: Single },
  async handle({ query, body, context }) {
    const reference = body?.appointmentReference ?? query.appointmentReference
    if (!reference) throw missingField('appointmentReference')
    const appointment = await cancel(context, reference, query.message ?? null)
    return wrap({ appointment })
  },
})

export const deleteAppointments = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/appointments/withoutNotification',
  operationId: 'deleteAppointments',
  summary: 'Delete Appointments without notification',
  description: 'Deletes one Appointment or a whole series from all lists, without emails.',
  query: {
    appointmentReference: Type.Optional(
      Type.String({ description: 'For clients behind proxies that drop the body of a DELETE.' }),
    ),
    seriesId: Type.Optional(Type.String({ description: 'All Appointments of this series.' })),
  },
  body: Optional(
    Type.Object(
      { appointmentReference: Optional(Reference), seriesId: Optional(Type.String()) },
      { title: 'DeleteAppointmentsInput' },
    ),
  ),
  ifMatch: { record: getAppointment, lock: lockAppointmentRecord, paramsOf: appointmentIn },
  replies: { 204: null },
  async handle({ query, body, context }) {
    const reference = body?.appointmentReference ?? query.appointmentReference
    const seriesId = body?.seriesId ?? query.seriesId
    if (reference) await deleteAppointment(context, reference)
    else if (seriesId && !isUuid(seriesId)) throw notFound('series', seriesId, 'seriesId')
    else if (seriesId) await deleteSeries(context, seriesId)
    else
      throw missingField('appointmentReference', 'one-of', { choices: ['appointmentReference', 'seriesId'] })
  },
})

const asksForSeries = (body: AppointmentInput | AppointmentSeriesInput): body is AppointmentSeriesInput =>
  'series_data' in body && body.series_data != null

function fieldsOf<T extends AppointmentInput | AppointmentSeriesInput>({ contact, ...body }: T) {
  return {
    ...body,
    contactReference: body.contactReference ?? contact,
    contactField: body.contactReference == null && contact != null ? ('contact' as const) : undefined,
    capacity: body.capacity ?? 0,
    acceptBookings: body.acceptBookings ?? false,
    address: readAddressOrText(body.address),
  }
}

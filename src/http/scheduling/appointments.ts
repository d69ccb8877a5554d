import { Readable } from 'node:stream'
import Type from 'typebox'
import {
  cancelAppointment as cancel,
  deleteAppointment,
  deleteSeries,
} from '../../actions/scheduling/cancel-appointments.ts'
import { createAppointment, createSeries } from '../../actions/scheduling/create-appointments.ts'
import { readInstant } from '../../actions/scheduling/create-timeslots.ts'
import type { Db } from '../../db/base/pool.ts'
import { type AppointmentFilter, appointmentTexts } from '../../db/scheduling/appointment-records.ts'
import { forEachOf, missingField, notFound } from '../../errors.ts'
import { participationStates } from '../../rules/participations.ts'
import { maximumCapacity } from '../../rules/timeslots.ts'
import { providerOf } from '../setup/providers.ts'
import {
  AddressOrText,
  AddressOrTextRecord,
  Email,
  isUuid,
  longText,
  Optional,
  OptionalText,
  Reference,
  readAddressOrText,
  Text,
} from '../wire/fields.ts'
import { answer, crmRoute, noContent } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

const ParticipationState = Type.Enum([...participationStates])

export const ParticipationInAppointment = Type.Object({
  reference: Type.String(),
  email: Nullable(Type.String()),
  mobile: Nullable(Type.String()),
  name: Nullable(Type.String()),
  note: Nullable(Type.String()),
  state: ParticipationState,
  messages: Nullable(Type.Array(Type.String())),
})

export const AppointmentRecord = Type.Object(
  {
    uuid: Type.String(),
    reference: Type.String(),
    acceptBookings: Type.Boolean(),
    address: Nullable(AddressOrTextRecord),
    archived: Type.Boolean(),
    capacity: Type.Number(),
    contactReference: Nullable(Type.String()),
    description: Nullable(Type.String()),
    start: Type.String(),
    end: Type.String(),
    notes: Nullable(Type.String()),
    participations: Type.Array(ParticipationInAppointment),
    price: Nullable(Type.Object({ value: Type.Number(), currency: Type.String() })),
    productReference: Type.String(),
    resourceReference: Type.String(),
    seriesId: Nullable(Type.String()),
    state: Type.Enum(['ACTIVE', 'CANCELLED']),
  },
  { title: 'Appointment' },
)
type AppointmentRecord = Type.Static<typeof AppointmentRecord>

const InlineParticipation = Type.Object({
  reference: Optional(Reference),
  name: Text(),
  email: Email,
  mobile: OptionalText(100),
  note: OptionalText(longText),
  state: ParticipationState,
})

const SeriesData = Type.Object({
  from: Text(64),
  to: Text(64),
  raster: Type.Integer({ minimum: 1, maximum: 1440 }),
  weekdays: Optional(Type.Array(Type.Enum(['1', '2', '3', '4', '5', '6', '7']))),
})

const AppointmentBody = Type.Object({
  reference: Optional({ ...Reference, ignoredWith: 'series_data' }),
  start: Optional(Text(64)),
  end: Optional(Text(64)),
  from: Optional(Text(64)),
  to: Optional(Text(64)),
  series_data: Optional(SeriesData),
  capacity: Optional(Type.Integer({ minimum: 0, maximum: maximumCapacity })),
  acceptBookings: Optional(Type.Boolean()),
  resourceReference: Reference,
  productReference: Reference,
  productName: OptionalText(),
  contactReference: Optional(Reference),
  contact: Optional(Reference),
  contactProfileReference: Optional(Reference),
  description: OptionalText(longText),
  notes: OptionalText(longText),
  address: Optional(AddressOrText),
  participations: Optional(Type.Array(InlineParticipation, { maxItems: 1000 })),
  price: Optional(Type.Object({ value: Type.Number(), currency: Type.Enum(['EUR', 'CHF']) })),
})
type AppointmentBody = Type.Static<typeof AppointmentBody>

const Single = Wrapped({ appointment: AppointmentRecord })
const Series = Wrapped({ seriesId: Type.String(), appointments: Type.Array(AppointmentRecord) })

export const createAppointments = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/appointments',
  operationId: 'createAppointments',
  tag: 'B5. Appointments',
  scope: 'scheduling',
  summary: 'Create Appointments',
  description:
    'One Appointment, or with series_data a series: on each listed weekday from the first date to the last, from the local time of `from` to the local time of `to`, cut by the raster. The provider may create overlapping Appointments; Participations given here are stored as they are and cause no mail. The same single Appointment sent again answers 200.',
  body: AppointmentBody,
  replies: { 200: Single, 201: Type.Union([Series, Single]) },
  errors: ['not-found', 'reference-exists'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    if (body.series_data) {
      const { seriesId, appointments } = await createSeries(
        service,
        caller.actor,
        provider,
        seriesFields(body),
      )
      return answer(201, wrap({ seriesId, appointments: appointments as AppointmentRecord[] }))
    }
    const { appointment, created } = await createAppointment(
      service,
      caller.actor,
      provider,
      singleFields(body),
    )
    return answer(created ? 201 : 200, wrap({ appointment: appointment as AppointmentRecord }))
  },
})

export const getAppointments = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/appointments',
  operationId: 'getAppointments',
  tag: 'B5. Appointments',
  scope: 'scheduling',
  summary: 'Get Appointments',
  description: 'Active and cancelled ones in the order of time. `from` and `to` bound the list.',
  query: {
    productRef: Type.Optional(Type.String()),
    resourceRef: Type.Optional(Type.String()),
    includeArchived: Type.Boolean({ default: false }),
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.String()),
  },
  replies: { 200: Type.Array(AppointmentRecord) },
  errors: ['not-found'],
  async handle({ params, query, caller, service, reply }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const { from, to, ...filter } = query
    const bounds = {
      from: from && readInstant(from, provider.time_zone, 'from'),
      to: to && readInstant(to, provider.time_zone, 'to'),
    }
    reply.type('application/json; charset=utf-8')
    const list = streamList(service.db, {
      providerId: provider.id,
      ...filter,
      ...bounds,
    } as AppointmentFilter)
    return answer(200, list as unknown as AppointmentRecord[])
  },
})

export const cancelAppointment = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/appointments',
  operationId: 'cancelAppointment',
  tag: 'B5. Appointments',
  scope: 'scheduling',
  summary: 'Cancel Appointment',
  description:
    'Everybody in it is told; `message` stands in the mail. The reference may come in the body or in the query.',
  query: {
    message: Type.Optional(Type.String({ maxLength: longText })),
    appointmentReference: Type.Optional(Type.String()),
  },
  body: Optional(Type.Object({ appointmentReference: Optional(Reference) })),
  replies: { 200: Single },
  errors: ['not-found'],
  async handle({ params, query, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const reference = body?.appointmentReference ?? query.appointmentReference
    if (!reference) throw missingField('appointmentReference')
    const appointment = await cancel(service, caller.actor, provider, reference, query.message ?? null)
    return answer(200, wrap({ appointment: appointment as AppointmentRecord }))
  },
})

export const deleteAppointments = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/appointments/withoutNotification',
  operationId: 'deleteAppointments',
  tag: 'B5. Appointments',
  scope: 'scheduling',
  summary: 'Delete Appointments without notification',
  description: 'One, or all of a series. They leave every list, and nobody is told.',
  query: { appointmentReference: Type.Optional(Type.String()), seriesId: Type.Optional(Type.String()) },
  body: Optional(
    Type.Object({ appointmentReference: Optional(Reference), seriesId: Optional(Type.String()) }),
  ),
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, query, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const reference = body?.appointmentReference ?? query.appointmentReference
    const seriesId = body?.seriesId ?? query.seriesId
    if (reference) await deleteAppointment(service, caller.actor, provider, reference)
    else if (seriesId && !isUuid(seriesId)) throw notFound('series', seriesId, 'seriesId')
    else if (seriesId) await deleteSeries(service, caller.actor, provider, seriesId)
    else throw missingField('appointmentReference', 'appointmentReference or seriesId is required.')
    return noContent()
  },
})

function commonFields({ contact, ...body }: AppointmentBody) {
  return {
    ...body,
    contactReference: body.contactReference ?? contact,
    capacity: body.capacity ?? 0,
    acceptBookings: body.acceptBookings ?? false,
    address: readAddressOrText(body.address),
  }
}

function singleFields(body: AppointmentBody) {
  const missing = [
    ...(['reference', 'start', 'end'] as const).filter(field => !body[field]),
    ...(body.participations ?? []).flatMap(({ reference }, index) =>
      reference ? [] : [`participations[${index}].reference`],
    ),
  ]
  forEachOf(missing, field => {
    throw missingField(field)
  })
  const { from, to, series_data, ...rest } = commonFields(body)
  return { ...rest, reference: body.reference!, start: body.start!, end: body.end! }
}

function seriesFields(body: AppointmentBody) {
  return { ...commonFields(body), ...body.series_data! }
}

/** The list as it comes from the database, page by page: memory does not grow with it. */
function streamList(db: Db, filter: AppointmentFilter): Readable {
  async function* chunks() {
    let before = '['
    for await (const text of appointmentTexts(db, filter)) {
      yield before + text
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  }
  return Readable.from(chunks(), { objectMode: false })
}

import Type from 'typebox'
import {
  deleteTimeslot as remove,
  updateTimeslot as update,
} from '../../actions/scheduling/change-timeslot.ts'
import { createTimeslots as create } from '../../actions/scheduling/create-timeslots.ts'
import { lockTimeslotRecord } from '../../actions/scheduling/lock-records.ts'
import {
  findTimeslots,
  listProviderTimeslots,
  listTimeslots,
  type TimeslotRecord as Timeslot,
} from '../../db/scheduling/timeslots.ts'
import { findResource } from '../../db/setup/resources.ts'
import { AppointmentRecord } from '../../entities/appointment.ts'
import { updatedAt } from '../../entities/entity.ts'
import { notFound } from '../../errors.ts'
import { maximumCapacity, maximumRaster } from '../../rules/offers/timeslots.ts'
import { readPeriod } from '../../rules/time/read-times.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { providerOf } from '../setup/providers.ts'
import {
  AddressOrText,
  AddressOrTextRecord,
  Choice,
  LocalTime,
  Moment,
  Optional,
  Reference,
  readAddressOrText,
  Uuid,
} from '../wire/fields.ts'
import { pageOf, pageQuery, readPage } from '../wire/pages.ts'
import { refuseRepeats } from '../wire/requests/repeats.ts'
import { answer, crmRoute, noContent } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

const State = Choice(['CREATED', 'BOOKABLE'])
export const Raster = Type.Integer({
  minimum: 1,
  maximum: maximumRaster,
  description: 'Minutes per slot.',
})

const changeable = {
  end: LocalTime,
  raster: Raster,
  defaultCapacity: Type.Integer({ minimum: 0, maximum: maximumCapacity }),
  defaultAcceptBookings: Type.Boolean(),
  address: Optional(AddressOrText),
  state: State,
}

const TimeslotInput = Type.Object(
  {
    reference: Optional(Reference),
    resourceReference: Reference,
    start: Optional({ ...LocalTime, 'x-not-blank': true }),
    ...changeable,
  },
  { title: 'TimeslotInput' },
)

export const TimeslotWithReference = Type.Object(
  { ...TimeslotInput.properties, reference: Reference },
  { title: 'TimeslotUpsert' },
)

export const TimeslotRecord = Type.Object(
  {
    uuid: Uuid,
    reference: Type.String(),
    resourceReference: Type.String(),
    start: Moment,
    end: Moment,
    raster: Type.Number(),
    defaultCapacity: Type.Number(),
    defaultAcceptBookings: Type.Boolean(),
    address: Nullable(AddressOrTextRecord),
    state: State,
    updatedAt: updatedAt.output,
    appointments: Type.Array(AppointmentRecord),
  },
  { title: 'Timeslot' },
)

const TimeslotsReply = Wrapped({ timeslots: Type.Array(TimeslotRecord) })

export const createTimeslots = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/timeslots',
  operationId: 'createTimeslots',
  tag: 'B4. Timeslots',
  scope: 'scheduling',
  summary: 'Create Timeslots',
  description:
    'Creates one or several Timeslots (all or none). Times without an offset are in the Provider’s local time. The start defaults to now, rounded up to the raster. Sending the same request again returns the existing Timeslots (200).',
  body: Type.Object({ timeslots: Type.Array(TimeslotInput, { minItems: 1, maxItems: 10_000 }) }),
  replies: { 200: TimeslotsReply, 201: TimeslotsReply },
  errors: ['not-found', 'reference-exists'],
  isBatch: true,
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    refuseRepeats('timeslots', 'reference', body.timeslots)
    const sent = body.timeslots.map(one => ({ ...one, address: readAddressOrText(one.address) }))
    const { timeslots, created } = await create(service, caller.actor, provider, sent)
    return answer(created ? 201 : 200, wrap({ timeslots: timeslots.map(timeslotRecord) }))
  },
})

export const getTimeslots = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/resource/:resourceRef/timeslots',
  operationId: 'getTimeslots',
  tag: 'B4. Timeslots',
  scope: 'scheduling',
  summary: 'Get Timeslots',
  description: 'Timeslots of the Resource that overlap the period, by start, with their Appointments.',
  query: { from: LocalTime, to: LocalTime, ...pageQuery },
  replies: { 200: Type.Array(TimeslotRecord), 304: null },
  errors: ['missing-field', 'not-found'],
  isList: true,
  async handle({ params, query, caller, service, request, reply }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const resource = await findResource(service.db, provider.id, params.resourceRef)
    if (!resource) throw notFound('Resource', params.resourceRef)
    const { from, to } = readPeriod({ from: query.from, to: query.to }, provider.timeZone)
    const rows = await listTimeslots(service.db, resource.id, { from, to }, readPage(query, 2))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.startAt, row.id])
    return answer(200, page.map(timeslotRecord))
  },
})

export const getProviderTimeslots = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/timeslots',
  operationId: 'getProviderTimeslots',
  tag: 'B4. Timeslots',
  scope: 'scheduling',
  summary: 'Get Timeslots of a Provider',
  description:
    'Timeslots of all its Resources that overlap the period, by start, with their Appointments. Use `limit` for long periods.',
  query: { from: LocalTime, to: LocalTime, ...pageQuery },
  replies: { 200: Type.Array(TimeslotRecord), 304: null },
  errors: ['missing-field', 'not-found'],
  isList: true,
  async handle({ params, query, caller, service, request, reply }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const { from, to } = readPeriod({ from: query.from, to: query.to }, provider.timeZone)
    const rows = await listProviderTimeslots(service.db, provider.id, { from, to }, readPage(query, 2))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.startAt, row.id])
    return answer(200, page.map(timeslotRecord))
  },
})

export const getTimeslot = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/timeslots/:timeslotRef',
  operationId: 'getTimeslot',
  tag: 'B4. Timeslots',
  scope: 'scheduling',
  summary: 'Get Timeslot',
  description: 'A Timeslot with its Appointments.',
  isRecord: true,
  replies: { 200: Wrapped({ timeslot: TimeslotRecord }) },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const [timeslot] = await findTimeslots(service.db, provider.id, [params.timeslotRef])
    if (!timeslot) throw notFound('Timeslot', params.timeslotRef)
    return answer(200, wrap({ timeslot: timeslotRecord(timeslot) }))
  },
})

export const updateTimeslot = crmRoute({
  method: 'PUT',
  path: '/crms/:crmId/provider/:providerRef/timeslots/:timeslotRef',
  operationId: 'updateTimeslot',
  tag: 'B4. Timeslots',
  scope: 'scheduling',
  summary: 'Update Timeslot',
  description:
    'Changes only the fields that are sent. Refused if an Appointment that is not cancelled would end up outside.',
  body: Type.Partial(Type.Object({ start: LocalTime, ...changeable }), { title: 'TimeslotChange' }),
  ifMatch: { record: getTimeslot, lock: lockTimeslotRecord },
  replies: { 200: Wrapped({ timeslot: TimeslotRecord }) },
  errors: ['not-found', 'active-appointment'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const change = { ...body, address: readAddressOrText(body.address) }
    const timeslot = await update(service, caller.actor, provider, params.timeslotRef, change)
    return answer(200, wrap({ timeslot: timeslotRecord(timeslot) }))
  },
})

export const deleteTimeslot = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/timeslots/:timeslotRef',
  operationId: 'deleteTimeslot',
  tag: 'B4. Timeslots',
  scope: 'scheduling',
  summary: 'Delete Timeslot',
  description: 'Refused while it contains an Appointment that is not cancelled.',
  ifMatch: { record: getTimeslot, lock: lockTimeslotRecord },
  replies: { 204: null },
  errors: ['not-found', 'active-appointment'],
  async handle({ params, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    await remove(service, caller.actor, provider, params.timeslotRef)
    return noContent()
  },
})

export function timeslotRecord(slot: Timeslot) {
  return {
    uuid: slot.uuid,
    reference: slot.reference,
    resourceReference: slot.resourceReference,
    start: toUtcText(slot.startAt),
    end: toUtcText(slot.endAt),
    raster: slot.raster,
    defaultCapacity: slot.defaultCapacity,
    defaultAcceptBookings: slot.defaultAcceptBookings,
    address: slot.address,
    state: slot.state,
    updatedAt: new Date(slot.updatedAt).toISOString(),
    appointments: slot.appointments,
  }
}

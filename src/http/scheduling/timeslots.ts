import Type from 'typebox'
import {
  deleteTimeslot as remove,
  updateTimeslot as update,
} from '../../actions/scheduling/hours/change-timeslot.ts'
import { createTimeslots as create } from '../../actions/scheduling/hours/create-timeslots.ts'
import { lockTimeslotRecord } from '../../actions/scheduling/lock-records.ts'
import { findTimeslots, listProviderTimeslots, listTimeslots } from '../../db/scheduling/timeslots.ts'
import { timeslot } from '../../entities/timeslot.ts'
import { notFound } from '../../errors.ts'
import { readPeriod } from '../../rules/time/read-times.ts'
import { resourceOf } from '../setup/resources.ts'
import { LocalTime, Reference, readAddressOrText } from '../wire/fields.ts'
import { pageOf, pageQuery, readPage } from '../wire/pages.ts'
import { refuseRepeats } from '../wire/requests/body.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B4. Timeslots')

const TimeslotInput = Type.Object(timeslot.inputs, { title: 'TimeslotInput' })

export const TimeslotWithReference = Type.Object(
  { ...timeslot.inputs, reference: Reference },
  { title: 'TimeslotUpsert' },
)

export const TimeslotRecord = Type.Object(timeslot.outputs, { title: 'Timeslot' })

const TimeslotsReply = Wrapped({ timeslots: Type.Array(TimeslotRecord) })

export const createTimeslots = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/timeslots',
  operationId: 'createTimeslots',
  summary: 'Create Timeslots',
  description:
    'Creates one or several Timeslots (all or none). Times without an offset are in the Provider’s local time. The start defaults to now, rounded up to the raster. Sending the same request again returns the existing Timeslots (200).',
  body: Type.Object({ timeslots: Type.Array(TimeslotInput, { minItems: 1, maxItems: 10_000 }) }),
  replies: { 200: TimeslotsReply, 201: TimeslotsReply },
  errors: ['reference-exists'],
  isBatch: true,
  async handle({ body, context }) {
    refuseRepeats('timeslots', 'reference', body.timeslots)
    const sent = body.timeslots.map(one => ({ ...one, address: readAddressOrText(one.address) }))
    const { timeslots, created } = await create(context, sent)
    return answer(created ? 201 : 200, wrap({ timeslots: timeslots.map(timeslot.record) }))
  },
})

export const getTimeslots = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/resource/:resourceRef/timeslots',
  operationId: 'getTimeslots',
  summary: 'Get Timeslots',
  description: 'Timeslots of the Resource that overlap the period, by start, with their Appointments.',
  query: { from: LocalTime, to: LocalTime, ...pageQuery },
  replies: { 200: Type.Array(TimeslotRecord) },
  errors: ['missing-field'],
  isList: true,
  async handle({ params, query, service, request, reply, context, found: provider }) {
    const resource = await resourceOf(context, params.resourceRef)
    const { from, to } = readPeriod({ from: query.from, to: query.to }, provider.timeZone)
    const rows = await listTimeslots(service.db, resource.id, { from, to }, readPage(query, 2))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.start, row.id])
    return page.map(timeslot.record)
  },
})

export const getProviderTimeslots = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/timeslots',
  operationId: 'getProviderTimeslots',
  summary: 'Get Timeslots of a Provider',
  description:
    'Timeslots of all its Resources that overlap the period, by start, with their Appointments. Use `limit` for long periods.',
  query: { from: LocalTime, to: LocalTime, ...pageQuery },
  replies: { 200: Type.Array(TimeslotRecord) },
  errors: ['missing-field'],
  isList: true,
  async handle({ query, service, request, reply, found: provider }) {
    const { from, to } = readPeriod({ from: query.from, to: query.to }, provider.timeZone)
    const rows = await listProviderTimeslots(service.db, provider.id, { from, to }, readPage(query, 2))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.start, row.id])
    return page.map(timeslot.record)
  },
})

export const getTimeslot = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/timeslots/:timeslotRef',
  operationId: 'getTimeslot',
  summary: 'Get Timeslot',
  description: 'A Timeslot with its Appointments.',
  isRecord: true,
  replies: { 200: Wrapped({ timeslot: TimeslotRecord }) },
  async handle({ params, service, found: provider }) {
    const [found] = await findTimeslots(service.db, provider.id, [params.timeslotRef])
    if (!found) throw notFound('Timeslot', params.timeslotRef)
    return wrap({ timeslot: timeslot.record(found) })
  },
})

const { reference: _, resourceReference: _resource, ...changeable } = timeslot.changes

export const updateTimeslot = crmRoute({
  method: 'PUT',
  path: '/crms/:crmId/provider/:providerRef/timeslots/:timeslotRef',
  operationId: 'updateTimeslot',
  summary: 'Update Timeslot',
  description:
    'Changes only the fields that are sent. Refused if an Appointment that is not cancelled would end up outside.',
  body: Type.Partial(Type.Object(changeable), { title: 'TimeslotChange' }),
  ifMatch: { record: getTimeslot, lock: lockTimeslotRecord },
  replies: { 200: Wrapped({ timeslot: TimeslotRecord }) },
  errors: ['active-appointment'],
  async handle({ params, body, context }) {
    const change = { ...body, address: readAddressOrText(body.address) }
    const saved = await update(context, params.timeslotRef, change)
    return wrap({ timeslot: timeslot.record(saved) })
  },
})

export const deleteTimeslot = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/timeslots/:timeslotRef',
  operationId: 'deleteTimeslot',
  summary: 'Delete Timeslot',
  description: 'Refused while it contains an Appointment that is not cancelled.',
  ifMatch: { record: getTimeslot, lock: lockTimeslotRecord },
  replies: { 204: null },
  errors: ['active-appointment'],
  handle: ({ params, context }) => remove(context, params.timeslotRef),
})

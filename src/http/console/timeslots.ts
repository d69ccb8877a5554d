import Type from 'typebox'
import { deleteTimeslot, updateTimeslot } from '../../actions/scheduling/change-timeslot.ts'
import { createTimeslots } from '../../actions/scheduling/create-timeslots.ts'
import type { TimeslotRecord } from '../../db/scheduling/timeslots.ts'
import { maximumCapacity } from '../../rules/offers/timeslots.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { Raster } from '../scheduling/timeslots.ts'
import { Choice, LocalTime, Moment, Optional, Uuid } from '../wire/fields.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { providerOfRow, resourceInPath, timeslotInPath } from './subjects.ts'

const OpenedTime = Type.Object(
  { uuid: Uuid, start: Moment, end: Moment, raster: Type.Number(), state: Choice(['CREATED', 'BOOKABLE']) },
  { title: 'OpenedTime' },
)

export const openTime = consoleRoute({
  method: 'POST',
  path: '/console/api/resources/:uuid/timeslots',
  operationId: 'openTime',
  access: { right: 'book', whose: resourceInPath },
  tag: 'Console',
  summary: 'Add a Timeslot to a Resource',
  description: 'A Timeslot outside the opening hours that can be booked immediately.',
  body: Type.Object(
    {
      start: LocalTime,
      end: LocalTime,
      raster: Raster,
      capacity: Optional(Type.Integer({ minimum: 0, maximum: maximumCapacity, description: 'Default 1.' })),
    },
    { title: 'TimeToOpen' },
  ),
  replies: { 201: OpenedTime },
  async handle({ body, caller, service, found: resource }) {
    const provider = await providerOfRow(service, resource)
    const input = {
      start: body.start,
      end: body.end,
      raster: body.raster,
      resourceReference: resource.reference,
      defaultCapacity: body.capacity ?? 1,
      defaultAcceptBookings: true,
      state: 'BOOKABLE' as const,
    }
    const { timeslots } = await createTimeslots(service, caller.actor, provider, [input])
    return answer(201, openedRecord(timeslots[0]!))
  },
})

export const shiftTime = consoleRoute({
  method: 'PATCH',
  path: '/console/api/timeslots/:uuid',
  operationId: 'shiftTime',
  access: { right: 'book', whose: timeslotInPath },
  tag: 'Console',
  summary: 'Move or extend a Timeslot',
  description:
    'Changes only the fields that are sent. Refused if a booking would end up outside. Timeslots created by opening hours are recreated by them.',
  body: Type.Partial(Type.Object({ start: LocalTime, end: LocalTime, raster: Raster }), {
    title: 'TimeToShift',
  }),
  replies: { 200: OpenedTime },
  errors: ['active-appointment'],
  async handle({ body, caller, service, found }) {
    const provider = await providerOfRow(service, found)
    return answer(
      200,
      openedRecord(await updateTimeslot(service, caller.actor, provider, found.reference, body)),
    )
  },
})

export const closeTime = consoleRoute({
  method: 'DELETE',
  path: '/console/api/timeslots/:uuid',
  operationId: 'closeTime',
  access: { right: 'book', whose: timeslotInPath },
  tag: 'Console',
  summary: 'Delete a Timeslot',
  description: 'Refused while it contains a booking.',
  replies: { 204: null },
  errors: ['active-appointment'],
  async handle({ caller, service, found }) {
    await deleteTimeslot(service, caller.actor, await providerOfRow(service, found), found.reference)
    return noContent()
  },
})

const openedRecord = ({ uuid, raster, state, startAt, endAt }: TimeslotRecord) => ({
  uuid,
  raster,
  state,
  start: toUtcText(startAt),
  end: toUtcText(endAt),
})

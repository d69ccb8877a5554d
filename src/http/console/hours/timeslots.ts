import Type from 'typebox'
import { deleteTimeslot, updateTimeslot } from '../../../actions/scheduling/hours/change-timeslot.ts'
import { createTimeslots } from '../../../actions/scheduling/hours/create-timeslots.ts'
import { only } from '../../../entities/entity.ts'
import { Raster, timeslot } from '../../../entities/timeslot.ts'
import { maximumCapacity } from '../../../rules/offers/timeslots.ts'
import { LocalTime, Optional } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { resourceInPath, timeslotInPath } from '../subjects.ts'

const opened = only(timeslot, ['uuid', 'start', 'end', 'raster', 'state'])
const OpenedTime = Type.Object(opened.outputs, { title: 'OpenedTime' })

export const openTime = consoleRoute({
  method: 'POST',
  path: '/console/api/resources/:uuid/timeslots',
  operationId: 'openTime',
  access: { right: 'book', whose: resourceInPath },
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
  async handle({ body, found: resource, context }) {
    const input = {
      start: body.start,
      end: body.end,
      raster: body.raster,
      resourceReference: resource.reference,
      defaultCapacity: body.capacity ?? 1,
      defaultAcceptBookings: true,
      state: 'BOOKABLE' as const,
    }
    const { timeslots } = await createTimeslots(context, [input])
    return opened.record(timeslots[0]!)
  },
})

export const shiftTime = consoleRoute({
  method: 'PATCH',
  path: '/console/api/timeslots/:uuid',
  operationId: 'shiftTime',
  access: { right: 'book', whose: timeslotInPath },
  summary: 'Move or extend a Timeslot',
  description:
    'Changes only the fields that are sent. Refused if a booking would end up outside. Timeslots created by opening hours are recreated by them.',
  body: Type.Partial(Type.Object({ start: LocalTime, end: LocalTime, raster: Raster }), {
    title: 'TimeToShift',
  }),
  replies: { 200: OpenedTime },
  errors: ['active-appointment'],
  handle: async ({ body, found, context }) =>
    opened.record(await updateTimeslot(context, found.reference, body)),
})

export const closeTime = consoleRoute({
  method: 'DELETE',
  path: '/console/api/timeslots/:uuid',
  operationId: 'closeTime',
  access: { right: 'book', whose: timeslotInPath },
  summary: 'Delete a Timeslot',
  description: 'Refused while it contains a booking.',
  replies: { 204: null },
  errors: ['active-appointment'],
  handle: ({ found, context }) => deleteTimeslot(context, found.reference),
})

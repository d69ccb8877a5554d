import Type from 'typebox'
import { type FoundTime, findNextDays, findStaffTimes } from '../../actions/scheduling/find-staff-times.ts'
import { resourcesOffering } from '../../db/scheduling/calendar.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { recordAt } from '../wire/callers/permit.ts'
import { Moment, Text, Uuid } from '../wire/fields.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { period } from './diary.ts'
import { productInPath, providerInPath, resourceInPath } from './subjects.ts'

const FreeTime = Type.Object(
  {
    start: Moment,
    end: Moment,
    resource: Type.Object({ uuid: Uuid, name: Type.String() }),
    appointmentUuid: Nullable(
      Type.String({
        ...Uuid,
        description: 'The group that a customer would join. Null for a new Appointment.',
      }),
    ),
    capacityLeft: Type.Number(),
  },
  { title: 'FreeTime' },
)

export const getFreeTimes = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/free-times',
  operationId: 'getFreeTimes',
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  isLarge: true,
  tag: 'Console',
  summary: 'List free times for staff to book',
  description:
    'Every free time of a Product on the raster of the Timeslots, from `from`, at one Resource or at all that offer the Product. Ignores the notice, horizon and visibility of channels, and includes Timeslots that are not public. Days are in the Provider’s time zone; `to` is exclusive and defaults to one day. With `nextDays`, returns the first time on each of the next days that have one, up to half a year ahead.',
  query: {
    productUuid: Type.String({ ...Uuid, description: 'Product to book.' }),
    from: { ...Text(10), description: 'First day, such as 2026-03-04.' },
    to: Type.Optional({ ...Text(10), description: 'Day after the last day.' }),
    resourceUuid: Type.Optional(
      Type.String({
        ...Uuid,
        description: 'Only this Resource. Default: every Resource that offers the Product.',
      }),
    ),
    duration: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 525_600,
        description: 'Duration in minutes. Default: that of the Product.',
      }),
    ),
    appointmentUuid: Type.Optional(
      Type.String({ ...Uuid, description: 'Appointment to be moved. Its own time counts as free.' }),
    ),
    nextDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 14, description: 'Number of days to find. `to` is then ignored.' }),
    ),
  },
  replies: {
    200: Type.Object({ timeZone: Type.String(), times: Type.Array(FreeTime) }, { title: 'FreeTimes' }),
  },
  errors: ['missing-field'],
  async handle({ query, service, found: provider, only }) {
    const product = await recordAt(service.db, productInPath, provider.id, query.productUuid)
    const { from, to } = period(query, provider.timeZone)
    const { resourceUuid, duration = null, appointmentUuid: moving = null, nextDays } = query
    const one = resourceUuid && (await recordAt(service.db, resourceInPath, provider.id, resourceUuid, only))
    const places = one
      ? [{ id: one.id, uuid: one.uuid, name: one.internalName }]
      : (await resourcesOffering(service.db, provider.id, product.id)).filter(
          place => !only || only.includes(place.uuid),
        )
    const question = { product, duration, moving, places, timeZone: provider.timeZone }
    const times = nextDays
      ? await findNextDays(service, question, from, nextDays)
      : await findStaffTimes(service, question, { from, to })
    return answer(200, { timeZone: provider.timeZone, times: times.map(timeRecord) })
  },
})

const timeRecord = ({ start, end, place, appointmentUuid, capacityLeft }: FoundTime) => ({
  start: toUtcText(start),
  end: toUtcText(end),
  resource: { uuid: place.uuid, name: place.name },
  appointmentUuid,
  capacityLeft,
})

import Type from 'typebox'
import { countRequests, listRequests, type WaitingRequest } from '../../../db/scheduling/requests.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import { Moment, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { providerInPath } from '../subjects.ts'

const Named = Type.Object({ uuid: Uuid, name: Type.String() })

const RequestRecord = Type.Object(
  {
    uuid: Uuid,
    askedAt: Moment,
    name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    mobile: Nullable(Type.String()),
    note: Nullable(Type.String({ description: 'Message from the customer.' })),
    customer: Nullable(Type.Object({ uuid: Uuid, reference: Type.String() })),
    booked: Type.Number({ description: 'Number of other bookings of this Customer.' }),
    cancelled: Type.Number({
      description: 'Number of other Participations of this Customer that were cancelled.',
    }),
    missed: Type.Number({ description: 'Number of no-shows.' }),
    appointmentUuid: Uuid,
    start: Moment,
    end: Moment,
    resource: Named,
    product: Named,
  },
  { title: 'WaitingRequest' },
)

const maxShown = 200

export const getRequests = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/requests',
  operationId: 'getRequests',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true },
  summary: 'List open requests, oldest first',
  description: 'Up to 200; `count` is the total.',
  replies: {
    200: Type.Object(
      { timeZone: Type.String(), count: Type.Number(), requests: Type.Array(RequestRecord) },
      { title: 'WaitingRequests' },
    ),
  },
  async handle({ service, found: provider, only }) {
    const [count, requests] = await Promise.all([
      countRequests(service.db, provider.id, only),
      listRequests(service.db, provider.id, maxShown, only),
    ])
    return { timeZone: provider.timeZone, count, requests: requests.map(requestRecord) }
  },
})

export const countProviderRequests = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/requests/count',
  operationId: 'countRequests',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true },
  summary: 'Count open requests',
  description: 'Requests for Appointments that have not started.',
  replies: { 200: Type.Object({ count: Type.Number() }, { title: 'RequestCount' }) },
  handle: async ({ service, found: provider, only }) => ({
    count: await countRequests(service.db, provider.id, only),
  }),
})

const requestRecord = (request: WaitingRequest) => ({
  ...request,
  askedAt: toUtcText(request.askedAt),
  start: toUtcText(request.start),
  end: toUtcText(request.end),
})

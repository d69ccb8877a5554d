import Type from 'typebox'
import {
  createCalendar as create,
  revokeCalendar as revoke,
} from '../../actions/scheduling/calendars/calendars.ts'
import { type Feed, listFeeds } from '../../db/scheduling/feeds.ts'
import { notFound } from '../../errors.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { Choice, isUuid, Moment, Optional, OptionalText, Reference, Url, Uuid } from '../wire/fields.ts'
import { crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B5. Appointments')

export const CalendarInput = Type.Object(
  {
    resourceReference: Optional(Reference),
    userReference: Optional(Reference),
    names: Optional(
      Type.Boolean({
        description: 'Include names and places. Otherwise entries only say "busy". Default false.',
      }),
    ),
    description: OptionalText(200),
  },
  { title: 'CalendarInput' },
)

export const CalendarRecord = Type.Object(
  {
    uuid: Uuid,
    kind: Choice(['provider', 'resource', 'user']),
    resourceReference: Nullable(Type.String()),
    userReference: Nullable(Type.String()),
    description: Nullable(Type.String()),
    names: Type.Boolean(),
    createdAt: Moment,
    lastReadAt: Nullable(Moment),
  },
  { title: 'Calendar' },
)

const path = '/crms/:crmId/provider/:providerRef/calendars'

export const createCalendar = crmRoute({
  method: 'POST',
  path,
  operationId: 'createCalendar',
  summary: 'Create a calendar subscription',
  description:
    'For a Resource, a staff member, or the whole Provider. `url` is shown only here. Anyone with this address can read the calendar until it is deleted.',
  body: CalendarInput,
  replies: { 201: Wrapped({ calendar: CalendarRecord, url: Url }) },
  async handle({ body, context }) {
    const { feed, url } = await create(context, {
      ...body,
      names: body.names ?? false,
    })
    return wrap({ calendar: calendarRecord(feed), url })
  },
})

export const getCalendars = crmRoute({
  method: 'GET',
  path,
  operationId: 'getCalendars',
  summary: 'List calendar subscriptions',
  description: 'Does not include the addresses, which cannot be read again.',
  replies: { 200: Type.Array(CalendarRecord) },
  handle: async ({ service, found: provider }) =>
    (await listFeeds(service.db, provider.id)).map(calendarRecord),
})

export const deleteCalendar = crmRoute({
  method: 'DELETE',
  path: `${path}/:calendarUuid`,
  operationId: 'deleteCalendar',
  summary: 'Revoke a calendar subscription',
  description: 'The address stops working immediately.',
  replies: { 204: null },
  async handle({ params, context }) {
    if (!isUuid(params.calendarUuid)) throw notFound('Calendar', params.calendarUuid)
    await revoke(context, params.calendarUuid)
  },
})

export const calendarRecord = ({ createdAt, lastReadAt, ...feed }: Feed) => ({
  ...feed,
  createdAt: toUtcText(createdAt),
  lastReadAt: lastReadAt === null ? null : toUtcText(lastReadAt),
})

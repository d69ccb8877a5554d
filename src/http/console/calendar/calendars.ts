import Type from 'typebox'
import {
  createCalendar as create,
  revokeCalendar as revoke,
} from '../../../actions/scheduling/calendars/calendars.ts'
import { listFeeds } from '../../../db/scheduling/feeds.ts'
import { notFound } from '../../../errors.ts'
import { CalendarInput, CalendarRecord, calendarRecord } from '../../scheduling/calendars.ts'
import { isUuid, Url } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { providerInPath } from '../subjects.ts'

const path = '/console/api/providers/:uuid/calendars'

export const createProviderCalendar = consoleRoute({
  method: 'POST',
  path,
  operationId: 'createProviderCalendar',
  access: { right: 'manage', whose: providerInPath },
  summary: 'Create a calendar subscription',
  description: 'For owners, managers and administrators. `url` is shown only here.',
  body: CalendarInput,
  replies: { 201: Type.Object({ calendar: CalendarRecord, url: Url }, { title: 'NewCalendar' }) },
  async handle({ body, context }) {
    const { feed, url } = await create(context, {
      ...body,
      names: body.names ?? false,
    })
    return { calendar: calendarRecord(feed), url }
  },
})

export const getProviderCalendars = consoleRoute({
  method: 'GET',
  path,
  operationId: 'getProviderCalendars',
  access: { right: 'manage', whose: providerInPath },
  summary: 'List calendar subscriptions',
  description:
    'For owners, managers and administrators. Does not include the addresses, which cannot be read again.',
  replies: { 200: Type.Object({ calendars: Type.Array(CalendarRecord) }, { title: 'Calendars' }) },
  handle: async ({ service, found: provider }) => ({
    calendars: (await listFeeds(service.db, provider.id)).map(calendarRecord),
  }),
})

export const deleteProviderCalendar = consoleRoute({
  method: 'DELETE',
  path: `${path}/:calendarUuid`,
  operationId: 'deleteProviderCalendar',
  access: { right: 'manage', whose: providerInPath },
  summary: 'Revoke a calendar subscription',
  description: 'For owners, managers and administrators. The address stops working immediately.',
  replies: { 204: null },
  async handle({ params, context }) {
    if (!isUuid(params.calendarUuid)) throw notFound('Calendar', params.calendarUuid)
    await revoke(context, params.calendarUuid)
  },
})

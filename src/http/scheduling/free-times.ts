import Type, { type Static } from 'typebox'
import {
  type TimeGroup as FoundGroup,
  type FoundTime,
  findNextDays,
  findStaffTimes,
  findTimeGroups,
  firstOfDays,
  groupTimes,
  type StaffQuestion,
} from '../../actions/scheduling/appointments/find-staff-times.ts'
import { readClock } from '../../actions/scheduling/waiting/entries.ts'
import { findAppointment } from '../../db/scheduling/appointments.ts'
import { resourcesOffering } from '../../db/scheduling/calendar.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { invalidField, notFound } from '../../errors.ts'
import { refusalReasons } from '../../rules/offers/slots.ts'
import { dayOf, period } from '../../rules/time/read-times.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { startOfNextLocalDay } from '../../rules/time/zones.ts'
import type { Service } from '../../service.ts'
import { Choice, Moment, Reference, Text, Uuid } from '../wire/fields.ts'
import { crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { productOf, resourcesOf } from './series.ts'

// The one search for free times that staff can book. The console has the same call.

/** When: a period, and the weekdays and hours of a wish, as on the waiting list. */
export const wishQuery = {
  from: { ...Text(10), description: 'First day, such as 2026-03-04.' },
  to: Type.Optional({ ...Text(10), description: 'Day after the last day, at most 45 days after `from`.' }),
  duration: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 525_600,
      description: 'Duration in minutes. Default: that of the Product.',
    }),
  ),
  weekdays: Type.Array(Type.String(), {
    description: 'Only these weekdays, separated by commas. 1 is Monday. Default: all.',
  }),
  timeFrom: Type.Optional({
    ...Text(5),
    description: 'Times that start at this time of day or later, such as 17:00.',
  }),
  timeTo: Type.Optional({ ...Text(5), description: 'Times that end by this time of day, such as 20:00.' }),
  includeClosed: Type.Boolean({
    default: false,
    description:
      'Also times in closures, and times that are busy in an external calendar. `notPublic` says so.',
  }),
  nextDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 14,
      description: 'Number of days with free times to find, up to half a year ahead. `to` is then ignored.',
    }),
  ),
  until: Type.Optional({ ...Text(10), description: 'With `nextDays`: the last day to search.' }),
  perGroup: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Returns `groups` instead of `times`, each with up to this many times.',
    }),
  ),
}

const place = { uuid: Uuid, name: Type.String() }
const time = {
  start: Moment,
  end: Moment,
  appointmentUuid: Nullable(
    Type.String({
      ...Uuid,
      description: 'The group that a customer would join. Null for a new Appointment.',
    }),
  ),
  capacityLeft: Type.Number(),
  notPublic: Nullable(
    Choice(refusalReasons, {
      description:
        'Why the channel RESOURCE_PUBLIC does not offer this time, such as `notice`. Null if it does.',
    }),
  ),
}
const FreeTime = Type.Object({ ...time, resource: Type.Object(place) }, { title: 'FreeTime' })
const TimeGroup = Type.Object(
  {
    date: Type.String({ description: 'Local day, such as 2026-03-04.' }),
    resource: Type.Object(place),
    count: Type.Integer({ description: 'How many times are free, including those that are not listed.' }),
    times: Type.Array(FreeTime),
  },
  { title: 'FreeTimeGroup' },
)
export const FreeTimes = Type.Object(
  {
    timeZone: Type.String(),
    times: Type.Array(FreeTime, { description: 'In order of time. Empty with `perGroup`.' }),
    groups: Type.Array(TimeGroup, { description: 'With `perGroup`: by day, then by Resource.' }),
  },
  { title: 'FreeTimes', description: 'Free times, one by one or in groups.' },
)

export const searchText =
  'Every free time of a Product on the raster of the Timeslots, by the rules of the public list. Staff can do more: notice, horizon, visibility and Products of channels do not count, and Timeslots that are not public do; `notPublic` then says why the public list lacks the time. Weekdays, hours and days are in the Provider’s time zone. Without `to`, one day is searched; with `nextDays`, the next days that have a free time: the first time of each, or all in groups with `perGroup`.'

type WishQuery = Static<Type.TObject<typeof wishQuery>>

export const getProviderFreeTimes = crmRoutes('B5. Appointments')({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/free_times',
  operationId: 'findFreeTimes',
  summary: 'Find free times',
  description: searchText,
  isLarge: true,
  query: {
    productReference: { ...Reference, description: 'Product to book.' },
    resourceReferences: Type.Array(Reference, {
      maxItems: 100,
      description:
        'Only these Resources, in order of preference. Default: every one that offers the Product.',
    }),
    appointmentReference: Type.Optional({
      ...Reference,
      description: 'Appointment to be moved. Its own time counts as free.',
    }),
    ...wishQuery,
  },
  replies: { 200: Wrapped({ freeTimes: FreeTimes }) },
  async handle({ query, service, found: provider }) {
    const product = await productOf(service, provider, query.productReference)
    const named = await resourcesOf(service, provider, query.resourceReferences)
    const places =
      named.length > 0
        ? named.map(({ id, uuid, internalName }) => ({ id, uuid, name: internalName }))
        : await resourcesOffering(service.db, provider.id, product.id)
    const moving = await movingUuid(service, provider, query.appointmentReference)
    return wrap({ freeTimes: await searchTimes(service, provider, { product, moving, places }, query) })
  },
})

async function movingUuid({ db }: Service, provider: ProviderRow, reference: string | undefined) {
  if (reference === undefined) return null
  const found = await findAppointment(db, provider.id, reference)
  if (!found) throw notFound('Appointment', reference, 'appointmentReference')
  return found.uuid
}

/** Searches and writes the answer. */
export async function searchTimes(
  service: Service,
  { timeZone }: ProviderRow,
  asked: Pick<StaffQuestion, 'product' | 'moving' | 'places'>,
  query: WishQuery,
): Promise<Static<typeof FreeTimes>> {
  const { duration = null, includeClosed, nextDays, perGroup } = query
  const question = { ...asked, duration, includeClosed, wish: wishOf(query), timeZone }
  const { from, to } = period(query, timeZone)
  if (perGroup && !nextDays) {
    const groups = await findTimeGroups(service, question, { from, to }, perGroup)
    return { timeZone, times: [], groups: groups.map(groupRecord) }
  }
  const times = nextDays
    ? await findNextDays(service, question, { from, to: endOf(query.until, timeZone) }, nextDays)
    : await findStaffTimes(service, question, { from, to })
  const listed = nextDays ? firstOfDays(times) : times
  return {
    timeZone,
    times: perGroup ? [] : listed.map(timeRecord),
    groups: perGroup ? groupTimes(times, question, perGroup).map(groupRecord) : [],
  }
}

const groupRecord = ({ date, place, count, times }: FoundGroup) => ({
  date,
  resource: { uuid: place.uuid, name: place.name },
  count,
  times: times.map(timeRecord),
})

/** After the last day. */
const endOf = (until: string | undefined, timeZone: string) =>
  until === undefined
    ? Number.POSITIVE_INFINITY
    : startOfNextLocalDay(dayOf('until', until, timeZone), timeZone)

/** Null without a wish: then a time may last past midnight. */
function wishOf({ weekdays, timeFrom, timeTo }: WishQuery) {
  const days = weekdays.flatMap(text => text.split(','))
  if (days.some(one => !/^[1-7]$/.test(one))) throw invalidField('weekdays', 'weekdays:numbers')
  if (days.length === 0 && !timeFrom && !timeTo) return null
  return readClock({ weekdays: days.map(Number), timeFrom, timeTo })
}

const timeRecord = ({ start, end, place, appointmentUuid, capacityLeft, notPublic }: FoundTime) => ({
  start: toUtcText(start),
  end: toUtcText(end),
  resource: { uuid: place.uuid, name: place.name },
  appointmentUuid,
  capacityLeft,
  notPublic,
})

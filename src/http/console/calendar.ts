import Type from 'typebox'
import { pulseOf } from '../../db/base/pulse.ts'
import { type CalendarTimeslot, calendarResources, calendarTimeslots } from '../../db/scheduling/calendar.ts'
import { type ClosureRecord, closedTimesOf } from '../../db/scheduling/closures.ts'
import { diaryEntriesOf, heldEntries, loadDiary } from '../../db/scheduling/diary.ts'
import { listProducts } from '../../db/setup/products.ts'
import { type EventKind, nounOf } from '../../rules/news/events.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { placeAfter, writeCursor } from '../../webhooks/cursor.ts'
import { follow } from '../../webhooks/follow.ts'
import { Choice, Moment, Text, Uuid } from '../wire/fields.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { untilGone } from '../wire/server/until-gone.ts'
import { Nullable } from '../wire/wrapper.ts'
import { DiaryRecord, diaryRecord, period } from './diary.ts'
import { providerOf } from './visible.ts'

const ResourceColumn = Type.Object(
  { uuid: Uuid, name: Type.String(), products: Type.Array(Uuid, { description: 'None named: all.' }) },
  { title: 'CalendarResource' },
)

const OfferedProduct = Type.Object(
  {
    uuid: Uuid,
    name: Type.String(),
    minDuration: Nullable(Type.Number()),
    maxDuration: Nullable(Type.Number()),
    leadTimeMinutes: Nullable(Type.Number()),
    followUpTimeMinutes: Nullable(Type.Number()),
  },
  { title: 'CalendarProduct' },
)

const OpenTime = Type.Object(
  {
    uuid: Uuid,
    resourceUuid: Uuid,
    start: Moment,
    end: Moment,
    raster: Type.Number(),
    capacity: Type.Number(),
    acceptBookings: Type.Boolean(),
    state: Choice(['CREATED', 'BOOKABLE']),
    byHours: Type.Boolean({ description: 'Made by opening hours, which make it anew.' }),
  },
  { title: 'CalendarTimeslot' },
)

const ClosedTime = Type.Object(
  {
    uuid: Uuid,
    from: Moment,
    to: Moment,
    reason: Type.String(),
    isBlock: Type.Boolean({ description: 'Kept by staff; consumers never see the reason.' }),
    resources: Nullable(Type.Array(Uuid, { description: 'Null: all.' })),
  },
  { title: 'CalendarClosedTime' },
)

const Cursor = Type.String({ description: 'What happens from here on is told by `changes`.' })

export const getCalendar = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/calendar',
  operationId: 'getCalendar',
  isLarge: true,
  tag: 'Console',
  summary: 'Everything that a calendar of some days shows',
  description:
    'Resources, Products, Timeslots, closures, and Appointments with everybody in them, live holds included. Days of the Provider’s time zone, `to` excluded; without `to` one day. At most 45 days.',
  query: {
    from: { ...Text(10), description: 'The first day, such as 2026-03-04.' },
    to: Type.Optional({ ...Text(10), description: 'The day after the last one.' }),
  },
  replies: {
    200: Type.Object(
      {
        timeZone: Type.String(),
        now: Moment,
        next: Cursor,
        resources: Type.Array(ResourceColumn),
        products: Type.Array(OfferedProduct),
        timeslots: Type.Array(OpenTime),
        closures: Type.Array(ClosedTime),
        entries: Type.Array(DiaryRecord),
      },
      { title: 'CalendarPeriod' },
    ),
  },
  errors: ['missing-field', 'not-found'],
  async handle({ params, query, caller, service }) {
    const { db, signer } = service
    const provider = await providerOf(service, caller, params.uuid)
    const { from, to } = period(query, provider.timeZone)
    // Read first: what happens while we read the rest is told once more, and never missed.
    const place = await placeAfter(service, provider.crmId, 'now')
    const [entries, timeslots, closures, products] = await Promise.all([
      loadDiary(db, provider.id, from, to),
      calendarTimeslots(db, provider.id, from, to),
      closedTimesOf(db, provider.id, from, to),
      listProducts(db, provider.id, { after: null, limit: null }),
    ])
    const shown = [...new Set(entries.map(entry => entry.resourceUuid))]
    return answer(200, {
      timeZone: provider.timeZone,
      now: toUtcText(Date.now()),
      next: writeCursor(signer, provider.crmId, place),
      resources: await calendarResources(db, provider.id, shown),
      products: products.map(one => ({
        uuid: one.uuid,
        name: one.name,
        minDuration: one.minDuration,
        maxDuration: one.maxDuration,
        leadTimeMinutes: one.leadMinutes,
        followUpTimeMinutes: one.followUpMinutes,
      })),
      timeslots: timeslots.map(timeslotRecord),
      closures: closures.map(closedRecord),
      entries: entries.map(diaryRecord),
    })
  },
})

const timeslotRecord = (slot: CalendarTimeslot) => ({
  ...slot,
  start: toUtcText(slot.start),
  end: toUtcText(slot.end),
})

const closedRecord = ({ uuid, from, to, reason, isBlock, resources }: ClosureRecord) => ({
  uuid,
  reason,
  isBlock,
  resources,
  from: toUtcText(from),
  to: toUtcText(to),
})

const mostEvents = 500

export const getChanges = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/changes',
  operationId: 'getCalendarChanges',
  tag: 'Console',
  summary: 'What has changed in the calendar since?',
  description:
    'The Appointments that something happened to, as they are now. With `wait` the answer comes when something happens; with `from`, also when somebody takes or gives up a place for a moment, which is no event. A cursor that is too old: 410; read the calendar anew.',
  query: {
    from: Type.Optional({ ...Text(10), description: 'Holds of these days are wanted, too.' }),
    to: Type.Optional({ ...Text(10), description: 'The day after the last one.' }),
    pulse: Type.Optional(
      Type.String({ description: '`pulse` of an earlier answer. Absent: the holds are told at once.' }),
    ),
    after: Type.Optional(
      Type.String({ description: '`next` of the calendar or of an earlier answer. Absent: from now on.' }),
    ),
    wait: Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'Seconds to wait for something.',
    }),
  },
  replies: {
    200: Type.Object(
      {
        next: Cursor,
        more: Type.Boolean({ description: 'There is more to be read at once.' }),
        entries: Type.Array(DiaryRecord),
        gone: Type.Boolean({ description: 'An Appointment was deleted: read the calendar anew.' }),
        background: Type.Boolean({
          description: 'Timeslots, closures, Resources or settings changed: read the calendar anew.',
        }),
        pulse: Nullable(Type.String({ description: 'Another one whenever a place may have been taken.' })),
        holds: Nullable(
          Type.Array(DiaryRecord, {
            description:
              'All Appointments of the days asked for in which a place is held now; what is missing is held no longer. Null: as before.',
          }),
        ),
      },
      { title: 'CalendarChanges' },
    ),
  },
  errors: ['not-found', 'cursor-expired'],
  async handle({ params, query, caller, service, request }) {
    const provider = await providerOf(service, caller, params.uuid)
    const days = query.from === undefined ? null : period({ ...query, from: query.from }, provider.timeZone)
    const question = {
      watch: days && { providerId: provider.id, pulse: query.pulse ?? '' },
      crmId: provider.crmId,
      after: await placeAfter(service, provider.crmId, query.after ?? 'now'),
      limit: mostEvents,
      filter: { kinds: null, providerIds: [provider.id] },
    }
    const page = await follow(service, question, query.wait * 1000, untilGone(request))
    const subjects = (noun: string) =>
      page.rows.flatMap(row => (nounOf(row.kind) === noun && row.subject !== null ? [row.subject] : []))
    const told = { appointments: subjects('appointment'), participations: subjects('participation') }
    const kinds = new Set(page.rows.map(row => row.kind))
    // Before the holds: one that comes meanwhile is told once more, and never missed.
    const pulse = days && (await pulseOf(service.db, provider.id))
    return answer(200, {
      next: writeCursor(service.signer, provider.crmId, page.reached),
      more: page.more,
      entries: (await diaryEntriesOf(service.db, provider.id, told)).map(diaryRecord),
      gone: kinds.has('appointment.deleted') || kinds.has('resource.deleted'),
      background: [...kinds].some(isBackground),
      pulse,
      holds:
        days && pulse !== query.pulse
          ? (await heldEntries(service.db, provider.id, days.from, days.to)).map(diaryRecord)
          : null,
    })
  },
})

const foreground = new Set(['appointment', 'participation', 'customer', 'mail'])
const isBackground = (kind: EventKind) => !foreground.has(nounOf(kind))

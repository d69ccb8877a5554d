import Type from 'typebox'
import { joined } from '../../../calendars/busy-spans.ts'
import { changeCounter } from '../../../db/base/ledger.ts'
import {
  type CalendarTimeslot,
  calendarResources,
  calendarTimeslots,
  productColors,
} from '../../../db/scheduling/calendar.ts'
import { type BusyRow, busyTimesOf } from '../../../db/scheduling/calendar-sources.ts'
import { type ClosureRecord, closedTimesOf } from '../../../db/scheduling/closures.ts'
import { diaryEntriesOf, heldEntries, loadDiary } from '../../../db/scheduling/diary.ts'
import { listProducts } from '../../../db/setup/products.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { only } from '../../../entities/entity.ts'
import { product } from '../../../entities/product.ts'
import { provider } from '../../../entities/provider.ts'
import { clockNow } from '../../../lib/clock.ts'
import { type EventKind, nounOf } from '../../../rules/messages/events.ts'
import { period } from '../../../rules/time/read-times.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { type LogCursor, placeAfter, writeCursor } from '../../../webhooks/cursor.ts'
import { waitForEvents } from '../../../webhooks/wait-for-events.ts'
import { sessionHash } from '../../wire/callers/session-cookie.ts'
import { Choice, Moment, Text, Uuid } from '../../wire/fields.ts'
import { abortOnClose } from '../../wire/requests/request.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { providerInPath } from '../subjects.ts'
import { atResources, DiaryRecord, diaryRecord, rangeOfDays } from './diary.ts'
import { liveStreams, type Shown } from './live-streams.ts'

const Color = Type.Integer({
  description: 'Position in order of creation: which colour of a palette it has. Never changes.',
})

const ResourceColumn = Type.Object(
  {
    uuid: Uuid,
    name: Type.String(),
    products: Type.Array(Uuid, { description: 'Omit to include all.' }),
    color: Color,
  },
  { title: 'CalendarResource' },
)

const offered = only(product, [
  'uuid',
  'name',
  'minDuration',
  'maxDuration',
  'leadTimeMinutes',
  'followUpTimeMinutes',
])
const OfferedProduct = Type.Object({ ...offered.outputs, color: Color }, { title: 'CalendarProduct' })

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
    byHours: Type.Boolean({ description: 'Created by opening hours, which may recreate it.' }),
  },
  { title: 'CalendarTimeslot' },
)

const ClosedTime = Type.Object(
  {
    uuid: Uuid,
    from: Moment,
    to: Moment,
    reason: Type.String(),
    isBlock: Type.Boolean({ description: 'Blocked by staff. Consumers never see the reason.' }),
    resources: Nullable(Type.Array(Uuid, { description: 'Null: all.' })),
  },
  { title: 'CalendarClosedTime' },
)

const BusyTime = Type.Object(
  {
    from: Moment,
    to: Moment,
    resourceUuid: Uuid,
    title: Nullable(Type.String({ description: 'Only if the calendar is connected with `showTitles`.' })),
  },
  { title: 'CalendarBusyTime' },
)

const Cursor = Type.String({
  description: 'Cursor: pass it to `changes` to get what changes after this response.',
})

export const getCalendar = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/calendar',
  operationId: 'getCalendar',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true },
  isLarge: true,
  summary: 'Get everything a calendar shows for a range of days',
  description:
    'Resources, Products, Timeslots, closures, and Appointments with their participants, including live holds. Days are in the Provider’s time zone; `to` is exclusive and defaults to one day. Up to 45 days.',
  query: rangeOfDays,
  replies: {
    200: Type.Object(
      {
        timeZone: Type.String(),
        now: Moment,
        next: Cursor,
        colorsBy: provider.outputs.calendarColors,
        resources: Type.Array(ResourceColumn),
        products: Type.Array(OfferedProduct),
        timeslots: Type.Array(OpenTime),
        closures: Type.Array(ClosedTime),
        busyTimes: Type.Array(BusyTime),
        entries: Type.Array(DiaryRecord),
      },
      { title: 'CalendarPeriod' },
    ),
  },
  errors: ['missing-field'],
  async handle({ query, service, found: provider, only: own }) {
    const { db, signer } = service
    const { from, to } = period(query, provider.timeZone)
    // Read first: changes during the rest of the reads are reported twice rather than missed.
    const place = await placeAfter(service, provider.crmId, 'now')
    const [all, timeslots, closures, products, colors, busyTimes] = await Promise.all([
      loadDiary(db, provider.id, from, to),
      calendarTimeslots(db, provider.id, from, to),
      closedTimesOf(db, provider.id, from, to),
      listProducts(db, provider.id, { after: null, limit: null }),
      productColors(db, provider.id),
      busyTimesOf(db, provider.id, from, to),
    ])
    const entries = atResources(all, own)
    const shown = [...new Set(entries.map(entry => entry.resourceUuid))]
    const resources = await calendarResources(db, provider.id, shown)
    return {
      timeZone: provider.timeZone,
      now: toUtcText(clockNow()),
      next: writeCursor(signer, provider.crmId, place),
      colorsBy: provider.calendarColors,
      resources: resources.filter(one => !own || own.includes(one.uuid)),
      // One that was created between the two reads is the newest.
      products: products.map(one => ({ ...offered.record(one), color: colors.get(one.uuid) ?? colors.size })),
      timeslots: atResources(timeslots, own).map(timeslotRecord),
      closures: closures.filter(concerns(own)).map(closedRecord),
      busyTimes: joined(atResources(busyTimes, own)).map(busyRecord),
      entries: entries.map(diaryRecord),
    }
  },
})

/** Closures of other Resources are not shown to practitioners. */
const concerns = (own: string[] | null) => (closure: ClosureRecord) =>
  !own || !closure.resources || closure.resources.some(uuid => own.includes(uuid))

const timeslotRecord = (slot: CalendarTimeslot) => ({
  ...slot,
  start: toUtcText(slot.start),
  end: toUtcText(slot.end),
})

const busyRecord = ({ from, to, title, resourceUuid }: BusyRow) => ({
  resourceUuid,
  title,
  from: toUtcText(from),
  to: toUtcText(to),
})

const closedRecord = ({ uuid, from, to, reason, isBlock, resources }: ClosureRecord) => ({
  uuid,
  reason,
  isBlock,
  resources,
  from: toUtcText(from),
  to: toUtcText(to),
})

const maxEvents = 500

export const getChanges = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/changes',
  operationId: 'getCalendarChanges',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true },
  summary: 'Get changes to the calendar since a cursor',
  description:
    'Appointments that have changed, in their current state. With `wait`, the response is delayed until something changes; with `from`, this includes holds, which are not events. Returns 410 if the cursor is too old: load the calendar again.',
  query: {
    from: Type.Optional({ ...Text(10), description: 'First day for which to include holds.' }),
    to: Type.Optional({ ...Text(10), description: 'Day after the last day.' }),
    pulse: Type.Optional(
      Type.String({ description: '`pulse` of an earlier response. Omit to get the holds immediately.' }),
    ),
    after: Type.Optional(
      Type.String({ description: '`next` of the calendar or of an earlier response. Omit to start now.' }),
    ),
    wait: Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'Seconds to wait for a change.',
    }),
    stream: Type.Boolean({
      default: false,
      description:
        'Keep the response open and send each change as a server-sent event (`text/event-stream`) with the fields of a response. It ends after 10 minutes at most: continue with the last `next`.',
    }),
  },
  replies: {
    200: Type.Object(
      {
        next: Cursor,
        more: Type.Boolean({ description: 'More changes can be read immediately.' }),
        entries: Type.Array(DiaryRecord),
        gone: Type.Boolean({ description: 'An Appointment was deleted: load the calendar again.' }),
        background: Type.Boolean({
          description:
            'Closures, Resources or settings changed, or, without `stream`, Timeslots: load the calendar again.',
        }),
        timeslots: Nullable(
          Type.Array(OpenTime, {
            description: 'All Timeslots of the requested days, if any Timeslot changed. Null without `from`.',
          }),
        ),
        pulse: Nullable(
          Type.String({ description: 'Changes whenever a hold may have been made or released.' }),
        ),
        holds: Nullable(
          Type.Array(DiaryRecord, {
            description:
              'All Appointments of the requested days that have a live hold; any other is no longer held. Null if unchanged.',
          }),
        ),
      },
      { title: 'CalendarChanges' },
    ),
  },
  errors: ['cursor-expired', 'too-many-requests'],
  async handle({ query, caller, service, request, reply, found: provider, only: own }) {
    const days = query.from === undefined ? null : period({ ...query, from: query.from }, provider.timeZone)
    const after = await placeAfter(service, provider.crmId, query.after ?? 'now')
    const scope: Scope = { service, provider, own, days }
    const question = {
      asker: caller.id,
      watch: days && { providerId: provider.id, pulse: query.pulse ?? '' },
      crmId: provider.crmId,
      after,
      limit: maxEvents,
      filter: { kinds: null, providerIds: [provider.id] },
    }
    const read = async (waitMs: number) => {
      const page = await waitForEvents(service, question, waitMs, abortOnClose(request))
      return { ...(await changesOf(scope, page.rows, page.reached, query.pulse ?? null)), more: page.more }
    }
    if (!query.stream) return read(query.wait * 1000)
    reply.header('x-accel-buffering', 'no')
    reply.type('text/event-stream')
    // Ends with its connection: framing each message would cost more than sending it.
    reply.raw.useChunkedEncodingByDefault = false
    const stream = await liveStreams(service).open(shownIn(scope, after), {
      asker: caller.id,
      session: sessionHash(service, request),
      since: after,
      response: reply.raw,
      first: () => read(0),
    })
    reply.raw.once('close', () => stream.destroy())
    // Fastify sends streams unchanged.
    return stream as never
  },
})

type Scope = {
  service: Service
  provider: ProviderRow
  own: string[] | null
  days: { from: number; to: number } | null
}

type ChangedRow = { kind: EventKind; subject: number | null }

/** The current state of what these events are about. */
async function changesOf(
  { service, provider, own, days }: Scope,
  rows: ChangedRow[],
  reached: LogCursor,
  formerPulse: string | null,
  isStream = false,
) {
  const { db, signer } = service
  const subjects = (noun: string) =>
    rows.flatMap(row => (nounOf(row.kind) === noun && row.subject !== null ? [row.subject] : []))
  const changed = { appointments: subjects('appointment'), participations: subjects('participation') }
  const kinds = new Set(rows.map(row => row.kind))
  const entries = rows.length > 0 ? await diaryEntriesOf(db, provider.id, changed) : []
  const shown = atResources(entries, own)
  const isOpenTimeChanged = [...kinds].some(kind => nounOf(kind) === 'timeslot')
  const timeslots =
    days && isOpenTimeChanged
      ? atResources(await calendarTimeslots(db, provider.id, days.from, days.to), own).map(timeslotRecord)
      : null
  // Read before the holds: a hold made in between is reported twice rather than missed.
  const pulse = days && (await changeCounter(db, provider.id))
  return {
    next: writeCursor(signer, provider.crmId, reached),
    more: false,
    entries: shown.map(diaryRecord),
    // An Appointment that moved to someone else is gone for a practitioner.
    gone: kinds.has('appointment.deleted') || kinds.has('resource.deleted') || shown.length < entries.length,
    background: [...kinds].some(isBackground) || (isOpenTimeChanged && !isStream),
    timeslots,
    pulse,
    holds:
      days && pulse !== formerPulse
        ? atResources(await heldEntries(db, provider.id, days.from, days.to), own).map(diaryRecord)
        : null,
  }
}

/** All streams of the same Provider, days and Resources share their changes. */
function shownIn(scope: Scope, after: LogCursor): Shown {
  const { provider, own, days } = scope
  let reached = after
  let pulse: string | null = null
  return {
    key: JSON.stringify([provider.id, own, days]),
    crmId: provider.crmId,
    providerId: provider.id,
    hasHolds: days !== null,
    since: after,
    async read(lines) {
      reached = lines.at(-1) ?? reached
      const changes = await changesOf(scope, lines, reached, pulse, true)
      pulse = changes.pulse
      return changes
    },
  }
}

/** Changed Timeslots are sent themselves. */
const foreground = new Set(['appointment', 'participation', 'customer', 'mail', 'timeslot'])
const isBackground = (kind: EventKind) => !foreground.has(nounOf(kind))

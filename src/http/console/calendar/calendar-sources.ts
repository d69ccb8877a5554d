import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import * as actions from '../../../actions/scheduling/calendars/calendar-sources.ts'
import type { SourceTest } from '../../../calendars/fetch-source.ts'
import {
  conflictsOf,
  listSourcesOfProvider,
  readClock,
  type SourceRow,
} from '../../../db/scheduling/calendar-sources.ts'
import { diaryEntriesOf } from '../../../db/scheduling/diary.ts'
import { changedSince, preconditionFailed, type Refusal } from '../../../errors.ts'
import {
  RewriteInput,
  SourceChange,
  SourceInput,
  SourceRecord,
  sourceRecord,
  sourceRecords,
  TestReply,
  testRecord,
} from '../../scheduling/calendar-sources.ts'
import { resourceOf } from '../../setup/resources.ts'
import { Uuid } from '../../wire/fields.ts'
import { checkTag, IfMatch, IfMatchOfCrm, withEtag } from '../../wire/if-match.ts'
import { consoleRoute, crmRoutes, type Route } from '../../wire/route.ts'
import { Wrapped, wrap } from '../../wire/wrapper.ts'
import { providerInPath, resourceInPath } from '../subjects.ts'
import { affectedRecord, DiaryRecord } from './diary.ts'

// Owners connect calendars in the console, integrators over the API of the CRM. Both do the same: each operation is defined once.

const Listed = Type.Object(
  { ...SourceRecord.properties, resourceUuid: Uuid },
  { title: 'ListedCalendarSource' },
)

const crmRoute = crmRoutes('B2. Resources')

const conflictDays = 400
const maxConflicts = 100

export const listCalendarSources = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/calendar_sources',
  operationId: 'listCalendarSources',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'List external calendars of a Provider',
  description:
    'All external calendars with their state. `conflicts` lists up to 100 future Appointments that are booked while a calendar is busy; they stay until you move or cancel them.',
  replies: {
    200: Type.Object(
      { sources: Type.Array(Listed), conflicts: Type.Array(DiaryRecord) },
      { title: 'CalendarSources' },
    ),
  },
  async handle({ caller, service, found: provider }) {
    const { db } = service
    const [sources, now] = await Promise.all([listSourcesOfProvider(db, provider.id), readClock(db)])
    const scope = { providerId: provider.id, resourceIds: null }
    const found = await conflictsOf(db, scope, now, now + conflictDays * 86_400_000, maxConflicts)
    const ids = { appointments: found.map(one => one.id), participations: [] }
    const entries = found.length > 0 ? await diaryEntriesOf(db, provider.id, ids) : []
    const records = await sourceRecords(db, sources)
    return {
      sources: records.map((record, index) => ({ ...record, resourceUuid: sources[index]!.resourceUuid })),
      conflicts: entries.sort((one, other) => one.start - other.start).map(affectedRecord(caller)),
    }
  },
})

type Asked<Body> = {
  place: actions.SourcePlace
  /** Of the source in the path. */
  uuid: string
  body: Body
  /** Refuses a change of settings that the caller has not seen. */
  check: (current: SourceRow) => void
  reply: FastifyReply
}

const checkOf = (request: FastifyRequest, refusal: () => Refusal) => (current: SourceRow) =>
  checkTag(request.headers['if-match'] ?? null, actions.settingsOf(current), refusal)

type Operation<B extends TSchema> = {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** Behind the path of the Resource's calendars. */
  suffix: string
  /** Operation ids of the CRM's route and the console's. */
  names: [crm: string, console: string]
  summary: string
  description: string
  body?: B
  status: 200 | 201 | 202 | 204
  /** Honours If-Match: 412 as in group B, 409 as in the console. */
  isChecked?: boolean
} & (
  | { change(asked: Asked<Static<B>>): Promise<SourceRow | null> }
  /** Waits for the calendar server, so it must not hold a connection. */
  | { ask(asked: Asked<Static<B>>): Promise<SourceTest> }
)

function routesOf<B extends TSchema>(operation: Operation<B>): [Route, Route] {
  const { method, suffix, names, summary, description, status, isChecked, body } = operation
  const isTest = 'ask' in operation
  const shared = { method, summary, ...(body ? { body } : {}) }
  const run = async (asked: Asked<Static<B>>, tested: SourceTest | undefined) => {
    if (tested) return { test: testRecord(tested) }
    const source = 'change' in operation ? await operation.change(asked) : null
    return source && { source: await sourceRecord(asked.place.service.db, source) }
  }
  const ask = async (asked: () => Promise<Asked<Static<B>>>) =>
    'ask' in operation ? operation.ask(await asked()) : undefined
  const Content: TProperties = isTest ? { test: TestReply } : { source: SourceRecord }
  const OwnReply = isTest ? TestReply : Type.Object(Content, { title: 'CalendarSourceReply' })

  type CrmCall = Parameters<
    Parameters<typeof crmRoute<'/:providerRef/:resourceRef/:sourceUuid', {}>>[0]['handle']
  >[0]
  const askedByCrm = async ({
    params,
    context,
    body,
    request,
    reply,
  }: CrmCall): Promise<Asked<Static<B>>> => {
    const { resourceRef, sourceUuid = '' } = params
    const place = { ...context, resource: await resourceOf(context, resourceRef) }
    const check = checkOf(request, preconditionFailed)
    return { place, uuid: sourceUuid, body: body as Static<B>, check, reply }
  }
  const crm = crmRoute({
    ...shared,
    ...(isChecked ? { headers: IfMatchOfCrm, errors: ['precondition-failed'] } : {}),
    path: `/crms/:crmId/provider/:providerRef/resources/:resourceRef/calendar_sources${suffix}` as string,
    operationId: names[0],
    description,
    replies: { [status]: status === 204 ? null : Wrapped(Content) },
    prepare: call => ask(() => askedByCrm(call as unknown as CrmCall)),
    async handle(call) {
      const done = await run(await askedByCrm(call as unknown as CrmCall), call.prepared)
      return done ? wrap(done) : undefined
    },
  })

  type ConsoleCall = Parameters<
    Parameters<typeof consoleRoute<string, {}, {}, TSchema, typeof resourceInPath>>[0]['handle']
  >[0]
  const askedByConsole = async ({ params, body, found, ...call }: ConsoleCall) => {
    const { sourceUuid = '' } = params as { sourceUuid?: string }
    const place = { ...call.context, resource: found }
    const check = checkOf(call.request, changedSince)
    return { place, uuid: sourceUuid, body: body as Static<B>, check, reply: call.reply }
  }
  const console = consoleRoute({
    ...shared,
    ...(isChecked ? { headers: IfMatch } : {}),
    path: `/console/api/resources/:uuid/calendar_sources${suffix}` as string,
    operationId: names[1],
    access: { right: 'manage', whose: resourceInPath, scope: 'settings' },
    description: `For owners, managers and administrators. ${description}`,
    replies: { [status]: status === 204 ? null : OwnReply },
    prepare: call => ask(() => askedByConsole(call as ConsoleCall)),
    async handle(call) {
      const done = await run(await askedByConsole(call as ConsoleCall), call.prepared)
      return done && 'test' in done ? done.test : (done ?? undefined)
    },
  })
  return [crm, console]
}

export const [createCalendarSource, connectCalendarSource] = routesOf({
  method: 'POST',
  suffix: '',
  names: ['createCalendarSource', 'connectCalendarSource'],
  summary: 'Connect an external calendar',
  description:
    'Busy times of the calendar are taken off offer. It is read at once and then about every five minutes. It never cancels, moves or creates anything. With `mirrorTo`, bookings of the Resource are written to a CalDAV calendar. Up to 50 per Resource.',
  body: SourceInput,
  status: 201,
  change: ({ place, body }) => actions.addSource(place, body),
})

export const [updateCalendarSource, changeCalendarSource] = routesOf({
  method: 'PATCH',
  suffix: '/:sourceUuid',
  names: ['updateCalendarSource', 'changeCalendarSource'],
  summary: 'Update an external calendar',
  description:
    'Changes only the fields that are sent. While `paused`, the calendar is neither read nor written, and its last known busy times still count. With another `mirrorTo`, or null, what was written before is removed.',
  body: SourceChange,
  status: 200,
  isChecked: true,
  async change({ place, uuid, body, check, reply }) {
    const source = await actions.changeSource(place, uuid, body, check)
    withEtag(reply, actions.settingsOf(source))
    return source
  },
})

export const [deleteCalendarSource, removeCalendarSource] = routesOf({
  method: 'DELETE',
  suffix: '/:sourceUuid',
  names: ['deleteCalendarSource', 'removeCalendarSource'],
  summary: 'Remove an external calendar',
  description:
    'Its busy times are on offer again immediately. Bookings that were written to it are removed there.',
  status: 204,
  isChecked: true,
  async change({ place, uuid, check }) {
    await actions.deleteSource(place, uuid, check)
    return null
  },
})

export const [refreshCalendarSource, refreshCalendarSourceNow] = routesOf({
  method: 'POST',
  suffix: '/:sourceUuid/refresh',
  names: ['refreshCalendarSource', 'refreshCalendarSourceNow'],
  summary: 'Refresh an external calendar',
  description: 'Reads it now, usually within a second. `refreshing` is true until that is done.',
  status: 202,
  change: ({ place, uuid }) => actions.refreshSource(place, uuid),
})

export const [rewriteCalendarSource, rewriteCalendarSourceNow] = routesOf({
  method: 'POST',
  suffix: '/:sourceUuid/rewrite',
  names: ['rewriteCalendarSource', 'rewriteCalendarSourceNow'],
  summary: 'Write bookings to an external calendar again',
  description: 'Replaces what was changed or deleted there: the `notices` of `mirror`.',
  body: RewriteInput,
  status: 202,
  change: ({ place, uuid, body }) => actions.rewriteMirror(place, uuid, body.entries ?? null),
})

export const [testCalendarSource, tryCalendarSource] = routesOf({
  method: 'POST',
  suffix: '/test',
  names: ['testCalendarSource', 'tryCalendarSource'],
  summary: 'Test an external calendar',
  description: 'Reads the calendar and says what it found, without connecting it.',
  body: SourceInput,
  status: 200,
  ask: ({ place, body }) => actions.testNewSource(place, body),
})

export const [testKnownCalendarSource, tryKnownCalendarSource] = routesOf({
  method: 'POST',
  suffix: '/:sourceUuid/test',
  names: ['testKnownCalendarSource', 'tryKnownCalendarSource'],
  summary: 'Test a change of an external calendar',
  description: 'Reads the calendar with the stored login and the fields sent, without saving them.',
  body: SourceChange,
  status: 200,
  ask: ({ place, uuid, body }) => actions.testKnownSource(place, uuid, body),
})

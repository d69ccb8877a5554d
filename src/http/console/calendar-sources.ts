import Type from 'typebox'
import * as actions from '../../actions/scheduling/calendar-sources.ts'
import {
  conflictsOf,
  listSourcesOfProvider,
  readClock,
  type SourceRow,
} from '../../db/scheduling/calendar-sources.ts'
import { diaryEntriesOf } from '../../db/scheduling/diary.ts'
import {
  SourceChange,
  SourceInput,
  SourceRecord,
  sourceRecord,
  TestReply,
  testRecord,
} from '../scheduling/calendar-sources.ts'
import { Uuid } from '../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../wire/if-match.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { affectedRecord, DiaryRecord } from './diary.ts'
import { providerInPath, providerOfRow, resourceInPath } from './subjects.ts'

const path = '/console/api/resources/:uuid/calendar_sources'
const tag = 'Console' as const
const manage = { right: 'manage', whose: resourceInPath, scope: 'settings' } as const

const Listed = Type.Object(
  { ...SourceRecord.properties, resourceUuid: Uuid },
  { title: 'ListedCalendarSource' },
)
const One = Type.Object({ source: SourceRecord }, { title: 'CalendarSourceReply' })

const conflictDays = 400
const maxConflicts = 100

export const listCalendarSources = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/calendar_sources',
  operationId: 'listCalendarSources',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  tag,
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
    return answer(200, {
      sources: sources.map(source => ({ ...sourceRecord(source), resourceUuid: source.resourceUuid })),
      conflicts: entries.sort((one, other) => one.start - other.start).map(affectedRecord(caller)),
    })
  },
})

export const postCalendarSource = consoleRoute({
  method: 'POST',
  path,
  operationId: 'connectCalendarSource',
  access: manage,
  tag,
  summary: 'Connect an external calendar',
  description: 'For the owner. Busy times of the calendar are taken off offer. It is read at once.',
  body: SourceInput,
  replies: { 201: One },
  async handle({ body, caller, service, found: resource }) {
    const provider = await providerOfRow(service, resource)
    const source = await actions.addSource(service, caller.actor, { provider, resource }, body)
    return answer(201, { source: sourceRecord(source) })
  },
})

export const patchCalendarSource = consoleRoute({
  method: 'PATCH',
  path: `${path}/:sourceUuid`,
  operationId: 'changeCalendarSource',
  access: manage,
  tag,
  summary: 'Change an external calendar',
  description:
    'For the owner. Changes only the fields that are sent. While `paused`, the calendar is not read.',
  headers: IfMatch,
  body: SourceChange,
  replies: { 200: One },
  errors: ['not-found', 'changed'],
  async handle({ params, body, caller, service, request, reply, found: resource }) {
    const provider = await providerOfRow(service, resource)
    const check = ifUnchanged<SourceRow>(request, actions.settingsOf)
    const place = { provider, resource }
    const source = await actions.changeSource(service, caller.actor, place, params.sourceUuid, body, check)
    withEtag(reply, actions.settingsOf(source))
    return answer(200, { source: sourceRecord(source) })
  },
})

export const removeCalendarSource = consoleRoute({
  method: 'DELETE',
  path: `${path}/:sourceUuid`,
  operationId: 'removeCalendarSource',
  access: manage,
  tag,
  summary: 'Remove an external calendar',
  description: 'For the owner. Its busy times are on offer again immediately.',
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service, found: resource }) {
    const provider = await providerOfRow(service, resource)
    await actions.deleteSource(service, caller.actor, { provider, resource }, params.sourceUuid)
    return noContent()
  },
})

export const postCalendarRefresh = consoleRoute({
  method: 'POST',
  path: `${path}/:sourceUuid/refresh`,
  operationId: 'refreshCalendarSourceNow',
  access: manage,
  tag,
  summary: 'Refresh an external calendar',
  description: 'For the owner. Reads it now, usually within a second.',
  replies: { 202: One },
  errors: ['not-found'],
  async handle({ params, service, found: resource }) {
    const source = await actions.refreshSource(service, resource.id, params.sourceUuid)
    return answer(202, { source: sourceRecord(source) })
  },
})

export const postCalendarTest = consoleRoute({
  method: 'POST',
  path: `${path}/test`,
  operationId: 'tryCalendarSource',
  access: manage,
  tag,
  summary: 'Test an external calendar',
  description: 'For the owner. Reads the calendar and says what it found, without connecting it.',
  body: SourceInput,
  replies: { 200: TestReply },
  async prepare({ body, service, found: resource }) {
    return actions.testNewSource(service, await providerOfRow(service, resource), body)
  },
  async handle({ prepared }) {
    return answer(200, testRecord(prepared))
  },
})

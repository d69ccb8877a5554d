import Type from 'typebox'
import * as actions from '../../actions/scheduling/calendar-sources.ts'
import { type ProblemCode, problems } from '../../calendars/problem.ts'
import type { SourceTest } from '../../calendars/test-source.ts'
import { listSources, type SourceRow } from '../../db/scheduling/calendar-sources.ts'
import { findResource } from '../../db/setup/resources.ts'
import { notFound } from '../../errors.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { providerOf } from '../setup/providers.ts'
import { Choice, Moment, Optional, ruleText, Text, Uuid } from '../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../wire/if-match.ts'
import { answer, crmRoute, noContent } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

export const sourceKinds = ['ics', 'caldav'] as const

const Address = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
  ...ruleText('be an https or webcal address on the public internet, without a user name'),
})

const settings = {
  name: Optional(Text(100)),
  user: Optional(Type.String({ maxLength: 255, description: 'For calendars that require a login.' })),
  password: Optional(
    Type.String({
      maxLength: 1000,
      description: 'An app password where the calendar service has them. Never shown again.',
    }),
  ),
  calendars: Optional(
    Type.Array(Type.String({ maxLength: 1000 }), {
      minItems: 1,
      maxItems: 100,
      description: 'CalDAV: paths of the calendars to read, as `test` lists them. Null for all.',
    }),
  ),
  tentativeIsBusy: Optional(
    Type.Boolean({ description: 'Whether tentative entries block time. Default true.' }),
  ),
  showTitles: Optional(
    Type.Boolean({
      description: 'Whether staff see the titles of entries instead of "busy". Default false.',
    }),
  ),
  staleHours: Optional(
    Type.Integer({
      minimum: 1,
      maximum: 720,
      description: 'The contact is notified if the calendar cannot be read for this long. Default 24.',
    }),
  ),
  stayOpen: Optional(
    Type.Boolean({
      description:
        'Whether the Resource can be booked while the calendar is stale, with the busy times last known. Default true.',
    }),
  ),
}

export const SourceInput = Type.Object(
  { kind: Choice(sourceKinds), address: Address, ...settings },
  { title: 'CalendarSourceInput' },
)

export const SourceChange = Type.Partial(
  Type.Object({ address: Address, ...settings, paused: Type.Boolean() }),
  { title: 'CalendarSourceChange' },
)

const Problem = Type.Object(
  {
    code: Choice(Object.keys(problems) as ProblemCode[], {
      description: 'Stable; safe for programs to rely on.',
    }),
    message: Type.String(),
  },
  { title: 'CalendarProblem' },
)

export const SourceRecord = Type.Object(
  {
    uuid: Uuid,
    resourceReference: Type.String(),
    kind: Choice(sourceKinds),
    name: Type.String(),
    host: Type.String({ description: 'The rest of the address is a secret and is not shown.' }),
    user: Nullable(Type.String()),
    calendars: Nullable(Type.Array(Type.String())),
    tentativeIsBusy: Type.Boolean(),
    showTitles: Type.Boolean(),
    staleHours: Type.Integer(),
    stayOpen: Type.Boolean(),
    paused: Type.Boolean(),
    state: Choice(['new', 'fresh', 'failing', 'stale', 'paused'], {
      description:
        'new: not read yet; failing: the last attempt failed; stale: not readable for `staleHours`; the last known busy times still count.',
    }),
    refreshing: Type.Boolean({ description: 'It is being read, or is about to be.' }),
    checkedAt: Nullable({ ...Moment, description: 'When it was last read, or found unchanged.' }),
    changedAt: Nullable({ ...Moment, description: 'When its busy times last changed.' }),
    failingSince: Nullable(Moment),
    nextCheckAt: Nullable(Moment),
    error: Nullable(Problem),
    skippedEntries: Type.Integer({ description: 'Entries that could not be understood and were left out.' }),
    createdAt: Moment,
  },
  { title: 'CalendarSource' },
)

export const TestReply = Type.Object(
  {
    ok: Type.Boolean(),
    calendars: Type.Array(Type.Object({ path: Type.String(), name: Type.String() })),
    busyNextWeek: Type.Integer({ description: 'Busy times in the next seven days.' }),
    error: Nullable(Problem),
  },
  { title: 'CalendarSourceTest' },
)

const path = '/crms/:crmId/provider/:providerRef/resources/:resourceRef/calendar_sources'
const tag = 'B2. Resources' as const
const scope = 'scheduling' as const
const One = Wrapped({ source: SourceRecord })

export const createCalendarSource = crmRoute({
  method: 'POST',
  path,
  operationId: 'createCalendarSource',
  tag,
  scope,
  summary: 'Connect an external calendar',
  description:
    'Busy times of the calendar are taken off offer. It is read at once and then about every five minutes. It never cancels, moves or creates anything. Up to 50 per Resource.',
  body: SourceInput,
  replies: { 201: One },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const place = await placeOf(service, caller, params)
    const source = await actions.addSource(service, caller.actor, place, body)
    return answer(201, wrap({ source: sourceRecord(source) }))
  },
})

export const getCalendarSources = crmRoute({
  method: 'GET',
  path,
  operationId: 'getCalendarSources',
  tag,
  scope,
  summary: 'List external calendars',
  description:
    'The external calendars of a Resource and their state, oldest first. Addresses and passwords are not shown.',
  replies: { 200: Wrapped({ sources: Type.Array(SourceRecord) }) },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const { resource } = await placeOf(service, caller, params)
    return answer(200, wrap({ sources: (await listSources(service.db, resource.id)).map(sourceRecord) }))
  },
})

export const getCalendarSource = crmRoute({
  method: 'GET',
  path: `${path}/:sourceUuid`,
  operationId: 'getCalendarSource',
  tag,
  scope,
  summary: 'Get an external calendar',
  description: 'The ETag covers its settings; `PATCH` accepts it as If-Match.',
  replies: { 200: One },
  errors: ['not-found'],
  async handle({ params, caller, service, reply }) {
    const { resource } = await placeOf(service, caller, params)
    const source = await actions.sourceOf(service.db, resource.id, params.sourceUuid)
    withEtag(reply, actions.settingsOf(source))
    return answer(200, wrap({ source: sourceRecord(source) }))
  },
})

export const updateCalendarSource = crmRoute({
  method: 'PATCH',
  path: `${path}/:sourceUuid`,
  operationId: 'updateCalendarSource',
  tag,
  scope,
  summary: 'Update an external calendar',
  description:
    'Changes only the fields that are sent. While `paused`, the calendar is not read and its last known busy times still count.',
  headers: IfMatch,
  body: SourceChange,
  replies: { 200: One },
  errors: ['not-found', 'changed'],
  async handle({ params, body, caller, service, request, reply }) {
    const place = await placeOf(service, caller, params)
    const check = ifUnchanged(request, actions.settingsOf)
    const source = await actions.changeSource(service, caller.actor, place, params.sourceUuid, body, check)
    withEtag(reply, actions.settingsOf(source))
    return answer(200, wrap({ source: sourceRecord(source) }))
  },
})

export const deleteCalendarSource = crmRoute({
  method: 'DELETE',
  path: `${path}/:sourceUuid`,
  operationId: 'deleteCalendarSource',
  tag,
  scope,
  summary: 'Remove an external calendar',
  description: 'Its busy times are on offer again immediately.',
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const place = await placeOf(service, caller, params)
    await actions.deleteSource(service, caller.actor, place, params.sourceUuid)
    return noContent()
  },
})

export const refreshCalendarSource = crmRoute({
  method: 'POST',
  path: `${path}/:sourceUuid/refresh`,
  operationId: 'refreshCalendarSource',
  tag,
  scope,
  summary: 'Refresh an external calendar',
  description: 'Reads it now, usually within a second. `refreshing` is true until that is done.',
  replies: { 202: One },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const { resource } = await placeOf(service, caller, params)
    const source = await actions.refreshSource(service, resource.id, params.sourceUuid)
    return answer(202, wrap({ source: sourceRecord(source) }))
  },
})

export const testCalendarSource = crmRoute({
  method: 'POST',
  path: `${path}/test`,
  operationId: 'testCalendarSource',
  tag,
  scope,
  summary: 'Test an external calendar',
  description: 'Reads the calendar and says what it found, without connecting it.',
  body: SourceInput,
  replies: { 200: Wrapped({ test: TestReply }) },
  errors: ['not-found'],
  async prepare({ params, body, caller, service }) {
    const { provider } = await placeOf(service, caller, params)
    return actions.testNewSource(service, provider, body)
  },
  async handle({ prepared }) {
    return answer(200, wrap({ test: testRecord(prepared) }))
  },
})

async function placeOf(
  service: Service,
  caller: Parameters<typeof providerOf>[1],
  { providerRef, resourceRef }: { providerRef: string; resourceRef: string },
) {
  const provider = await providerOf(service, caller, providerRef)
  const resource = await findResource(service.db, provider.id, resourceRef)
  if (!resource) throw notFound('Resource', resourceRef)
  return { provider, resource }
}

const moment = (at: number | null) => (at === null ? null : toUtcText(at))

export function sourceRecord(source: SourceRow): Type.Static<typeof SourceRecord> {
  const { pausedAt, checkedAt, now, nextAt } = source
  return {
    uuid: source.uuid,
    resourceReference: source.resourceReference,
    kind: source.kind,
    name: source.name,
    host: source.host,
    user: source.userName,
    calendars: source.calendars,
    tentativeIsBusy: source.tentativeIsBusy,
    showTitles: source.showTitles,
    staleHours: source.staleHours,
    stayOpen: source.stayOpen,
    paused: pausedAt !== null,
    state: stateOf(source),
    refreshing: pausedAt === null && (source.isWorking || nextAt <= now),
    checkedAt: moment(checkedAt),
    changedAt: moment(source.changedAt),
    failingSince: moment(source.failingSince),
    nextCheckAt: pausedAt === null ? toUtcText(nextAt) : null,
    error: source.problem === null ? null : problemRecord(source.problem as ProblemCode),
    skippedEntries: source.skipped,
    createdAt: toUtcText(source.createdAt),
  }
}

function stateOf({ pausedAt, isStale, problem, checkedAt }: SourceRow) {
  if (pausedAt !== null) return 'paused' as const
  if (isStale) return 'stale' as const
  if (problem !== null) return 'failing' as const
  return checkedAt === null ? ('new' as const) : ('fresh' as const)
}

const problemRecord = (code: ProblemCode) => ({ code, message: problems[code] })

export const testRecord = ({ ok, calendars, busyNextWeek, problem }: SourceTest) => ({
  ok,
  calendars,
  busyNextWeek,
  error: problem && { code: problem.code, message: problem.message },
})

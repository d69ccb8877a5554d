import Type from 'typebox'
import * as actions from '../../actions/scheduling/calendars/calendar-sources.ts'
import type { SourceTest } from '../../calendars/fetch-source.ts'
import { type ProblemCode, problems } from '../../calendars/problem.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { listNotices, type MirrorNotice } from '../../db/scheduling/calendar-mirrors.ts'
import { listSources, type SourceRow } from '../../db/scheduling/calendar-sources.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { resourceOf } from '../setup/resources.ts'
import { Choice, Moment, Optional, ruleText, Text, Uuid } from '../wire/fields.ts'
import { withEtag } from '../wire/if-match.ts'
import { crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B2. Resources')

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
  mirrorTo: Optional(
    Type.String({
      maxLength: 1000,
      pattern: '^/',
      description:
        'CalDAV: path of the calendar that bookings of the Resource are written to, as `test` lists them. Null for none.',
    }),
  ),
  mirrorNames: Optional(
    Type.Boolean({
      description:
        'Whether entries that are written name the Customer and the Product instead of "Busy". Default false.',
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

const Mirror = Type.Object(
  {
    state: Choice(['writing', 'fresh', 'failing', 'paused'], {
      description:
        'writing: changes are about to be written; failing: the last attempt failed and is repeated.',
    }),
    doneAt: Nullable({ ...Moment, description: 'When all bookings were last written, or found unchanged.' }),
    failingSince: Nullable(Moment),
    error: Nullable(Problem),
    notices: Type.Array(
      Type.Object({
        uuid: Uuid,
        kind: Choice(['changed', 'deleted']),
        start: Moment,
        end: Moment,
      }),
      {
        description:
          'Bookings whose entry was changed or deleted in the calendar, up to 100. They stay so until `rewrite`.',
      },
    ),
  },
  { title: 'CalendarMirror' },
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
    mirrorTo: Nullable(Type.String()),
    mirrorNames: Type.Boolean(),
    mirror: Nullable(Mirror),
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

export const RewriteInput = Type.Object(
  {
    entries: Optional(
      Type.Array(Uuid, { minItems: 1, maxItems: 100, description: 'Of `notices`. If omitted, all of them.' }),
    ),
  },
  { title: 'CalendarRewrite' },
)

const path = '/crms/:crmId/provider/:providerRef/resources/:resourceRef/calendar_sources'

export const getCalendarSources = crmRoute({
  method: 'GET',
  path,
  operationId: 'getCalendarSources',
  summary: 'List external calendars',
  description:
    'The external calendars of a Resource and their state, oldest first. Addresses and passwords are not shown.',
  replies: { 200: Wrapped({ sources: Type.Array(SourceRecord) }) },
  async handle({ params, service, context }) {
    const resource = await resourceOf(context, params.resourceRef)
    return wrap({ sources: await sourceRecords(service.db, await listSources(service.db, resource.id)) })
  },
})

export const getCalendarSource = crmRoute({
  method: 'GET',
  path: `${path}/:sourceUuid`,
  operationId: 'getCalendarSource',
  summary: 'Get an external calendar',
  description: 'The ETag covers its settings; `PATCH` and `DELETE` accept it as If-Match.',
  replies: { 200: Wrapped({ source: SourceRecord }) },
  async handle({ params, service, reply, context }) {
    const resource = await resourceOf(context, params.resourceRef)
    const source = await actions.sourceOf(service.db, resource.id, params.sourceUuid)
    withEtag(reply, actions.settingsOf(source))
    return wrap({ source: await sourceRecord(service.db, source) })
  },
})

const moment = (at: number | null) => (at === null ? null : toUtcText(at))

type Record = Type.Static<typeof SourceRecord>

const maxNotices = 100

export async function sourceRecords(db: Queryable, sources: SourceRow[]): Promise<Record[]> {
  const ids = sources.filter(one => one.mirrorTo !== null).map(one => one.id)
  const notices = ids.length > 0 ? await listNotices(db, ids, maxNotices) : []
  const bySource = Map.groupBy(notices, one => one.sourceId)
  return sources.map(source => recordOf(source, bySource.get(source.id) ?? []))
}

export const sourceRecord = async (db: Queryable, source: SourceRow): Promise<Record> =>
  (await sourceRecords(db, [source]))[0]!

function recordOf(source: SourceRow, notices: MirrorNotice[]): Record {
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
    mirrorTo: source.mirrorTo,
    mirrorNames: source.mirrorNames,
    mirror: source.mirrorTo === null ? null : mirrorRecord(source, notices),
    createdAt: toUtcText(source.createdAt),
  }
}

function stateOf({ pausedAt, isStale, problem, checkedAt }: SourceRow) {
  if (pausedAt !== null) return 'paused' as const
  if (isStale) return 'stale' as const
  if (problem !== null) return 'failing' as const
  return checkedAt === null ? ('new' as const) : ('fresh' as const)
}

const mirrorRecord = (source: SourceRow, notices: MirrorNotice[]) => ({
  state: mirrorState(source),
  doneAt: moment(source.mirrorDoneAt),
  failingSince: moment(source.mirrorFailingSince),
  error: source.mirrorProblem === null ? null : problemRecord(source.mirrorProblem as ProblemCode),
  notices: notices.map(({ uuid, kind, start, end }) => ({
    uuid,
    kind,
    start: toUtcText(start),
    end: toUtcText(end),
  })),
})

function mirrorState({ pausedAt, mirrorProblem, isMirrorBehind }: SourceRow) {
  if (pausedAt !== null) return 'paused' as const
  if (mirrorProblem !== null) return 'failing' as const
  return isMirrorBehind ? ('writing' as const) : ('fresh' as const)
}

const problemRecord = (code: ProblemCode) => ({ code, message: problems[code] })

export const testRecord = ({ ok, calendars, busyNextWeek, problem }: SourceTest) => ({
  ok,
  calendars,
  busyNextWeek,
  error: problem && { code: problem.code, message: problem.message },
})

import Type, { type Static } from 'typebox'
import { type OutgoingPause, probePause } from '../../../db/base/outgoing-pause.ts'
import {
  causeOf,
  isOlderTimeline,
  isRightMissing,
  noConnection,
  noDiskSpace,
} from '../../../db/base/postgres-errors.ts'
import { readMissingRights, readState, type State } from '../../../db/base/readiness.ts'
import type { Fit } from '../../../db/base/schema-version.ts'
import { webhookState } from '../../../db/webhook-queue.ts'
import { version } from '../../../lib/root.ts'
import type { Health } from '../../../lib/watch/health.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { Choice, Moment } from '../fields.ts'
import { answer, publicRoutes } from '../route.ts'

const tooOldSeconds = 300
const jobsMissedForMs = 60_000
const fullForMs = 60_000
const proxySeenForMs = 300_000

// A newer schema that still supports this version counts as current.
const statusOfMismatch: Partial<Record<Fit['kind'], 'migrating' | 'outdated'>> = {
  behind: 'migrating',
  'too new': 'outdated',
  changed: 'outdated',
}

const Readiness = Type.Object(
  {
    status: Choice(['ok', 'degraded', 'migrating', 'outdated', 'unavailable', 'jobs stopped', 'draining']),
    database: Type.Optional(
      Choice([
        'ok',
        'full',
        'read-only',
        'not writable',
        'lacks rights',
        'replaced',
        'no connection',
        'away',
      ]),
    ),
    cause: Type.Optional(
      Type.String({
        description:
          'Why a booking would fail: `commit waits for a synchronous standby`, `no connection available`, `disk full` ...',
      }),
    ),
    version: Type.String({ description: 'Version of this program.' }),
    missingRights: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Tables that the database user may not read or write.',
      }),
    ),
    migration: Type.Optional(Type.Number({ description: 'Latest applied migration.' })),
    oldestJobSeconds: Type.Optional(
      Type.Number({ description: 'Seconds for which the oldest due job has been waiting.' }),
    ),
    webhooks: Type.Optional(
      Type.Object({
        failing: Type.Number({ description: 'Webhooks whose deliveries are failing.' }),
        oldestSeconds: Type.Number({
          description: 'Seconds for which the longest of them has been failing.',
        }),
      }),
    ),
    mail: Type.Optional(
      Type.String({ description: '`ok`, or `failing since` when the mail server accepts no mail.' }),
    ),
    outgoing: Type.Optional(
      Type.Object(
        { paused: Type.String({ description: 'Reason for the pause.' }), since: Moment },
        { description: 'Emails and webhooks are paused until the operator runs `holdfast resume`.' },
      ),
    ),
    proxy: Type.Optional(
      Choice(['untrusted'], {
        description:
          'Requests carry proxy headers, but TRUST_PROXY is not set: all visitors count as one client. Set TRUST_PROXY, or TRUST_PROXY=false if there is no proxy.',
      }),
    ),
  },
  { title: 'Readiness' },
)

/** Load balancers only send requests to instances that answer 200. */
export const readiness = (service: Service) =>
  publicRoutes('Operations')({
    method: 'GET',
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Check that the service is ready',
    description:
      'Checks the database, migrations, jobs and email. Returns 503 if the service is not ready: `unavailable` (`database` and `cause` give the reason: the database cannot be reached, a small write failed, it is `read-only`, all connections have been in use for 10 seconds (`no connection`), or it `lacks rights` for the database user), `migrating`, `outdated`, `jobs stopped` (jobs should run in this process) or `draining` (shutting down). Returns `degraded` if jobs wait too long, the mail server accepts no mail, emails and webhooks are paused (`outgoing`), a proxy is not trusted, or the database ran out of space in the last minute (`full`: lists still work, bookings return 503).',
    replies: { 200: Readiness, 503: Readiness },
    async handle({ reply }) {
      const found = await readReadiness(service)
      const isReady = readyStatuses.includes(found.status)
      if (!isReady && found.status === 'unavailable') reply.header('retry-after', '2')
      return answer(isReady ? 200 : 503, { ...found, version })
    },
  })

type Found = Omit<Static<typeof Readiness>, 'version'>

const readyStatuses: Found['status'][] = ['ok', 'degraded']

export const isReady = async (service: Service): Promise<boolean> =>
  readyStatuses.includes((await readReadiness(service)).status)

async function readReadiness({ db, health, writeProbe }: Service): Promise<Found> {
  if (health.isDraining) return { status: 'draining' }
  try {
    // In parallel, because a blocked write takes a while to detect.
    const [missingRights, trouble] = await Promise.all([readMissingRights(db.probe), writeProbe.check()])
    if (missingRights.length > 0) return { ...withoutRights, missingRights }
    const state = await readState(db.probe)
    const obstacle = obstacleTo(state, health)
    const outgoing = state.fit.kind === 'behind' ? null : await probePause(db.probe)
    const isWritable = !state.isReadOnly && (trouble === null || obstacle !== null)
    return {
      status:
        obstacle ??
        (isWritable ? (outgoing || isDegraded(state, health) ? 'degraded' : 'ok') : 'unavailable'),
      database: state.isReadOnly
        ? 'read-only'
        : isWritable
          ? isFull(health)
            ? 'full'
            : 'ok'
          : kindOf(trouble!),
      ...(trouble !== null ? { cause: trouble } : isFull(health) ? { cause: noDiskSpace } : {}),
      migration: state.fit.newest,
      oldestJobSeconds: Math.round(state.oldestJobSeconds),
      mail: mailState(health),
      webhooks: await webhookState(db.probe),
      ...(outgoing ? { outgoing: pauseView(outgoing) } : {}),
      ...(hasUntrustedProxy(health) ? { proxy: 'untrusted' as const } : {}),
    }
  } catch (error) {
    if (isRightMissing(error)) return withoutRights
    const cause = causeOf(error) ?? 'the database does not answer'
    return { status: 'unavailable', database: isOlderTimeline(error) ? 'replaced' : 'away', cause }
  }
}

const kinds: Record<string, 'full' | 'no connection'> = {
  [noDiskSpace]: 'full',
  [noConnection]: 'no connection',
}

const kindOf = (trouble: string) => kinds[trouble] ?? 'not writable'

const withoutRights = { status: 'unavailable', database: 'lacks rights' } as const

function obstacleTo({ fit, isReadOnly }: State, { jobsSeenAt }: Health) {
  if (isReadOnly) return 'unavailable'
  if (jobsSeenAt !== null && performance.now() - jobsSeenAt > jobsMissedForMs) return 'jobs stopped'
  return statusOfMismatch[fit.kind] ?? null
}

const isDegraded = ({ oldestJobSeconds }: State, health: Health) =>
  oldestJobSeconds > tooOldSeconds ||
  health.mailFailingSince !== null ||
  isFull(health) ||
  hasUntrustedProxy(health)

/** Not a reason to stop traffic: reads still work, and all instances share the database. */
const isFull = ({ diskFullAt }: Health) => diskFullAt !== null && performance.now() - diskFullAt < fullForMs

const hasUntrustedProxy = ({ untrustedProxyAt }: Health) =>
  untrustedProxyAt !== null && performance.now() - untrustedProxyAt < proxySeenForMs

const pauseView = ({ reason, since }: OutgoingPause) => ({ paused: reason, since: toUtcText(since) })

const mailState = ({ mailFailingSince: since }: Health) =>
  since === null ? 'ok' : `failing since ${new Date(since).toISOString()}`

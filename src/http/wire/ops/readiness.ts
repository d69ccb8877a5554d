import Type from 'typebox'
import { isRightMissing } from '../../../db/base/postgres-errors.ts'
import { readMissingRights, readState, type State } from '../../../db/base/readiness.ts'
import type { Fit } from '../../../db/base/schema-version.ts'
import { webhookState } from '../../../db/webhook-work.ts'
import type { Health } from '../../../lib/watch/health.ts'
import type { Service } from '../../../service.ts'
import { Choice } from '../fields.ts'
import { answer, publicRoute } from '../route.ts'

const tooOldSeconds = 300
const jobsMissedForMs = 60_000
const fullForMs = 60_000

// A newer schema beside which this program still works is as good as its own.
const misfits: Partial<Record<Fit['kind'], 'migrating' | 'outdated'>> = {
  behind: 'migrating',
  'too new': 'outdated',
  changed: 'outdated',
}

const Readiness = Type.Object(
  {
    status: Choice(['ok', 'degraded', 'migrating', 'outdated', 'unavailable', 'jobs stopped', 'draining']),
    database: Type.Optional(Choice(['ok', 'full', 'read-only', 'lacks rights', 'away'])),
    missingRights: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Tables that our user of the database may not read or write.',
      }),
    ),
    migration: Type.Optional(Type.Number({ description: 'The newest one that was applied.' })),
    oldestJobSeconds: Type.Optional(Type.Number({ description: 'How long the oldest due job has waited.' })),
    webhooks: Type.Optional(
      Type.Object({
        failing: Type.Number({ description: 'Webhooks that take nothing at the moment.' }),
        oldestSeconds: Type.Number({ description: 'How long the first of them has been failing.' }),
      }),
    ),
    mail: Type.Optional(
      Type.String({ description: '`ok`, or `failing since` when the mail server takes nothing.' }),
    ),
  },
  { title: 'Readiness' },
)

/** Asked by balancers, which send nobody where the answer is not 200. */
export const readiness = ({ db, health }: Service) =>
  publicRoute({
    method: 'GET',
    tag: 'Operations',
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Can it work?',
    description:
      'Database, migrations, jobs and mail. 503 when it cannot work: `unavailable` (the database is away, `read-only`, or `lacks rights` for our user), `migrating`, `outdated`, `jobs stopped` (they should run here) or `draining` (told to stop). `degraded` when jobs wait too long, the mail server takes nothing, or the database had no room in the last minute (`full`: lists are still answered, bookings are 503).',
    replies: { 200: Readiness, 503: Readiness },
    async handle({ reply }) {
      if (health.isDraining) return answer(503, { status: 'draining' as const })
      try {
        const missingRights = await readMissingRights(db.probe)
        if (missingRights.length > 0) return answer(503, { ...withoutRights, missingRights })
        const state = await readState(db.probe)
        const hindrance = hindranceOf(state, health)
        return answer(hindrance ? 503 : 200, {
          status: hindrance ?? (isDegraded(state, health) ? 'degraded' : 'ok'),
          database: state.isReadOnly ? 'read-only' : isFull(health) ? 'full' : 'ok',
          migration: state.fit.newest,
          oldestJobSeconds: Math.round(state.oldestJobSeconds),
          mail: mailState(health),
          webhooks: await webhookState(db.probe),
        })
      } catch (error) {
        if (isRightMissing(error)) return answer(503, withoutRights)
        reply.header('retry-after', '2')
        return answer(503, { status: 'unavailable', database: 'away' })
      }
    },
  })

const withoutRights = { status: 'unavailable', database: 'lacks rights' } as const

function hindranceOf({ fit, isReadOnly }: State, { jobsSeenAt }: Health) {
  if (isReadOnly) return 'unavailable'
  if (jobsSeenAt !== null && Date.now() - jobsSeenAt > jobsMissedForMs) return 'jobs stopped'
  return misfits[fit.kind] ?? null
}

const isDegraded = ({ oldestJobSeconds }: State, health: Health) =>
  oldestJobSeconds > tooOldSeconds || health.mailFailingSince !== null || isFull(health)

/** No reason to send nobody here: what only reads is answered, and all instances have the same database. */
const isFull = ({ diskFullAt }: Health) => diskFullAt !== null && Date.now() - diskFullAt < fullForMs

const mailState = ({ mailFailingSince: since }: Health) =>
  since === null ? 'ok' : `failing since ${new Date(since).toISOString()}`

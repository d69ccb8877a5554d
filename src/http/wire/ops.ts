import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import Type from 'typebox'
import { oldestWaitingJobSeconds } from '../../db/base/jobs.ts'
import { type Fit, readFit } from '../../db/base/schema-version.ts'
import { metricsRefused } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Service } from '../../service.ts'
import { isLocal } from './clients.ts'
import { Choice } from './fields.ts'
import { RequestMetrics } from './request-metrics.ts'
import { answer, publicRoute, type Route } from './route.ts'

// For machines that watch the service: is it alive, can it work, how much does it do.

const tooOldSeconds = 300

// A newer schema beside which this program still works is as good as its own.
const misfits: Partial<Record<Fit['kind'], 'migrating' | 'outdated'>> = {
  behind: 'migrating',
  'too new': 'outdated',
  changed: 'outdated',
}

/** Routes that watch the service. They belong to no group of the interface and have one address each. */
export function operationsRoutes(app: FastifyInstance, service: Service): Route[] {
  return [health, readiness(service), metrics(app, service)]
}

const about = { method: 'GET', tag: 'Operations' } as const

const health = publicRoute({
  ...about,
  path: '/healthz',
  operationId: 'getHealth',
  summary: 'Is the process alive?',
  description: 'Answers as long as the process does; the database is not asked.',
  replies: { 200: Type.Object({ status: Type.Literal('ok') }) },
  async handle() {
    return answer(200, { status: 'ok' as const })
  },
})

const Readiness = Type.Object(
  {
    status: Choice(['ok', 'degraded', 'migrating', 'outdated', 'unavailable']),
    database: Choice(['ok', 'away']),
    migration: Type.Optional(Type.Number({ description: 'The newest one that was applied.' })),
    oldestJobSeconds: Type.Optional(Type.Number({ description: 'How long the oldest due job has waited.' })),
  },
  { title: 'Readiness' },
)

const readiness = ({ db }: Service) =>
  publicRoute({
    ...about,
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Can it work?',
    description:
      'Database, migrations and the age of the job queue. 503 when it cannot work; `degraded` when jobs wait too long.',
    replies: { 200: Readiness, 503: Readiness },
    async handle({ reply }) {
      try {
        const fit = await readFit(db.pool)
        const waiting = await oldestWaitingJobSeconds(db)
        const status = misfits[fit.kind] ?? (waiting > tooOldSeconds ? 'degraded' : 'ok')
        return answer(fit.kind === 'current' ? 200 : 503, {
          status,
          database: 'ok',
          migration: fit.newest,
          oldestJobSeconds: Math.round(waiting),
        })
      } catch {
        reply.header('retry-after', '2')
        return answer(503, { status: 'unavailable', database: 'away' })
      }
    },
  })

function metrics(app: FastifyInstance, service: Service): Route {
  const { db } = service
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new RequestMetrics()
  new Gauge({
    name: 'holdfast_db_connections',
    help: 'Connections of the pool',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, db.pool.totalCount)
      this.set({ state: 'idle' }, db.pool.idleCount)
      this.set({ state: 'wanted' }, db.pool.waitingCount)
    },
  })

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.note(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  return publicRoute({
    ...about,
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Prometheus metrics',
    description:
      'Requests, connections and the process itself, in the text format of Prometheus. For this machine only, or for whoever sends METRICS_TOKEN as `Authorization: Bearer`.',
    replies: { 200: Type.String({ contentMediaType: 'text/plain' }) },
    errors: ['login-required'],
    async handle({ request, reply }) {
      refuseStrangers(service, request)
      reply.type(registry.contentType)
      return answer(200, `${requests.text()}\n${await registry.metrics()}`)
    },
  })
}

/** How busy a service is, and with what, is its operator's business. */
function refuseStrangers({ config }: Service, request: FastifyRequest) {
  const { metricsToken } = config
  const bearer = request.headers.authorization?.match(/^Bearer (.+)$/i)?.[1] ?? ''
  const isAllowed =
    metricsToken === null ? isLocal(request) : timingSafeEqual(sha256(bearer), sha256(metricsToken))
  if (!isAllowed) throw metricsRefused()
}

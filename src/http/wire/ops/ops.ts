import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import Type from 'typebox'
import { metricsRefused } from '../../../errors.ts'
import { sha256 } from '../../../lib/hash.ts'
import type { Service } from '../../../service.ts'
import { isLocal } from '../callers/clients.ts'
import { answer, publicRoute, type Route } from '../route.ts'
import { readiness } from './readiness.ts'
import { workMetrics } from './work-metrics.ts'

// For machines that watch the service: is it alive, can it work, how much does it do.

/** Routes that watch the service. They belong to no group of the interface and have one address each. */
export function operationsRoutes(service: Service): Route[] {
  return [health, readiness(service), metricsRoute(service)]
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

function metricsRoute(service: Service): Route {
  const { db, metrics } = service
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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

  metrics.own = async () =>
    [metrics.requests.text(), await workMetrics(service), await registry.metrics()].join('\n')
  return publicRoute({
    ...about,
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Prometheus metrics',
    description:
      'Requests, what they led to, queues, connections and the process itself, in the text format of Prometheus. For this machine only, or for whoever sends METRICS_TOKEN as `Authorization: Bearer`.',
    replies: { 200: Type.String({ contentMediaType: 'text/plain' }) },
    errors: ['login-required'],
    async handle({ request, reply }) {
      refuseStrangers(service, request)
      reply.type(registry.contentType)
      return answer(200, await metrics.all())
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

import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { metricsRefused } from '../../../errors.ts'
import { sha256 } from '../../../lib/hash.ts'
import type { Service } from '../../../service.ts'
import { isLocal } from '../callers/clients.ts'
import { publicRoutes, type Route } from '../route.ts'
import { readiness } from './readiness.ts'
import { addWorkMetrics } from './work-metrics.ts'

// Monitoring: liveness, readiness and metrics.

const publicRoute = publicRoutes('Operations')

/** Monitoring routes. They belong to no API group and have one address each. */
export function operationsRoutes(service: Service): Route[] {
  return [health, readiness(service), metricsRoute(service)]
}

const health = publicRoute({
  method: 'GET',
  path: '/healthz',
  operationId: 'getHealth',
  summary: 'Check that the process is alive',
  description: 'Answers while the process runs. Does not use the database.',
  replies: { 200: Type.Object({ status: Type.Literal('ok') }) },
  handle: async () => ({ status: 'ok' as const }),
})

function metricsRoute(service: Service): Route {
  const { metrics } = service
  // Another app of the same service shares them.
  if (!metrics.registry.getSingleMetric('holdfast_ready')) addMetrics(service)
  return publicRoute({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Get Prometheus metrics',
    description:
      'Requests and their results, queues, connections and the process itself, in Prometheus text format. Only from this machine, or with METRICS_TOKEN as `Authorization: Bearer`.',
    replies: { 200: Type.String({ contentMediaType: 'text/plain' }) },
    errors: ['login-required'],
    async handle({ request, reply }) {
      refuseStrangers(service, request)
      reply.type(metrics.registry.contentType)
      return metrics.all()
    },
  })
}

function addMetrics(service: Service) {
  const { metrics } = service
  const read = addWorkMetrics(service)
  metrics.addProcess()
  metrics.own = async () => {
    await read()
    return metrics.registry.metrics()
  }
}

/** Load figures are for the operator only. */
function refuseStrangers({ config }: Service, request: FastifyRequest) {
  const { metricsToken } = config
  const bearer = request.headers.authorization?.match(/^Bearer (.+)$/i)?.[1] ?? ''
  const isAllowed =
    metricsToken === null ? isLocal(request) : timingSafeEqual(sha256(bearer), sha256(metricsToken))
  if (!isAllowed) throw metricsRefused()
}

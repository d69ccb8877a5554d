import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../../../lib/watch/metrics.ts'
import type { Service } from '../../../service.ts'

/** `route` is the pattern, never the URL: references and tokens can identify a person. */
type Answered = {
  reqId: string
  method: string
  route: string | undefined
  status: number
  crm?: string | undefined
  code?: string | undefined
  traceId: string | undefined
}

/** The CRM of the Resource that a consumer's request names, unless it was not found. */
export function crmOfResource({ refs }: Service, params: unknown): string | undefined {
  const { ref } = (params ?? {}) as { ref?: string }
  return ref === undefined ? undefined : refs.crmOf(ref)
}

/** Requested every few seconds; their lines would hide all others. An outage has lines of its own. */
const probes = ['/healthz', '/readyz', '/metrics']

/** Counts each response and logs it if enabled. */
export function recordResponse(metrics: Metrics, log: FastifyBaseLogger, answered: Answered, tookMs: number) {
  metrics.recordRequest(answered.method, answered.route ?? 'unknown', answered.status, tookMs / 1000)
  const level = probes.includes(answered.route ?? '') ? 'debug' : 'info'
  log[level]({ ...answered, ms: Math.round(tookMs * 10) / 10 }, 'answered')
}

/** For the integrator. References in paths may identify a person, so only the pattern is kept. */
export function logCall(
  { requestLog }: Service,
  key: { id: number; crmId: number },
  { reqId, method, route, status, code }: Answered,
  tookMs: number,
) {
  const path = (route ?? 'unknown').replaceAll(/:(\w+)/g, '{$1}')
  requestLog.add({
    crmId: key.crmId,
    keyId: key.id,
    at: Date.now(),
    route: `${method} ${path}`,
    status,
    code: code ?? null,
    requestId: reqId,
    ms: Math.round(tookMs),
  })
}

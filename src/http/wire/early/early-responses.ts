import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { currentTracer } from '../../../lib/watch/traced.ts'
import type { Service } from '../../../service.ts'
import { queueKeyOf } from '../callers/clients.ts'
import { crmOfResource, recordResponse } from '../ops/record-response.ts'
import { traceIdOf } from '../ops/trace-requests.ts'
import type { ParsedUrl } from '../requests/known-urls.ts'
import { recordArrival, requestId } from '../requests/request.ts'
import type { KnownResponse } from '../route.ts'
import { mayBeRedirected, originHeaders } from '../server/origins.ts'

/**
 * Known responses are sent before Fastify, because preparing a Fastify response costs more than the response
 * itself. The route says what is known (`answerEarly`), and this sends the same bytes that Fastify would.
 * Anything unusual is passed on: unknown responses, refusals, shutdown, and all requests while tracing is on.
 */
export function addEarlyResponses(app: FastifyInstance, service: Service) {
  if (currentTracer()) return
  const { knownAddresses } = app
  const isElsewhere = mayBeRedirected(service.baseUrl)
  const write = writer(app, service)
  app.early.add((request, reply, next) => {
    const known = request.method === 'GET' ? knownAddresses.get(request.url!) : undefined
    if (!known || isElsewhere(request.headers)) return next()
    const pending = { request, reply, known, cameAt: performance.now() }
    const passOn = () => {
      recordArrival(request, pending.cameAt)
      next()
    }
    const { params, query, route } = known
    const call = { params, query, service, request, write: (answer: KnownResponse) => write(pending, answer) }
    route.answerEarly!(call).then(isAnswered => isAnswered || passOn(), passOn)
  })
}

type Pending = { request: IncomingMessage; reply: ServerResponse; known: ParsedUrl; cameAt: number }

/** Returns false if the response must be sent by the route. */
function writer({ server, log }: FastifyInstance, service: Service) {
  const { config, health, largeResponses, metrics } = service
  const isStopping = () => health.isDraining || !server.listening
  return (
    { request, reply, known, cameAt }: Pending,
    { status, vary, cors, headers, body }: KnownResponse,
  ) => {
    if (isStopping()) return false
    if (typeof body !== 'string') {
      // Long responses are tracked per reader, and behind a proxy only Fastify knows the reader.
      if (config.trustProxy !== null) return false
      largeResponses.add(reply, body, queueKeyOf({ ip: request.socket.remoteAddress ?? '' }))
    }
    const reqId = requestId(request)
    const own = ['x-request-id', reqId, 'x-content-type-options', 'nosniff', 'vary', vary]
    reply.writeHead(status, [...own, ...(cors === false ? [] : originLines(request)), ...headers])
    reply.end(body, 'latin1', () => {
      const traceId = traceIdOf({ raw: request })
      const crm = crmOfResource(service, known.params)
      const answered = { reqId, method: 'GET', route: known.pattern, status, crm, traceId }
      recordResponse(metrics, log, answered, performance.now() - cameAt)
    })
    return true
  }
}

/** Without `vary`, which the known response has. */
const originLines = ({ headers: { origin } }: IncomingMessage) =>
  origin
    ? originHeaders(origin)
        .filter(([name]) => name !== 'vary')
        .flat()
    : []

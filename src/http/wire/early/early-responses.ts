import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { currentTracer } from '../../../lib/watch/traced.ts'
import type { Service } from '../../../service.ts'
import { queueKeyOf } from '../callers/clients.ts'
import { recordResponse } from '../ops/record-response.ts'
import { recordArrival } from '../requests/arrival.ts'
import type { ParsedUrl } from '../requests/known-urls.ts'
import type { RawResponse } from '../route.ts'
import { mayBeRedirected } from '../server/canonical-host.ts'
import { originHeaders } from '../server/cors.ts'
import { requestId } from '../server/request-id.ts'
import { addEarlyListener } from './early-listener.ts'
import { headerLines, RawResponses } from './raw-responses.ts'

/**
 * Known responses are sent before Fastify, because preparing a Fastify response costs more than the response
 * itself. The route says what is known (`answerEarly`), and this writes the same bytes that Fastify would.
 * Anything unusual is passed on: unknown responses, refusals, closing connections, shutdown, and all requests
 * while tracing is on.
 */
export function addEarlyResponses(app: FastifyInstance, service: Service) {
  if (currentTracer()) return
  const { knownAddresses } = app
  const isElsewhere = mayBeRedirected(service.baseUrl)
  const write = writer(app, service)
  addEarlyListener(app, next => (request, reply) => {
    const known = request.method === 'GET' ? knownAddresses.get(request.url!) : undefined
    if (!known || isElsewhere(request.headers)) return next(request, reply)
    const pending = { request, reply, known, cameAt: performance.now() }
    const goIn = () => {
      recordArrival(request, pending.cameAt)
      next(request, reply)
    }
    const { params, query, route } = known
    const call = { params, query, service, request, write: (answer: RawResponse) => write(pending, answer) }
    route.answerEarly!(call).then(isAnswered => isAnswered || goIn(), goIn)
  })
}

type Asked = { request: IncomingMessage; reply: ServerResponse; known: ParsedUrl; cameAt: number }

/** Returns false if the response cannot be written: it is not its turn, or the client is gone. */
function writer({ server, log }: FastifyInstance, { config, health, outgoing, metrics }: Service) {
  const straight = new RawResponses(server.keepAliveTimeout)
  const isStopping = () => health.isDraining || !server.listening
  return ({ request, reply, known, cameAt }: Asked, { status, vary, lines, body }: RawResponse) => {
    if (isStopping() || !straight.suits(request, reply)) return false
    if (typeof body !== 'string') {
      // Long responses are tracked per reader, and behind a proxy only Fastify knows the reader.
      if (config.trustProxy !== null) return false
      outgoing.add(reply, body, queueKeyOf({ ip: request.socket.remoteAddress ?? '' }))
    }
    const reqId = requestId(request)
    const own = `x-request-id: ${reqId}\r\nx-content-type-options: nosniff\r\nvary: ${vary}\r\n${originLines(request)}`
    straight.send(request, reply, `${names[status]}\r\n${own}${lines}`, body, () => {
      const answered = { reqId, method: 'GET', route: known.pattern, status }
      recordResponse(metrics, log, answered, performance.now() - cameAt)
    })
    return true
  }
}

const names = { 200: '200 OK', 204: '204 No Content', 304: '304 Not Modified' }

const originLines = ({ headers: { origin } }: IncomingMessage) =>
  origin ? headerLines(originHeaders(origin).filter(([name]) => name !== 'vary')) : ''

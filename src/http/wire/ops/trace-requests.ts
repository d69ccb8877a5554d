import type { FastifyInstance, FastifyRequest } from 'fastify'
import { currentTracer, type OpenSpan } from '../../../lib/watch/traced.ts'

const spans = new WeakMap<FastifyRequest['raw'], OpenSpan>()

// https://www.w3.org/TR/trace-context/#traceparent-header
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

/** Links log and traces. Without tracing here, the caller may still have a trace. */
export function traceIdOf({ raw }: Pick<FastifyRequest, 'raw'>): string | undefined {
  const own = spans.get(raw)
  if (own) return own.traceId
  const { traceparent: header } = raw.headers
  return typeof header === 'string' ? header.match(traceparent)?.[1] : undefined
}

/** A span per request, if tracing is on. Named by route pattern, because URLs can identify a person. */
export function traceRequests(app: FastifyInstance) {
  const tracer = currentTracer()
  if (!tracer) return
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request
    const { span, carry } = tracer.begin(`${method} ${routeOptions.url ?? 'unknown'}`, headers)
    spans.set(request.raw, span)
    carry(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const attributes = {
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? 'unknown',
      'http.response.status_code': reply.statusCode,
      'holdfast.request_id': request.id,
    }
    spans.get(request.raw)?.end(attributes, reply.statusCode >= 500 ? new Error('answered 5xx') : undefined)
    done()
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { currentTracer, type OpenSpan } from '../../../lib/watch/traced.ts'

/** A span per request, if tracing is on. Named by route pattern, because URLs can identify a person. */
export function traceRequests(app: FastifyInstance) {
  const tracer = currentTracer()
  if (!tracer) return
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request
    const { span, carry } = tracer.begin(`${method} ${routeOptions.url ?? 'unknown'}`, headers)
    spans.set(request, span)
    carry(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const attributes = {
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? 'unknown',
      'http.response.status_code': reply.statusCode,
      'holdfast.request_id': request.id,
    }
    spans.get(request)?.end(attributes, reply.statusCode >= 500 ? new Error('answered 5xx') : undefined)
    done()
  })
}

import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { ConsoleCaller, CrmCaller } from '../../../callers.ts'
import type { Service } from '../../../service.ts'
import { answerError, answerUnreadable } from '../errors.ts'
import { noteAnswer } from '../ops/note-answer.ts'
import { traceRequests } from '../ops/trace-requests.ts'
import { arrivalOf } from '../requests/arrival.ts'
import { addJsonParser } from '../requests/json.ts'
import { KnownAddresses } from '../requests/known-addresses.ts'
import { lazySchemas } from '../requests/lazy-schemas.ts'
import { allowOriginAnyway } from './cors.ts'
import { requestId } from './request-id.ts'
import { noteRoutes } from './unknown-paths.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: CrmCaller | ConsoleCaller | null
  }
  interface FastifyInstance {
    knownAddresses: KnownAddresses
  }
}

const bodyLimit = 1024 * 1024

/** A connection on which nothing moves in either direction: nobody reads there any more. The longest wait of ours is 30 s. */
const silentMs = 120_000

/** A Fastify with our ways: strict bodies, one shape of errors, logs without anything personal. */
export function makeServer(service: Service): FastifyInstance {
  const { config, health } = service
  const requestTimeout = config.requestTimeoutSeconds * 1000
  const app = Fastify({
    logger: { level: config.logLevel, redact: ['req.headers', 'res.headers'] },
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: a child for each request would cost more than the line that it writes.
    childLoggerFactory: logger => logger,
    bodyLimit,
    requestTimeout,
    connectionTimeout: silentMs,
    // What still comes while we close is answered like everything else.
    return503OnClosing: false,
    // Of two times, Node takes the shorter one for the headers and the longer one for the whole request. It looks for late
    // requests every 30 seconds, which would double the time that they get.
    http: { headersTimeout: requestTimeout, connectionsCheckingInterval: 1000 },
    trustProxy: trustProxy(config.trustProxy),
    genReqId: requestId,
    routerOptions: { maxParamLength: 4096 },
    schemaController: { compilersFactory: lazySchemas },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        allErrors: false,
        verbose: true,
        allowUnionTypes: true,
        // Formats tell readers what to expect; what is refused is said by patterns and by the code that reads it.
        validateFormats: false,
        strict: false,
      },
    },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => {
      allowOriginAnyway(request, reply)
      void answerError(error, request, reply, service)
    },
  }) as unknown as FastifyInstance
  traceRequests(app)
  addJsonParser(app)
  app.decorateRequest('caller', null)
  app.decorate('knownAddresses', new KnownAddresses())
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, service))
  const refusalFor = noteRoutes(app)
  app.setNotFoundHandler((request, reply) => {
    allowOriginAnyway(request, reply)
    const refusal = refusalFor(request.method, request.url.split('?')[0]!)
    return answerError(refusal, request, reply, service)
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (health.isDraining) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method, routeOptions, log } = request
    const answered = { reqId: id, method, route: routeOptions.url, status: reply.statusCode }
    noteAnswer(service.metrics, log, answered, performance.now() - arrivalOf(reply))
    done()
  })
  app.addHook('preClose', done => {
    closeWhenAnswered(app, config.stopSeconds * 1000)
    done()
  })
  return app
}

/**
 * A connection whose last request was under way when we were told to stop would keep us waiting for its next one, and a
 * request that never ends for ever.
 */
function closeWhenAnswered({ server }: FastifyInstance, patienceMs: number) {
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const end = setTimeout(() => server.closeAllConnections(), patienceMs)
  server.once('close', () => {
    clearInterval(sweep)
    clearTimeout(end)
  })
}

/** As Fastify wants it. */
function trustProxy(setting: string | null) {
  if (setting === null || setting === 'false' || setting === '0') return false
  if (setting === 'true') return true
  if (/^\d+$/.test(setting)) return (_address: string, hop: number) => hop < Number(setting)
  return setting
}

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { ConsoleCaller, CrmCaller } from '../../../callers.ts'
import { makeLog } from '../../../lib/watch/log.ts'
import type { Service } from '../../../service.ts'
import { detectProxy } from '../callers/clients.ts'
import { EarlyListeners } from '../early/early-listener.ts'
import { answerError, answerUnreadable, errorCodeOf } from '../errors.ts'
import { crmOfResource, logCall, recordResponse } from '../ops/record-response.ts'
import { traceIdOf, traceRequests } from '../ops/trace-requests.ts'
import { addJsonParser } from '../requests/json.ts'
import { KnownUrls } from '../requests/known-urls.ts'
import { lazySchemas } from '../requests/lazy-schemas.ts'
import { arrivalOf, requestId } from '../requests/request.ts'
import { requireDeclarations } from './declarations.ts'
import { allowOriginAnyway } from './origins.ts'
import { trackRoutes } from './unknown-paths.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: CrmCaller | ConsoleCaller | null
    /** The person whom a CRM's backend books for: see callers/auth.ts. */
    consumer: string | null
    /** Whose call it is, for the request log; null without a valid key. */
    apiKey: { id: number; crmId: number } | null
    /** What the route does not know of the request; null if it knows all. */
    ignored: string[] | null
  }
  interface FastifyInstance {
    knownAddresses: KnownUrls
    early: EarlyListeners
  }
}

const bodyLimit = 1024 * 1024

/** Closes connections without traffic in either direction. The longest wait of a request is 30 s. */
const silentMs = 120_000

/** Page shown to browsers for unknown paths. */
type UnknownPage = {
  isWanted(request: FastifyRequest): boolean
  send(service: Service, request: FastifyRequest, reply: FastifyReply): unknown
}

/** A Fastify server with strict bodies, one error format and logs without personal data. */
export function makeServer(service: Service, unknownPage?: UnknownPage): FastifyInstance {
  const { config, health } = service
  const requestTimeout = config.requestTimeoutSeconds * 1000
  const early = new EarlyListeners()
  const app = Fastify({
    serverFactory: early.createServer,
    loggerInstance: makeLog(config),
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: a child per request would cost more than the line it writes.
    childLoggerFactory: logger => logger,
    bodyLimit,
    requestTimeout,
    connectionTimeout: silentMs,
    // Requests that arrive while closing are answered as usual.
    return503OnClosing: false,
    // Node uses the shorter time for the headers and the longer one for the whole request. By default it
    // checks for late requests every 30 seconds, which would double their time.
    http: { headersTimeout: requestTimeout, connectionsCheckingInterval: 1000 },
    trustProxy: trustProxy(config.trustProxy),
    genReqId: requestId,
    routerOptions: { maxParamLength: 8192 },
    schemaController: { compilersFactory: lazySchemas },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        allErrors: false,
        verbose: true,
        allowUnionTypes: true,
        // Formats inform readers; patterns and the parsing code decide what is refused.
        validateFormats: false,
        strict: false,
      },
    },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => {
      allowOriginAnyway(request, reply)
      // A link that was cut within an escape is as unknown as one cut elsewhere.
      if (error.code === 'FST_ERR_BAD_URL' && unknownPage?.isWanted(request))
        void unknownPage.send(service, request, reply)
      else void answerError(error, request, reply, service)
    },
  }) as unknown as FastifyInstance
  requireDeclarations(app)
  traceRequests(app)
  addJsonParser(app)
  app.decorateRequest('caller', null)
  app.decorateRequest('consumer', null)
  app.decorateRequest('ignored', null)
  app.decorateRequest('apiKey', null)
  app.decorate('knownAddresses', new KnownUrls())
  app.decorate('early', early)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, service))
  const refusalFor = trackRoutes(app)
  app.setNotFoundHandler((request, reply) => {
    allowOriginAnyway(request, reply)
    if (unknownPage?.isWanted(request)) return unknownPage.send(service, request, reply)
    const refusal = refusalFor(request.method, request.url.split('?')[0]!)
    return answerError(refusal, request, reply, service)
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (health.isDraining) reply.header('connection', 'close')
    detectProxy(service, request)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method, routeOptions, log } = request
    const answered = {
      reqId: id,
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      ...detailsOf(service, request, reply),
    }
    const ms = performance.now() - arrivalOf(reply)
    recordResponse(service.metrics, log, answered, ms)
    if (request.apiKey) logCall(service, request.apiKey, answered, ms)
    done()
  })
  app.addHook('preClose', done => {
    closeWhenAnswered(app, config.stopSeconds * 1000)
    // Fastify closes a server from a factory only if it listens; its timers would go on.
    if (!app.server.listening) app.server.close()
    done()
  })
  return app
}

/**
 * A keep-alive connection whose last request was in progress at the stop signal would delay the shutdown, and
 * a request that never ends would block it.
 */
function closeWhenAnswered({ server }: FastifyInstance, patienceMs: number) {
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const end = setTimeout(() => server.closeAllConnections(), patienceMs)
  server.once('close', () => {
    clearInterval(sweep)
    clearTimeout(end)
  })
}

/** The CRM of the caller or of the Resource, the error that was returned, and the trace that the request belongs to. */
function detailsOf(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { caller } = request
  return {
    crm: caller && 'crm' in caller ? caller.crm.name : crmOfResource(service, request.params),
    code: errorCodeOf(reply),
    traceId: traceIdOf(request),
  }
}

/** Converts the setting to Fastify's type. */
function trustProxy(setting: string | null) {
  if (setting === null || setting === 'false' || setting === '0') return false
  if (setting === 'true') return true
  if (/^\d+$/.test(setting)) return (_address: string, hop: number) => hop < Number(setting)
  return setting
}

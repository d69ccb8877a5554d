import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { ConsoleCaller, CrmCaller } from '../callers.ts'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import { StartError } from '../start-error.ts'
import { answerError, answerUnreadable } from './errors.ts'
import { addJsonParser } from './json.ts'
import { lazySchemas } from './lazy-schemas.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: CrmCaller | ConsoleCaller | null
  }
}

const bodyLimit = 1024 * 1024

/** A Fastify with our ways: strict bodies, one shape of errors, logs without anything personal. */
export function makeServer({ config }: Service): FastifyInstance {
  const app = Fastify({
    logger: { level: config.logLevel, redact: ['req.headers', 'res.headers'] },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    trustProxy: trustProxy(config.trustProxy),
    genReqId: () => randomUUID(),
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
        strict: false,
      },
    },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  }) as unknown as FastifyInstance
  addJsonParser(app)
  app.decorateRequest('caller', null)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    answerError(
      new Refusal('not-found', `There is no ${request.method} ${request.url.split('?')[0]}. See /docs.`),
      request,
      reply,
    ),
  )
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  // The route's pattern, never the address itself: references and tokens may say who somebody is.
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info({ method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered')
    done()
  })
  app.addHook('preClose', done => {
    closeWhenAnswered(app)
    done()
  })
  return app
}

/** A connection whose last request was under way when we were told to stop would keep us waiting for its next one. */
function closeWhenAnswered({ server }: FastifyInstance) {
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  server.once('close', () => clearInterval(sweep))
}

/** `true`, a number of hops, or a list of addresses. */
function trustProxy(setting: string | null) {
  if (setting === null || setting === 'false' || setting === '0') return false
  if (setting === 'true') return true
  if (/^\d+$/.test(setting)) return (_address: string, hop: number) => hop < Number(setting)
  const wrong = setting.split(',').find(part => !isNetwork(part.trim()))
  if (wrong === undefined) return setting
  throw new StartError(
    `TRUST_PROXY is wrong: "${wrong.trim()}" must be true, a number of hops, or an address such as 10.0.0.0/8.`,
  )
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '1'] = text.split('/')
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  const isRange = /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest
  return isRange || ['loopback', 'linklocal', 'uniquelocal'].includes(text)
}

import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { type ErrorCode, invalidField } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { authenticateConsole, authenticateKey } from './auth.ts'
import { bodyReader } from './body.ts'
import { statusOf } from './errors.ts'
import { answerOnce, IdempotencyHeaders, takesIdempotencyKey } from './idempotency.ts'
import { isStorable } from './json.ts'
import { limitRate } from './limits.ts'
import { queryReader } from './query.ts'
import type { Route } from './route.ts'
import { validationRefusal } from './validation.ts'
import { ErrorBody } from './wrapper.ts'

type Extra = { prefix?: string; config?: Record<string, unknown>; hidden?: boolean }

const batchLimit = 8 * 1024 * 1024

/** Turns a route value into a Fastify route: authentication, validation, handler, answer. */
export function register(
  app: FastifyInstance,
  service: Service,
  route: Route,
  { prefix = '', hidden = false }: Extra = {},
) {
  const querySchema = Type.Object(route.query ?? {})
  const readQuery = queryReader(querySchema)
  const readBody = bodyReader(route.body)
  app.route({
    method: route.method as 'GET',
    url: prefix + route.path,
    ...(route.isBatch ? { bodyLimit: batchLimit } : {}),
    schema: {
      hide: hidden,
      tags: [route.tag],
      summary: route.summary,
      ...(route.description ? { description: route.description } : {}),
      params: paramsSchema(route.path),
      querystring: querySchema,
      ...(takesIdempotencyKey(route) ? { headers: IdempotencyHeaders } : {}),
      ...(route.body ? { body: route.body } : {}),
      response: answerSchemas(route),
      security: security[route.access.kind],
    } as object,
    // For the document only: a serialiser for each error of each route would take most of the start.
    config: { errorResponses: errorSchemas(route) },
    // Callbacks and not promises where nothing is waited for: each promise puts the request at the end of the queue.
    onRequest(request, _reply, done) {
      refuseUnstorableParams(request)
      if (route.access.kind === 'public') return done()
      admit(service, request, route).then(() => done(), done)
    },
    preValidation(request, _reply, done) {
      request.query = readQuery(request.query as Record<string, string>)
      readBody(request.body)
      if (!route.limit) return done()
      limitRate(service, request, route.limit).then(() => done(), done)
    },
    // Thrown in the handler: a refused body has its answer kept like any other.
    attachValidation: true,
    async handler(request, reply) {
      const { status, body } = await answerOnce(service, route, request, reply, async service => {
        if (request.validationError) throw validationRefusal(request.validationError as FastifyError)
        const { params, query, caller } = request
        const body = knownFields(route.body, request.body)
        return route.handle({ params, query, body, caller, service, request, reply })
      })
      return reply.code(status).send(body)
    },
  })
}

async function admit(service: Service, request: FastifyRequest, route: Route) {
  request.caller = await authenticate(service, request, route)
}

function authenticate(service: Service, request: FastifyRequest, { access }: Route) {
  if (access.kind === 'crm') return authenticateKey(service, request, access.scope)
  if (access.kind === 'console') return authenticateConsole(service, request)
  return null
}

/** A handler sees the fields of its schema only: what a caller adds beyond them has not been looked at by anybody. */
function knownFields(schema: TSchema | undefined, body: unknown) {
  const { properties } = (schema ?? {}) as { properties?: object }
  if (!properties || typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(properties, name)))
}

function refuseUnstorableParams(request: FastifyRequest) {
  const params = request.params as Record<string, string>
  for (const name in params)
    if (!isStorable(params[name]!))
      throw invalidField(
        name,
        `${name} contains a NUL character or half a character, which no reference has.`,
      )
}

const security = { crm: [{ apiKey: [] }], console: [{ session: [] }, { token: [] }], public: [] }

function paramsSchema(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(match => match[1]!)
  return Type.Object(Object.fromEntries(names.map(name => [name, Type.String()])))
}

const errorsOfEveryRoute: ErrorCode[] = ['invalid-field', 'internal', 'unavailable']
const errorsByAccess: Record<Route['access']['kind'], ErrorCode[]> = {
  crm: ['missing-key', 'invalid-key', 'wrong-crm', 'scope'],
  console: ['login-required', 'scope'],
  public: [],
}
const errorsOfBodies: ErrorCode[] = ['missing-field', 'invalid-json', 'too-large', 'media-type']

const errorsOfRepeats: ErrorCode[] = ['in-progress', 'idempotency-mismatch']

function errorSchemas(route: Route): Record<string, TSchema> {
  const codes = [
    ...errorsOfEveryRoute,
    ...errorsByAccess[route.access.kind],
    ...(route.body ? errorsOfBodies : []),
    ...(takesIdempotencyKey(route) ? errorsOfRepeats : []),
    ...route.errors,
  ]
  const byStatus = Object.groupBy(codes, code => String(statusOf[code]))
  const errors = Object.entries(byStatus).map(([status, names]) => [
    status,
    { ...ErrorBody, description: [...new Set(names)].map(name => `\`${name}\``).join(', ') },
  ])
  return Object.fromEntries(errors)
}

function answerSchemas(route: Route): Record<string, TSchema> {
  const answers = Object.entries(route.replies).map(([status, schema]) => [
    status,
    schema ? { ...schema, description: schemaTitle(schema) } : { type: 'null', description: 'No content' },
  ])
  return Object.fromEntries(answers)
}

const schemaTitle = (schema: TSchema) => (schema as { title?: string }).title ?? 'Success'

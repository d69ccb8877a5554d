import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { allAtOnce, invalidField } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { authenticateConsole, authenticateKey } from './callers/auth.ts'
import { limitRate } from './callers/limits.ts'
import { refuseOverload } from './callers/overload.ts'
import { bodyReader } from './requests/body.ts'
import { answerOnce, IdempotencyHeaders, takesIdempotencyKey } from './requests/idempotency.ts'
import { isStorable } from './requests/json.ts'
import type { ReadAddress } from './requests/known-addresses.ts'
import { sendCompressed, sendList } from './requests/lists.ts'
import { queryReader } from './requests/query.ts'
import { validationRefusal } from './requests/validation.ts'
import type { Route } from './route.ts'

const batchLimit = 8 * 1024 * 1024

/** Turns a route value into a Fastify route: authentication, validation, handler, answer. */
export function register(app: FastifyInstance, service: Service, route: Route, prefix = '') {
  const querySchema = Type.Object(route.query ?? {})
  const readQuery = queryReader(querySchema)
  const readBody = bodyReader(route.body)
  const pattern = prefix + route.path
  const addresses = route.answerAtDoor ? app.knownAddresses : null
  app.route({
    method: route.method as 'GET',
    url: pattern,
    ...(route.isBatch ? { bodyLimit: batchLimit } : {}),
    ...(route.isList ? { onSend: sendList } : {}),
    ...(route.isLarge ? { onSend: sendCompressed } : {}),
    schema: {
      querystring: querySchema,
      ...(takesIdempotencyKey(route) ? { headers: IdempotencyHeaders } : {}),
      ...(route.body ? { body: route.body } : {}),
      response: answerSchemas(route),
    },
    // Callbacks and not promises where nothing is waited for: each promise puts the request at the end of the queue.
    onRequest(request, reply, done) {
      if (route.isRefusable) refuseOverload(service, request, reply)
      const known = addresses?.get(request.raw.url!)
      if (known) return void answerKnown(service, route, request, reply, known).catch(done)
      refuseUnstorableParams(request)
      if (route.access.kind === 'public') return done()
      // About people, and for this caller alone; a shared cache would not know that by the header with the key.
      reply.header('cache-control', 'no-store')
      admit(service, request, route).then(() => done(), done)
    },
    preValidation(request, reply, done) {
      request.query = readQuery(request.query as Record<string, string>)
      readBody(request.body)
      if (!route.limit) return done()
      limitRate(service, request, reply, route.limit).then(() => done(), done)
    },
    // Thrown in the handler: a refused body has its answer kept like any other.
    attachValidation: true,
    async handler(request, reply) {
      const { status, body } = await answerOnce(service, route, request, reply, async service => {
        refuseMistakes(route, request)
        const { params, query, caller } = request
        const body = knownFields(route.body, request.body)
        return route.handle({ params, query, body, caller, service, request, reply })
      })
      if (addresses) addresses.keep(request.raw.url!, { route, pattern, ...readOf(request) })
      return reply.code(status).send(body)
    },
  })
}

function refuseMistakes({ lacks }: Route, { body, validationError }: FastifyRequest) {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const found = validationError ? [validationRefusal(validationError as FastifyError)] : []
  const [first, ...others] = [...found, ...(lacks && isObject ? lacks(body) : [])]
  if (first) throw allAtOnce([first, ...others])
}

const readOf = ({ params, query }: FastifyRequest) =>
  ({ params, query }) as Pick<ReadAddress, 'params' | 'query'>

/** Of a question that was answered before nothing is left to read and to check. */
async function answerKnown(
  service: Service,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { params, query }: ReadAddress,
) {
  const { status, body } = await route.handle({ params, query, caller: null, service, request, reply })
  reply.code(status).send(body)
}

async function admit(service: Service, request: FastifyRequest, route: Route) {
  request.caller = await authenticate(service, request, route)
}

function authenticate(service: Service, request: FastifyRequest, { access }: Route) {
  if (access.kind === 'crm') return authenticateKey(service, request, access.scope)
  if (access.kind === 'console') return authenticateConsole(service, request, access.scope)
  return null
}

/** A handler sees the fields of its schema only: what a caller adds beyond them has not been looked at by anybody. */
function knownFields(schema: TSchema | undefined, body: unknown) {
  if (!schema || typeof body !== 'object' || body === null) return body
  const fields = fieldsOf(schema as Fields, body as Record<string, unknown>)
  if (!fields) return body
  const known: Record<string, unknown> = {}
  for (const name of Object.keys(body))
    if (Object.hasOwn(fields, name)) known[name] = (body as Record<string, unknown>)[name]
  return known
}

/** Of one kind, or of two that a field tells apart. */
type Fields = { properties?: object; given?: string; then: Fields; else: Fields }

function fieldsOf(schema: Fields, body: Record<string, unknown>): object | undefined {
  if (schema.given === undefined) return schema.properties
  return fieldsOf(body[schema.given] == null ? schema.else : schema.then, body)
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

/** Errors are written without a schema: a serialiser for each of them would take most of the start. */
function answerSchemas({ replies }: Route): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, schema]) => [status, schema ?? Type.Null()]),
  )
}

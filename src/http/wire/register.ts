import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { countSecretTry } from '../../actions/setup/login-tries.ts'
import type { Work } from '../../actions/setup/run-once.ts'
import type { ConsoleCaller } from '../../callers.ts'
import { combineRefusals, invalidField } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { authenticateConsole, authenticateKey } from './callers/auth.ts'
import { readConsumerKey } from './callers/consumer-key.ts'
import { limitRate } from './callers/limits.ts'
import { refuseOverload } from './callers/overload.ts'
import { permit } from './callers/permit.ts'
import { bodyReader } from './requests/body.ts'
import { answerOnce, IdempotencyHeaders, takesIdempotencyKey } from './requests/idempotency.ts'
import { isStorable } from './requests/json.ts'
import type { ParsedUrl } from './requests/known-urls.ts'
import { sendCompressed, sendList } from './requests/lists.ts'
import { queryReader } from './requests/query.ts'
import { validationRefusal } from './requests/validation.ts'
import type { Route } from './route.ts'

const batchLimit = 8 * 1024 * 1024

/** Turns a route value into a Fastify route: authentication, validation, handler, response. */
export function register(app: FastifyInstance, service: Service, route: Route, prefix = '') {
  const querySchema = Type.Object(route.query ?? {})
  const readQuery = queryReader(querySchema)
  const readBody = bodyReader(route.body)
  const pattern = prefix + route.path
  const addresses = route.answerEarly ? app.knownAddresses : null
  app.route({
    method: route.method as 'GET',
    url: pattern,
    config: { access: route.access },
    ...(route.isBatch ? { bodyLimit: batchLimit } : {}),
    ...(route.isList ? { onSend: sendList } : {}),
    ...(route.isLarge ? { onSend: sendCompressed } : {}),
    schema: {
      querystring: querySchema,
      ...(takesIdempotencyKey(route) ? { headers: IdempotencyHeaders } : {}),
      ...(route.body ? { body: route.body } : {}),
      response: answerSchemas(route),
    },
    // Callbacks instead of promises, because each promise would put the request at the end of the queue.
    onRequest(request, reply, done) {
      if (route.isShedUnderLoad) refuseOverload(service, request, reply)
      const known = addresses?.get(request.raw.url!)
      if (known) return void answerKnown(service, route, request, reply, known).catch(done)
      refuseUnstorableParams(request)
      if (route.access.kind === 'public') {
        if (!route.crmOf || !request.headers['x-service-client-id']) return done()
        return void readConsumerKey(service, route, request).then(() => done(), done)
      }
      // Responses contain personal data for this caller only; a shared cache would not know that from the key
      // header.
      reply.header('cache-control', 'no-store')
      admit(service, request, route).then(() => done(), done)
    },
    preValidation(request, reply, done) {
      request.query = readQuery(request.query as Record<string, string>)
      readBody(request.body)
      if (!route.limit && !route.secretField) return done()
      countTries(service, route, request, reply).then(() => done(), done)
    },
    // Thrown in the handler, so that the response to an invalid body is also kept for its Idempotency-Key.
    attachValidation: true,
    async handler(request, reply) {
      const { status, body } = await answerOnce(service, route, request, reply, workOf(route, request, reply))
      if (addresses) addresses.keep(request.raw.url!, { route, pattern, ...readOf(request) })
      return reply.code(status).send(body)
    },
  })
}

/** The two steps of a route. Invalid input is refused in whichever runs first. */
function workOf(route: Route, request: FastifyRequest, reply: FastifyReply): Work {
  const callOf = async (service: Service) => {
    refuseInvalid(route, request)
    const { params, query, caller } = request
    const body = knownFields(route.body as Fields | undefined, request.body)
    const permitted = await findPermitted(service, route, request)
    return { params, query, body, caller, ...permitted, service, request, reply }
  }
  return {
    prepare: route.prepare && (async service => route.prepare!(await callOf(service))),
    handle: async (service, prepared) => route.handle({ ...(await callOf(service)), prepared }),
  }
}

/** After the stored response of a repeated request, because that request may have deleted the record. */
const findPermitted = async ({ db }: Service, { access }: Route, { caller, params }: FastifyRequest) =>
  access.kind === 'console'
    ? permit(db, access, caller as ConsoleCaller, params as Record<string, string>)
    : undefined

/** Before the handler, because a refusal would roll back its transaction together with the count. */
async function countTries(service: Service, route: Route, request: FastifyRequest, reply: FastifyReply) {
  if (route.limit) await limitRate(service, request, reply, route.limit)
  const { loginId } = (request.caller ?? {}) as Partial<ConsoleCaller>
  const body = request.body as Record<string, unknown> | null | undefined
  if (route.secretField && loginId && body?.[route.secretField] != null)
    await countSecretTry(service, loginId)
}

function refuseInvalid({ findMissing }: Route, { body, validationError }: FastifyRequest) {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const found = validationError ? [validationRefusal(validationError as FastifyError)] : []
  const [first, ...others] = [...found, ...(findMissing && isObject ? findMissing(body) : [])]
  if (first) throw combineRefusals([first, ...others])
}

const readOf = ({ params, query }: FastifyRequest) =>
  ({ params, query }) as Pick<ParsedUrl, 'params' | 'query'>

/** A cached response needs no parsing and validation. */
async function answerKnown(
  service: Service,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { params, query }: ParsedUrl,
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

/** Handlers see only the fields of their schema, because nothing has validated the others. */
function knownFields(schema: Fields | undefined, value: unknown): unknown {
  if (!schema || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return schema.items ? value.map(one => knownFields(schema.items, one)) : value
  const { properties } = chosen(schema, value)
  if (!properties) return value
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(known.map(([name, part]) => [name, knownFields(properties[name], part)]))
}

/** One kind of body, or two that a field distinguishes. */
type Fields = {
  properties?: Record<string, Fields>
  items?: Fields
  given?: string
  then?: Fields
  else?: Fields
}

function chosen(schema: Fields, value: object): Fields {
  if (schema.given === undefined) return schema
  const isGiven = value[schema.given as keyof typeof value] != null
  return chosen((isGiven ? schema.then : schema.else)!, value)
}

function refuseUnstorableParams(request: FastifyRequest) {
  const params = request.params as Record<string, string>
  for (const name in params)
    if (!isStorable(params[name]!))
      throw invalidField(
        name,
        `${name} contains a NUL character or an incomplete character, which no reference has.`,
      )
}

/** Errors have no response schema: compiling one for each would take most of the startup time. */
function answerSchemas({ replies }: Route): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, schema]) => [status, schema ?? Type.Null()]),
  )
}

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { countSecretTry } from '../../actions/setup/login-tries.ts'
import { runIfUnchanged } from '../../actions/setup/run-if-unchanged.ts'
import type { Work } from '../../actions/setup/run-once.ts'
import type { ConsoleCaller, CrmCaller } from '../../callers.ts'
import { combineRefusals, invalidField, preconditionFailed, type Refusal } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { authenticateConsole, authenticateKey, readConsumerKey } from './callers/auth.ts'
import { limitRate, refuseOverload } from './callers/overload.ts'
import { type Permitted, permit, providerOf } from './callers/permit.ts'
import { checkTag, hasIfMatch, tagOf } from './if-match.ts'
import { bodyReader } from './requests/body.ts'
import { answerOnce, IdempotencyHeaders, takesIdempotencyKey } from './requests/idempotency.ts'
import { asHeader, chosen, findIgnored, isStrict, strictRefusals, withIgnored } from './requests/ignored.ts'
import { isStorable, isUnchecked, refuseUnstorable } from './requests/json.ts'
import type { ParsedUrl } from './requests/known-urls.ts'
import { sendCompressed, sendList } from './requests/lists.ts'
import { queryReader } from './requests/query.ts'
import { arrivalOf } from './requests/request.ts'
import { splitRefusals } from './requests/validation.ts'
import type { GuardedCall, Route, SentInput } from './route.ts'

const batchLimit = 8 * 1024 * 1024
const uploadLimit = 28 * 1024 * 1024

/** Turns a route value into a Fastify route: authentication, validation, handler, response. */
export function register(app: FastifyInstance, service: Service, route: Route, prefix = '') {
  const querySchema = Type.Object(route.query ?? {})
  const readQuery = queryReader(querySchema)
  const readBody = bodyReader(route.body)
  const ignoredIn = route.access.kind === 'crm' ? findIgnored(route) : null
  const pattern = prefix + route.path
  const addresses = route.answerEarly ? app.knownAddresses : null
  app.route({
    method: route.method as 'GET',
    url: pattern,
    // The console names every field that it does not know; others ignore them, whatever they hold.
    config: { access: route.access, checksText: route.access.kind !== 'console' },
    ...(route.isBatch ? { bodyLimit: batchLimit } : {}),
    ...(route.isUpload ? { bodyLimit: uploadLimit } : {}),
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
      if (ignoredIn) noteIgnored(request, reply, ignoredIn(request.query as object, request.body))
      const read = () => {
        request.query = readQuery(request.query as Record<string, string>)
        if (isUnchecked(request.body))
          refuseUnstorable(knownFields(route.body as Fields, request.body, isRead))
        readBody(request.body)
      }
      const dropping = route.dropIgnored?.(service, request as unknown as SentInput)
      if (!dropping) read()
      if (!dropping && !route.limit && !route.secretField) return done()
      const steps = async () => {
        if (dropping) await dropping.then(read)
        await countTries(service, route, request, reply)
      }
      steps().then(() => done(), done)
    },
    // Thrown in the handler, so that the response to an invalid body is also kept for its Idempotency-Key.
    attachValidation: true,
    async handler(request, reply) {
      const { status, body } = await answerOnce(service, route, request, reply, workOf(route, request, reply))
      if (addresses) addresses.keep(request.raw.url!, { route, pattern, ...readOf(request) })
      if (body && (route.isRecord || route.ifMatch) && status < 300) reply.header('etag', tagOf(body))
      const { ignored } = request
      return reply.code(status).send(ignored ? withIgnored(body, ignored) : body)
    },
  })
}

/** The two steps of a route. Invalid input is refused in whichever runs first. */
function workOf(route: Route, request: FastifyRequest, reply: FastifyReply): Work {
  const callOf = async (service: Service) => {
    const refused = refuseInvalid(route, request)
    const { params, query, caller } = request
    const body = knownFields(route.body as Fields | undefined, request.body)
    const { provider, ...permitted } = await findPermitted(service, route, request)
    const context = provider && { service, actor: caller!.actor, provider, arrived: arrivalOf(reply) }
    return { params, query, body, caller, ...permitted, context, service, refused, request, reply }
  }
  return {
    prepare: route.prepare && (async service => route.prepare!(await callOf(service))),
    handle: async (service, prepared) =>
      handleIfUnchanged(route, { ...(await callOf(service)), prepared } as WholeCall),
  }
}

type WholeCall = GuardedCall & { request: FastifyRequest; prepared: unknown }

/** With If-Match, the record is locked and compared before it is changed. */
async function handleIfUnchanged(route: Route, call: WholeCall) {
  const { ifMatch } = route
  if (!ifMatch || !hasIfMatch(call.request)) return route.handle(call)
  const params = ifMatch.paramsOf?.(call) ?? call.params
  const callIn = (service: Service) => ({
    ...call,
    service,
    context: call.context && { ...call.context, service },
  })
  const check = async (service: Service) => {
    const read = await ifMatch.record.handle({ ...callIn(service), params })
    if (read.body) checkTag(call.request.headers['if-match']!, read.body, preconditionFailed)
  }
  const providerId = call.context?.provider.id ?? 0
  const named = { crmId: call.caller.crm.id, providerId, params, body: call.body }
  const work = (service: Service) => route.handle(callIn(service))
  return runIfUnchanged(call.service, ifMatch.lock, named, check, work)
}

/** After the stored response of a repeated request, because that request may have deleted the record. */
async function findPermitted(
  { db }: Service,
  { access }: Route,
  request: FastifyRequest,
): Promise<Partial<Permitted<unknown>>> {
  const params = request.params as Record<string, string>
  if (access.kind === 'console') return permit(db, access, request.caller as ConsoleCaller, params)
  if (access.kind === 'public' || params.providerRef === undefined) return {}
  const provider = await providerOf(db, request.caller as CrmCaller, params.providerRef)
  return { found: provider, provider }
}

/** Before the handler, because a refusal would roll back its transaction together with the count. */
async function countTries(service: Service, route: Route, request: FastifyRequest, reply: FastifyReply) {
  if (route.limit) await limitRate(service, request, reply, route.limit)
  const { loginId } = (request.caller ?? {}) as Partial<ConsoleCaller>
  const body = request.body as Record<string, unknown> | null | undefined
  if (route.secretField && loginId && body?.[route.secretField] != null)
    await countSecretTry(service, loginId)
}

/** Returns the invalid entries of the list, if they do not refuse the request. */
function refuseInvalid({ findMissing, itemsIn }: Route, request: FastifyRequest): Map<number, Refusal> {
  const { body, validationError, ignored } = request
  const unknown = ignored && isStrict(request) ? strictRefusals(ignored) : []
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const { found, refused } = splitRefusals(validationError as FastifyError | undefined, itemsIn)
  const missing = findMissing && isObject ? findMissing(body) : []
  const [first, ...others] = [...found, ...missing, ...unknown]
  if (first) throw combineRefusals([first, ...others])
  return refused
}

function noteIgnored(request: FastifyRequest, reply: FastifyReply, ignored: string[]) {
  if (isStrict(request)) reply.header('preference-applied', 'handling=strict')
  if (ignored.length === 0) return
  request.ignored = ignored
  reply.header('x-ignored', asHeader(ignored))
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
function knownFields(
  schema: Fields | undefined,
  value: unknown,
  isKnown = (_field: Fields) => true,
): unknown {
  if (!schema || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return schema.items ? value.map(one => knownFields(schema.items, one, isKnown)) : value
  const { properties } = chosen(schema, value)
  if (!properties) return value
  const known = Object.entries(value).filter(
    ([name]) => Object.hasOwn(properties, name) && isKnown(properties[name]!),
  )
  return Object.fromEntries(known.map(([name, part]) => [name, knownFields(properties[name], part, isKnown)]))
}

const isRead = (field: Fields) => !field['x-ignorable']

/** One kind of body, or two that a field distinguishes. */
type Fields = {
  properties?: Record<string, Fields>
  items?: Fields
  given?: string
  then?: Fields
  else?: Fields
  'x-ignorable'?: true
}

function refuseUnstorableParams(request: FastifyRequest) {
  const params = request.params as Record<string, string>
  for (const name in params) if (!isStorable(params[name]!)) throw invalidField(name, 'unreadable-text:path')
}

/** Errors have no response schema: compiling one for each would take most of the startup time. */
function answerSchemas({ replies }: Route): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, schema]) => [status, schema ?? Type.Null()]),
  )
}

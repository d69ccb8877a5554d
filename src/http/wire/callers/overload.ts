import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countTry } from '../../../actions/setup/login-tries.ts'
import { waitingForLocks } from '../../../db/base/lock-queue.ts'
import { overloaded, tooManyRequests } from '../../../errors.ts'
import type { Service } from '../../../service.ts'
import { errorBody, statusOf } from '../errors.ts'
import { requestId } from '../requests/request.ts'
import { originHeaders } from '../server/origins.ts'
import { clientOf } from './clients.ts'
import { deviceOf } from './device.ts'

// Refusing must cost next to nothing: at twice the capacity there is more than one refusal per accepted
// request, and their cost reduces the capacity.

const cause = 'more requests arrive than can be processed'
const note = ({ outages }: Service, log: FastifyBaseLogger) => outages.of(cause).failed(log, cause)
// Created once: the stack trace of an error costs more than the rest of the response.
const refusal = overloaded()

/** Runs before anything of the request is read. */
export function refuseOverload(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { admission } = service
  if (!admission.enter(waitingForLocks())) {
    note(service, request.log)
    throw refusal
  }
  // Also when the client disconnects.
  reply.raw.once('close', () => admission.leave())
}

const status = statusOf[refusal.code]
const body = JSON.stringify(errorBody(refusal))
const head: [string, string][] = [
  ['retry-after', String(refusal.data.retryAfterSeconds)],
  ['x-content-type-options', 'nosniff'],
  ['content-type', 'application/json; charset=utf-8'],
  ['content-length', String(Buffer.byteLength(body))],
]

/**
 * The same response before Fastify and before the body is read, at about half the cost. Paths in an unusual
 * spelling are refused by the route. There is no log line or span per refusal, which would cost more than the
 * response.
 */
export function refuseEarly(app: FastifyInstance, service: Service, paths: string[]) {
  const { admission, metrics, health } = service
  const patterns = paths.map(path => ({ path, pattern: patternOf(path) }))
  app.early.add((request, reply, next) => {
    if (request.method !== 'POST') return next()
    const known = patterns.find(({ pattern }) => pattern.test(request.url!))
    if (!known || !admission.refuses(waitingForLocks())) return next()
    note(service, app.log)
    metrics.refusals.inc({ reason: refusal.data.reason! })
    metrics.recordRequest('POST', known.path, status, 0)
    const own = originHeaders(request.headers.origin)
    own.push(['x-request-id', requestId(request)])
    answer(reply, own, health.isDraining)
  })
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`)

function answer(reply: ServerResponse, own: [string, string][], isLast: boolean) {
  const all = [...head, ...own]
  if (isLast) all.push(['connection', 'close'])
  reply.writeHead(status, all.flat())
  // A string is sent together with the headers.
  reply.end(body)
}

// Rate limits per client, checked first. The counters are in the database, so all instances share them.

/** Refuses with 429 when the client exceeds the limit. The response always states what is left. */
export async function limitRate(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  what: string,
) {
  const asker = clientOf(service, request)
  if (asker === null) return
  // Strangers behind the same address must not use up the login attempts of a known device.
  const client = (what === 'login' && deviceOf(service, request)?.id) || asker
  const { most, windowSeconds, left, isTooMuch, wait } = await countTry(service, what, client)
  reply.header('ratelimit-policy', `"${what}";q=${most};w=${windowSeconds}`)
  reply.header('ratelimit', `"${what}";r=${left};t=${wait}`)
  if (isTooMuch) throw tooManyRequests(wait)
}

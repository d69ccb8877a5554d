import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asleep } from '../../../db/base/in-turn.ts'
import { overloaded } from '../../../errors.ts'
import { OutageLog } from '../../../lib/watch/outage-log.ts'
import type { Service } from '../../../service.ts'
import { standAtDoor } from '../door/door.ts'
import { linesOf, StraightAnswers } from '../door/straight-answers.ts'
import { errorBody, statusOf } from '../errors.ts'
import { originHeaders } from '../server/cors.ts'
import { requestId } from '../server/request-id.ts'

// A refusal must cost next to nothing: at twice the load that can be carried there is more than one for each of those who
// are let in, and what they cost is missing there.

const log = new OutageLog('answered 503')
const note = (logger: FastifyBaseLogger) => log.note(logger, 'more comes than can be carried', undefined)
// Made once: the trace of an error costs more than the rest of the answer.
const refusal = overloaded()

/** Before anything of the request is read. */
export function refuseOverload({ admission }: Service, request: FastifyRequest, reply: FastifyReply) {
  if (!admission.enter(asleep())) {
    note(request.log)
    throw refusal
  }
  // Also when the client goes away.
  reply.raw.once('close', () => admission.leave())
}

const status = statusOf[refusal.code]
const body = JSON.stringify(errorBody(refusal))
const head: [string, string][] = [
  ['retry-after', String(refusal.retryAfterSeconds)],
  ['x-content-type-options', 'nosniff'],
  ['content-type', 'application/json; charset=utf-8'],
  ['content-length', String(Buffer.byteLength(body))],
]
const first = `${status} Service Unavailable\r\n${linesOf(head)}`

/**
 * The same answer at the door, before a request is one of Fastify's and before its body is read: that takes about half off
 * what it costs. Who spells a path in its own way is refused by the route. There is no line in the log and no span for each
 * of them, which would cost more than the answer.
 */
export function refuseAtDoor(app: FastifyInstance, service: Service, paths: string[]) {
  const { admission, counts, metrics, health } = service
  const patterns = paths.map(path => ({ path, pattern: patternOf(path) }))
  const straight = new StraightAnswers(app.server.keepAliveTimeout)
  standAtDoor(app, letIn => (request, reply) => {
    if (request.method !== 'POST') return letIn(request, reply)
    const known = patterns.find(({ pattern }) => pattern.test(request.url!))
    if (!known || !admission.refuses(asleep())) return letIn(request, reply)
    note(app.log)
    counts.refusals.add(refusal.reason!)
    metrics.requests.note('POST', known.path, status, 0)
    const own = originHeaders(request.headers.origin)
    own.push(['x-request-id', requestId(request)])
    if (health.isDraining || !straight.suits(request, reply)) answer(reply, own, health.isDraining)
    else straight.send(request, reply, first + linesOf(own), body)
  })
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`)

function answer(reply: ServerResponse, own: [string, string][], isLast: boolean) {
  const all = [...head, ...own]
  if (isLast) all.push(['connection', 'close'])
  reply.writeHead(status, all.flat())
  // As a text, which goes out together with the head.
  reply.end(body)
}

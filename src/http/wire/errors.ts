import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDiskFull, isLockTimeout, outageOf } from '../../db/base/postgres-errors.ts'
import {
  busy,
  type ErrorCode,
  invalidJson,
  missingField,
  Refusal,
  tooLarge,
  unavailable,
} from '../../errors.ts'
import type { Counts } from '../../lib/counts.ts'
import type { Health } from '../../lib/watch/health.ts'
import { OutageLog } from '../../lib/watch/outage-log.ts'
import { isPassedOn, isTrouble } from './callers/passed-on.ts'
import { validationRefusal } from './requests/validation.ts'
import { apiInfo } from './wrapper.ts'

/** How each refusal looks on the wire. A code without a status is a type error. */
export const statusOf: Record<ErrorCode, number> = {
  'missing-field': 400,
  'invalid-field': 400,
  'invalid-json': 400,
  'duplicate-reference': 400,
  'missing-key': 401,
  'invalid-key': 401,
  'login-required': 401,
  'login-failed': 401,
  'code-required': 401,
  'wrong-crm': 403,
  scope: 403,
  'not-found': 404,
  'unknown-branch': 404,
  'invalid-reference': 404,
  'invalid-token': 404,
  'method-not-allowed': 405,
  'cursor-expired': 410,
  'email-exists': 409,
  'username-exists': 409,
  'reference-exists': 409,
  owner: 409,
  'future-appointments': 409,
  'only-product': 409,
  'active-appointment': 409,
  'capacity-exceeded': 409,
  conflict: 409,
  'transition-not-allowed': 409,
  'appointment-cancelled': 409,
  'already-participates': 409,
  'in-progress': 409,
  changed: 409,
  'idempotency-mismatch': 422,
  'channel-hidden': 403,
  'not-invited': 403,
  'change-notice': 403,
  '201': 412,
  '202': 412,
  'too-large': 413,
  'media-type': 415,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
}

type Told = { counts: { refusals: Counts }; health: Health }

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, told: Told) {
  const refusal = noteError(error, request, reply, told)
  return reply.type('application/json; charset=utf-8').send(errorBody(refusal))
}

/** Everything but what is said: it is logged and counted, the reply has its status and its headers. */
export function noteError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { counts, health }: Told,
): Refusal {
  const refusal = asRefusal(error, request)
  if (isDiskFull(error)) health.diskFullAt = Date.now()
  const status = statusOf[refusal.code]
  if (!isTrouble(status) || !isPassedOn(request)) counts.refusals.add(refusal.reason ?? refusal.code)
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
  if (refusal.allow) reply.header('allow', refusal.allow.join(', '))
  if (refusal.retryAfterSeconds) reply.header('retry-after', String(refusal.retryAfterSeconds))
  reply.code(status)
  return refusal
}

/** What HTTP itself cannot read (an unknown method, broken headers) never becomes a request; the shape is the same. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket) {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const body = JSON.stringify(errorBody(new Refusal('invalid-field', isLate ? tooLate : unreadable)))
  const status = unreadableStatus[error.code ?? ''] ?? '400 Bad Request'
  const head = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-content-type-options: nosniff`
  const text = `HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`
  return socket.end(text, () => socket.destroy())
}

const unreadable = 'This is not a request: its method or headers cannot be read.'
const tooLate = 'The request did not arrive in time. Send it again, in one go.'

const unreadableStatus: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

export function errorBody(refusal: Refusal) {
  const errors = [refusal, ...refusal.others].map(({ code, message, field }) => ({
    errorCode: code,
    message,
    ...(field ? { field } : {}),
  }))
  return { 'api-info': apiInfo, errors }
}

function asRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  const { validation, code } = error as FastifyError
  if (validation) return validationRefusal(error as FastifyError)
  const refuse = code ? frameworkRefusals[code] : undefined
  if (refuse) return refuse(request)
  const outage = outageOf(error)
  if (outage) {
    outagesOf(request.server).note(request.log, outage, withoutData(error))
    return isLockTimeout(error) ? busy() : unavailable()
  }
  if ((error as FastifyError).statusCode === 400) return invalidJson((error as Error).message)
  request.log.error({ reqId: request.id, err: withoutData(error) }, 'unexpected error')
  return new Refusal(
    'internal',
    `Something went wrong on our side. Give the operator this request id: ${request.id}`,
  )
}

const outages = new WeakMap<object, OutageLog>()

/** One for each server. */
function outagesOf(server: FastifyInstance): OutageLog {
  // Rooms of a server inherit from it; its socket is the same everywhere.
  const known = outages.get(server.server) ?? new OutageLog('answered 503')
  outages.set(server.server, known)
  return known
}

/** PostgreSQL quotes rows and values in its errors; what people entered must not reach the log. */
function withoutData(error: unknown) {
  if (!(error instanceof Error) || !('severity' in error)) return error
  const {
    message,
    code,
    table,
    column,
    constraint,
    routine,
    stack = '',
  } = error as Error & Record<string, string>
  const isAboutData = code?.startsWith('22')
  return {
    type: 'DatabaseError',
    message: isAboutData ? 'bad data' : message,
    ...{ code, table, column, constraint, routine },
    stack: stack.slice(stack.indexOf('\n    at ')),
  }
}

const frameworkRefusals: Record<string, (request: FastifyRequest) => Refusal> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Refusal('media-type', 'Send the body as JSON, with Content-Type: application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) => tooLarge(routeOptions.bodyLimit),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => invalidJson('The body is not as long as Content-Length says.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => missingField('body', 'A JSON body is needed.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => invalidJson('The body is not valid JSON.'),
  FST_ERR_BAD_URL: () =>
    new Refusal(
      'invalid-field',
      'The path is not well-formed: a percent sign must begin a valid UTF-8 escape such as %2F.',
      { field: 'path' },
    ),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new Refusal('not-found', 'There is no such path: a part of it is longer than any reference.'),
}

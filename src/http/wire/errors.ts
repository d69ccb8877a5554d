import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  isConnectionLoss,
  isDiskFull,
  isLockTimeout,
  isProviderDeleted,
  isServerError,
  logOutage,
  suspendedCrmOf,
} from '../../db/base/postgres-errors.ts'
import type { Suspensions } from '../../db/setup/suspensions.ts'
import { errorText } from '../../error-texts.ts'
import {
  busy,
  type ErrorCode,
  invalidField,
  missingField,
  Refusal,
  suspended,
  tooLarge,
  unavailable,
} from '../../errors.ts'
import type { Health } from '../../lib/watch/health.ts'
import type { Metrics } from '../../lib/watch/metrics.ts'
import type { Outages } from '../../lib/watch/outage-log.ts'
import { validationRefusal } from './requests/validation.ts'
import { apiInfo } from './wrapper.ts'

/** HTTP status of each error code. A code without a status is a type error. */
export const statusOf: Record<ErrorCode, number> = {
  'missing-field': 400,
  'missing-answer': 400,
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
  moved: 410,
  'customer-merged': 410,
  'undo-expired': 410,
  'email-exists': 409,
  'username-exists': 409,
  'reference-exists': 409,
  'address-taken': 409,
  owner: 409,
  'future-appointments': 409,
  'only-product': 409,
  'in-use': 409,
  'question-in-use': 409,
  'active-appointment': 409,
  'capacity-exceeded': 409,
  conflict: 409,
  'transition-not-allowed': 409,
  'appointment-cancelled': 409,
  'already-participates': 409,
  'merge-conflict': 409,
  'import-state': 409,
  'same-person': 409,
  'in-progress': 409,
  changed: 409,
  'idempotency-mismatch': 422,
  'channel-hidden': 403,
  'not-invited': 403,
  'change-notice': 403,
  'precondition-failed': 412,
  '201': 412,
  '202': 412,
  'too-large': 413,
  'media-type': 415,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
  suspended: 503,
}

type ErrorContext = {
  metrics: Metrics
  health: Health
  outages: Outages
  suspensions: Suspensions
}

export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  context: ErrorContext,
) {
  const refusal = recordError(error, request, reply, context)
  return reply.type('application/json; charset=utf-8').send(errorBody(refusal))
}

const errorCodes = new WeakMap<FastifyReply, ErrorCode>()

/** The error code of a response, for the log; undefined if it is not an error. */
export const errorCodeOf = (reply: FastifyReply): ErrorCode | undefined => errorCodes.get(reply)

/** Logs and counts the error and sets status and headers, but does not write the body. */
export function recordError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  context: ErrorContext,
): Refusal {
  const { metrics, health } = context
  const refusal = asRefusal(error, request, context)
  if (isDiskFull(error)) health.diskFullAt = performance.now()
  const status = statusOf[refusal.code]
  metrics.refusals.inc({ reason: refusal.data.reason ?? refusal.code })
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
  const { allow, retryAfterSeconds, location } = refusal.data
  if (allow) reply.header('allow', allow.join(', '))
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds))
  // The same path, method and body at the other installation.
  if (location) reply.header('location', location + (request.raw.url ?? '/'))
  reply.code(location ? 308 : status)
  errorCodes.set(reply, refusal.code)
  return refusal
}

/**
 * Malformed HTTP (an unknown method, broken headers) never becomes a request, but gets the same error format.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket) {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const body = JSON.stringify(
    errorBody(new Refusal('invalid-field', { rule: isLate ? 'late-request' : 'malformed-request' })),
  )
  const status = unreadableStatus[error.code ?? ''] ?? '400 Bad Request'
  const head = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-content-type-options: nosniff`
  const text = `HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`
  return socket.end(text, () => socket.destroy())
}

const unreadableStatus: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

export function errorBody(refusal: Refusal) {
  const errors = [refusal, ...refusal.others].map(one => ({
    errorCode: one.code,
    message: errorText(one),
    ...(one.field && { field: one.field }),
    ...(one.rule && { rule: one.rule }),
    ...(one.data.limit !== undefined && { limit: one.data.limit }),
    ...(one.data.reference !== undefined && { reference: one.data.reference }),
  }))
  return { 'api-info': apiInfo, errors }
}

/** The CRM may have moved in the meantime. */
function refusalOf(check: () => void): Refusal | null {
  try {
    check()
    return null
  } catch (error) {
    return error as Refusal
  }
}

function asRefusal(
  error: unknown,
  request: FastifyRequest,
  { health, outages, suspensions }: ErrorContext,
): Refusal {
  if (error instanceof Refusal) return error
  const { validation, code } = error as FastifyError
  if (validation) return validationRefusal(error as FastifyError)
  const refuse = code ? frameworkRefusals[code] : undefined
  if (refuse) return refuse(request)
  const crmId = suspendedCrmOf(error)
  if (crmId !== null) return refusalOf(() => suspensions.refuseCrm(crmId)) ?? suspended()
  if (isProviderDeleted(error)) return new Refusal('not-found', { rule: 'provider' })
  const outage = logOutage(outages, request.log, error)
  if (outage) {
    return isLockTimeout(error)
      ? busy()
      : unavailable(isSilent(error) ? (health.writeTrouble ?? outage) : outage)
  }
  if ((error as FastifyError).statusCode === 400)
    return new Refusal('invalid-json', { rule: 'framework', detail: (error as Error).message })
  request.log.error({ reqId: request.id, err: withoutData(error) }, 'unexpected error')
  return new Refusal('internal', { requestId: request.id })
}

/** The connection gave no reason; the latest write probe may know one. */
const isSilent = (error: unknown) => isConnectionLoss(error) && !isServerError(error)

/** PostgreSQL quotes rows and values in its errors; personal data must not reach the log. */
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
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal('media-type'),
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) => tooLarge(routeOptions.bodyLimit),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Refusal('invalid-json', { rule: 'length' }),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => missingField('body', 'body'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Refusal('invalid-json'),
  FST_ERR_BAD_URL: () => invalidField('path', 'malformed-path'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Refusal('not-found', { rule: 'path:long' }),
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { runOnce, type Work } from '../../../actions/setup/run-once.ts'
import { digestOf } from '../../../lib/hash.ts'
import type { Service } from '../../../service.ts'
import { errorBody, statusOf } from '../errors.ts'
import type { Route } from '../route.ts'

// `Idempotency-Key`: a client without a response repeats the request with the same key, and nothing is
// created twice.

const header = 'idempotency-key'

export const takesIdempotencyKey = ({ access, method }: Route) =>
  access.kind !== 'public' && (method === 'POST' || method === 'PUT')

export const IdempotencyHeaders = Type.Object({
  [header]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x20-\\x7e]+$',
      description:
        'A name for this request, such as a random uuid. Repeating the request with the same name within 24 hours returns the first response without processing it again.',
      'x-must': 'be 1 to 255 printable characters',
    }),
  ),
})

/** Returns the result of the work, or the stored response. Without the header, just does the work. */
export async function answerOnce(
  service: Service,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
) {
  const key = request.headers[header]
  const isRefused = request.validationError?.validationContext === 'headers'
  if (typeof key !== 'string' || isRefused || !takesIdempotencyKey(route))
    return work.handle(service, await work.prepare?.(service))
  const { params, query, body, caller } = request
  const digest = digestOf([route.method, route.path, params, query, body ?? null])
  const answer = await runOnce(service, { caller: caller!.id, key, digest }, work, refused => {
    const status = statusOf[refused.code]
    return isKept(status) ? { status, body: errorBody(refused) } : null
  })
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return answer
}

/** A response that could differ a moment later is not stored. */
const isKept = (status: number) => status < 500 && status !== 429 && status !== 401

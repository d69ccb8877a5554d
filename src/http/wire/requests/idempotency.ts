import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { once } from '../../../actions/setup/once.ts'
import { digestOf } from '../../../lib/digest.ts'
import type { Service } from '../../../service.ts'
import { errorBody, statusOf } from '../errors.ts'
import type { Route } from '../route.ts'

// `Idempotency-Key`: whoever gets no answer sends the request again under the same key, and nothing is made twice.

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
        'A name for this request, such as a random uuid. Sent again within 24 hours under the same name it is not done again but answered as the first time.',
      'x-must': 'be 1 to 255 printable characters',
    }),
  ),
})

type Work = (service: Service) => Promise<{ status: number; body: unknown }>

/** The answer of the work, or the one that was given before. Without the header it is just the work. */
export async function answerOnce(
  service: Service,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
) {
  const key = request.headers[header]
  const isRefused = request.validationError?.validationContext === 'headers'
  if (typeof key !== 'string' || isRefused || !takesIdempotencyKey(route)) return work(service)
  const { params, query, body, caller } = request
  const digest = digestOf([route.method, route.path, params, query, body ?? null])
  const answer = await once(service, { caller: caller!.id, key, digest }, work, refused => {
    const status = statusOf[refused.code]
    return isKept(status) ? { status, body: errorBody(refused) } : null
  })
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return answer
}

/** What would be answered otherwise a moment later is not worth keeping. */
const isKept = (status: number) => status < 500 && status !== 429 && status !== 401

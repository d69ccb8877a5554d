import type { FastifyReply, FastifyRequest } from 'fastify'
import { countTry } from '../../../actions/count-tries.ts'
import { tooManyRequests } from '../../../errors.ts'
import type { Service } from '../../../service.ts'
import { clientOf } from './clients.ts'

// What one client may ask for, before anything else is looked at. The counters are in the database, so all instances share
// them.

/** Refuses with 429 when this client has done this too often; either way the answer says how much is left. */
export async function limitRate(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  what: string,
) {
  const client = clientOf(service, request)
  if (client === null) return
  const { most, windowSeconds, left, isTooMuch, wait } = await countTry(service, what, client)
  reply.header('ratelimit-policy', `"${what}";q=${most};w=${windowSeconds}`)
  reply.header('ratelimit', `"${what}";r=${left};t=${wait}`)
  if (isTooMuch) throw tooManyRequests(wait)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { countTry } from '../../../actions/count-tries.ts'
import { tooManyRequests } from '../../../errors.ts'
import type { Service } from '../../../service.ts'
import { clientOf } from './clients.ts'
import { deviceOf } from './device.ts'

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

import type { FastifyReply, FastifyRequest } from 'fastify'
import { countHits } from '../../db/base/rates.ts'
import { tooManyRequests } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { clientOf } from './clients.ts'

// What one client may ask for, before anything else is looked at. The counters are in the database, so all instances share
// them. Limits that clients share are counted where it is known that something is held or booked: actions/booking/limits.ts.

const windowSeconds = 60

/** Refuses with 429 when this client has done this too often; either way the answer says how much is left. */
export async function limitRate(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  what: string,
) {
  const client = clientOf(service, request)
  if (client === null) return
  const most = service.config.rateLimitPublic
  const { hits, windowAge } = await countHits(service.db, { name: `${what}:${client}`, windowSeconds })
  const wait = Math.max(1, Math.ceil(windowSeconds - windowAge))
  reply.header('ratelimit-policy', `"${what}";q=${most};w=${windowSeconds}`)
  reply.header('ratelimit', `"${what}";r=${Math.max(0, most - hits)};t=${wait}`)
  if (hits > most) throw tooManyRequests(wait)
}

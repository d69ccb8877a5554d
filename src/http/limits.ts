import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { countHit } from '../db/rates.ts'
import { tooManyRequests } from '../errors.ts'
import type { Service } from '../service.ts'

// Limits for what strangers may do, by client address. The counters are in the database, so all instances share them.

const windowSeconds = 60

/** Who asks, as a keyed hash; null when limits are off or the caller is on this machine. */
export function clientOf({ config, signer }: Service, { ip }: FastifyRequest): string | null {
  if (config.rateLimitPublic === 0 || isLoopback(ip)) return null
  return createHmac('sha256', signer.key('client')).update(ip).digest('base64url').slice(0, 22)
}

const isLoopback = (ip: string) => ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')

/** Refuses with 429 when this client has done this too often in the last minute. */
export async function limitRate(service: Service, request: FastifyRequest, what: string) {
  const client = clientOf(service, request)
  if (client === null) return
  const { hits, secondsLeft } = await countHit(service.db, `${what}:${client}`, windowSeconds)
  if (hits > service.config.rateLimitPublic) throw tooManyRequests(Math.max(1, Math.ceil(secondsLeft)))
}

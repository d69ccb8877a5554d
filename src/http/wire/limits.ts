import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { countHits } from '../../db/base/rates.ts'
import { tooManyRequests } from '../../errors.ts'
import type { Service } from '../../service.ts'

// Limits for what strangers may do: by client address, by the Resource they are after and by the mail address that would
// get the mails. The counters are in the database, so all instances share them; what they count is kept as a hash only.

type Limit = { name: string; most: number; windowSeconds: number }

/** Who asks, as a keyed hash; null when limits are off or the caller is on this machine. */
export function clientOf({ config, signer }: Service, { ip }: FastifyRequest): string | null {
  if (config.rateLimitPublic === 0 || isLoopback(ip)) return null
  return hashed(signer, ip)
}

const hashed = (signer: Service['signer'], text: string) =>
  createHmac('sha256', signer.key('client')).update(text).digest('base64url').slice(0, 22)

const isLoopback = (ip: string) => ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')

/** Refuses with 429 when this client has done this too often, or when all together have. */
export async function limitRate(service: Service, request: FastifyRequest, what: string) {
  const client = clientOf(service, request)
  if (client === null) return
  const limits = [
    { name: `${what}:${client}`, most: service.config.rateLimitPublic, windowSeconds: 60 },
    ...sharedLimits(service, request, what),
  ].filter(one => one.most > 0)
  const counted = await countHits(service.db, limits)
  const broken = counted.flatMap(({ name, hits, windowAge }) => {
    const { most, windowSeconds } = limits.find(one => one.name === name)!
    return hits > most ? [windowSeconds - windowAge] : []
  })
  if (broken.length > 0) throw tooManyRequests(Math.max(1, Math.ceil(Math.max(...broken))))
}

function sharedLimits({ config, signer }: Service, request: FastifyRequest, what: string): Limit[] {
  const { ref } = request.params as { ref?: string }
  const { email } = (request.body ?? {}) as { email?: unknown }
  const limits: Limit[] = []
  const limit = (kind: string, text: string, most: number, windowSeconds: number) =>
    limits.push({ name: `${what}:${kind}:${hashed(signer, text.trim().toLowerCase())}`, most, windowSeconds })
  if (ref) limit('resource', ref, config.rateLimitResource, 60)
  if (typeof email === 'string' && email.trim()) limit('mail', email, config.rateLimitMail, 3600)
  return limits
}

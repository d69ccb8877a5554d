import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { pseudonym } from '../../../lib/hash.ts'
import { clientOfAddress, isLoopback } from '../../../rules/people/clients.ts'
import type { Service } from '../../../service.ts'

// Identifies clients for rate limits.

/** Headers that proxies add. A request with one of them is forwarded, or pretends to be. */
export const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

const isForwarded = ({ headers }: FastifyRequest) =>
  forwardingHeaders.some(name => headers[name] !== undefined)

/**
 * On this machine and not forwarded: a local proxy also connects from this machine, but on behalf of others.
 */
export function isLocal(request: FastifyRequest): boolean {
  return comesFromHere(request.socket) && !isForwarded(request)
}

const fromHere = new WeakMap<FastifyRequest['socket'], boolean>()

/** Parsed once per connection, not per request. */
function comesFromHere(socket: FastifyRequest['socket']): boolean {
  const known = fromHere.get(socket)
  if (known !== undefined) return known
  const isFromHere = isLoopback(socket.remoteAddress)
  fromHere.set(socket, isFromHere)
  return isFromHere
}

/**
 * The client as a keyed hash, the only form that is stored; null if limits are off or the caller is on this
 * machine.
 */
export function clientOf(service: Service, request: FastifyRequest): string | null {
  if (service.config.rateLimitPublic === 0 || isLocal(request)) return null
  // If any proxy is trusted, the header may not contain an address; then the address of the connection
  // counts.
  const client =
    request.consumer ??
    clientOfAddress(request.ip) ??
    clientOfAddress(request.socket.remoteAddress ?? '') ??
    'unknown'
  return pseudonym(service.signer.key('client'), client)
}

/** A cache lookup is cheaper than parsing the address. */
const lines = new LRUCache<string, string>({ max: 1000 })

/** Key of the client's queue where requests wait; not stored. */
export function queueKeyOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const known = lines.get(ip)
  if (known !== undefined) return known
  const line = clientOfAddress(ip) ?? 'unknown'
  lines.set(ip, line)
  return line
}

/**
 * Without TRUST_PROXY all visitors behind a proxy share one rate limit; `/readyz` and one log line report it.
 */
export function detectProxy({ config, health }: Pick<Service, 'config' | 'health'>, request: FastifyRequest) {
  if (config.trustProxy !== null || !isForwarded(request)) return
  if (health.untrustedProxyAt === null)
    request.log.warn(
      'Requests come through a proxy, but TRUST_PROXY is not set: all of them count as one client. See docs/settings.md.',
    )
  health.untrustedProxyAt = performance.now()
}

import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { pseudonym } from '../../../lib/pseudonym.ts'
import { clientOfAddress, isLoopback } from '../../../rules/people/clients.ts'
import type { Service } from '../../../service.ts'

// Who asks, as far as limits care.

/** What proxies add. Whoever sends one of them speaks for somebody else, or pretends to. */
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

/** On this machine, with nobody in between: a proxy beside us is on this machine too, and speaks for everybody. */
export function isLocal(request: FastifyRequest): boolean {
  return comesFromHere(request.socket) && !isForwarded(request)
}

const fromHere = new WeakMap<FastifyRequest['socket'], boolean>()

/** Addresses are read once a connection, not for each of its requests. */
function comesFromHere(socket: FastifyRequest['socket']): boolean {
  const known = fromHere.get(socket)
  if (known !== undefined) return known
  const isFromHere = isLoopback(socket.remoteAddress)
  fromHere.set(socket, isFromHere)
  return isFromHere
}

/** The client as a keyed hash, which is what is kept of it; null when limits are off or the caller is on this machine. */
export function clientOf(service: Service, request: FastifyRequest): string | null {
  if (service.config.rateLimitPublic === 0 || isLocal(request)) return null
  warnOfProxy(service, request)
  // Where any claim is trusted, it may be no address at all: then the connection says who it is.
  const client =
    clientOfAddress(request.ip) ?? clientOfAddress(request.socket.remoteAddress ?? '') ?? 'unknown'
  return pseudonym(service.signer.key('client'), client)
}

/** Reading an address takes longer than finding it among those that came lately. */
const lines = new LRUCache<string, string>({ max: 1000 })

/** In whose line a request waits where many do; nothing of it is kept for longer than others come. */
export function lineOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const known = lines.get(ip)
  if (known !== undefined) return known
  const line = clientOfAddress(ip) ?? 'unknown'
  lines.set(ip, line)
  return line
}

const warned = new WeakSet<Service>()

function warnOfProxy(service: Service, request: FastifyRequest) {
  if (service.config.trustProxy !== null || warned.has(service) || !isForwarded(request)) return
  warned.add(service)
  request.log.warn(
    'Requests come through a proxy, but TRUST_PROXY is not set: all of them count as one client. See docs/settings.md.',
  )
}

import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../../../lib/hash.ts'
import type { Service } from '../../../service.ts'

const days = 14
const plainName = 'holdfast_session'

/** With TLS, browsers accept the cookie from this host only: a sibling subdomain cannot set a session. */
export const hostBoundName = (service: Service, name: string) => (isSecure(service) ? `__Host-${name}` : name)

export const isSecure = ({ baseUrl }: Service) => baseUrl.startsWith('https:')

export function setSession(service: Service, reply: FastifyReply, session: string) {
  reply.setCookie(hostBoundName(service, plainName), session, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(service),
    maxAge: days * 86_400,
  })
}

export function clearSession(service: Service, reply: FastifyReply) {
  for (const name of new Set([plainName, hostBoundName(service, plainName)]))
    reply.clearCookie(name, { path: '/', secure: isSecure(service) })
}

/** `isHostBound` is false for a cookie of an earlier version, whose sessions continue until they expire. */
export function sessionIn(service: Service, request: FastifyRequest) {
  // Routes for integrators and consumers do not read cookies otherwise.
  const cookies = request.cookies ?? fastifyCookie.parse(request.headers.cookie ?? '')
  const bound = isSecure(service) ? cookies[hostBoundName(service, plainName)] : undefined
  if (bound) return { session: bound, isHostBound: true }
  const plain = cookies[plainName]
  return plain ? { session: plain, isHostBound: false } : null
}

/** The key under which the session is stored; null without one. */
export function sessionHash(service: Service, request: FastifyRequest): Buffer | null {
  const found = sessionIn(service, request)
  return found && sha256(found.session)
}

export const agentOf = ({ headers }: FastifyRequest): string | null => headers['user-agent'] ?? null

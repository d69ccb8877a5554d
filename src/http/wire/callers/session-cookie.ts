import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../../../lib/hash.ts'
import type { Service } from '../../../service.ts'
import { sessionCookie } from './auth.ts'

const days = 14

export function setSession({ baseUrl }: Service, reply: FastifyReply, session: string) {
  const secure = baseUrl.startsWith('https:')
  reply.setCookie(sessionCookie, session, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: days * 86_400,
  })
}

export const clearSession = (reply: FastifyReply) => reply.clearCookie(sessionCookie, { path: '/' })

/** Under which the session of this request is kept; null without one. */
export function sessionHash(request: FastifyRequest): Buffer | null {
  const session = request.cookies[sessionCookie]
  return session ? sha256(session) : null
}

/** What the browser says it is. */
export const agentOf = ({ headers }: FastifyRequest): string | null => headers['user-agent'] ?? null

import type { FastifyRequest } from 'fastify'

/** Whoever hangs up waits no longer. */
export function untilGone(request: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  request.raw.once('close', () => gone.abort())
  return gone.signal
}

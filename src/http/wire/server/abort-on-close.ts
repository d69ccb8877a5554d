import type { FastifyRequest } from 'fastify'

/** Aborts when the client disconnects. */
export function abortOnClose(request: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  request.raw.once('close', () => gone.abort())
  return gone.signal
}

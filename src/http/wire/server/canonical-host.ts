import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * If the service is at www.example.org, redirects requests for example.org there. There are no other
 * redirects.
 */
export function redirectToCanonicalHost(app: FastifyInstance, baseUrl: string) {
  const { host } = new URL(baseUrl)
  if (!host.startsWith('www.')) return
  const bare = host.slice('www.'.length)
  app.addHook('onRequest', async (request, reply) => {
    if (request.host.toLowerCase() === bare) return reply.redirect(baseUrl + request.raw.url, 301)
  })
}

/** Whether the host differs from ours, so that a redirect must be checked. */
export function mayBeRedirected(baseUrl: string): (headers: IncomingHttpHeaders) => boolean {
  const { host } = new URL(baseUrl)
  if (!host.startsWith('www.')) return () => false
  return headers => headers.host !== host || headers['x-forwarded-host'] !== undefined
}

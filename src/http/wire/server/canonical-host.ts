import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** When we are at www.example.org, requests for example.org go there; no other redirect. */
export function redirectToCanonicalHost(app: FastifyInstance, baseUrl: string) {
  const { host } = new URL(baseUrl)
  if (!host.startsWith('www.')) return
  const bare = host.slice('www.'.length)
  app.addHook('onRequest', async (request, reply) => {
    if (request.host.toLowerCase() === bare) return reply.redirect(baseUrl + request.raw.url, 301)
  })
}

/** Who names another host than ours may have to go there; which of the names counts is for others to say. */
export function mayBeRedirected(baseUrl: string): (headers: IncomingHttpHeaders) => boolean {
  const { host } = new URL(baseUrl)
  if (!host.startsWith('www.')) return () => false
  return headers => headers.host !== host || headers['x-forwarded-host'] !== undefined
}

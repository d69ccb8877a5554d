import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

// Which origins may call (CORS), and which host is ours. Booking widgets run on other sites and send credentials, so
// the origin is echoed and never `*`.

const methods = 'POST, GET, OPTIONS, PUT, DELETE'
const headers = ['Origin', 'X-Requested-With', 'Content-Type', 'Accept', 'Authorization', 'X-Auth-Token']
const headersOnDemand = ['X-SIGNED-APP-CUSTOMER', 'auth2', 'If-None-Match', 'Idempotency-Key', 'X-Request-Id']
const exposed = 'Date, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'
const maxAge = '36'

export function addCors(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    allowOrigin(request, reply)
    done()
  })
}

function allowOrigin(request: FastifyRequest, reply: FastifyReply) {
  for (const [name, value] of originHeaders(request.headers.origin)) reply.header(name, value)
}

export const originHeaders = (origin: string | undefined): [string, string][] =>
  origin
    ? [
        ['vary', 'Origin'],
        ['access-control-allow-origin', origin],
        ['access-control-allow-credentials', 'true'],
        ['access-control-expose-headers', exposed],
      ]
    : [['vary', 'Origin']]

const consumerPath =
  /^(\/rest\/1)?\/(resources|products|bookables|bookings|customers|crms\/[^/]+\/resources)\//

/** For requests that look like a consumer's but reach no route, so that the page can read the error. */
export function allowOriginAnyway(request: FastifyRequest, reply: FastifyReply) {
  if (consumerPath.test(request.raw.url ?? '')) allowOrigin(request, reply)
}

/** Answers preflight requests for these paths. */
export function addPreflight(app: FastifyInstance, paths: string[]) {
  for (const url of new Set(paths))
    app.options(url, { config: { access: { kind: 'public' } } }, async (request, reply) => {
      const requested = (request.headers['access-control-request-headers'] ?? '').toLowerCase()
      const extra = headersOnDemand.filter(name => requested.split(/\s*,\s*/).includes(name.toLowerCase()))
      return reply
        .code(204)
        .header('access-control-allow-credentials', 'true')
        .header('access-control-allow-methods', methods)
        .header('access-control-allow-headers', [...headers, ...extra].join(', '))
        .header('access-control-max-age', maxAge)
        .send()
    })
}

/**
 * If the service is at www.example.org, redirects requests for example.org there. There are no other
 * redirects.
 */
export function redirectToCanonicalHost(app: FastifyInstance, baseUrl: string) {
  const { hostname } = new URL(baseUrl)
  if (!hostname.startsWith('www.')) return
  const bare = hostname.slice('www.'.length)
  app.addHook('onRequest', async (request, reply) => {
    // Without the port: some clients name it even where it is the default.
    if (request.hostname.toLowerCase() === bare) return reply.redirect(baseUrl + request.raw.url, 301)
  })
}

/** Whether the host differs from ours, so that a redirect must be checked. */
export function mayBeRedirected(baseUrl: string): (headers: IncomingHttpHeaders) => boolean {
  const { host } = new URL(baseUrl)
  if (!host.startsWith('www.')) return () => false
  return headers => headers.host !== host || headers['x-forwarded-host'] !== undefined
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export type Listener = (request: IncomingMessage, reply: ServerResponse) => void

/**
 * Runs before Fastify. Serves a response if possible; otherwise passes the request on. Requests on a second
 * address (`localhost` has two) are always answered by the route.
 */
export function addEarlyListener({ server }: FastifyInstance, makeListener: (next: Listener) => Listener) {
  const [next] = server.listeners('request') as [Listener]
  server.off('request', next)
  server.on('request', makeListener(next))
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

export type Listener = (request: IncomingMessage, reply: ServerResponse) => void

/**
 * Whoever stands at the door sees each request before it is one of Fastify's, and answers it or lets it in. It is a short cut:
 * who comes in by a second address (`localhost` has two) is answered by the route.
 */
export function standAtDoor({ server }: FastifyInstance, doorman: (letIn: Listener) => Listener) {
  const [letIn] = server.listeners('request') as [Listener]
  server.off('request', letIn)
  server.on('request', doorman(letIn))
}

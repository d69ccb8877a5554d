import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'

const letInLate = new WeakMap<IncomingMessage, number>()

/** Of what stood at the door for a while, of which Fastify knows nothing. */
export const noteArrival = (request: IncomingMessage, at: number) => letInLate.set(request, at)

/** When the request came in, by the clock of this process that never jumps. */
export const arrivalOf = (reply: FastifyReply) =>
  letInLate.get(reply.request.raw) ?? performance.now() - reply.elapsedTime

import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'

const arrivals = new WeakMap<IncomingMessage, number>()

/** Requests that waited before Fastify saw them. */
export const recordArrival = (request: IncomingMessage, at: number) => arrivals.set(request, at)

/** Arrival time of the request on the monotonic clock. */
export const arrivalOf = (reply: FastifyReply) =>
  arrivals.get(reply.request.raw) ?? performance.now() - reply.elapsedTime

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

const arrivals = new WeakMap<IncomingMessage, number>()

/** Requests that waited before Fastify saw them. */
export const recordArrival = (request: IncomingMessage, at: number) => arrivals.set(request, at)

/** Arrival time of the request on the monotonic clock. */
export const arrivalOf = (reply: FastifyReply) =>
  arrivals.get(reply.request.raw) ?? performance.now() - reply.elapsedTime

/** The caller's id, so that both logs name the request alike; without characters that could garble a log. */
export function requestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** Aborts when the client disconnects. */
export function abortOnClose(request: FastifyRequest): AbortSignal {
  const gone = new AbortController()
  request.raw.once('close', () => gone.abort())
  return gone.signal
}

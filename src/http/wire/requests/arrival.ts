import type { FastifyReply } from 'fastify'

/** When the request came in, by the clock of this process that never jumps. */
export const arrivalOf = (reply: FastifyReply) => performance.now() - reply.elapsedTime

import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

// A page sends several API requests for one visitor. If they fail, only the visitor's request counts as
// refused.

const header = 'x-passed-on'
/** Known only to this process, so that no other caller can avoid being counted. */
const secret = randomUUID()

/** Headers of a request whose failure is handled by the page that sent it. */
export const internalCallHeaders = { [header]: secret }

export const isInternalCall = ({ headers }: FastifyRequest): boolean => headers[header] === secret

/** The page cannot continue without a response; any other refusal is a response. */
export const isOutage = (status: number): boolean => status >= 500 || status === 429

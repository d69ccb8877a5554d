import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

// A page asks the API several questions for one visitor. Where it passes on that there was no answer, one request was refused:
// the visitor's. The page counts it, its questions do not.

const header = 'x-passed-on'
/** Known to this process alone: nobody else can ask without being counted. */
const secret = randomUUID()

/** The headers of a question whose trouble is thrown by the page that asked. */
export const passedOn = { [header]: secret }

export const isPassedOn = ({ headers }: FastifyRequest): boolean => headers[header] === secret

/** Nobody can go on without an answer; any other refusal is an answer. */
export const isTrouble = (status: number): boolean => status >= 500 || status === 429

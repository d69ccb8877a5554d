import type { FastifyReply, FastifyRequest } from 'fastify'
import { asleep } from '../../../db/base/in-turn.ts'
import { overloaded } from '../../../errors.ts'
import { OutageLog } from '../../../lib/outage-log.ts'
import type { Service } from '../../../service.ts'

const log = new OutageLog('answered 503')
// Made once: the trace of an error costs more than the rest of the answer.
const refusal = overloaded()

/** Before anything of the request is read: a refusal must cost next to nothing. */
export function refuseOverload({ admission }: Service, request: FastifyRequest, reply: FastifyReply) {
  if (!admission.enter(asleep())) {
    log.note(request.log, 'more comes than can be carried', undefined)
    throw refusal
  }
  // Also when the client goes away.
  reply.raw.once('close', () => admission.leave())
}

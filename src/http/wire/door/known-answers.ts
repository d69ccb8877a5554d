import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { currentTracer } from '../../../lib/watch/traced.ts'
import type { Service } from '../../../service.ts'
import { lineOf } from '../callers/clients.ts'
import { noteAnswer } from '../ops/note-answer.ts'
import { noteArrival } from '../requests/arrival.ts'
import type { ReadAddress } from '../requests/known-addresses.ts'
import type { Written } from '../route.ts'
import { mayBeRedirected } from '../server/canonical-host.ts'
import { originHeaders } from '../server/cors.ts'
import { requestId } from '../server/request-id.ts'
import { standAtDoor } from './door.ts'
import { linesOf, StraightAnswers } from './straight-answers.ts'

/**
 * What is known is answered at the door: what Fastify and Node prepare for other answers costs more than this one. The route says
 * what is known (`answerAtDoor`), and this writes it, byte for byte as they would. All that is in any way unusual is let in and
 * answered as ever: what is not known, refusals, connections that end, the time in which the service stops, and everything while
 * traces are on.
 */
export function answerAtDoor(app: FastifyInstance, service: Service) {
  if (currentTracer()) return
  const { knownAddresses } = app
  const isElsewhere = mayBeRedirected(service.baseUrl)
  const write = writer(app, service)
  standAtDoor(app, letIn => (request, reply) => {
    const known = request.method === 'GET' ? knownAddresses.get(request.url!) : undefined
    if (!known || isElsewhere(request.headers)) return letIn(request, reply)
    const asked = { request, reply, known, cameAt: performance.now() }
    const goIn = () => {
      noteArrival(request, asked.cameAt)
      letIn(request, reply)
    }
    const { params, query, route } = known
    const call = { params, query, service, request, write: (answer: Written) => write(asked, answer) }
    route.answerAtDoor!(call).then(isAnswered => isAnswered || goIn(), goIn)
  })
}

type Asked = { request: IncomingMessage; reply: ServerResponse; known: ReadAddress; cameAt: number }

/** Says whether it could be written: it may not be its turn, or nobody may be left to read it. */
function writer({ server, log }: FastifyInstance, { config, health, outgoing, metrics }: Service) {
  const straight = new StraightAnswers(server.keepAliveTimeout)
  const isStopping = () => health.isDraining || !server.listening
  return ({ request, reply, known, cameAt }: Asked, { status, vary, lines, body }: Written) => {
    if (isStopping() || !straight.suits(request, reply)) return false
    if (typeof body !== 'string') {
      // Who reads long answers is told apart, and for whom a proxy speaks is for Fastify to say.
      if (config.trustProxy !== null) return false
      outgoing.add(reply, body, lineOf({ ip: request.socket.remoteAddress ?? '' }))
    }
    const reqId = requestId(request)
    const own = `x-request-id: ${reqId}\r\nx-content-type-options: nosniff\r\nvary: ${vary}\r\n${originLines(request)}`
    straight.send(request, reply, `${names[status]}\r\n${own}${lines}`, body, () => {
      const answered = { reqId, method: 'GET', route: known.pattern, status }
      noteAnswer(metrics, log, answered, performance.now() - cameAt)
    })
    return true
  }
}

const names = { 200: '200 OK', 204: '204 No Content', 304: '304 Not Modified' }

const originLines = ({ headers: { origin } }: IncomingMessage) =>
  origin ? linesOf(originHeaders(origin).filter(([name]) => name !== 'vary')) : ''

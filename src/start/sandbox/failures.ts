import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** What happens to the next requests for a path. */
export type Failure = {
  path: string
  method: string | null
  /** Answered at once with this status; the request does nothing. */
  status: number | null
  /** The request is carried out, and its answer never arrives. */
  isDropped: boolean
  delayMs: number
  /** How many requests it is for. */
  times: number
}

export class Failures {
  #waiting: Failure[] = []

  add(failure: Failure) {
    this.#waiting.push(failure)
  }

  clear() {
    this.#waiting = []
  }

  take(method: string, path: string): Failure | undefined {
    const found = this.#waiting.find(
      one => path.startsWith(one.path) && (one.method === null || one.method === method),
    )
    if (!found) return undefined
    found.times -= 1
    if (found.times === 0) this.#waiting = this.#waiting.filter(one => one !== found)
    return found
  }
}

export function addFailures(app: FastifyInstance, failures: Failures) {
  const dropped = new WeakSet<object>()
  app.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (path.startsWith('/sandbox/')) return
    const failure = failures.take(request.method, path)
    if (!failure) return
    await pause(failure.delayMs)
    if (failure.isDropped) dropped.add(request)
    if (failure.status !== null) {
      const error = { errorCode: 'sandbox', message: 'This failure was requested at /sandbox/fail-next.' }
      return reply.code(failure.status).send({ 'api-info': { version: '1' }, errors: [error] })
    }
  })
  app.addHook('onSend', async (request, _reply, payload) => {
    if (dropped.has(request)) request.raw.socket.destroy()
    return payload
  })
}

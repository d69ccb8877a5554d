import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { FastifyServerFactory } from 'fastify'

/** Answers the request, or calls `next`. */
export type EarlyListener = (request: IncomingMessage, reply: ServerResponse, next: () => void) => void

/** See requests before Fastify does. They are added once the routes are known. */
export class EarlyListeners {
  readonly #listeners: EarlyListener[] = []

  add(listener: EarlyListener) {
    this.#listeners.push(listener)
  }

  /** Creates the server as Fastify does without a factory. */
  readonly createServer: FastifyServerFactory = (route, options) => {
    const { http, keepAliveTimeout, requestTimeout, connectionTimeout } = options as ServerSettings
    const server = createServer(http, (request, reply) => this.#handle(request, reply, route, 0))
    server.keepAliveTimeout = keepAliveTimeout
    server.requestTimeout = requestTimeout
    server.setTimeout(connectionTimeout)
    return server
  }

  #handle(request: IncomingMessage, reply: ServerResponse, route: RequestListener, index: number) {
    const listener = this.#listeners[index]
    if (!listener) return route(request, reply)
    listener(request, reply, () => this.#handle(request, reply, route, index + 1))
  }
}

type ServerSettings = {
  http: object
  keepAliveTimeout: number
  requestTimeout: number
  connectionTimeout: number
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forwardingHeaders } from './callers/clients.ts'

// Booking pages and agents' tools are only clients of the consumer API, under the same rate limits for the same visitor.

export type Reply<Body = unknown> = { status: number; body: Body }
type ApiCall = <Body>(
  method: 'GET' | 'POST',
  path: string,
  query?: Query,
  body?: object,
) => Promise<Reply<Body>>
type Query = Record<string, string | string[] | undefined>

export function consumerApi(
  app: FastifyInstance,
  request: FastifyRequest,
  headers: Record<string, string> = {},
): ApiCall {
  // Forwards the proxy headers, so that the API identifies the visitor as we do.
  const forwarded = Object.fromEntries(
    forwardingHeaders.flatMap(name =>
      request.headers[name] === undefined ? [] : [[name, request.headers[name]]],
    ),
  )
  return async (method, path, query = {}, body) => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    const response = await app.inject({
      method,
      url: `${path}?${new URLSearchParams(given)}`,
      remoteAddress: request.socket.remoteAddress ?? request.ip,
      headers: { ...headers, ...forwarded, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    })
    return { status: response.statusCode, body: response.body === '' ? null : JSON.parse(response.body) }
  }
}

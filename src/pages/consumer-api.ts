import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ErrorCode, moved, Refusal } from '../errors.ts'
import { forwardingHeaders } from '../http/wire/callers/clients.ts'
import { internalCallHeaders, isOutage } from '../http/wire/callers/internal-calls.ts'

// The booking page is only a client of the consumer API: it sees what a widget sees, under the same rate
// limits for the same visitor.

type ErrorBody = { errors: { errorCode: ErrorCode; message: string }[] }

export type Reply<Body = unknown> = { status: number; body: Body; location?: string }
export type ApiCall = <Body>(
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
    const location = response.headers.location
    return {
      status: response.statusCode,
      body: response.body === '' ? null : JSON.parse(response.body),
      ...(location ? { location } : {}),
    }
  }
}

/**
 * For pages that only read: they cannot continue without an answer, and a missing answer says nothing about
 * whether the Resource exists.
 */
export function readOnlyApi(
  app: FastifyInstance,
  request: FastifyRequest,
  headers: Record<string, string> = {},
): ApiCall {
  const ask = consumerApi(app, request, { ...headers, ...internalCallHeaders })
  return async <Body>(...question: Parameters<ApiCall>) => {
    const reply = await ask<Body>(...question)
    refuseTrouble(reply)
    return reply
  }
}

function refuseTrouble({ status, body, location }: Reply) {
  if (location) throw moved(new URL(location).origin)
  if (!isOutage(status) && status !== 410) return
  const [error] = (body as ErrorBody).errors
  throw new Refusal(error!.errorCode, error!.message, { retryAfterSeconds: 2 })
}

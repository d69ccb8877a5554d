import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ErrorCode, Refusal } from '../errors.ts'
import { forwardingHeaders } from '../http/wire/callers/clients.ts'
import { isTrouble, passedOn } from '../http/wire/callers/passed-on.ts'

// The booking page is a client of the consumer API and nothing more: what a widget gets is what the page shows, with the
// same limits for the same visitor.

type ErrorBody = { errors: { errorCode: ErrorCode; message: string }[] }

export type Reply<Body = unknown> = { status: number; body: Body }
export type Ask = <Body>(
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
): Ask {
  // With what proxies said of the visitor: the API must take them for whom we take them for.
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

/** Whoever only looks cannot go on without an answer. That there was none says nothing about what was asked for. */
export function lookingApi(
  app: FastifyInstance,
  request: FastifyRequest,
  headers: Record<string, string> = {},
): Ask {
  const ask = consumerApi(app, request, { ...headers, ...passedOn })
  return async <Body>(...question: Parameters<Ask>) => {
    const reply = await ask<Body>(...question)
    refuseTrouble(reply)
    return reply
  }
}

function refuseTrouble({ status, body }: Reply) {
  if (!isTrouble(status)) return
  const [error] = (body as ErrorBody).errors
  throw new Refusal(error!.errorCode, error!.message, { retryAfterSeconds: 2 })
}

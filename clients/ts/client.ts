// A thin client: paths, queries, bodies and answers are typed by the service's own OpenAPI document.

import type { Operations } from './operations.ts'

export type { Operations } from './operations.ts'

export type Operation = keyof Operations

/** Everything a call can answer: `status` tells the type of `body` apart. */
export type Reply<O extends Operation> = {
  [S in keyof Operations[O]['replies']]: { status: S; body: Operations[O]['replies'][S]; headers: Headers }
}[keyof Operations[O]['replies']]

export type Input<O extends Operation> = (keyof Operations[O]['params'] extends never
  ? { params?: Operations[O]['params'] }
  : { params: Operations[O]['params'] }) & {
  query?: Partial<Operations[O]['query']>
  body?: Operations[O]['body']
  headers?: Record<string, string>
  signal?: AbortSignal
  /** The request outlives the page that sent it. */
  keepalive?: boolean
}

export type ClientOptions = {
  baseUrl: string
  /** For groups A and B. */
  apiKey?: string
  fetch?: typeof fetch
}

/** `client.call('POST /crms/{crmId}/user', { params: { crmId }, body })` */
export function makeClient({ baseUrl, apiKey, fetch: send = fetch }: ClientOptions) {
  async function call<O extends Operation>(operation: O, input: Input<O>): Promise<Reply<O>> {
    const [method, path] = operation.split(' ') as [string, string]
    const { params = {}, query = {}, body, headers, signal, keepalive } = input
    const response = await send(baseUrl + addressOf(path, params, query), {
      method,
      headers: {
        ...(apiKey ? { 'x-service-client-id': apiKey } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
      ...(keepalive ? { keepalive } : {}),
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      headers: response.headers,
    }
    return answer as unknown as Reply<O>
  }
  return { call }
}

function addressOf(path: string, params: object, query: object): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, String(one))
  return search.size > 0 ? `${filled}?${search}` : filled
}

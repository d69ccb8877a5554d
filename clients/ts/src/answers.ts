import type { Middleware } from 'openapi-fetch'
import type { Schemas } from './schemas.ts'

export type ErrorCode = Schemas['ErrorCode']

/** A refusal of the service, or a response that did not come from it. */
export class HoldfastError extends Error {
  /** The HTTP status, whatever the response was. */
  readonly status: number
  /** One entry per error; empty if the response did not come from the service. */
  readonly errors: Schemas['Error']['errors']
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before a retry, if the service named any. */
  readonly retryAfter: number | undefined

  constructor(status: number, answer: unknown, headers = new Headers()) {
    const errors = isRefusal(answer) ? answer.errors : []
    super(errors[0]?.message ?? `The answer (${status}) did not come from Holdfast: ${gist(answer)}`)
    this.name = 'HoldfastError'
    this.status = status
    this.errors = errors
    this.requestId = headers.get('x-request-id') ?? undefined
    this.retryAfter = secondsOf(headers)
  }

  /** The code of the first error. */
  get code(): ErrorCode | undefined {
    return this.errors[0]?.errorCode
  }

  /** Messages by field, such as `timeslots[0].raster`: the first of each. */
  get fieldErrors(): Record<string, string> {
    const named = this.errors.flatMap(({ field, message }) => (field ? [[field, message] as const] : []))
    return Object.fromEntries(named.reverse())
  }
}

/** Seconds of a Retry-After header. */
export function secondsOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

type Result<T> = { data?: T; error?: unknown; response: Response }

/** Returns the data of a successful response (undefined for 204), and throws a HoldfastError for any other. */
export async function unwrap<T>(call: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw new HoldfastError(response.status, error, response.headers)
  return data as T
}

/** Proxies respond with pages of their own, which must not pass for ours; their status must be kept. */
export const refuseOtherThanJson: Middleware = {
  async onResponse({ response, options }) {
    if (options.parseAs !== undefined && options.parseAs !== 'json') return
    const type = response.headers.get('content-type')
    if (type === null || /^application\/([\w.+-]+\+)?json\b/i.test(type)) return
    throw new HoldfastError(response.status, await response.text(), response.headers)
  },
}

const isRefusal = (answer: unknown): answer is Schemas['Error'] =>
  typeof answer === 'object' && answer !== null && Array.isArray((answer as Schemas['Error']).errors)

const gist = (answer: unknown) =>
  (typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')).slice(0, 200)

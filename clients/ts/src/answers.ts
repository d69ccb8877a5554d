import type { Middleware } from 'openapi-fetch'
import type { Schemas } from './schemas.ts'

export type ErrorCode = Schemas['ErrorCode']

/** A refusal of the service, or a response that did not come from it. */
export class HoldfastError extends Error {
  /** The HTTP status, whatever the response was. */
  readonly status: number
  /** One entry per error; empty if the response did not come from the service. */
  readonly errors: Schemas['Error']['errors']

  constructor(status: number, answer: unknown) {
    const errors = isRefusal(answer) ? answer.errors : []
    super(errors[0]?.message ?? `The answer (${status}) did not come from Holdfast: ${gist(answer)}`)
    this.name = 'HoldfastError'
    this.status = status
    this.errors = errors
  }

  /** The code of the first error. */
  get code(): ErrorCode | undefined {
    return this.errors[0]?.errorCode
  }
}

type Result<T> = { data?: T; error?: unknown; response: Response }

/** Returns the data of a successful response and throws a HoldfastError for any other. */
export async function unwrap<T>(call: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw new HoldfastError(response.status, error)
  return data as T
}

/** Proxies respond with pages of their own, which must not pass for ours; their status must be kept. */
export const refuseOtherThanJson: Middleware = {
  async onResponse({ response, options }) {
    if (options.parseAs !== undefined && options.parseAs !== 'json') return
    const type = response.headers.get('content-type')
    if (type === null || /^application\/([\w.+-]+\+)?json\b/i.test(type)) return
    throw new HoldfastError(response.status, await response.text())
  },
}

const isRefusal = (answer: unknown): answer is Schemas['Error'] =>
  typeof answer === 'object' && answer !== null && Array.isArray((answer as Schemas['Error']).errors)

const gist = (answer: unknown) =>
  (typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')).slice(0, 200)

// Calls to a Holdfast service, typed by its own OpenAPI document.

import createFetchClient, { type Client } from 'openapi-fetch'
import { refuseOtherThanJson } from './answers.ts'
import type { paths } from './schema.ts'

export { type ErrorCode, HoldfastError, unwrap } from './answers.ts'
export type { operations, paths } from './schema.ts'
export type { Schemas } from './schemas.ts'

export type HoldfastClient = Client<paths>

export type ClientOptions = {
  /** Where the service is, such as https://www.example.org; a slash at its end does no harm. */
  baseUrl: string
  /** For groups A and B. Consumers need none. */
  apiKey?: string
  /** More headers for every call. */
  headers?: Record<string, string>
  /** Instead of the global one. */
  fetch?: (request: Request) => Promise<Response>
}

/** `await client.GET('/resources/{ref}/upcoming_bookables', { params: { path: { ref } } })` */
export function makeClient({ baseUrl, apiKey, headers = {}, fetch }: ClientOptions): HoldfastClient {
  const client = createFetchClient<paths>({
    baseUrl,
    headers: { ...(apiKey ? { 'X-SERVICE-CLIENT-ID': apiKey } : {}), ...headers },
    ...(fetch ? { fetch } : {}),
  })
  client.use(refuseOtherThanJson)
  return client
}

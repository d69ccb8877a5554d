// A typed client for a Holdfast service, based on its OpenAPI document.

import createFetchClient, { type Client } from 'openapi-fetch'
import { refuseOtherThanJson } from './answers.ts'
import type { paths } from './schema.ts'

export { type ErrorCode, HoldfastError, unwrap } from './answers.ts'
export type { operations, paths } from './schema.ts'
export type { Schemas } from './schemas.ts'

export type HoldfastClient = Client<paths>

export type ClientOptions = {
  /** The service's address, such as https://www.example.org; a trailing slash is ignored. */
  baseUrl: string
  /** For groups A and B. Consumer calls need none. */
  apiKey?: string
  /** Extra headers for every call. */
  headers?: Record<string, string>
  /** Replaces the global fetch. */
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

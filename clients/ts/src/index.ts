// A typed client for a Holdfast service, based on its OpenAPI document.

import createFetchClient from 'openapi-fetch'
import { refuseOtherThanJson } from './answers.ts'
import type { HoldfastClient } from './client.ts'
import { type RetryOptions, withRetries } from './retry.ts'
import type { paths } from './schema.ts'

export { type ErrorCode, HoldfastError, unwrap } from './answers.ts'
export type { HoldfastClient } from './client.ts'
export { type Event, type EventKind, type EventOf, type EventOptions, readEvents } from './events.ts'
export { listAll, listPages, type PagedPath } from './pages.ts'
export type { RetryOptions } from './retry.ts'
export type { operations, paths } from './schema.ts'
export type { Schemas } from './schemas.ts'
export { type SyncResult, upsertMany } from './sync.ts'
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookRequest,
  WebhookVerificationError,
} from './webhooks.ts'

export type ClientOptions = {
  /** The service's address, such as https://www.example.org; a trailing slash is ignored. */
  baseUrl: string
  /** For groups A and B. Consumer calls need none. */
  apiKey?: string
  /** Extra headers for every call. */
  headers?: Record<string, string>
  /** Replaces the global fetch. */
  fetch?: (request: Request) => Promise<Response>
  /** How failed calls are repeated. False turns it off. */
  retry?: RetryOptions | false
}

/** `await client.GET('/resources/{ref}/upcoming_bookables', { params: { path: { ref } } })` */
export function makeClient(options: ClientOptions): HoldfastClient {
  const { baseUrl, apiKey, headers = {}, fetch = request => globalThis.fetch(request), retry = {} } = options
  const client = createFetchClient<paths>({
    baseUrl,
    headers: { ...(apiKey ? { 'X-SERVICE-CLIENT-ID': apiKey } : {}), ...headers },
    fetch: retry === false ? fetch : withRetries(fetch, retry),
  })
  client.use(refuseOtherThanJson)
  // The types of POST depend on the body; the calls are the same.
  return client as unknown as HoldfastClient
}

import type { Event } from './events.ts'

/** What a webhook receives: an event of the log, with `provider` and `actor` in `data` too, or a test. */
export type WebhookEvent = Posted<Event> | TestEvent

type Posted<One> = One extends {
  kind: infer Kind
  data: infer Data
  provider: infer Provider
  actor: infer Actor
}
  ? Omit<One, 'type' | 'data'> & { type: Kind; data: Data & { provider: Provider; actor: Actor } }
  : never

/** `POST .../webhooks/{uuid}/test` sends it. */
type TestEvent = Omit<Event, 'kind' | 'type' | 'data'> & {
  kind: 'test'
  type: 'test'
  data: Pick<Event, 'provider' | 'actor'>
}

/** The request is not from the service, was changed, or is too old. Answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

type HeadersLike = Headers | Record<string, string | string[] | undefined>

export type WebhookRequest = {
  /** The webhook's secret (`whsec_...`) or public key (`whpk_...`). Several while one is being replaced. */
  secret: string | string[]
  headers: HeadersLike
  /** The raw body, exactly as received. A parsed and serialised body has another signature. */
  body: string | Uint8Array
  toleranceSeconds?: number
  /** Seconds since 1970; for tests. */
  now?: number
}

/** Returns the event of a genuine request and throws a WebhookVerificationError for any other. Needs only Web Crypto. */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { secret, headers, toleranceSeconds = 300, now = Date.now() / 1000 } = request
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body)
  const [id, sent, given] = ['id', 'timestamp', 'signature'].map(name => headerOf(headers, `webhook-${name}`))
  if (!id || !sent || !given) throw new WebhookVerificationError('The signature headers are missing.')
  if (!(Math.abs(now - Number(sent)) <= toleranceSeconds))
    throw new WebhookVerificationError('The request is too old, or your clock is wrong.')
  const content = new TextEncoder().encode(`${id}.${sent}.${body}`)
  const signatures = given.split(' ')
  for (const one of [secret].flat()) if (await isSigned(one, content, signatures)) return JSON.parse(body)
  throw new WebhookVerificationError('No signature matches. Check the secret and that the body is unchanged.')
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  return [headers[name]].flat()[0]
}

type Bytes = Uint8Array<ArrayBuffer>

/** `whpk_` is an ed25519 public key, anything else an HMAC secret. crypto.subtle compares in constant time. */
async function isSigned(secret: string, content: Bytes, signatures: string[]): Promise<boolean> {
  const isPublic = secret.startsWith('whpk_')
  const [algorithm, version] = isPublic
    ? (['Ed25519', 'v1a,'] as const)
    : ([{ name: 'HMAC', hash: 'SHA-256' }, 'v1,'] as const)
  const bytes = decode(secret.replace(/^wh(sec|pk)_/, ''))
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  for (const one of signatures) {
    if (!one.startsWith(version)) continue
    if (await crypto.subtle.verify(algorithm, key, decode(one.slice(version.length)), content)) return true
  }
  return false
}

function decode(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

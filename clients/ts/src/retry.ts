import { secondsOf } from './answers.ts'

export type RetryOptions = {
  /** Attempts in all. 1 turns retries off. Default: 4. */
  attempts?: number
  /** A longer Retry-After is not waited for: the answer is returned at once. Default: 20. */
  maxWaitSeconds?: number
}

type Send = (request: Request) => Promise<Response>

/**
 * Repeats what is safe to repeat: every POST and PUT carries an Idempotency-Key that stays the same, so nothing
 * is done twice. 429 and 503 mean that nothing was done; other failures are repeated only where the key or the
 * method makes it harmless.
 */
export function withRetries(send: Send, { attempts = 4, maxWaitSeconds = 20 }: RetryOptions = {}): Send {
  return async original => {
    const request = withKey(original)
    for (let attempt = 1; ; attempt++) {
      const result = await settle(send(request.clone()))
      const wait = attempt < attempts ? secondsToWait(request, result, attempt) : null
      if (wait === null || wait > maxWaitSeconds) return finish(result)
      await pause(wait, request.signal)
    }
  }
}

const takesKey = ({ method }: Request) => method === 'POST' || method === 'PUT'

function withKey(request: Request): Request {
  if (!takesKey(request) || request.headers.has('idempotency-key')) return request
  const keyed = new Request(request)
  keyed.headers.set('idempotency-key', crypto.randomUUID())
  return keyed
}

type Settled = { response: Response } | { error: unknown }

const settle = (sent: Promise<Response>): Promise<Settled> =>
  sent.then(
    response => ({ response }),
    error => ({ error }),
  )

function finish(result: Settled): Response {
  if ('error' in result) throw result.error
  return result.response
}

/** Null if the request must not be repeated. */
function secondsToWait(request: Request, result: Settled, attempt: number): number | null {
  if (request.signal.aborted) return null
  const isHarmless = request.method === 'GET' || takesKey(request)
  if ('error' in result) return isHarmless ? backOff(attempt) : null
  const { status, headers } = result.response
  const isInProgress = status === 409 && headers.has('retry-after')
  const nothingDone = status === 429 || status === 503 || isInProgress
  const isFromProxy = status === 502 || status === 504
  if (!nothingDone && !(isFromProxy && isHarmless)) return null
  return secondsOf(headers) ?? backOff(attempt)
}

/** 0.5, 1, 2 ... seconds, up to half of it at random so that clients do not return all at once. */
export const backOff = (attempt: number) => Math.min(30, 2 ** (attempt - 2)) * (1 + Math.random() / 2)

export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

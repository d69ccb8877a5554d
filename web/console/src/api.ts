import type { Answer, Body, Call, Query } from './api-types.ts'

// The console only uses /console/api. Every failure becomes a Problem with a readable sentence.

export type Fault = { errorCode: string; message: string; field?: string; rule?: string; limit?: number }

export class Problem extends Error {
  /** 0 if there was no answer at all. */
  status: number
  faults: Fault[]
  body: unknown

  constructor(status: number, faults: Fault[], body: unknown = null) {
    super(faults[0]?.message ?? `HTTP ${status}`)
    this.status = status
    this.faults = faults
    this.body = body
  }

  get code() {
    return this.faults[0]?.errorCode ?? null
  }
}

type Options<Q = object> = {
  query?: Q
  signal?: AbortSignal
  headers?: Record<string, string>
}

const base = '/console/api'

export const address = (path: string, query?: object) => base + path + search(query)

type UnansweredRequest = { name: string; address: string }

/**
 * Requests that got no answer and may have been processed. A repeat sends the identical request with the same
 * idempotency key, so the service processes it once, even if the page meanwhile warns about a conflict, which
 * may be the first request's own result.
 */
class UnansweredRequests {
  lost = new Map<string, UnansweredRequest>()

  begin(path: string, body: unknown, query: object, address: string) {
    const key = JSON.stringify([path, body, { ...query, ignoreConflicts: null }])
    const attempt = this.lost.get(key) ?? { name: anyName(), address }
    return { ...attempt, wasLost: () => this.lost.set(key, attempt) }
  }

  /** Another action has been taken since, so the same request again is meant as a new one. */
  wentOn() {
    this.lost.clear()
  }
}

/** `crypto.randomUUID` exists only over https. */
const anyName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/** Makes writes safe to repeat: pressing again after a lost answer does not do it twice. */
const attempts = new UnansweredRequests()

/** A record with its ETag. */
export type Tagged<T> = { data: T; tag: string | null }

async function send<T>(method: string, path: string, body: unknown, options: Options): Promise<T> {
  return (await exchange<T>(method, path, body, options)).data
}

/** A call whose types the caller has already checked. */
export async function exchange<T>(
  method: string,
  path: string,
  body?: unknown,
  options: Options = {},
): Promise<Tagged<T>> {
  const { query, signal, headers = {} } = options
  const url = address(path, query)
  // A preview changes nothing.
  const isWrite = method !== 'GET' && !path.endsWith('/preview')
  const attempt = isWrite && method === 'POST' ? attempts.begin(path, body, query ?? {}, url) : null
  const name: Record<string, string> = attempt ? { 'idempotency-key': attempt.name } : {}
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', ...name, ...headers },
  }
  if (signal) init.signal = signal
  if (body !== undefined) {
    init.headers = { ...init.headers, 'content-type': 'application/json' }
    init.body = JSON.stringify(body)
  }
  const unanswered = (error: Error): never => {
    attempt?.wasLost()
    throw error.name === 'AbortError' ? error : new Problem(0, [])
  }
  const response = await fetch(attempt?.address ?? url, init).catch(unanswered)
  // The response may break off while its body is read.
  const unread = response.ok ? unanswered : () => null
  const answer = response.status === 204 ? null : await response.json().catch(unread)
  const problem = new Problem(response.status, (answer as { errors?: Fault[] } | null)?.errors ?? [], answer)
  if (isOpen(problem)) attempt?.wasLost()
  else if (isWrite && !path.startsWith('/session')) attempts.wentOn()
  if (response.ok) return { data: answer as T, tag: response.headers.get('etag') }
  // A wrong password is a 401 too, but does not end the session.
  if (problem.code === 'login-required') onLoggedOut()
  throw problem
}

/** The outcome is unknown, or the same request will be sent again after a login. */
const isOpen = ({ status, code }: Problem) =>
  status >= 500 || status === 429 || status === 401 || code === 'in-progress'

function search(query: object = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== null && one !== undefined) params.append(name, String(one))
  return params.size > 0 ? `?${params}` : ''
}

let onLoggedOut = () => {}

/** Called when the session has ended: typed text stays, and the login opens on top of the page. */
export function whenLoggedOut(react: () => void) {
  onLoggedOut = react
}

export const api = {
  get: <const P extends string>(path: P & Call<P, 'get'>, options: Options<Query<P, 'get'>> = {}) =>
    send<Answer<P, 'get'>>('GET', path, undefined, options),
  post: <const P extends string>(
    path: P & Call<P, 'post'>,
    body?: Body<P, 'post'>,
    options: Options<Query<P, 'post'>> = {},
  ) => send<Answer<P, 'post'>>('POST', path, body ?? {}, options),
  put: <const P extends string>(path: P & Call<P, 'put'>, body: Body<P, 'put'>) =>
    send<Answer<P, 'put'>>('PUT', path, body, {}),
  patch: <const P extends string>(path: P & Call<P, 'patch'>, body: Body<P, 'patch'>) =>
    send<Answer<P, 'patch'>>('PATCH', path, body, {}),
  remove: <const P extends string>(path: P & Call<P, 'delete'>, options: Options<Query<P, 'delete'>> = {}) =>
    send<Answer<P, 'delete'>>('DELETE', path, undefined, options),
}

export const ifStill = (tag: string | null): Options => (tag ? { headers: { 'if-match': tag } } : {})

// The console is a client of /console/api and nothing more. Whatever goes wrong becomes a Problem with a sentence.

export type Fault = { errorCode: string; message: string; field?: string }

export class Problem extends Error {
  /** 0: there was no answer at all. */
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

type Options = {
  query?: Record<string, string | number | boolean | string[] | null | undefined>
  signal?: AbortSignal
  headers?: Record<string, string>
}

const base = '/console/api'

/** What was read, and the tag by which the service knows whether it is still so. */
export type Tagged<T> = { data: T; tag: string | null }

async function send<T>(method: string, path: string, body: unknown, options: Options): Promise<T> {
  return (await exchange<T>(method, path, body, options)).data
}

async function exchange<T>(
  method: string,
  path: string,
  body: unknown,
  options: Options,
): Promise<Tagged<T>> {
  const { query, signal, headers = {} } = options
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', ...headers },
  }
  if (signal) init.signal = signal
  if (body !== undefined) {
    init.headers = { ...init.headers, 'content-type': 'application/json' }
    init.body = JSON.stringify(body)
  }
  const response = await fetch(base + path + search(query), init).catch(error => {
    if ((error as Error).name === 'AbortError') throw error
    throw new Problem(0, [])
  })
  const answer = response.status === 204 ? null : await response.json().catch(() => null)
  if (response.ok) return { data: answer as T, tag: response.headers.get('etag') }
  const problem = new Problem(response.status, (answer as { errors?: Fault[] } | null)?.errors ?? [], answer)
  // A wrong password is 401 as well, and ends no session.
  if (problem.code === 'login-required') onLoggedOut()
  throw problem
}

function search(query: Options['query']): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of [value].flat()) if (one !== null && one !== undefined) params.append(name, String(one))
  return params.size > 0 ? `?${params}` : ''
}

let onLoggedOut = () => {}

/** Called when the service no longer knows us: what is typed stays, the login opens over it. */
export function whenLoggedOut(react: () => void) {
  onLoggedOut = react
}

export const api = {
  get: <T>(path: string, options: Options = {}) => send<T>('GET', path, undefined, options),
  post: <T>(path: string, body: unknown = {}, options: Options = {}) => send<T>('POST', path, body, options),
  put: <T>(path: string, body: unknown, options: Options = {}) => send<T>('PUT', path, body, options),
  patch: <T>(path: string, body: unknown, options: Options = {}) => send<T>('PATCH', path, body, options),
  read: <T>(path: string, options: Options = {}) => exchange<T>('GET', path, undefined, options),
  /** Refused with `changed` where somebody else saved since it was read. */
  save: <T>(method: 'PATCH' | 'PUT', path: string, body: unknown, tag: string | null) =>
    exchange<T>(method, path, body, tag ? { headers: { 'if-match': tag } } : {}),
  remove: <T = null>(path: string, options: Options = {}) => send<T>('DELETE', path, undefined, options),
}

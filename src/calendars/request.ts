import type { KeyObject } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { addressTexts } from '../error-texts.ts'
import { assertNoConnectionHeld } from '../lib/held-connection-check.ts'
import { seal, unseal } from '../lib/seal.ts'
import { addressProblem, guardedLookup } from '../webhooks/guard.ts'
import { CalendarProblem } from './problem.ts'

// One request to a calendar server, which is chosen by the CRM and not trusted: guarded like webhooks, limited in time and
// size. Redirects are followed, because calendar servers use them; every step is checked like the first address.

export type CalendarRequest = {
  method: 'GET' | 'PROPFIND' | 'REPORT' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string> | undefined
  body?: string
}

export type CalendarResponse = {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  /** After redirects. */
  url: string
}

export type CalendarClient = {
  send(request: CalendarRequest): Promise<CalendarResponse>
}

const maxBytes = 10 * 1024 * 1024
const timeoutMs = 30_000
const maxRedirects = 5

type Options = {
  allowPrivate: boolean
  lookup?: Parameters<typeof guardedLookup>[1]
  patience?: number
  /** Certificates that tests trust. */
  ca?: string
}

export function makeCalendarClient({
  allowPrivate,
  lookup,
  patience = timeoutMs,
  ca,
}: Options): CalendarClient {
  const options = {
    lookup: guardedLookup(allowPrivate, lookup),
    agent: false as const,
    ...(ca ? { ca } : {}),
  }

  async function send(request: CalendarRequest): Promise<CalendarResponse> {
    assertNoConnectionHeld('a request to a calendar server')
    const deadline = performance.now() + patience
    let { url } = request
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const wrong = addressProblem(url, allowPrivate)
      if (wrong) throw new CalendarProblem('address', `It ${addressTexts[wrong]}.`)
      const headers = isSameServer(url, request.url) ? request.headers : withoutLogin(request.headers)
      const answer = await once({ ...request, url, headers }, deadline - performance.now())
      const target = redirectOf(answer)
      if (target === null) return answer
      url = target
    }
    throw new CalendarProblem('redirects')
  }

  function once({ method, url, headers, body }: CalendarRequest, leftMs: number) {
    return new Promise<CalendarResponse>((resolve, reject) => {
      if (leftMs <= 0) return reject(new CalendarProblem('slow'))
      const request = (url.startsWith('https:') ? https : http).request(url, {
        ...options,
        method,
        headers: {
          'user-agent': 'Holdfast',
          'accept-encoding': 'gzip, deflate, br',
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      })
      const fail = (problem: CalendarProblem) => {
        clearTimeout(timer)
        reject(problem)
        request.destroy()
      }
      // Our own timer, because the server controls when request events fire.
      const timer = setTimeout(() => fail(new CalendarProblem('slow')), leftMs)
      request.on('error', error => fail(problemOf(error)))
      request.on('upgrade', (_response, socket) => {
        socket.destroy()
        fail(new CalendarProblem('server'))
      })
      let isAnswered = false
      request.on('close', () => isAnswered || fail(new CalendarProblem('connection')))
      request.on('response', response => {
        isAnswered = true
        readText(response).then(
          text => {
            clearTimeout(timer)
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, url })
            request.destroy()
          },
          error => fail(error instanceof CalendarProblem ? error : new CalendarProblem('incomplete')),
        )
      })
      request.end(body)
    })
  }

  return { send }
}

/** Services lead from their name to a subdomain, from example.org to caldav.example.org. */
function isSameServer(url: string, named: string): boolean {
  const [here, first] = [new URL(url), new URL(named)]
  return (
    here.origin === first.origin ||
    (here.protocol === 'https:' && here.hostname.endsWith(`.${first.hostname}`))
  )
}

/** The password is for the server that the CRM has named, not for those it redirects to. */
const withoutLogin = ({ authorization: _, ...rest }: Record<string, string> = {}) => rest

function redirectOf({ status, headers, url }: CalendarResponse): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || !headers.location) return null
  return URL.parse(headers.location, url)?.href ?? null
}

const decoders: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The whole response. An answer that breaks off is an error, never a shorter calendar. */
async function readText(response: http.IncomingMessage): Promise<string> {
  const decoder = decoders[(response.headers['content-encoding'] ?? '').toLowerCase()]?.()
  const decoded = decoder as unknown as Readable | undefined
  if (decoder && decoded) {
    response.on('error', error => decoded.destroy(error))
    response.pipe(decoder)
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of decoded ?? response) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length > maxBytes) throw new CalendarProblem('size')
  }
  if (!response.complete) throw new CalendarProblem('incomplete')
  return Buffer.concat(chunks).toString('utf8')
}

const certificateErrors = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|SSL/

function problemOf(error: NodeJS.ErrnoException): CalendarProblem {
  if (certificateErrors.test(error.code ?? '')) return new CalendarProblem('certificate')
  return new CalendarProblem('connection')
}

/** What an answer other than the expected ones means. */
export function statusProblem({ status, headers }: CalendarResponse): CalendarProblem {
  const detail = `It answered ${status}.`
  if (status === 401) return new CalendarProblem('login')
  if (status === 403) return new CalendarProblem('forbidden')
  if (status === 404) return new CalendarProblem('missing')
  if (status === 410) return new CalendarProblem('gone')
  const wait = retryAfter(headers['retry-after'], headers.date)
  if (status === 429) return new CalendarProblem('busy', null, wait)
  return new CalendarProblem('server', detail, wait)
}

/** Seconds, or a date by the clock of the server. */
function retryAfter(text: string | undefined, now: string | undefined): number | null {
  if (!text) return null
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.parse(now ?? '')) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 86_400) : null
}

/** For the service only: most addresses are secrets themselves. */
export type SourceSecrets = { url: string; user: string | null; password: string | null }

type Keys = { key(purpose: string): KeyObject; keys(purpose: string): KeyObject[] }

export const sealSecrets = (signer: Keys, secrets: SourceSecrets): Buffer =>
  seal(signer.key('calendars'), JSON.stringify(secrets))

export function openSecrets(signer: Keys, sealed: Buffer): SourceSecrets {
  const text = unseal(signer.keys('calendars'), sealed)
  if (text === null) throw new CalendarProblem('key')
  return JSON.parse(text) as SourceSecrets
}

/** People copy webcal:// addresses; they mean https. */
export const asWebAddress = (address: string) => address.trim().replace(/^webcals?:\/\//i, 'https://')

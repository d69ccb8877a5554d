import http from 'node:http'
import https from 'node:https'
import { addressTexts } from '../error-texts.ts'
import { assertNoConnectionHeld } from '../lib/held-connection-check.ts'
import { addressProblem, guardedLookup } from './guard.ts'

// One POST to an untrusted server: limited in time and response size, without following redirects.

export type Sent = {
  status: number | null
  ms: number
  error: string | null
  answer: string | null
  /** Seconds for which the receiver asks to be left alone. */
  retryAfter: number | null
}

export const isDelivered = ({ status }: Sent) => status !== null && status >= 200 && status < 300

export type WebhookSender = {
  send(url: string, headers: Record<string, string>, body: string): Promise<Sent>
  close(): void
}

const timeoutMs = 15_000
const maxResponseBytes = 64 * 1024
const maxKept = 1000
/** Interim responses (100, 103) before the final one. */
const maxInterim = 20

type Options = { allowPrivate: boolean; lookup?: Parameters<typeof guardedLookup>[1]; patience?: number }
type Outcome = Omit<Sent, 'ms'>

const failure = (error: string): Outcome => ({ status: null, error, answer: null, retryAfter: null })

const switched = failure('The receiver answered 101 Switching Protocols.')

export function makeSender({ allowPrivate, lookup, patience = timeoutMs }: Options): WebhookSender {
  // A kept-alive connection leads to an address that was checked when it was opened.
  const kept = {
    keepAlive: true,
    maxFreeSockets: 8,
    timeout: patience,
    lookup: guardedLookup(allowPrivate, lookup),
  }
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) }
  const late = failure(`No answer within ${patience / 1000} seconds.`)

  async function send(text: string, headers: Record<string, string>, body: string): Promise<Sent> {
    assertNoConnectionHeld('a webhook request')
    const started = performance.now()
    const ended = (rest: Outcome): Sent => ({ ms: Math.round(performance.now() - started), ...rest })
    const wrong = addressProblem(text, allowPrivate)
    if (wrong) return ended(failure(`The address ${addressTexts[wrong]}.`))
    for (;;) {
      const left = started + patience - performance.now()
      const result = left > 0 ? await post(new URL(text), headers, body, left) : late
      // The receiver closed a kept-alive connection; send again on a new one.
      if (result === 'closed') continue
      return ended(result)
    }
  }

  function post(url: URL, headers: Record<string, string>, body: string, leftMs: number) {
    const protocol = url.protocol as 'http:' | 'https:'
    return new Promise<Outcome | 'closed'>(resolve => {
      const request = (protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: agents[protocol],
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Holdfast',
          ...headers,
        },
      })
      // Our own timer, because the receiver controls when request events fire.
      const timer = setTimeout(() => giveUp(late), leftMs)
      const settle = (outcome: Outcome | 'closed') => {
        clearTimeout(timer)
        resolve(outcome)
      }
      const giveUp = (outcome: Outcome) => {
        settle(outcome)
        request.destroy()
      }
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && error.code === 'ECONNRESET') settle('closed')
        else settle(failure(reasonOf(error)))
      })
      refuseOddResponses(request, error => giveUp(failure(error)))
      request.on('response', response => {
        const { statusCode: status = 0 } = response
        if (status < 200) return giveUp(switched)
        readStart(response).then(
          answer => settle({ status, error: null, answer, retryAfter: retryAfterOf(response) }),
          error => giveUp(failure(reasonOf(error))),
        )
      })
      request.end(body)
    })
  }

  return {
    send,
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

const maxRetryAfter = 86_400

/** As seconds or as a date; only while it accepts nothing. */
function retryAfterOf({ statusCode, headers }: http.IncomingMessage): number | null {
  const text = headers['retry-after']
  if (text === undefined || (statusCode !== 429 && statusCode !== 503)) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), maxRetryAfter) : null
}

/** Ends a request whose receiver switches protocols, sends endless interim responses, or does not respond. */
function refuseOddResponses(request: http.ClientRequest, giveUp: (error: string) => void) {
  let interim = 0
  const countInterim = () => {
    if (++interim > maxInterim) giveUp(`More than ${maxInterim} interim answers before the real one.`)
  }
  request.on('information', countInterim)
  request.on('continue', countInterim)
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    giveUp(switched.error!)
  })
  let isAnswered = false
  request.once('response', () => {
    isAnswered = true
  })
  request.once('close', () => isAnswered || giveUp('The connection was closed without an answer.'))
}

/** The start of the response; a longer one is cut off with its connection. */
async function readStart(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= maxResponseBytes) break
  }
  const text = Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8')
  return [...text.replaceAll('\0', '').slice(0, 2 * maxKept)].slice(0, maxKept).join('')
}

const reasonOf = (error: NodeJS.ErrnoException) =>
  (error.message || error.code || 'The connection failed.').slice(0, 500)

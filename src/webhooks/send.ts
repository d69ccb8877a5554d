import http from 'node:http'
import https from 'node:https'
import { guardedLookup, whyNotAllowed } from './guard.ts'

// One POST to a stranger's server: bounded in time and in what is read, redirects are not followed.

export type Sent = { status: number | null; ms: number; error: string | null; answer: string | null }

export const isDelivered = ({ status }: Sent) => status !== null && status >= 200 && status < 300

export type WebhookSender = {
  send(url: string, headers: Record<string, string>, body: string): Promise<Sent>
  close(): void
}

const patienceMs = 15_000
const mostRead = 64 * 1024
const mostKept = 1000

type Options = { allowPrivate: boolean; lookup?: Parameters<typeof guardedLookup>[1]; patience?: number }

export function makeSender({ allowPrivate, lookup, patience = patienceMs }: Options): WebhookSender {
  // A connection that is kept open goes to an address that was checked when it was made.
  const kept = {
    keepAlive: true,
    maxFreeSockets: 8,
    timeout: patience,
    lookup: guardedLookup(allowPrivate, lookup),
  }
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) }

  async function send(text: string, headers: Record<string, string>, body: string): Promise<Sent> {
    const started = performance.now()
    const ended = (rest: Omit<Sent, 'ms'>): Sent => ({ ms: Math.round(performance.now() - started), ...rest })
    const wrong = whyNotAllowed(text, allowPrivate)
    if (wrong) return ended({ status: null, error: `The address ${wrong}.`, answer: null })
    for (;;) {
      const result = await post(new URL(text), headers, body)
      // The other side closed a connection that we had kept: nothing was wrong with the event.
      if (result === 'closed') continue
      return ended(result)
    }
  }

  function post(url: URL, headers: Record<string, string>, body: string) {
    const protocol = url.protocol as 'http:' | 'https:'
    return new Promise<Omit<Sent, 'ms'> | 'closed'>(resolve => {
      const failed = (error: string) => resolve({ status: null, error, answer: null })
      const request = (protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: agents[protocol],
        signal: AbortSignal.timeout(patience),
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Holdfast',
          ...headers,
        },
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve('closed')
        else failed(reasonOf(error, patience))
      })
      request.on('response', response => {
        const { statusCode: status = 0 } = response
        readSome(response).then(
          answer => resolve({ status, error: null, answer }),
          error => failed(reasonOf(error, patience)),
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

/** The beginning of the answer; a longer one than anybody needs is cut off with its connection. */
async function readSome(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= mostRead) break
  }
  const text = Buffer.concat(chunks).subarray(0, mostRead).toString('utf8')
  return [...text.replaceAll('\0', '').slice(0, 2 * mostKept)].slice(0, mostKept).join('')
}

function reasonOf(error: NodeJS.ErrnoException, patience: number): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `No answer within ${patience / 1000} seconds.`
  return (error.message || error.code || 'The connection failed.').slice(0, 500)
}

import type { IncomingMessage, ServerResponse } from 'node:http'

// Much of the cost of a small response in Node is preparing for cases that do not occur here: a body that may be read, headers
// of any kind. Where a few texts answer thousands of requests a second, they are written directly, and the server learns that
// the request is done. This depends on internals of Node's server; test/http/wire/early-refusals.test.ts and
// test/booking/early-responses.test.ts verify it.

/** Node's way to not read an unwanted body; the rest of it is discarded. */
type Dumpable = IncomingMessage & { _dumpAndCloseReadable?: () => void }

/** Writes responses directly to sockets of keep-alive connections. */
export class RawResponses {
  readonly #keepAlive: string
  #second = 0
  #last = ''

  constructor(keepAliveMs: number) {
    this.#keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`
  }

  /**
   * Returns false if the request must be answered the usual way. If the response has a socket, no other
   * response on this connection comes first.
   */
  suits(request: IncomingMessage, reply: ServerResponse): boolean {
    return reply.socket?.writable === true && isPlain(request, reply)
  }

  /** `head` starts with the status. */
  send(
    request: IncomingMessage,
    reply: ServerResponse,
    head: string,
    body: string | Buffer,
    sent = () => {},
  ) {
    const socket = reply.socket!
    // For code that reads the status after the response.
    reply.statusCode = Number.parseInt(head, 10)
    const end = () => {
      sent()
      reply.emit('finish')
    }
    ;(request as Dumpable)._dumpAndCloseReadable!()
    if (typeof body === 'string') {
      socket.write(`HTTP/1.1 ${head}${this.#lastLines()}${body}`, 'latin1')
      return end()
    }
    socket.cork()
    socket.write(`HTTP/1.1 ${head}${this.#lastLines()}`, 'latin1')
    // A long response occupies the connection until it is read.
    socket.write(body, error => error || end())
    socket.uncork()
  }

  /** Spelled as Node does. */
  #lastLines(): string {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#last = `Date: ${new Date(second * 1000).toUTCString()}\r\n${this.#keepAlive}\r\n`
    }
    return this.#last
  }
}

/**
 * Chunked bodies may end with trailers, which Node would take for headers of the next request if they were
 * not read.
 */
const isPlain = (request: IncomingMessage, { shouldKeepAlive }: ServerResponse) =>
  shouldKeepAlive &&
  request.headers.expect === undefined &&
  request.headers['transfer-encoding'] === undefined &&
  (request as Dumpable)._dumpAndCloseReadable !== undefined

export function headerLines(headers: readonly (readonly [string, string])[]): string {
  let lines = ''
  for (const [name, value] of headers) lines += `${name}: ${value}\r\n`
  return lines
}

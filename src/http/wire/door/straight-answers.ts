import type { IncomingMessage, ServerResponse } from 'node:http'

// A good part of what Node's own answer to a small request costs is what it prepares for others: a body that somebody may read,
// a head that may have any header. Where the same few texts answer thousands of requests a second, they are written as
// they are, and the server is told that this request is done with. That rests on how Node's server works inside;
// test/http/wire/refused-at-door.test.ts and test/booking/known-at-door.test.ts hold it.

/** Node's way of not even starting to read a body that nobody wants; what still comes of it is thrown away. */
type Dumpable = IncomingMessage & { _dumpAndCloseReadable?: () => void }

/** Writes answers straight to their sockets, on connections that stay open. */
export class StraightAnswers {
  readonly #keepAlive: string
  #second = 0
  #last = ''

  constructor(keepAliveMs: number) {
    this.#keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`
  }

  /** False: it has to be answered in the usual way. With a socket it is its turn: no other answer on this connection comes first. */
  suits(request: IncomingMessage, reply: ServerResponse): boolean {
    return reply.socket?.writable === true && isPlain(request, reply)
  }

  /** `head` begins with the status. */
  send(
    request: IncomingMessage,
    reply: ServerResponse,
    head: string,
    body: string | Buffer,
    sent = () => {},
  ) {
    const socket = reply.socket!
    // For whoever looks at it when it is finished.
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
    // What is long holds the connection until it is read.
    socket.write(body, error => error || end())
    socket.uncork()
  }

  /** As Node spells them. */
  #lastLines(): string {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#last = `Date: ${new Date(second * 1000).toUTCString()}\r\n${this.#keepAlive}\r\n`
    }
    return this.#last
  }
}

/** Chunks may end with more headers, which Node would take for those of the next request if nobody waited for them. */
const isPlain = (request: IncomingMessage, { shouldKeepAlive }: ServerResponse) =>
  shouldKeepAlive &&
  request.headers.expect === undefined &&
  request.headers['transfer-encoding'] === undefined &&
  (request as Dumpable)._dumpAndCloseReadable !== undefined

export function linesOf(headers: readonly (readonly [string, string])[]): string {
  let lines = ''
  for (const [name, value] of headers) lines += `${name}: ${value}\r\n`
  return lines
}

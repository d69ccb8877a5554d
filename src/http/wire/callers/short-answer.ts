import type { IncomingMessage, ServerResponse } from 'node:http'

// A good part of what Node's own answer to a small request costs is what it prepares for others: a body that somebody may read,
// a head that may have any header. Where the same few hundred bytes answer thousands of requests a second, they are written as
// they are, and the server is told that this request is done with. That rests on how Node's server works inside;
// test/http/wire/refused-at-door.test.ts holds it.

/** Node's way of not even starting to read a body that nobody wants; what still comes of it is thrown away. */
type Dumpable = IncomingMessage & { _dumpAndCloseReadable?: () => void }

/** Always the same but for some headers, on a connection that stays open. */
export class ShortAnswer {
  readonly #first: string
  readonly #body: string
  readonly #keepAlive: string
  #second = 0
  #rest = ''

  constructor(status: string, head: [string, string][], body: string, keepAliveMs: number) {
    const lines = [...head, ['content-length', String(Buffer.byteLength(body))] as const]
    this.#first = `HTTP/1.1 ${status}\r\n${linesOf(lines)}`
    this.#body = body
    this.#keepAlive = `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`
  }

  /** False: it has to be answered in the usual way. */
  send(
    request: IncomingMessage,
    reply: ServerResponse,
    head: readonly (readonly [string, string])[],
  ): boolean {
    const { socket } = reply
    if (!socket?.writable || !isPlain(request, reply)) return false
    socket.write(`${this.#first}${linesOf(head)}${this.#restNow()}`, 'latin1')
    ;(request as Dumpable)._dumpAndCloseReadable!()
    reply.emit('finish')
    return true
  }

  #restNow(): string {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#rest = `date: ${new Date(second * 1000).toUTCString()}\r\n${this.#keepAlive}\r\n${this.#body}`
    }
    return this.#rest
  }
}

/**
 * With a socket it is its turn: no other answer on this connection comes first. Chunks may end with more headers, which Node
 * would take for those of the next request if nobody waited for them.
 */
const isPlain = (request: IncomingMessage, { shouldKeepAlive }: ServerResponse) =>
  shouldKeepAlive &&
  request.headers.expect === undefined &&
  request.headers['transfer-encoding'] === undefined &&
  (request as Dumpable)._dumpAndCloseReadable !== undefined

function linesOf(head: readonly (readonly [string, string])[]): string {
  let lines = ''
  for (const [name, value] of head) lines += `${name}: ${value}\r\n`
  return lines
}

import type { ServerResponse } from 'node:http'

type Sent = { body: Buffer; line: string }

/** Smaller bodies fit into network buffers and are not counted. */
const worthCounting = 65_536

const timeoutMs = 10_000

/**
 * Large responses in flight to slow readers. Their total size is bounded: beyond it, the client that holds
 * the most loses its oldest response. A body shared by several readers counts once.
 */
export class Outgoing {
  limit: number
  bytes = 0
  sending = new Map<ServerResponse, Sent>()
  readers = new Map<Buffer, number>()
  waiting = new Set<() => void>()
  lastRead = 0

  constructor(limit: number) {
    this.limit = limit
  }

  add(response: ServerResponse, body: Buffer, line: string) {
    // A closed socket emits no further event, so its entry would never be removed.
    if (body.length < worthCounting || response.req?.socket?.destroyed) return
    const readers = this.readers.get(body) ?? 0
    if (readers === 0) this.bytes += body.length
    this.readers.set(body, readers + 1)
    this.sending.set(response, { body, line })
    for (const event of ['finish', 'close'] as const) response.once(event, () => this.remove(response))
    while (this.bytes > this.limit && this.sending.size > 1) this.cut()
  }

  remove(response: ServerResponse) {
    const sent = this.sending.get(response)
    if (!sent) return
    this.sending.delete(response)
    this.lastRead = performance.now()
    for (const resume of this.waiting) resume()
    this.waiting.clear()
    const readers = this.readers.get(sent.body)! - 1
    if (readers > 0) this.readers.set(sent.body, readers)
    else {
      this.readers.delete(sent.body)
      this.bytes -= sent.body.length
    }
  }

  /** Below the limit, the client that holds the most waits: its own reading makes room. */
  isTooMuchFor(line: string): boolean {
    return this.bytes > this.limit * 0.75 && this.greatest() === line
  }

  /**
   * Waits until one more response is read; a client that reads nothing for that long loses its oldest
   * response.
   */
  async room(line: string) {
    await new Promise<void>(resolve => {
      this.waiting.add(resolve)
      setTimeout(resolve, timeoutMs).unref()
    })
    if (this.isTooMuchFor(line) && performance.now() - this.lastRead >= timeoutMs) this.cut()
  }

  greatest(): string {
    const held = new Map<string, number>()
    for (const { line, body } of this.sending.values())
      held.set(line, (held.get(line) ?? 0) + body.length / this.readers.get(body)!)
    return [...held].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0] as [string, number])[0]
  }

  cut() {
    const most = this.greatest()
    const [oldest] = [...this.sending].find(([_key, { line }]) => line === most)!
    this.remove(oldest)
    oldest.destroy()
  }
}

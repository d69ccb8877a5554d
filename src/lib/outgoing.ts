import type { ServerResponse } from 'node:http'

type Sent = { body: Buffer; line: string }

/** What is smaller goes into the buffers of the network, or is too little to count. */
const worthCounting = 65_536

const patienceMs = 10_000

/**
 * Large answers on their way to readers who may take their time. What they hold is bounded: beyond it, whoever holds the most
 * loses the answer that they have been reading for longest. One body for many readers is held once.
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
    // Who is gone already is not told again that they went, and would be held for ever.
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
    for (const goOn of this.waiting) goOn()
    this.waiting.clear()
    const readers = this.readers.get(sent.body)! - 1
    if (readers > 0) this.readers.set(sent.body, readers)
    else {
      this.readers.delete(sent.body)
      this.bytes -= sent.body.length
    }
  }

  /** Before the limit is reached, whoever holds the most waits: their own reading makes room. */
  isTooMuchFor(line: string): boolean {
    return this.bytes > this.limit * 0.75 && this.greatest() === line
  }

  /** Until one more answer is read; who reads none for so long loses the oldest. */
  async room(line: string) {
    await new Promise<void>(resolve => {
      this.waiting.add(resolve)
      setTimeout(resolve, patienceMs).unref()
    })
    if (this.isTooMuchFor(line) && performance.now() - this.lastRead >= patienceMs) this.cut()
  }

  greatest(): string {
    const held = new Map<string, number>()
    for (const { line, body } of this.sending.values())
      held.set(line, (held.get(line) ?? 0) + body.length / this.readers.get(body)!)
    return [...held].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0] as [string, number])[0]
  }

  cut() {
    const most = this.greatest()
    const [oldest] = [...this.sending].find(([, { line }]) => line === most)!
    this.remove(oldest)
    oldest.destroy()
  }
}

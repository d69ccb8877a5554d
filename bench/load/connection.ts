import { once } from 'node:events'
import net from 'node:net'

export type Reply = { status: number; body: string }

const headEnd = Buffer.from('\r\n\r\n')

/**
 * A keep-alive connection with only as much HTTP as our answers need, so that the load generator costs a
 * fraction of the server it measures: status, content-length or chunks, and the body only on demand.
 */
export class Connection {
  socket: net.Socket
  wantsBody = false
  settle: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | null = null
  pending: Buffer | null = null
  status = 0
  missing = 0
  isChunked = false
  body: Buffer[] = []
  opened: Promise<unknown>

  constructor(port: number) {
    this.socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
    this.opened = once(this.socket, 'connect')
    this.socket.on('data', chunk => this.read(chunk as Buffer))
    this.socket.on('error', error => this.settle?.reject(error))
    this.socket.on('close', () => this.settle?.reject(new Error('The server closed the connection.')))
  }

  send(request: string | Buffer, wantsBody = false): Promise<Reply> {
    this.wantsBody = wantsBody
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject }
      this.socket.write(request)
    })
  }

  close() {
    this.settle = null
    this.socket.destroy()
  }

  read(chunk: Buffer) {
    if (this.status === 0) return this.readHead(chunk)
    this.readBody(chunk)
  }

  readHead(chunk: Buffer) {
    const bytes = this.pending ? Buffer.concat([this.pending, chunk]) : chunk
    const end = bytes.indexOf(headEnd)
    if (end < 0) {
      this.pending = bytes
      return
    }
    this.pending = null
    const head = bytes.toString('latin1', 0, end)
    this.status = Number(head.slice(9, 12))
    const length = /content-length: (\d+)/i.exec(head)
    this.isChunked = !length && /transfer-encoding: chunked/i.test(head)
    this.missing = length ? Number(length[1]) : 0
    this.body = []
    this.readBody(bytes.subarray(end + 4))
  }

  readBody(bytes: Buffer) {
    if (this.wantsBody && bytes.length > 0) this.body.push(bytes)
    if (this.isChunked) {
      if (bytes.length < 5 || bytes.toString('latin1', bytes.length - 5) !== '0\r\n\r\n') return
    } else {
      this.missing -= bytes.length
      if (this.missing > 0) return
    }
    const reply = { status: this.status, body: this.wantsBody ? Buffer.concat(this.body).toString() : '' }
    this.status = 0
    const { settle } = this
    this.settle = null
    settle?.resolve(reply)
  }
}

/** The bytes of a request. */
export function requestText(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
) {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (payload !== '')
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(payload)}`)
  return `${lines.join('\r\n')}\r\n\r\n${payload}`
}

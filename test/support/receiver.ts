// A webhook receiver: a real server that responds as the test decides.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  headers: IncomingHttpHeaders
  body: string
  json: { type: string; timestamp: string; data: Record<string, unknown> }
}
export type Reply = {
  status: number
  body?: string
  headers?: Record<string, string>
  afterMs?: number
  /** Answered once this has happened. */
  after?: Promise<unknown>
}

export async function startReceiver(
  reply: (got: Received, count: number) => Reply = () => ({ status: 204 }),
) {
  const received: Received[] = []
  const receiver = { reply, received, mostAtOnce: 0, url: '', close: async () => {} }
  let open = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const got = { headers: request.headers, body, json: JSON.parse(body) }
    received.push(got)
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, ++open)
    response.once('close', () => open--)
    const { status, body: text = '', headers = {}, afterMs = 0, after } = receiver.reply(got, received.length)
    await after
    setTimeout(() => response.writeHead(status, headers).end(text), afterMs)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  receiver.close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return receiver
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

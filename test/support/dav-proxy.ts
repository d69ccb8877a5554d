// Stands between the service and a calendar server: counts requests, and breaks as the test decides.

import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function startDavProxy(target: string) {
  const proxy = {
    url: '',
    /** Method and path of what reached the server. */
    requests: [] as string[],
    /** `down`: nothing is passed on. `deaf`: writes reach the server, their answers are dropped. */
    mode: 'open' as 'open' | 'down' | 'deaf',
    /** Answered instead of passing writes on. */
    status: null as number | null,
    count: (method: string) => proxy.requests.filter(one => one.startsWith(method)).length,
    close: async () => {},
  }
  const listener = createServer((incoming, outgoing) => {
    if (proxy.mode === 'down') return void incoming.socket.destroy()
    const isWrite = incoming.method === 'PUT' || incoming.method === 'DELETE'
    if (isWrite && proxy.status !== null) return void outgoing.writeHead(proxy.status).end()
    proxy.requests.push(`${incoming.method} ${incoming.url}`)
    const { method, headers, url } = incoming
    const passed = send(target + url, { method, headers }, answer => {
      if (proxy.mode === 'deaf' && isWrite) return void answer.resume()
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => incoming.socket.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  proxy.close = async () => {
    listener.closeAllConnections()
    await new Promise(resolve => listener.close(resolve))
  }
  return proxy
}

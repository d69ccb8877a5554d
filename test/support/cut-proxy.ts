// A proxy between the service and PostgreSQL that breaks at the worst moment.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../src/db/base/pool.ts'

type When = 'before the commit' | 'after the commit'

/** `cut` breaks the next connection that commits: before PostgreSQL receives it, or before its answer arrives. */
export async function startCutProxy(connection: Connection) {
  const { host = '', port = 5432 } = connection
  const sockets = new Set<Socket>()
  let armed: When | null = null
  let cuts = 0

  const server = createServer(client => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const cut = () => {
      armed = null
      cuts++
      client.destroy()
      upstream.destroy()
    }
    const isIt = (when: When, text: string, data: string | Buffer) => armed === when && data.includes(text)
    client.on('data', data => (isIt('before the commit', 'commit\0', data) ? cut() : upstream.write(data)))
    upstream.on('data', data => (isIt('after the commit', 'COMMIT\0', data) ? cut() : client.write(data)))
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    connection: { ...connection, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    cut: (when: When) => {
      armed = when
    },
    cuts: () => cuts,
  }
}

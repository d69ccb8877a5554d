// A proxy between the service and PostgreSQL that breaks at the worst moment.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../src/db/base/pool.ts'

type When = 'before the commit' | 'after the commit' | 'after an email job was taken'

/** `cut` breaks the next connection that commits or takes a job: before PostgreSQL receives it, or before its answer arrives. */
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
    const isLost = (data: string | Buffer) =>
      isIt('after the commit', 'COMMIT\0', data) || isIt('after an email job was taken', 'mailIds', data)
    upstream.on('data', data => (isLost(data) ? cut() : client.write(data)))
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

// A network between the service and PostgreSQL that can go silent, as real ones do: nothing arrives, nothing is refused.

import { connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../src/db/base/pool.ts'

/** `at`: a port that the test knows already. */
export async function startProxy({ host, port, ...rest }: pg.PoolConfig, at = 0) {
  const sockets = new Set<Socket>()
  let isSilent = false

  const server = createServer(near => {
    const far = connect(`${host}/.s.PGSQL.${port}`)
    const pass = (from: Socket, to: Socket) => {
      sockets.add(from)
      from.on('data', chunk => isSilent || to.write(chunk))
      from.on('close', () => isSilent || to.destroy())
      from.on('error', () => {})
    }
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>(resolve => server.listen(at, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const connection: Connection = {
    ...rest,
    host: '127.0.0.1',
    port: (server.address() as { port: number }).port,
  }
  return {
    connection,
    /** Nothing gets through any more, on old or new connections. */
    silence() {
      isSilent = true
    },
    /** The machine is gone: old connections end, new ones are refused. */
    async die() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
    speak() {
      isSilent = false
    },
  }
}

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { isReady } from './instance.ts'

// A minimal load balancer: sends new connections in turn to instances whose /readyz succeeds.

export type Balancer = {
  add(port: number): void
  remove(port: number): void
  close(): void
}

const lookEveryMs = 100

export async function openBalancer(port: number): Promise<Balancer> {
  const ready = new Map<number, boolean>()
  const sockets = new Set<Socket>()
  let turn = 0

  const server = createServer(socket => {
    const ports = [...ready.keys()].filter(one => ready.get(one))
    const backend = ports[turn++ % ports.length]
    if (backend === undefined) return socket.destroy()
    join(socket, connect(backend, '127.0.0.1'))
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')

  function join(one: Socket, other: Socket) {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.end()
      })
    }
  }

  const timer = setInterval(() => {
    for (const one of ready.keys())
      void isReady(`http://127.0.0.1:${one}`).then(answer => ready.has(one) && ready.set(one, answer))
  }, lookEveryMs)
  return {
    add: one => void ready.set(one, true),
    remove: one => void ready.delete(one),
    close() {
      clearInterval(timer)
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

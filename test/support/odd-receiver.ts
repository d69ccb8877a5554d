// Receivers that answer in ways no HTTP library expects. Each is a plain TCP server that responds once the request has arrived.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type OddAnswer = (socket: Socket) => void

/** Writes the text again and again, for as long as anything reads it. */
const flood =
  (first: string, text: string): OddAnswer =>
  socket => {
    socket.write(first)
    const more = () => {
      while (!socket.destroyed && socket.write(text));
      if (!socket.destroyed) socket.once('drain', more)
    }
    more()
  }

/** One byte now and then, so that the connection is never silent. */
const drip =
  (first: string): OddAnswer =>
  socket => {
    socket.write(first)
    const timer = setInterval(() => socket.write('a'), 20)
    socket.once('close', () => clearInterval(timer))
  }

export const oddAnswers: Record<string, OddAnswer> = {
  silence: () => {},
  'a closed connection': socket => socket.end(),
  '101 Switching Protocols': socket =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
  '101 without an Upgrade header': socket => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'a flood of 103': flood('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  'a flood of 100': flood('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'a flood of headers': flood('HTTP/1.1 200 OK\r\n', 'x-more: and more\r\n'),
  'a header that never ends': drip('HTTP/1.1 200 OK\r\nx-slow: '),
  'a body that never ends': drip('HTTP/1.1 200 OK\r\n\r\n'),
  'a body that stops early': socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'),
  'garbage behind the answer': socket =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokgarbage\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'),
  'something that is not HTTP': socket => socket.end('220 mail.example.org ESMTP\r\n'),
}

export async function startOddReceiver(answer: OddAnswer) {
  const sockets = new Set<Socket>()
  let requests = 0
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    socket.on('data', bytes => {
      if (!bytes.includes('POST ') && !bytes.includes('GET ')) return
      requests++
      answer(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    count: () => requests,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { isMailOutage, isPermanentRefusal } from '../../src/messages/email/sender.ts'
import { openTransport } from '../../src/messages/email/transport.ts'

/** Greets, and answers the first command with lines that never end, one byte at a time. */
async function startDripping() {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.write('220 drip\r\n')
    const line = '250-wait\r\n'
    let at = 0
    socket.once('data', () => {
      const timer = setInterval(() => socket.write(line[at++ % line.length]!), 5)
      socket.on('close', () => clearInterval(timer))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('an email is given up in time if the server sends one byte at a time, and is tried again later', async () => {
  const transport = openTransport(
    await startDripping(),
    readConfig({ BASE_URL: 'http://holdfast.test' }),
    300,
  )
  onTestFinished(() => transport.close())
  const failure = await transport.verify().catch(error => error)
  expect(failure).toMatchObject({ code: 'ETIMEDOUT', message: 'Not accepted within 0.3 seconds.' })
  expect([isPermanentRefusal(failure), isMailOutage(failure)]).toEqual([false, true])
})

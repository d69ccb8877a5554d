// Requests that never end, over real sockets.

import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { declarePublic } from '../../../src/http/wire/server/declarations.ts'
import { makeServer } from '../../../src/http/wire/server/server.ts'
import { unconnectedService } from '../../support/unconnected-service.ts'

async function listening(env: Record<string, string>) {
  const app = makeServer(unconnectedService({ LOG_LEVEL: 'silent', ...env }))
  declarePublic(app)
  app.post('/read', async () => ({ read: true }))
  app.get('/large', async () => Buffer.alloc(50_000_000))
  app.get('/never', () => new Promise(() => {}))
  await app.listen({ port: 0 })
  onTestFinished(() => app.close())
  return app
}

type App = Awaited<ReturnType<typeof listening>>

/** Sends the headers at once and then a byte at intervals until the connection ends. */
function trickle(app: App, head: string, everyMs: number) {
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  let answer = ''
  socket.on('data', data => (answer += data))
  socket.on('error', () => {})
  socket.write(head)
  const dripping = setInterval(() => socket.write(' '), everyMs)
  return new Promise<string>(resolve => {
    socket.once('close', () => {
      clearInterval(dripping)
      resolve(answer)
    })
  })
}

const head = (content: string) =>
  `POST /read HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${content}`
const body = head('Content-Length: 1000\r\n\r\n{')

it('a slow request has REQUEST_TIMEOUT_SECONDS for headers and body together', async () => {
  const app = await listening({ REQUEST_TIMEOUT_SECONDS: '1' })
  const chunked = head('Transfer-Encoding: chunked\r\n\r\n3e8\r\n{')
  const slow = await Promise.all([body, head('X-Long: a'), chunked].map(text => trickle(app, text, 100)))
  for (const answer of slow) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('did not arrive in time')
  }
})

it('the default is half a minute', async () => {
  const { server } = await listening({})
  expect(server.requestTimeout).toBe(30_000)
})

it('closes a connection whose client has read nothing for two minutes', async () => {
  const { server } = await listening({})
  expect(server.timeout).toBe(120_000)
  server.setTimeout(300)
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1')
  socket.on('error', () => {})
  const cutOff = new Promise<void>(resolve => {
    server.once('request', (_request, response) => response.once('close', resolve))
  })
  socket.pause()
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
  await cutOff
  socket.destroy()
})

it('closes open connections STOP_SECONDS after the stop', async () => {
  const app = await listening({ STOP_SECONDS: '1' })
  const trickled = trickle(app, body, 100)
  const waited = trickle(app, 'GET /never HTTP/1.1\r\nHost: a\r\n\r\n', 100)
  await new Promise(resolve => setTimeout(resolve, 100))
  const began = performance.now()
  await app.close()
  const took = performance.now() - began
  expect(took).toBeGreaterThan(900)
  await Promise.all([trickled, waited])
})

it('the default is ten seconds', () => {
  expect(readConfig({}).stopSeconds).toBe(10)
})

// Early refusals bypass Node's response code; the connection must not be affected.

import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { refusalsOf } from '../../support/metrics.ts'
import { eventually, useService } from '../../support/service.ts'

const holdfast = await useService({ LOG_LEVEL: 'silent' })
const { admission, metrics, health } = holdfast.service
const { port } = new URL(await holdfast.app.listen({ port: 0, host: '127.0.0.1' }))

beforeEach(() => {
  // Simulates 200 requests that have been in progress for a while.
  Object.assign(admission, { inside: 200, calmAt: performance.now() - 5_000 })
})

const post = (head: string, body = '{}', version = '1.1') =>
  `POST /resources/x/reserve_appointment HTTP/${version}\r\nhost: x\r\n${head}content-length: ${body.length}\r\n\r\n${body}`
const alive = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
const ready = alive.replace('healthz', 'readyz')

function talk() {
  const socket = connect(Number(port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const said = { text: '', isOver: false }
  socket.on('data', chunk => {
    said.text += chunk
  })
  socket.on('close', () => {
    said.isOver = true
  })
  const statuses = () => [...said.text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([_match, status]) => Number(status))
  return {
    said,
    socket,
    send: (text: string) => void socket.write(text),
    hears: async (...expected: number[]) => {
      await eventually(async () => statuses().length >= expected.length)
      expect(statuses()).toEqual(expected)
    },
  }
}

describe('a connection with an early refusal', () => {
  it('stays usable for further refusals and for accepted requests', async () => {
    const { said, send, hears } = talk()
    const before = await refusalsOf(metrics, 'overloaded')
    const expected: number[] = []
    for (let count = 0; count < 20; count++) {
      send(post(`x-request-id: no-${count}\r\n`))
      expected.push(503)
      await hears(...expected)
    }
    send(alive)
    await hears(...expected, 200)
    expect(said.text.match(/x-request-id: no-\d+/g)).toEqual(
      expected.map((_, at) => `x-request-id: no-${at}`),
    )
    expect(await refusalsOf(metrics, 'overloaded')).toBe(before + 20)
  })

  it('keeps the order of pipelined responses', async () => {
    const list = vi.spyOn(holdfast.service.db.probe, 'query')
    onTestFinished(() => list.mockRestore())
    const { send, hears } = talk()
    // Requests after the first wait for the database.
    send(post('') + post('') + ready + post('') + alive + post(''))
    await hears(503, 503, 200, 503, 200, 503)
    expect(list).toHaveBeenCalled()
    send(post(''))
    await hears(503, 503, 200, 503, 200, 503, 503)
  })

  it.each(['all at once', 'in pieces', 'byte by byte'])('discards a body that arrives %s', async how => {
    const { send, hears } = talk()
    const whole = post('', how === 'byte by byte' ? '{"a":"GET / HTTP/1.1"}' : 'x'.repeat(300_000)) + alive
    const size = { 'all at once': whole.length, 'in pieces': 10_000, 'byte by byte': 1 }[how]!
    for (let at = 0; at < whole.length; at += size) {
      send(whole.slice(at, at + size))
      if (size < whole.length) await pause(1)
    }
    await hears(503, 200)
  })

  it('accepts a chunked body with trailers, and the request after it', async () => {
    const { send, hears } = talk()
    send('POST /resources/x/reserve_appointment HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    await hears(503)
    send('4\r\nabcd\r\n')
    await pause(20)
    send(`0\r\nx-more: 1\r\n\r\n${alive}`)
    await hears(503, 200)
  })

  it('accepts requests once the overload is over', async () => {
    const { send, hears } = talk()
    send(post(''))
    await hears(503)
    admission.inside = 0
    send(post(''))
    await hears(503, 415)
    expect(admission.inside).toBe(0)
  })
})

describe('a connection that ends with an early refusal', () => {
  it.each([
    ['the client wants it so', post('connection: close\r\n')],
    ['it is of an older kind', post('', '{}', '1.0')],
  ])('is closed after the complete response if %s', async (_, text) => {
    const { said, send, hears } = talk()
    send(text)
    await hears(503)
    await eventually(async () => said.isOver)
    expect(said.text).toMatch(/connection: close/i)
    expect(said.text).toMatch(/\}$/)
  })

  it('is closed when the service stops', async () => {
    health.isDraining = true
    onTestFinished(() => {
      health.isDraining = false
    })
    const { said, send, hears } = talk()
    send(post(''))
    await hears(503)
    await eventually(async () => said.isOver)
  })

  it('does no harm if the client is gone, or has only stopped sending', async () => {
    const gone = talk()
    gone.send(post(''))
    gone.socket.destroy()
    const half = talk()
    half.socket.end(post(''))
    await half.hears(503)
    await eventually(async () => half.said.isOver)
  })
})

it('answers Expect: 100-continue, then refuses', async () => {
  const { send, hears } = talk()
  send(
    'POST /resources/x/reserve_appointment HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n',
  )
  await hears(100, 503)
  send('{}')
})

it('stops responding to a client that reads nothing', async () => {
  const { socket, send, hears } = talk()
  socket.pause()
  const many = 20_000
  const refused = () => refusalsOf(metrics, 'overloaded')
  const before = await refused()
  send(post('').repeat(many))
  await eventually(async () => {
    const last = await refused()
    await pause(300)
    const now = await refused()
    return now > before && now === last
  }, 30)
  expect((await refused()) - before).toBeLessThan(many)
  socket.resume()
  await hears(...Array.from({ length: many }, () => 503))
})

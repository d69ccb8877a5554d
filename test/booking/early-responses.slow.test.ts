// Known lists are answered before Fastify sees the request. The response is the same as Fastify’s, byte for byte, and no part
// of a request is ignored.

import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { listBookables } from '../../src/http/booking/bookables.ts'
import { makePractice, makeTimeslot, setClock } from '../support/build.ts'
import { asConsumer, bookingOf, overHttp, slotsOf } from '../support/consumer.ts'
import { addressOf, checkListForMove, roomWithHours } from '../support/known-lists.ts'
import { captureLog } from '../support/logs.ts'
import { countOf } from '../support/metrics.ts'
import { eventually, type TestService, useService } from '../support/service.ts'
import { exchange, type Head, requestBytes, withoutChance } from '../support/sockets.ts'

const earlySpy = vi.spyOn(listBookables, 'answerEarly')
beforeEach(() => void earlySpy.mockClear())

/** The number of early responses since then. */
const answered = () => earlySpy.mock.settledResults.filter(one => one.value === true).length

const listen = { host: '127.0.0.1', port: 0 }

/** The app, and another one of the same service that knows no URL, so that Fastify answers everything. */
async function bothWays(holdfast: TestService) {
  const usual = await buildApp(holdfast.service)
  usual.knownAddresses.keep = () => {}
  afterAll(() => usual.close())
  const origins = [await holdfast.app.listen(listen), await usual.listen(listen)]
  return origins.map(origin => Number(new URL(origin).port)) as [number, number]
}

const holdfast = await useService()
const [quick, usual] = await bothWays(holdfast)
const consumer = asConsumer(overHttp(`http://127.0.0.1:${quick}`))

async function roomWithMuch(at = holdfast) {
  const room = await makePractice(at.crm)
  for (let day = 10; day < 28; day++)
    await makeTimeslot(at.crm, room, {
      start: `2030-02-${day}T08:00`,
      end: `2030-02-${day}T18:00`,
      raster: 15,
    })
  return room
}

const host: [string, string] = ['Host', 'holdfast.test']
const close: [string, string] = ['Connection', 'close']

async function askBoth(bytes: string, [one, other] = [quick, usual]) {
  const answers = [await exchange(one!, bytes), await exchange(other!, bytes)].map(withoutChance)
  expect(answers[0]).toBe(answers[1])
  return answers[0]!
}

const ask = (path: string, headers: [string, string][] = [], head: Head = {}) =>
  requestBytes(path, { ...head, headers: [host, ...headers] })

const statusOf = (answer: string) => Number(answer.slice(9, 12))
const etagOf = (answer: string) => /^etag: (.*)\r$/m.exec(answer)![1]!

describe('match Fastify’s responses', () => {
  it('with any headers', async () => {
    const room = await roomWithHours(holdfast)
    const url = addressOf(room.resourceUuid, { languageTag: 'fr', groupFormat: 'EEEE', from: '2030-01-07' })
    const etag = etagOf(await askBoth(ask(url)))
    earlySpy.mockClear()
    const header = (name: string, values: string[]) =>
      fc.constantFrom(...values).map((value): [string, string] => [name, value])
    const accepted = ['br', 'gzip', 'zstd, br', 'identity', '*', 'br;q=0.1, gzip', 'gzip;q=x', '']
    const headers = fc.array(
      fc.oneof(
        header('Accept-Encoding', accepted),
        header('If-None-Match', [etag, etag.slice(2), '*', `"other", ${etag}`, '"other"', '']),
        header('Origin', ['https://shop.example.org', 'null', '', 'https://b\xfccher.example']),
        header('X-Request-Id', ['mine', 'm'.repeat(200), 'not this one']),
        header('X-SIGNED-APP-CUSTOMER', ['', 'no.token']),
        header('X-Forwarded-For', ['192.0.2.7', 'nonsense']),
        header('X-Forwarded-Host', ['elsewhere.example.org']),
        header('Accept-Version', ['2.x']),
        header('Connection', ['keep-alive', 'close', 'upgrade', 'x-y']),
        header('Upgrade', ['websocket']),
        header('Expect', ['100-continue', 'the-unexpected']),
        header('Content-Length', ['0']),
        header('Range', ['bytes=0-1']),
      ),
      { maxLength: 4 },
    )
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(headers, async some => {
        statuses.add(statusOf(await askBoth(ask(url, some))))
      }),
      { numRuns: 200 },
    )
    expect([...statuses]).toEqual(expect.arrayContaining([200, 304, 100, 417]))
    expect(answered()).toBeGreaterThan(60)
  })

  it('to other origins, which may not read booking pages', async () => {
    const url = `/book/${(await roomWithHours(holdfast)).resourceUuid}`
    await askBoth(ask(url))
    const answer = await askBoth(ask(url, [['Origin', 'https://shop.example.org']]))
    expect([statusOf(answer), answer.includes('access-control')]).toEqual([200, false])
  })

  it.each<[string, Head, number]>([
    ['GET', { headers: [host] }, 1],
    ['HTTP/1.0', { version: '1.0' }, 1],
    ['HTTP/1.0 that stays open', { version: '1.0', headers: [['Connection', 'keep-alive']] }, 1],
    ['the last on its connection', { headers: [host, close] }, 1],
    ['without a host', { headers: [] }, 0],
    ['HEAD', { method: 'HEAD', headers: [host] }, 0],
    ['POST', { method: 'POST', headers: [host] }, 0],
    ['DELETE', { method: 'DELETE', headers: [host] }, 0],
    ['OPTIONS', { method: 'OPTIONS', headers: [host, ['Origin', 'https://shop.example.org']] }, 0],
    ['an unexpected body', { headers: [host, ['Content-Length', '3']], body: 'abc' }, 1],
    ['a body in pieces', { headers: [host, ['Transfer-Encoding', 'chunked']], body: '0\r\n\r\n' }, 1],
  ])('%s', async (_, head, count) => {
    const url = addressOf((await roomWithHours(holdfast)).resourceUuid)
    await askBoth(ask(url))
    earlySpy.mockClear()
    await askBoth(requestBytes(url, head))
    expect(answered()).toBe(count)
  })

  it('pipelined on one connection', async () => {
    const [one, other, much] = [
      await roomWithHours(holdfast),
      await roomWithHours(holdfast, 2),
      await roomWithMuch(),
    ]
    const [known, unknown, long] = [one, other, much].map(room => addressOf(room.resourceUuid))
    await askBoth(ask(known!))
    await askBoth(ask(long!))
    const numbered = (path: string, index: number, ...headers: [string, string][]) =>
      ask(path, [['X-Request-Id', `number-${index}`], ...headers])
    const requestedPaths = [known, long, known, unknown, '/nowhere', known, long, known, known]
    const bytes = requestedPaths.map((path, index) => numbered(path!, index, ['Accept-Encoding', 'identity']))
    earlySpy.mockClear()
    const answer = await askBoth([...bytes, numbered(known!, 9, ['If-None-Match', '*'])].join(''))
    expect(answer.match(/^x-request-id: number-\d/gm)!.map(line => Number(line.at(-1)))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
    expect(answer.match(/HTTP\/1.1 \d+/g)!.map(line => Number(line.slice(9)))).toEqual([
      200, 200, 200, 200, 404, 200, 200, 200, 200, 304, 200,
    ])
    expect(answered()).toBeGreaterThan(1)
    expect(holdfast.service.largeResponses.sending.size).toBe(0)
  })

  it('under the older prefix, for many Resources, without slots, and on hidden channels', async () => {
    const [room, other, empty] = [
      await roomWithHours(holdfast),
      await roomWithHours(holdfast),
      await makePractice(holdfast.crm),
    ]
    const url = addressOf(room.resourceUuid)
    const paths = [
      `/rest/1${url}`,
      `${url}?ref=${other.resourceUuid}&ref=${room.resourceUuid}`,
      `${url}?to=2031-01-01&from=2030-01-01`,
      addressOf(encodeURIComponent(room.resource)),
      addressOf(empty.resourceUuid),
    ]
    for (const path of paths) {
      const first = await askBoth(ask(path))
      expect(statusOf(first)).toBe(path === paths.at(-1) ? 204 : 200)
      expect(await askBoth(ask(path))).toBe(first)
    }
    expect(answered()).toBe(paths.length)
  })

  it.each(['identity', 'br', 'zstd', 'gzip'])('long ones: %s', async encoding => {
    const url = addressOf((await roomWithMuch()).resourceUuid)
    const bytes = ask(url, [['Accept-Encoding', encoding]])
    const answer = await askBoth(bytes)
    if (encoding === 'identity') expect(answer.length).toBeGreaterThan(100_000)
    const add = vi.spyOn(holdfast.service.largeResponses, 'add')
    expect(await askBoth(bytes)).toBe(answer)
    expect(answered()).toBe(1)
    // The memory they hold is counted if it is large.
    const [earlySpy, inside] = add.mock.calls.map(([_key, body, line]) => ({ length: body.length, line }))
    add.mockRestore()
    if (encoding === 'identity') expect(earlySpy).toEqual(inside)
    expect(holdfast.service.largeResponses.sending.size).toBe(0)
  })

  it('while the service stops', async () => {
    const url = addressOf((await roomWithHours(holdfast)).resourceUuid)
    await askBoth(ask(url))
    holdfast.service.health.isDraining = true
    try {
      expect(await askBoth(ask(url))).toMatch(/^connection: close\r$/im)
      expect(answered()).toBe(0)
    } finally {
      holdfast.service.health.isDraining = false
    }
  })
})

it('show later changes, and return 404 once the Resource is deleted', async () => {
  const room = await roomWithHours(holdfast)
  const url = addressOf(room.resourceUuid)
  const free = async () => slotsOf(await consumer.send('GET', url))
  const [first, second] = await free()
  expect(await free()).toHaveLength(8)
  expect(answered()).toBe(1)
  const { status, body } = await consumer.complete(room.resourceUuid, bookingOf(first!))
  expect(status).toBe(201)
  expect((await free()).map(slot => slot.start)).not.toContain(first!.start)
  expect(answered()).toBe(1)
  expect((await free())[0]!.start).toBe(second!.start)
  expect(answered()).toBe(2)
  await checkListForMove(holdfast, consumer, room, body.createdAppointment.moveLink)
  expect(statusOf(await askBoth(ask(url, [['Origin', 'https://shop.example.org']])))).toBe(404)
})

it('are not sent once time alone has changed them', async () => {
  const url = addressOf((await roomWithHours(holdfast)).resourceUuid)
  const free = async () => slotsOf(await consumer.send('GET', url)).length
  await free()
  expect(await free()).toBe(8)
  expect(answered()).toBe(1)
  const { shiftMs } = holdfast.clock
  try {
    setClock(holdfast, '2030-01-07T09:40:00Z')
    expect(await free()).toBeLessThan(8)
    expect(answered()).toBe(1)
  } finally {
    holdfast.clock.shiftMs = shiftMs
  }
})

it('query the database once, even if it fails or the list has to be rendered', async () => {
  const room = await roomWithHours(holdfast)
  const url = addressOf(room.resourceUuid)
  await exchange(quick, ask(url))
  const check = vi.spyOn(holdfast.service.refs, 'check')
  try {
    await consumer.complete(room.resourceUuid, bookingOf(slotsOf(await consumer.send('GET', url))[0]!))
    check.mockClear()
    expect(statusOf(await exchange(quick, ask(url)))).toBe(200)
    expect(check).toHaveBeenCalledTimes(1)
    check.mockRejectedValue(Object.assign(new Error('lost'), { code: 'ECONNRESET' }))
    expect(statusOf(await askBoth(ask(url, [['Origin', 'https://shop.example.org']])))).toBe(503)
    expect(check).toHaveBeenCalledTimes(3)
  } finally {
    check.mockRestore()
  }
})

it('survive a client that has disconnected', async () => {
  const url = addressOf((await roomWithHours(holdfast)).resourceUuid)
  await askBoth(ask(url))
  const gone = Promise.withResolvers<void>()
  const { check } = holdfast.service.refs
  const late = vi.spyOn(holdfast.service.refs, 'check').mockImplementationOnce(async refs => {
    await gone.promise
    return check.call(holdfast.service.refs, refs)
  })
  earlySpy.mockClear()
  const closed = Promise.withResolvers<void>()
  holdfast.app.server.once('connection', one => one.once('close', closed.resolve))
  const socket = connect(quick, '127.0.0.1', () => socket.write(ask(url)))
  await eventually(async () => late.mock.calls.length > 0)
  socket.destroy()
  await closed.promise
  gone.resolve()
  late.mockRestore()
  expect(await earlySpy.mock.results[0]!.value).toBe(true)
  expect(statusOf(await askBoth(ask(url)))).toBe(200)
})

it('are held while they are read, and released when the reader disconnects', async () => {
  const { largeResponses } = holdfast.service
  const url = addressOf((await roomWithMuch()).resourceUuid)
  const bytes = ask(url, [['Accept-Encoding', 'identity']])
  await askBoth(bytes)
  earlySpy.mockClear()
  const socket = connect(quick, '127.0.0.1', () => socket.pause().write(bytes.repeat(100)))
  await eventually(async () => answered() > 0 && largeResponses.sending.size > 0)
  socket.destroy()
  await eventually(async () => largeResponses.sending.size === 0)
  expect(largeResponses.bytes).toBe(0)
  expect(largeResponses.readers.size).toBe(0)
})

it.each([1, 20])(
  'hold nothing for clients that disconnect before their response is ready (%i at once)',
  async count => {
    const { largeResponses, refs } = holdfast.service
    const bytes = ask(addressOf((await roomWithMuch()).resourceUuid), [['Accept-Encoding', 'identity']])
    await askBoth(bytes)
    const gone = Promise.withResolvers<void>()
    const { check } = refs
    const late = vi.spyOn(refs, 'check').mockImplementation(async checkedRefs => {
      await gone.promise
      return check.call(refs, checkedRefs)
    })
    const add = vi.spyOn(largeResponses, 'add')
    onTestFinished(() => [late, add].forEach(spy => void spy.mockRestore()))
    const closed = Promise.withResolvers<void>()
    holdfast.app.server.once('connection', one => one.once('close', closed.resolve))
    const socket = connect(quick, '127.0.0.1', () => socket.write(bytes.repeat(count)))
    await eventually(async () => late.mock.calls.length === count)
    socket.destroy()
    await closed.promise
    gone.resolve()
    await eventually(async () => add.mock.calls.length === count)
    expect(largeResponses.sending.size).toBe(0)
    expect(largeResponses.bytes).toBe(0)
  },
)

it('are counted and logged like all others', async () => {
  const url = addressOf((await roomWithHours(holdfast)).resourceUuid)
  const counted = async () => {
    const text = await holdfast.service.metrics.own()
    const route = 'method="GET",route="/resources/:ref/upcoming_bookables"'
    const of = (sample: string) => Number(text.split(`\n${sample} `)[1]?.split('\n')[0] ?? 0)
    return [
      of(`holdfast_http_requests_total{${route},status="200"}`),
      of(`holdfast_http_request_duration_seconds_count{${route}}`),
      await countOf(holdfast.service.metrics.lists, { how: 'kept' }),
    ]
  }
  await exchange(quick, ask(url))
  const before = await counted()
  holdfast.app.log.level = 'info'
  const log = captureLog(holdfast.app)
  try {
    for (let time = 0; time < 2; time++) await exchange(quick, ask(url, [['X-Request-Id', 'mine']]))
    const token: [string, string] = ['X-SIGNED-APP-CUSTOMER', 'no.token']
    await exchange(quick, ask(url, [['X-Request-Id', 'mine'], token]))
  } finally {
    holdfast.app.log.level = 'silent'
  }
  expect(answered()).toBe(2)
  expect(await counted()).toEqual(before.map(count => count + 3))
  const lines = log
    .text()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
    .filter(line => line.reqId === 'mine')
  expect(lines.map(line => line.crm)).toEqual(['crm', 'crm', 'crm'])
  for (const { time: _, ms, ...line } of lines) {
    expect(line).toEqual({ ...lines[2], time: undefined, ms: undefined })
    expect(ms).toBeTypeOf('number')
  }
})

it('include the time before Fastify when they are passed on', async () => {
  const url = addressOf((await roomWithHours(holdfast)).resourceUuid)
  await exchange(quick, ask(url))
  holdfast.app.log.level = 'info'
  const log = captureLog(holdfast.app)
  const check = vi.spyOn(holdfast.service.refs, 'check').mockImplementation(async () => {
    await new Promise(resolve => setTimeout(resolve, 100))
    throw new Error('lost')
  })
  try {
    await exchange(quick, ask(url, [['X-Request-Id', 'slow']]))
  } finally {
    holdfast.app.log.level = 'silent'
    check.mockRestore()
  }
  const line = log
    .text()
    .split('\n')
    .find(line => line.includes('"slow"') && line.includes('"ms"'))
  expect(JSON.parse(line!).ms).toBeGreaterThan(95)
})

describe('behind a proxy, where the name begins with www', async () => {
  const holdfast = await useService({ BASE_URL: 'http://www.holdfast.test', TRUST_PROXY: '1' })
  const ports = await bothWays(holdfast)
  const proxied = (path: string, names: { host: string; forwarded?: string; client?: string }) =>
    requestBytes(path, {
      headers: [
        ['Host', names.host],
        ...(names.forwarded ? [['X-Forwarded-Host', names.forwarded] as [string, string]] : []),
        ['X-Forwarded-For', names.client ?? '192.0.2.7'],
      ],
    })

  it.each([
    [200, 1, { host: 'www.holdfast.test' }],
    [200, 0, { host: 'www.holdfast.test', forwarded: 'www.holdfast.test' }],
    [301, 0, { host: 'holdfast.test' }],
    [301, 0, { host: 'Holdfast.Test' }],
    [301, 0, { host: 'holdfast.test:80' }],
    [301, 0, { host: 'www.holdfast.test', forwarded: 'holdfast.test' }],
    [200, 0, { host: 'holdfast.test', forwarded: 'www.holdfast.test' }],
    [200, 0, { host: '10.0.0.7' }],
  ])('%s (%s at the door) for %j', async (status, count, names) => {
    const url = addressOf((await roomWithHours(holdfast, 4)).resourceUuid)
    await askBoth(proxied(url, { host: 'www.holdfast.test' }), ports)
    earlySpy.mockClear()
    expect(statusOf(await askBoth(proxied(url, names), ports))).toBe(status)
    expect(answered()).toBe(count)
  })

  it('a long one waits in the queue of the client, not of the proxy', async () => {
    const url = addressOf((await roomWithMuch(holdfast)).resourceUuid)
    const add = vi.spyOn(holdfast.service.largeResponses, 'add')
    for (let time = 0; time < 2; time++)
      await askBoth(proxied(url, { host: 'www.holdfast.test', client: '10.0.0.9, 192.0.2.9' }), ports)
    expect(answered()).toBe(0)
    expect(add.mock.calls.map(([_key, _second, line]) => line)).toEqual(Array(4).fill('192.0.2.9'))
  })
})

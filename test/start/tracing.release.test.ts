// Traces as a collector receives them.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { version } from '../../src/lib/root.ts'
import { currentTracer } from '../../src/lib/watch/traced.ts'
import { startTracing } from '../../src/start/tracing.ts'
import { makePractice } from '../support/build.ts'
import { asConsumer, overApp } from '../support/consumer.ts'
import { captureLog } from '../support/logs.ts'
import { roomsOf } from '../support/rooms.ts'
import { startTestService } from '../support/service.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const bodies: string[] = []
let collector: Server
beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(body)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  collector.close()
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
})

type Sent = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

const spansOf = (text: string): Span[] =>
  (JSON.parse(text) as Sent).resourceSpans.flatMap(one => one.scopeSpans).flatMap(one => one.spans)

it('nothing is traced without a collector', async () => {
  expect(await startTracing({ otlpEndpoint: null, traceShare: 1 } as never)).toBeNull()
  expect(currentTracer()).toBeNull()
})

it("a booking is one trace from the request to its statements, continues the caller's, and contains no personal data", async () => {
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint
  const tracing = await startTracing({ otlpEndpoint: endpoint, traceShare: 1 } as never)
  const holdfast = await startTestService()
  const practice = await makePractice(holdfast.crm)
  const consumer = asConsumer(overApp(holdfast.app))
  holdfast.app.log.level = 'info'
  const log = captureLog(holdfast.app)
  const rooms = roomsOf(() => ({ holdfast, practice, consumer }))
  const room = await rooms.roomWith()
  await rooms.book(room, await rooms.first(room), { email: 'trace.me@example.org', firstname: 'Traceable' })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  await holdfast.app.inject({
    url: `/resources/${room.resource}/upcoming_bookables`,
    headers: { traceparent },
  })
  await holdfast.close()
  await tracing!.stop()
  expect(currentTracer()).toBeNull()

  const spans = bodies.flatMap(spansOf)
  const completing = spans.find(span => span.name.endsWith('/create_appointment_with_consumer'))!
  const inside = spans.filter(span => span.traceId === completing.traceId)
  expect(inside.map(span => span.name)).toEqual(expect.arrayContaining(['transaction', 'query']))
  const transaction = inside.find(span => span.name === 'transaction')!
  expect(inside.some(span => span.name === 'query' && span.parentSpanId === transaction.spanId)).toBe(true)
  expect(log.text()).toContain(`"traceId":"${completing.traceId}"`)
  expect(log.text()).toContain(`"traceId":"${traceId}"`)
  const list = spans.filter(span => span.traceId === traceId)
  expect(list.map(span => span.name)).toContain('GET /resources/:ref/upcoming_bookables')
  expect(bodies.join()).not.toMatch(/trace\.me|Traceable/)
  expect(bodies[0]).toContain(`{"key":"service.version","value":{"stringValue":"${version}"}}`)
})

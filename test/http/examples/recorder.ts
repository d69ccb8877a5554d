// Makes real calls by operation name and keeps the first of each as its example.

import { areas, type Example } from '../../../src/http/wire/docs/openapi.ts'
import { startWebhookDelivery } from '../../../src/start/webhook-delivery.ts'
import { type Answer, call, consoleToken, eventually, type TestService } from '../../support/service.ts'

export type Room = (typeof areas)[number]
export type Input = Omit<Example, 'status' | 'reply'>

type Operation = {
  operationId: string
  security: Record<string, unknown>[]
  responses: Record<string, { headers?: object }>
}
type Document = { paths: Record<string, Record<string, Operation>> }

export type Recorder = {
  /** Returns the response body. The first call of an operation becomes its example. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  call(operationId: string, input?: Input, refusal?: number): Promise<any>
  /** Delivers events to receivers, like the worker, until one has arrived. */
  deliver(hasCome: () => boolean): Promise<void>
  room: Room
  /** Session for console calls; null for an operator's token. */
  session: string | null
  examples: Record<Room, Record<string, Example>>
  /** Undocumented response headers: operation, status, name. */
  unheard: Set<string>
}

/** Headers of HTTP itself, of browsers and of every response; the document mentions X-Request-Id once. */
const usual =
  /^(cache-control|connection|content-.*|date|keep-alive|referrer-policy|transfer-encoding|vary|x-content-type-options|x-request-id)$/

/** Of the metrics, those that are the same in every run. */
const excerptOf = (text: string) =>
  (text.includes('holdfast_ready')
    ? text
        .split('\n')
        .filter(line => line.includes('holdfast_ready'))
        .join('\n')
    : text) || null

export function makeRecorder({ app, crm, service }: TestService, { paths }: Document): Recorder {
  const examples = Object.fromEntries(areas.map(room => [room, {}])) as Recorder['examples']
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  )
  const recorder: Recorder = {
    call: record,
    deliver,
    room: 'setup',
    session: null,
    examples,
    unheard: new Set(),
  }
  return recorder

  async function record(operationId: string, input: Input = {}, refusal = 200) {
    const operation = operations.find(one => one.operationId === operationId)
    if (!operation) throw new Error(`There is no operation ${operationId}.`)
    const answer = await send(operation, input)
    const isExpected = answer.status < 400 || answer.status === refusal
    if (!isExpected || !(answer.status in operation.responses))
      throw new Error(`${operationId}: ${answer.status} ${answer.text}`)
    const described = Object.keys(operation.responses[answer.status]!.headers ?? {}).map(name =>
      name.toLowerCase(),
    )
    for (const name of Object.keys(answer.headers))
      if (!usual.test(name) && !described.includes(name))
        recorder.unheard.add(`${operationId} ${answer.status} ${name}`)
    const isKnown = Object.values(examples).some(room => operationId in room)
    if (!isKnown)
      examples[recorder.room][operationId] = {
        ...input,
        status: answer.status,
        reply: answer.body ?? excerptOf(answer.text),
      }
    return answer.body
  }

  async function deliver(hasCome: () => boolean) {
    const courier = startWebhookDelivery(service, { warn: () => {} })
    await eventually(async () => hasCome())
    await courier.stop()
  }

  function send({ path, method, security }: (typeof operations)[number], input: Input): Promise<Answer> {
    const parts = { crmId: crm.name, ...input.path }
    const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(parts[name as keyof typeof parts] ?? ''),
    )
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(input.query ?? {}))
      for (const one of [value].flat()) search.append(name, String(one))
    const headers = {
      ...(security.some(one => 'apiKey' in one) ? { 'x-service-client-id': crm.key } : {}),
      ...(security.some(one => 'token' in one) ? consoleLogin() : {}),
      ...input.headers,
    }
    const url = search.size > 0 ? `${filled}?${search}` : filled
    return call(app, method.toUpperCase(), url, input.body, { headers, whole: true })
  }

  function consoleLogin(): Record<string, string> {
    return recorder.session === null
      ? { authorization: `Bearer ${consoleToken}` }
      : { cookie: `holdfast_session=${recorder.session}` }
  }
}

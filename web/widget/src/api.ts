import type {
  Bookable,
  ChannelKey,
  CompleteBody,
  Created,
  Good,
  Input,
  Method,
  MoveBody,
  Operation,
  Participation,
  Path,
  ReserveBody,
} from '#shared/api-types.ts'
import { type FirstAnswer, type Listed, listOf } from '#shared/list-answer.ts'
import type { Span } from '#shared/slots.ts'
import { makeClock } from './clock.ts'
import type { Options } from './options.ts'
import { Problem, problemOf } from './problems.ts'

export type Api = ReturnType<typeof makeApi>

/** With all dates of a series. */
type Booking = { createdAppointment: Created; createdAppointments?: Created[] | undefined }

type Extra = { headers?: Record<string, string>; keepalive?: boolean }

type Place = Pick<Options, 'baseUrl' | 'refs' | 'business' | 'channelKey' | 'token'>

export function makeApi({ baseUrl, refs, business, channelKey, token }: Place) {
  const clock = makeClock()
  // Passed on unchecked: the service reports an unknown channel.
  const channel: { channelKey?: ChannelKey } = channelKey ? { channelKey: channelKey as ChannelKey } : {}
  // With a move token, the booking itself does not block its own times.
  const signed = token ? { headers: { 'x-signed-app-customer': token } } : {}

  async function send(url: string, init: RequestInit): Promise<Response> {
    // Never sends cookies; 'no-cache' makes the browser revalidate with the ETag it has.
    const options: RequestInit = {
      credentials: 'omit',
      cache: 'no-cache',
      signal: AbortSignal.timeout(20_000),
      ...init,
    }
    // Lists for a move token differ from public ones.
    const early = token ? undefined : takeEarlyResponse(url)
    const response = await (early ?? fetch(url, options)).catch(error => {
      throw new Problem(navigator.onLine ? 'unreachable' : 'offline', { cause: error })
    })
    clock.learn(response.headers.get('date'))
    if (!response.ok) throw await problemOf(response)
    return response
  }

  async function ask<P extends Path, M extends Method>(
    method: M,
    path: P,
    { path: parts, query, body, headers, keepalive = false }: Input<Operation<P, M>> & Extra,
  ): Promise<Good<Operation<P, M>>> {
    const response = await send(baseUrl + addressOf(path, parts ?? {}, query ?? {}), {
      method: method.toUpperCase(),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(keepalive ? { keepalive } : {}),
    })
    const text = await response.text()
    // An empty list has no body.
    return JSON.parse(text || 'null')
  }

  const listQuery = ({ from, to }: Span, product: string | null) => ({
    ...channel,
    ...(product ? { prdRef: product } : {}),
    products: 'ids' as const,
    from: instantText(from),
    ...(to < Infinity ? { to: instantText(to) } : {}),
  })

  return {
    now: clock.now,
    channel,
    refs,
    isMove: Boolean(token),
    ask,
    signed,

    move(ref: string, body: MoveBody): Promise<Booking> {
      return ask('post', '/resources/{ref}/move_appointment', { path: { ref }, body, ...signed })
    },

    /** Resources, Products and the first slots in one request. */
    async bundle(span: Span, product: string | null): Promise<Omit<FirstAnswer, 'span'>> {
      const query = { ...listQuery(span, product), ...(business ? { business } : { ref: refs }) }
      const { places, products, bookables } = await ask('get', '/resources/bundle', { query, ...signed })
      if (business) refs.splice(0, refs.length, ...places.map(one => one.ref))
      return { places, products, listed: listOf(bookables as Parameters<typeof listOf>[0]) }
    },

    async slots(span: Span, product: string | null): Promise<Listed> {
      const [ref, ...others] = refs
      const query = { ...listQuery(span, product), ref: others }
      const input = { path: { ref: ref! }, query, ...signed }
      const groups = await ask('get', '/resources/{ref}/upcoming_bookables', input)
      return listOf((groups ?? {}) as Record<string, Bookable[] | boolean>)
    },

    async reserve(ref: string, body: ReserveBody): Promise<Participation> {
      const input = { path: { ref }, query: channel, body, ...signed }
      return (await ask('post', '/rest/1/resources/{ref}/reserve_appointment', input)).participation
    },

    complete(ref: string, body: CompleteBody): Promise<Booking> {
      const input = { path: { ref }, query: channel, body }
      return ask('post', '/resources/{ref}/create_appointment_with_consumer', input)
    },

    /** Also works while the page unloads; the answer is ignored. */
    async release(ref: string, placeholder: string): Promise<void> {
      const input = { path: { ref }, body: { placeholder_id: placeholder }, keepalive: true }
      await ask('post', '/resources/{ref}/revoke_reservation', input).catch(() => {})
    },
  }
}

export const instantText = (instant: number) => new Date(instant).toISOString().replace('.000', '')

function addressOf(path: string, parts: object, query: object): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((parts as Record<string, unknown>)[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, String(one))
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** Requests that /embed.js sent before the widget loaded, by URL. */
type Early = Map<string, Promise<Response>>

/** Used once: a repeated request needs a fresh answer. */
export function takeEarlyResponse(url: string): Promise<Response> | undefined {
  const early = (globalThis as { holdfastEarly?: Early }).holdfastEarly
  const answer = early?.get(url)
  early?.delete(url)
  return answer
}

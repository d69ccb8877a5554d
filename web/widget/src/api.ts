import type {
  Bookable,
  CompleteBody,
  Created,
  Participation,
  Product,
  PublicData,
  ReserveBody,
} from './api-types.ts'
import { makeClock } from './clock.ts'
import { Problem, problemOf } from './problems.ts'
import type { Span } from './slots.ts'

export type Listed = { visible: boolean; bookables: Bookable[] }
type Query = Record<string, string | string[] | undefined>

export type Api = ReturnType<typeof makeApi>

export function makeApi(baseUrl: string, refs: string[], channelKey: string | undefined) {
  const clock = makeClock()
  const at = (path: string, query: Query = {}) => `${baseUrl}${path}${queryText({ channelKey, ...query })}`
  const ofResource = (ref: string, verb: string) => at(`/rest/1/resources/${encodeURIComponent(ref)}/${verb}`)

  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    // Cookies are never sent; 'no-cache' lets the browser ask again with the ETag of what it has.
    const options: RequestInit = {
      credentials: 'omit',
      cache: 'no-cache',
      signal: AbortSignal.timeout(20_000),
      ...init,
    }
    const response = await fetch(url, options).catch(error => {
      throw new Problem(navigator.onLine ? 'unreachable' : 'offline', { cause: error })
    })
    clock.learn(response.headers.get('date'))
    if (!response.ok) throw await problemOf(response)
    return response
  }

  const post = (url: string, body?: object, init: RequestInit = {}) =>
    send(url, {
      method: 'POST',
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      ...init,
    })

  return {
    now: clock.now,
    channelKey,

    async places(): Promise<PublicData[]> {
      const answer = await (await post(at('/resources/public_data', { ref: refs }))).json()
      return [answer].flat()
    },

    async products(): Promise<Product[]> {
      return (await (await post(at('/products/active_products', { ref: refs }))).json()).products
    },

    async slots({ from, to }: Span, product: string | null): Promise<Listed> {
      const span = { from: instantText(from), ...(to < Infinity && { to: instantText(to) }) }
      const [first, ...others] = refs
      const path = `/resources/${encodeURIComponent(first!)}/upcoming_bookables`
      const response = await send(at(path, { ref: others, prdRef: product ?? undefined, ...span }))
      return listOf(response.status === 204 ? {} : await response.json())
    },

    async reserve(ref: string, body: ReserveBody): Promise<Participation> {
      return (await (await post(ofResource(ref, 'reserve_appointment'), body)).json()).participation
    },

    async complete(ref: string, body: CompleteBody): Promise<Created> {
      return (await (await post(ofResource(ref, 'create_appointment_with_consumer'), body)).json())
        .createdAppointment
    },

    /** Also while the page is being left: the request outlives it. Nobody waits for the answer. */
    async release(ref: string, placeholder: string): Promise<void> {
      const body = { placeholder_id: placeholder }
      await post(ofResource(ref, 'revoke_reservation'), body, { keepalive: true }).catch(() => {})
    },

    /** With what the cancel link carries for widgets. */
    async cancel(cancelLink: string): Promise<void> {
      const link = new URL(cancelLink)
      const customer = encodeURIComponent(link.searchParams.get('pDataId') ?? '')
      const appointment = link.hash.split('/').at(-1)
      const headers = { 'x-signed-app-customer': link.searchParams.get('X-SIGNED-APP-CUSTOMER') ?? '' }
      await send(`${baseUrl}/customers/${customer}/appointments/${appointment}`, {
        method: 'DELETE',
        headers,
      })
    },
  }
}

export const instantText = (instant: number) => new Date(instant).toISOString().replace('.000', '')

export function listOf(groups: Record<string, Bookable[] | boolean>): Listed {
  const lists = Object.values(groups).filter(value => Array.isArray(value))
  return { visible: groups.public_visible !== false, bookables: lists.flat() }
}

function queryText(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) params.append(name, one)
  const text = params.toString()
  return text && `?${text}`
}

import { type Input, makeClient, type Operation, type Operations } from '../../../clients/ts/client.ts'
import type {
  Bookable,
  CompleteBody,
  Created,
  Participation,
  Product,
  PublicData,
  ReserveBody,
} from '../../shared/api-types.ts'
import { type Listed, listOf } from '../../shared/listed.ts'
import type { Span } from '../../shared/slots.ts'
import { makeClock } from './clock.ts'
import { Problem, problemOf } from './problems.ts'

export type Api = ReturnType<typeof makeApi>

type Channel = {
  channelKey?: NonNullable<Operations['POST /products/active_products']['query']['channelKey']>
}

export function makeApi(baseUrl: string, refs: string[], channelKey: string | undefined) {
  const clock = makeClock()
  // What the page asks for is passed on as it is: the service says if there is no such channel.
  const channel = (channelKey ? { channelKey } : {}) as Channel
  const client = makeClient({ baseUrl, fetch: send })

  async function send(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
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

  /** The body of the one good answer: every other one has been thrown. */
  async function ask<O extends Operation, Status extends keyof Operations[O]['replies']>(
    operation: O,
    _status: Status,
    input: Input<O>,
  ): Promise<Operations[O]['replies'][Status]> {
    return (await client.call(operation, input)).body as Operations[O]['replies'][Status]
  }

  return {
    now: clock.now,
    channelKey,
    refs,

    async places(): Promise<PublicData[]> {
      return [await ask('POST /resources/public_data', 200, { query: { ...channel, ref: refs } })].flat()
    },

    async products(): Promise<Product[]> {
      const query = { ...channel, ref: refs }
      return (await ask('POST /products/active_products', 200, { query })).products
    },

    async slots({ from, to }: Span, product: string | null): Promise<Listed> {
      const [ref, ...others] = refs
      const query = {
        ...channel,
        ref: others,
        ...(product ? { prdRef: product } : {}),
        from: instantText(from),
        ...(to < Infinity ? { to: instantText(to) } : {}),
      }
      // Nothing on offer has no body.
      const groups = await ask('GET /resources/{ref}/upcoming_bookables', 200, {
        params: { ref: ref! },
        query,
      })
      return listOf((groups ?? {}) as Record<string, Bookable[] | boolean>)
    },

    async reserve(ref: string, body: ReserveBody): Promise<Participation> {
      const input = { params: { ref }, query: channel, body }
      return (await ask('POST /rest/1/resources/{ref}/reserve_appointment', 200, input)).participation
    },

    async complete(ref: string, body: CompleteBody): Promise<Created> {
      const input = { params: { ref }, query: channel, body }
      return (await ask('POST /resources/{ref}/create_appointment_with_consumer', 201, input))
        .createdAppointment
    },

    /** Also while the page is being left. Nobody waits for the answer. */
    async release(ref: string, placeholder: string): Promise<void> {
      const input = { params: { ref }, body: { placeholder_id: placeholder }, keepalive: true }
      await ask('POST /resources/{ref}/revoke_reservation', 200, input).catch(() => {})
    },

    /** With what the cancel link carries for widgets. */
    async cancel(cancelLink: string): Promise<void> {
      const link = new URL(cancelLink)
      const params = {
        customerUuid: link.searchParams.get('pDataId') ?? '',
        appointmentUuid: link.hash.split('/').at(-1)!,
      }
      const headers = { 'x-signed-app-customer': link.searchParams.get('X-SIGNED-APP-CUSTOMER') ?? '' }
      await ask('DELETE /customers/{customerUuid}/appointments/{appointmentUuid}', 200, { params, headers })
    },
  }
}

export const instantText = (instant: number) => new Date(instant).toISOString().replace('.000', '')

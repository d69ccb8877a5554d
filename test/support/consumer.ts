// What a consumer does, as small functions over HTTP. No login, no key.

import type { FastifyInstance } from 'fastify'
import { type Answer, type CallOptions, call } from './service.ts'

export type Send = (method: string, url: string, body?: unknown, options?: CallOptions) => Promise<Answer>

export const overApp =
  (app: FastifyInstance): Send =>
  (method, url, body, options) =>
    call(app, method, url, body, options)

/** Over a real socket. */
export const overHttp =
  (origin: string): Send =>
  async (method, url, body, { headers = {} } = {}) => {
    const response = await fetch(origin + url, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
    return {
      status: response.status,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      headers: Object.fromEntries(response.headers),
      text,
    }
  }

export const form = { 'content-type': 'application/x-www-form-urlencoded' }

export type Query = Record<string, string | string[] | undefined>

/** Lists become repeated keys, as widgets send them. */
export function queryText(query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) search.append(name, one)
  return search.size > 0 ? `?${search}` : ''
}

/** The operations of a consumer, under one of the two prefixes. */
export function asConsumer(send: Send, prefix = '') {
  const at = (ref: string, verb: string, query?: Query) =>
    `${prefix}/resources/${encodeURIComponent(ref)}/${verb}${queryText(query)}`
  return {
    send,
    list: (ref: string, query?: Query) => send('GET', at(ref, 'upcoming_bookables', query)),
    listByPost: (ref: string, query?: Query) => send('POST', at(ref, 'upcoming_bookables', query)),
    reserve: (ref: string, body: unknown, query?: Query) =>
      send('POST', at(ref, 'reserve_appointment', query), body),
    complete: (ref: string, body: unknown, query?: Query) =>
      send('POST', at(ref, 'create_appointment_with_consumer', query), body),
    release: (ref: string, placeholder_id: string, appointment_id?: string) =>
      send('POST', at(ref, 'revoke_reservation'), { placeholder_id, appointment_id }),
    /** Presses the button on the page behind the link. */
    cancel: (link: string, reason = '') =>
      send('POST', new URL(link).pathname, `reason=${encodeURIComponent(reason)}`, { headers: form }),
  }
}

export type Consumer = ReturnType<typeof asConsumer>

/** A Bookable as the list shows it. */
export type Slot = {
  start: string
  end: string
  formattedStart: string
  formattedEnd: string
  timeslot_uuid: string
  appointment_uuid?: string
  product_uuid: string | null
  product_name: string
  products: { uuid: string; name: string }[]
  resource_uuid: string
  resource_name: string
  contact_channel: { type: string; value: string } | null
  capacity: number
  capacity_left: number
  kind: string
}

/** All slots of a list, in its order. */
export function slotsOf({ status, body }: Answer): Slot[] {
  if (status === 204) return []
  if (status !== 200) throw new Error(`list: ${status} ${JSON.stringify(body)}`)
  const { public_visible, ...groups } = body as Record<string, unknown>
  return Object.values(groups).flat() as Slot[]
}

export const startsOf = (answer: Answer) => slotsOf(answer).map(slot => slot.start)

/** The same instant, written with Z. */
export const utc = (text: string) => new Date(text).toISOString().replace('.000Z', 'Z')

const productOf = (slot: Slot) => slot.product_uuid ?? slot.products[0]!.uuid

/** The body that reserves this slot. */
export function holdOf(slot: Slot, fields: Record<string, unknown> = {}) {
  return {
    timeslot_uuid: slot.timeslot_uuid,
    ...(slot.appointment_uuid ? { appointment_uuid: slot.appointment_uuid } : {}),
    product_uuid: productOf(slot),
    from: utc(slot.start),
    to: utc(slot.end),
    ...fields,
  }
}

/** The body that books this slot. */
export function bookingOf(slot: Slot, fields: Record<string, unknown> = {}) {
  return {
    start: slot.start,
    end: slot.end,
    timeslot_uuid: slot.appointment_uuid ?? slot.timeslot_uuid,
    product_uuid: productOf(slot),
    ...newPerson(),
    ...fields,
  }
}

let people = 0

/** A person who is not in the database yet. */
export function newPerson() {
  const number = ++people
  return { email: `ann${number}@example.org`, firstname: 'Ann', lastname: `Winter${number}` }
}

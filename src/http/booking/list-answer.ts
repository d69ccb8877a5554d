import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type Type from 'typebox'
import { chooseEncoding, type Encoding } from '../../lib/compression.ts'
import type { RenderedList } from '../../lib/list-cache.ts'
import type { Service } from '../../service.ts'
import { queueKeyOf } from '../wire/callers/clients.ts'
import { matchesEtag } from '../wire/requests/lists.ts'
import { answer, type KnownResponse } from '../wire/route.ts'
import type { BookableGroups } from './booking-schemas.ts'

// Sends a list, from its route or early: both use the same status and headers.

/** How the list is sent; without a body if the client already has it or there is none. */
type Form = Encoding | 'unchanged' | 'nothing'

function formFor(list: RenderedList, headers: IncomingHttpHeaders): Form {
  if (matchesEtag(headers['if-none-match'], list.etag)) return 'unchanged'
  return list.status === 204 ? 'nothing' : chooseEncoding(headers['accept-encoding'], list.length)
}

const vary = 'Origin, Accept-Encoding, X-SIGNED-APP-CUSTOMER'

function headersOf({ etag }: RenderedList, form: Form): [string, string][] {
  const always: [string, string][] = [
    ['etag', etag],
    ['cache-control', 'no-cache'],
  ]
  if (form === 'unchanged' || form === 'nothing') return always
  if (form !== 'identity') always.push(['content-encoding', form])
  return [...always, ['content-type', 'application/json; charset=utf-8']]
}

/** `Body` is the type of the JSON in the list's bytes. */
export async function send<Body = Type.Static<typeof BookableGroups>>(
  { largeResponses }: Service,
  list: RenderedList,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const form = formFor(list, request.headers)
  reply.header('vary', vary)
  for (const [name, value] of headersOf(list, form)) reply.header(name, value)
  if (form === 'unchanged') return answer(304, undefined)
  if (form === 'nothing') return answer(204, undefined)
  // Already JSON: the framework passes bytes on unchanged.
  const body = await list.encoded(form)
  largeResponses.add(reply.raw, body, queueKeyOf(request))
  return answer(200, body as unknown as Body)
}

/** Short lists are sent as one text together with the headers. */
const short = 16_000

const written = new WeakMap<RenderedList, Map<Form, KnownResponse>>()

/** The same without Fastify, made once for each form of a list. */
export function writtenFor(
  list: RenderedList,
  headers: IncomingHttpHeaders,
): KnownResponse | Promise<KnownResponse> {
  const form = formFor(list, headers)
  return written.get(list)?.get(form) ?? write(list, form)
}

async function write(list: RenderedList, form: Form): Promise<KnownResponse> {
  const response = await responseOf(list, form)
  const forms = written.get(list) ?? new Map<Form, KnownResponse>()
  written.set(list, forms.set(form, response))
  return response
}

async function responseOf(list: RenderedList, form: Form): Promise<KnownResponse> {
  const headers = headersOf(list, form).flat()
  if (form === 'unchanged') return { status: 304, vary, headers, body: '' }
  if (form === 'nothing') return { status: 204, vary, headers, body: '' }
  const body = await list.encoded(form)
  return {
    status: 200,
    vary,
    headers: [...headers, 'content-length', String(body.length)],
    body: body.length < short ? body.toString('latin1') : body,
  }
}

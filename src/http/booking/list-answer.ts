import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type Type from 'typebox'
import { chooseEncoding, type Encoding } from '../../lib/compression.ts'
import { isKnown } from '../../lib/etags.ts'
import type { RenderedList } from '../../lib/list-cache.ts'
import type { Service } from '../../service.ts'
import { lineOf } from '../wire/callers/clients.ts'
import { linesOf } from '../wire/door/straight-answers.ts'
import { answer, type Written } from '../wire/route.ts'
import type { BookableGroups } from './booking-schemas.ts'

// A list as it is answered, by its route or at the door: what is said of it is decided here for both.

/** In which form somebody gets a list: what they have already, and what is not there, has none. */
type Form = Encoding | 'unchanged' | 'nothing'

function formFor(list: RenderedList, headers: IncomingHttpHeaders): Form {
  if (isKnown(headers['if-none-match'], list.etag)) return 'unchanged'
  return list.status === 204 ? 'nothing' : chooseEncoding(headers['accept-encoding'], list.body.length)
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

/** `Body` is what the bytes of the list say. */
export async function send<Body = Type.Static<typeof BookableGroups>>(
  { outgoing }: Service,
  list: RenderedList,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const form = formFor(list, request.headers)
  reply.header('vary', vary)
  for (const [name, value] of headersOf(list, form)) reply.header(name, value)
  if (form === 'unchanged') return answer(304, undefined)
  if (form === 'nothing') return answer(204, undefined)
  // JSON already: the framework passes bytes on as they are.
  const body = await list.encoded(form)
  outgoing.add(reply.raw, body, lineOf(request))
  return answer(200, body as unknown as Body)
}

/** What is short goes out as one text, together with its head. */
const short = 16_000

const written = new WeakMap<RenderedList, Map<Form, Written>>()

/** The same as a text, which is made once for each form of a list. */
export function writtenFor(list: RenderedList, headers: IncomingHttpHeaders): Written | Promise<Written> {
  const form = formFor(list, headers)
  return written.get(list)?.get(form) ?? write(list, form)
}

async function write(list: RenderedList, form: Form): Promise<Written> {
  const text = await textOf(list, form)
  const forms = written.get(list) ?? new Map<Form, Written>()
  written.set(list, forms.set(form, text))
  return text
}

async function textOf(list: RenderedList, form: Form): Promise<Written> {
  const lines = linesOf(headersOf(list, form))
  if (form === 'unchanged') return { status: 304, vary, lines, body: '' }
  if (form === 'nothing') return { status: 204, vary, lines, body: '' }
  const body = await list.encoded(form)
  return {
    status: 200,
    vary,
    lines: `${lines}content-length: ${body.length}\r\n`,
    body: body.length < short ? body.toString('latin1') : body,
  }
}

import type { IncomingMessage } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply } from 'fastify'
import { keptAt } from '../../http/booking/bundle.ts'
import { answersAt, type PublicAnswers, snapshotOf } from '../../http/booking/public-data.ts'
import { queueKeyOf } from '../../http/wire/callers/clients.ts'
import type { KnownResponse } from '../../http/wire/route.ts'
import { chooseEncoding, compressInTwo, type Encoding } from '../../lib/compression.ts'
import { RenderedList } from '../../lib/list-cache.ts'
import type { Service } from '../../service.ts'
import type { RenderedPage } from '../layout.ts'
import type { BookData, Checked } from './data.ts'
import { type BookRequest, businessOf, type Visit, visitOf } from './open-page.ts'

// Most views of a booking page show what the one before showed. Pages are kept like lists: one query returns the
// revisions of their Resources, and a page made at these revisions is valid until time alone changes it.

/** The end of the first morning or afternoon. */
const mark = '</ul>'

/** A page with its compressed forms. It contains no secrets, so compressing it reveals nothing. */
export class KeptPage extends RenderedList {
  refs: string[]
  business: BookData['business']
  headers: RenderedPage['headers']
  answers: PublicAnswers

  constructor({ text, headers }: RenderedPage, { requested, business, answers, validUntil }: BookData) {
    super([Buffer.from(text)], '', snapshotOf(answers.found), validUntil)
    this.refs = requested
    this.answers = answers
    this.business = business
    this.headers = headers
  }

  /** Includes an estimate for the answers. */
  override get bytes() {
    const { places, products } = this.answers.about
    return super.bytes + 2000 * places.length + 1000 * products.length
  }

  override encoded(encoding: Encoding) {
    const known = this.forms.get(encoding)
    if (known || encoding === 'identity') return known ?? this.body
    // On a slow connection, everything up to the mark is shown while the rest is loading.
    const found = this.body.indexOf(mark)
    if (found < 0) return super.encoded(encoding)
    const made = compressInTwo(this.body, found + mark.length, encoding)
    this.forms.set(encoding, made)
    return made
  }
}

type Kept = KeptPage | Checked | null

/** What `answerEarly` found for requests that the route handles: it uses the same revisions. */
const foundEarly = new WeakMap<IncomingMessage, Kept>()

/** The kept page, if nothing has changed; otherwise the revisions to make it for, if its Resources are known. */
export const keptFor = async (service: Service, visit: Visit, request: IncomingMessage): Promise<Kept> =>
  foundEarly.get(request) ?? findKept(service, visit)

async function findKept(service: Service, visit: Visit): Promise<Kept> {
  const { key } = visit
  const known = service.lists.get(key)
  if (!(known instanceof KeptPage)) return null
  const { refs, business } = known
  const [found, current] = await Promise.all([
    service.refs.check(refs),
    business && businessOf(service, visit),
  ])
  // A Resource has joined or left, or the address has changed.
  if (business && !isDeepStrictEqual(business, current)) return null
  if (keptAt(service, key, found) === known) return known
  return { refs, found, answers: answersAt(known.answers, found) }
}

type EarlyCall = Pick<BookRequest, 'params' | 'query'> & {
  service: Service
  request: IncomingMessage
  write(answer: KnownResponse): boolean
}

/** Sends kept pages before Fastify sees the request; the route handles everything else. */
export async function answerEarly({ params, query, service, request, write }: EarlyCall): Promise<boolean> {
  const page = await findKept(service, visitOf({ params, query, headers: request.headers }))
  foundEarly.set(request, page)
  const canBeSent = page instanceof KeptPage && page.business?.by !== 'former-slug'
  return canBeSent && write(await responseOf(page, encodingFor(page, request)))
}

const encodingFor = ({ length }: KeptPage, { headers }: Pick<IncomingMessage, 'headers'>) =>
  chooseEncoding(headers['accept-encoding'], length)

const headersOf = ({ headers }: KeptPage, encoding: Encoding): RenderedPage['headers'] =>
  encoding === 'identity' ? headers : [...headers, ['content-encoding', encoding]]

async function responseOf(page: KeptPage, encoding: Encoding): Promise<KnownResponse> {
  const body = await page.encoded(encoding)
  const headers = [...headersOf(page, encoding).flat(), 'content-length', String(body.length)]
  return { status: 200, vary: 'Origin, Accept-Encoding', cors: false, headers, body }
}

export async function sendKept(
  { largeResponses }: Service,
  page: KeptPage,
  request: BookRequest,
  reply: FastifyReply,
) {
  const encoding = encodingFor(page, request.raw)
  const body = await page.encoded(encoding)
  reply.header('x-content-type-options', 'nosniff').header('vary', 'Origin, Accept-Encoding')
  for (const [name, value] of headersOf(page, encoding)) reply.header(name, value)
  largeResponses.add(reply.raw, body, queueKeyOf(request))
  return reply.send(body)
}

import { hash } from 'node:crypto'
import Type from 'typebox'
import { missingField } from '../../errors.ts'
import { RenderedList } from '../../lib/list-cache.ts'
import { queueKeyOf } from '../wire/callers/clients.ts'
import { publicRoute, type Route } from '../wire/route.ts'
import { currentList, listQuery, toListRequest } from './bookables.ts'
import { BookableGroups } from './booking-schemas.ts'
import { distinctRefs } from './distinct-refs.ts'
import { send } from './list-answer.ts'
import { PublicData, PublicProductView, publicAnswers } from './public-data.ts'
import { tokenOf } from './signed-token.ts'

const Bundle = Type.Object(
  {
    places: Type.Array(PublicData),
    products: Type.Array(PublicProductView),
    bookables: BookableGroups,
  },
  { title: 'Bundle' },
)

/**
 * Everything that a widget needs first, in one response. The slots come from the same cache as the list; the
 * whole is cached while its parts are unchanged.
 */
const bundle = (method: 'GET' | 'POST'): Route =>
  publicRoute({
    method,
    path: '/resources/bundle',
    operationId: method === 'GET' ? 'getBundle' : 'getBundleByPost',
    tag: 'C. Booking',
    summary: 'Public data, products and bookables in one request',
    description:
      'What a widget needs to start: `places` as in public data, `products` as in active products, and `bookables` as in the list (no groups if nothing is on offer). Takes the parameters of the list and supports If-None-Match.',
    query: listQuery,
    replies: { 200: Bundle, 304: null },
    errors: ['missing-field', 'not-found'],
    async handle({ query, service, request, reply }) {
      const refs = distinctRefs('ref', query.ref)
      if (refs.length === 0) throw missingField('ref')
      const offersQuery = {
        ref: refs,
        tslRefs: [],
        channelKey: query.channelKey,
        languageTag: query.languageTag,
      }
      const leaving = service.signer.open('move', tokenOf(request)) ?? undefined
      const [list, about] = await Promise.all([
        currentList(service, toListRequest({ ...query, refs, leaving }), queueKeyOf(request)),
        publicAnswers(service, offersQuery),
      ])
      const head = JSON.stringify(about)
      const key = `bundle ${JSON.stringify({ ...query, refs, leaving })}`
      const snapshot = `${list.etag} ${hash('sha1', head, 'base64url')}`
      const known = service.lists.get(key)
      if (known?.snapshot === snapshot) return sendBundle(service, known, request, reply)
      const slots = list.status === 204 ? '{"public_visible":true}' : list.body
      const parts = [`${head.slice(0, -1)},"bookables":`, slots, '}'].map(asBytes)
      const length = parts.reduce((sum, part) => sum + part.length, 0)
      const made = await RenderedList.of({ parts, length }, snapshot, list.validUntil)
      service.lists.set(key, made)
      return sendBundle(service, made, request, reply)
    },
  })

const asBytes = (part: string | Buffer) => (typeof part === 'string' ? Buffer.from(part) : part)

async function sendBundle(...answered: Parameters<typeof send>) {
  const sent = await send<Type.Static<typeof Bundle>>(...answered)
  if (sent.status === 204) throw new Error('A bundle is never empty.')
  return sent
}

export const getBundle = bundle('GET')
export const getBundleByPost = bundle('POST')

import Type from 'typebox'
import type { FoundRefs } from '../../db/booking/refs.ts'
import { missingField, notFound } from '../../errors.ts'
import { RenderedList } from '../../lib/list-cache.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import type { Service } from '../../service.ts'
import { queueKeyOf } from '../wire/callers/clients.ts'
import { publicRoutes, type Route } from '../wire/route.ts'
import { currentList, listQuery, toListRequest } from './bookables.ts'
import { BookableGroups } from './booking-schemas.ts'
import { distinctRefs } from './distinct-refs.ts'
import { dropIgnoredChannelKey, onlyRefs } from './ignored-channel-key.ts'
import { send } from './list-answer.ts'
import { PublicData, PublicProductView, publicAnswers, snapshotOf } from './public-data.ts'
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
  publicRoutes('C. Booking')({
    method,
    path: '/resources/bundle',
    operationId: method === 'GET' ? 'getBundle' : 'getBundleByPost',
    summary: 'Public data, products and bookables in one request',
    description:
      'What a widget needs to start: `places` as in public data, `products` as in active products, and `bookables` as in the list (no groups if nothing is on offer). Takes the parameters of the list and supports If-None-Match.',
    query: {
      ...listQuery,
      business: Type.Optional(
        Type.String({
          maxLength: 255,
          description:
            'The slug, uuid or reference of a Provider, instead of `ref`: everything that it offers, also what it adds later. `places` have the `ref` for further calls. The channel is CALENDAR_PUBLIC, unless RESOURCE_EXCLUSIVE or RESOURCE_REFERENCE is named.',
        }),
      ),
    },
    dropIgnored: dropIgnoredChannelKey({ refs: onlyRefs }),
    replies: { 200: Bundle, 304: null },
    errors: ['missing-field', 'not-found'],
    async handle({ query, service, request, reply }) {
      const refs = query.business
        ? await refsOfBusiness(service, query.business, query.channelKey)
        : distinctRefs('ref', query.ref)
      if (refs.length === 0) throw missingField('ref', 'one-of', { choices: ['ref', 'business'] })
      const leaving = service.signer.open('move', tokenOf(request)) ?? undefined
      const key = `bundle ${JSON.stringify({ ...query, refs, leaving })}`
      const checking = service.refs.check(refs)
      const known = keptAt(service, key, await checking)
      if (known) return sendBundle(service, known, request, reply)
      const { channelKey, languageTag } = query
      const [list, { about, found, validUntil }] = await Promise.all([
        currentList(service, toListRequest({ ...query, refs, leaving }), queueKeyOf(request), checking),
        publicAnswers(service, { ref: refs, channelKey, languageTag }, checking),
      ])
      const slots = list.status === 204 ? '{"public_visible":true}' : list.body
      const parts = [`${JSON.stringify(about).slice(0, -1)},"bookables":`, slots, '}'].map(asBytes)
      const length = parts.reduce((sum, part) => sum + part.length, 0)
      const made = await RenderedList.of(
        { parts, length },
        snapshotOf(found),
        Math.min(validUntil, list.validUntil),
      )
      service.lists.set(key, made)
      return sendBundle(service, made, request, reply)
    },
  })

async function refsOfBusiness({ businesses }: Service, name: string, channelKey: ChannelKey) {
  const business = await businesses.find(name, channelKey)
  if (!business || business.refs.length === 0) throw notFound('Provider', name, 'business')
  return business.refs
}

/** The response kept under this key, if nothing has changed since. */
export function keptAt(
  { lists, suspensions }: Service,
  key: string,
  found: FoundRefs,
): RenderedList | undefined {
  suspensions.refuseAny(found.found)
  const known = lists.get(key)
  return known && found.now < known.validUntil && known.snapshot === snapshotOf(found) ? known : undefined
}

const asBytes = (part: string | Buffer) => (typeof part === 'string' ? Buffer.from(part) : part)

async function sendBundle(...answered: Parameters<typeof send>) {
  const sent = await send<Type.Static<typeof Bundle>>(...answered)
  if (sent.status === 204) throw new Error('A bundle is never empty.')
  return sent
}

export const getBundle = bundle('GET')
export const getBundleByPost = bundle('POST')

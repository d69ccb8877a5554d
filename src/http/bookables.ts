import sql from 'sql-template-tag'
import Type from 'typebox'
import { meant } from '../actions/find-ref.ts'
import { findProductByRef } from '../db/products.ts'
import { findRefs } from '../db/refs.ts'
import { loadWindows, type ResourceWindow } from '../db/windows.ts'
import { invalidField, notFound } from '../errors.ts'
import { bookablesOf } from '../rules/bookables.ts'
import { parseDateOrInstant } from '../rules/time.ts'
import type { Service } from '../service.ts'
import { BookableGroups, ChannelKeyQuery, Refs } from './booking-schemas.ts'
import { answer, publicRoute, type Route } from './route.ts'
import { type ListFormats, readPattern, renderList } from './slot-list.ts'

const query = {
  groupFormat: Type.String({ default: 'yyyy-MM-dd', maxLength: 200 }),
  timeFormat: Type.String({ default: 'yyyy-MM-dd HH:mm', maxLength: 200 }),
  languageTag: Type.Optional(Type.String({ maxLength: 35 })),
  channelKey: ChannelKeyQuery,
  ref: Refs,
  prdRef: Type.Optional(Type.String()),
  from: Type.Optional(Type.String({ maxLength: 64 })),
  to: Type.Optional(Type.String({ maxLength: 64 })),
}

const list = (method: 'GET' | 'POST'): Route =>
  publicRoute({
    method,
    path: '/resources/:ref/upcoming_bookables',
    tag: 'C. Booking',
    summary: 'Upcoming bookables',
    description:
      'All slots on offer, grouped by `groupFormat`. `ref` may be repeated for more Resources. `from` and `to` bound the list: dates or date-times, without a zone local to the Provider. 204 when nothing is on offer; `{"public_visible": false}` when the channel is hidden or the Resource archived.',
    query,
    replies: { 200: BookableGroups, 204: null },
    errors: ['not-found'],
    async handle({ params, query, service, reply }) {
      const formats: ListFormats = {
        group: readPattern('groupFormat', query.groupFormat),
        time: readPattern('timeFormat', query.timeFormat),
        languageTag: query.languageTag ?? null,
      }
      const refs = [...new Set([params.ref, ...query.ref])]
      const { found } = await findRefs(service.db, refs)
      const wanted = refs.map((ref, index) => {
        const { resource_id, channel_key } = meant(found, ref, index + 1)
        return { resourceId: resource_id, channelKey: channel_key ?? query.channelKey }
      })
      const once = wanted.filter(
        (one, index) => wanted.findIndex(other => other.resourceId === one.resourceId) === index,
      )
      const windows = await loadWindows(service.db, once, {
        from: sql`app_now()`,
        to: sql`'infinity'::timestamptz`,
      })
      const product = query.prdRef === undefined ? null : await productOf(service, windows, query.prdRef)
      const lists = windows.map(loaded => {
        const options = {
          now: loaded.now,
          productId: product?.id ?? null,
          from: bound('from', query.from, loaded, Number.NEGATIVE_INFINITY),
          to: bound('to', query.to, loaded, Number.POSITIVE_INFINITY),
        }
        return { loaded, ...bookablesOf(loaded.window, options) }
      })
      if (windows.every(({ window }) => window.archived || !window.channel.visible))
        return answer(200, { public_visible: false })
      const text = renderList(lists, formats)
      if (text === null) return answer(204, undefined)
      reply.type('application/json; charset=utf-8')
      return answer(200, rendered(text))
    },
  })

export const listBookables = list('GET')
export const listBookablesByPost = list('POST')

/** A Product by reference or uuid; it must be one of the Providers' whose slots are listed. */
async function productOf({ db }: Service, windows: ResourceWindow[], ref: string) {
  const product = await findProductByRef(
    db,
    windows.map(one => one.provider.id),
    ref,
  )
  if (!product) throw notFound('Product', ref, 'prdRef')
  return product
}

function bound(
  field: string,
  text: string | undefined,
  { provider }: ResourceWindow,
  otherwise: number,
): number {
  if (text === undefined) return otherwise
  const instant = parseDateOrInstant(text, provider.timeZone)
  if (instant === null) throw invalidField(field, `${field} must be a date or an ISO 8601 date-time.`)
  return instant
}

/** The list is JSON already; the framework passes texts on as they are. */
const rendered = (text: string) => text as unknown as Type.Static<typeof BookableGroups>

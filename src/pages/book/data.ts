import type { Bookable, Product, PublicData } from '../../../web/shared/api-types.ts'
import { isDay, monthOf } from '../../../web/shared/dates.ts'
import { listOf } from '../../../web/shared/listed.ts'
import { dayAt, monthBounds, startOfDay } from '../../../web/shared/zones.ts'
import { isUuid } from '../../rules/references.ts'
import type { Ask } from '../consumer-api.ts'

export type BookQuery = { channelKey?: string; product?: string; date?: string; lang?: string }

export type BookData = {
  ref: string
  query: BookQuery
  place: PublicData
  products: Product[]
  /** The one that was asked for, or the only one. */
  product: Product | null
  bookables: Bookable[]
  /** The period that the list covers; without an end when nothing was found before. */
  from: number
  to: number | null
  isClosed: boolean
}

const margin = 2 * 86_400_000

/** Null when there is no such Resource. */
export async function loadBookData(ask: Ask, ref: string, query: BookQuery): Promise<BookData | null> {
  const { channelKey } = query
  const [place, products] = await Promise.all([
    ask<PublicData>('POST', '/resources/public_data', { ref, channelKey }),
    ask<{ products: Product[] }>('POST', '/products/active_products', { ref, channelKey }),
  ])
  if (place.status !== 200 || products.status !== 200) return null
  const all: Product[] = products.body.products
  const chosen = all.find(one => one.uuid === query.product || one.ref === query.product)
  const product = chosen ?? (all.length === 1 ? all[0]! : null)
  const prdRef = all.length > 1 ? product?.uuid : undefined
  // Printed and handed on by uuid: names can be spelled in many ways, and a uuid is nobody else's.
  const printed = isUuid(ref) ? ref : place.body.resource.uuid
  const listed = await loadSlots(ask, printed, place.body.provider.timeZone, { ...query, prdRef })
  return { ref: printed, query, place: place.body, products: all, product, ...listed }
}

type Groups = Parameters<typeof listOf>[0]
type SlotQuery = BookQuery & { prdRef: string | undefined }

/** The month that is shown first, with a margin for visitors elsewhere; when it is empty, all that comes after. */
async function loadSlots(ask: Ask, ref: string, zone: string, { channelKey, date, prdRef }: SlotQuery) {
  const today = dayAt(Date.now(), zone)
  const month = monthBounds(monthOf(isDay(date) && date > today ? date : today), zone)
  const from = month.from - margin
  const until = month.to + margin
  const path = `/resources/${encodeURIComponent(ref)}/upcoming_bookables`
  for (const to of [until, null]) {
    const span = {
      from: new Date(from).toISOString(),
      to: to === null ? undefined : new Date(to).toISOString(),
    }
    const { status, body } = await ask<Groups | null>('GET', path, { channelKey, prdRef, ...span })
    const isClosed = body?.public_visible === false
    if (status !== 200 && status !== 204) return { bookables: [], from, to, isClosed: true }
    const { bookables } = listOf(body ?? {})
    const isEnough = bookables.some(one => Date.parse(one.start) >= month.from && one.capacity_left > 0)
    if (isClosed || isEnough || to === null) return { bookables, from, to, isClosed }
  }
  throw new Error('unreachable')
}

/** From the wished day on, else from now. */
export function shownFrom({ query, place }: BookData): number {
  return isDay(query.date) ? startOfDay(query.date, place.provider.timeZone) : 0
}

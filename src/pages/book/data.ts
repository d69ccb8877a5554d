import type { Bookable, Product, PublicData } from '../../../web/shared/api-types.ts'
import { isDay, monthOf } from '../../../web/shared/dates.ts'
import { listOf, offering } from '../../../web/shared/list-answer.ts'
import { dayAt, monthBounds, startOfDay } from '../../../web/shared/zones.ts'
import { isUuid } from '../../rules/references.ts'
import type { ApiCall } from '../consumer-api.ts'

export type BookQuery = {
  channelKey?: string
  product?: string
  date?: string
  lang?: string
  /** The selected Resource, if there are several. */
  resource?: string
}

export type BookData = {
  /** By uuid: a name can be spelled in many ways, and a uuid is unique. */
  refs: string[]
  query: BookQuery
  places: PublicData[]
  /** The selected Resource, or the first. */
  place: PublicData
  /** True if there are several and the visitor has no preference. */
  isAny: boolean
  products: Product[]
  /** The requested Product, or the only one. */
  product: Product | null
  bookables: Bookable[]
  /** The period of the list; it has no end if the first month was empty. */
  from: number
  to: number | null
  isClosed: boolean
  /** The time zone for display, if it is not the Provider's. */
  zone?: string
}

const margin = 2 * 86_400_000

/**
 * Null if one of the Resources is unknown. `look` comes from `readOnlyApi`: it returns an answer or throws.
 */
export async function loadBookData(
  look: ApiCall,
  ref: string[],
  query: BookQuery,
  languageTag?: string,
): Promise<BookData | null> {
  const { channelKey } = query
  const [data, products] = await Promise.all([
    look<PublicData | PublicData[]>('POST', '/resources/public_data', { ref, channelKey }),
    look<{ products: Product[] }>('POST', '/products/active_products', {
      ref,
      channelKey,
      languageTag,
    }),
  ])
  if (data.status !== 200 || products.status !== 200) return null
  const places = [data.body].flat()
  const all: Product[] = products.body.products
  const chosen = all.find(one => one.uuid === query.product || one.ref === query.product)
  const product = chosen ?? (all.length === 1 ? all[0]! : null)
  const chosenPlace = offering(places, product?.uuid).find(
    one => one.resource.uuid === query.resource || one.ref === query.resource,
  )
  const prdRef = all.length > 1 ? product?.uuid : undefined
  // A channel's uuid stays as it is, since it also selects the channel.
  const refs = places.map(one => (isUuid(one.ref) ? one.ref : one.resource.uuid))
  const place = chosenPlace ?? places[0]!
  const listed = await loadSlots(look, refs, place.provider.timeZone, { ...query, prdRef })
  const isAny = places.length > 1 && !chosenPlace
  return { refs, query, places, place, isAny, products: all, product, ...listed }
}

type Groups = Parameters<typeof listOf>[0]
type SlotQuery = BookQuery & { prdRef: string | undefined }

/** The first month, with a margin for visitors in other time zones; if it is empty, everything after it. */
async function loadSlots(
  look: ApiCall,
  refs: string[],
  zone: string,
  { channelKey, date, prdRef }: SlotQuery,
) {
  const today = dayAt(Date.now(), zone)
  const month = monthBounds(monthOf(isDay(date) && date > today ? date : today), zone)
  const from = month.from - margin
  const until = month.to + margin
  const [first, ...ref] = refs
  const path = `/resources/${encodeURIComponent(first!)}/upcoming_bookables`
  for (const to of [until, null]) {
    const span = {
      from: new Date(from).toISOString(),
      to: to === null ? undefined : new Date(to).toISOString(),
    }
    const { status, body } = await look<Groups | null>('GET', path, { channelKey, prdRef, ref, ...span })
    const isClosed = body?.public_visible === false
    if (status !== 200 && status !== 204) return { bookables: [], from, to, isClosed: true }
    const { bookables } = listOf(body ?? {})
    const isEnough = bookables.some(one => Date.parse(one.start) >= month.from && one.capacity_left > 0)
    if (isClosed || isEnough || to === null) return { bookables, from, to, isClosed }
  }
  throw new Error('unreachable')
}

/** The requested day, or now. */
export function shownFrom(data: BookData): number {
  const { date } = data.query
  return isDay(date) ? startOfDay(date, zoneOf(data)) : 0
}

export const zoneOf = ({ zone, place }: BookData): string => zone ?? place.provider.timeZone

/** The Resource of a slot. */
export const placeOf = ({ places, place }: BookData, uuid: string): PublicData =>
  places.find(one => one.resource.uuid === uuid) ?? place

/** The reference to use in API calls about the selected Resource. */
export const refOf = ({ refs, places, place }: BookData): string => refs[places.indexOf(place)]!

import type { Product, PublicData } from '#shared/api-types.ts'
import { isDay, type Month, monthOf } from '#shared/dates.ts'
import { offering } from '#shared/list-answer.ts'
import type { Locale } from '#shared/locale.ts'
import type { Span } from '#shared/slots.ts'
import { browserZone, dayAt, isZone, monthBounds } from '#shared/zones.ts'
import type { Closed, State } from './state.ts'

/** What the host page wants to show first. */
export type OpeningOptions = {
  product: string | null
  date: string | null
  resource: string | null
  zone: string | null
  locale: Pick<Locale, 'firstWeekday'>
}

/** A month plus two days on either side, since the zone is not known yet. */
export function firstSpan(options: Pick<OpeningOptions, 'date'>, now: number): Span {
  const zone = browserZone()
  const { from, to } = monthBounds(firstMonth(options, now, zone), zone)
  return { from: from - 172_800_000, to: to + 172_800_000 }
}

function firstMonth({ date }: Pick<OpeningOptions, 'date'>, now: number, zone: string): Month {
  const today = dayAt(now, zone)
  return monthOf(isDay(date) && date > today ? date : today)
}

/** The selection before the visitor selects anything. */
export function opening(
  places: PublicData[],
  products: Product[],
  options: OpeningOptions,
  now: number,
): Partial<State> {
  const product = chosenProduct(products, options) ?? (products.length === 1 ? products[0] : undefined)
  const place = offering(places, product?.uuid).find(
    one => one.ref === options.resource || one.resource.uuid === options.resource,
  )
  const only = places.length === 1 ? places[0] : undefined
  const zone = firstZone(place ?? places[0]!, options)
  return {
    places,
    products,
    product: product?.uuid ?? null,
    resource: (place ?? only)?.resource.uuid ?? null,
    zone,
    today: dayAt(now, zone),
    month: firstMonth(options, now, zone),
  }
}

export const chosenProduct = (products: Product[], { product }: OpeningOptions) =>
  products.find(one => one.uuid === product || one.ref === product)

/** For an appointment at a place, the place's clock; otherwise the visitor's. */
function firstZone({ resource, provider }: PublicData, { zone }: OpeningOptions): string {
  if (zone && isZone(zone)) return zone
  return resource.address ? provider.timeZone : browserZone()
}

/** Why nothing can be booked; null if something can. */
export function closedBy(places: PublicData[], products: Product[]): Closed | null {
  if (places.every(one => one.resource.archived)) return 'archived'
  if (places.every(one => one.resource.archived || !one.channel.visible)) return 'hidden'
  return products.length === 0 ? 'nothing' : null
}

import type { Bookable, Product, PublicData } from '#shared/api-types.ts'
import type { FirstAnswer } from '#shared/list-answer.ts'

type Tuple = [
  start: number,
  end: number,
  ...ids: [number, number, number, number],
  capacity: number,
  left: number,
]

type Brought = {
  places: PublicData[]
  products: Product[]
  uuids: string[]
  /** Times in minutes; identifiers as indexes into `uuids`, -1 for none. */
  slots: Tuple[]
  from: number
  /** Null: the list has no end. */
  to: number | null
}

/** Our own pages embed the first answers next to the element, which saves the first request. */
export function readEmbeddedAnswer(element: Element): FirstAnswer | null {
  const text = element.querySelector('script[type="application/json"]')?.textContent
  return text ? beginningOf(JSON.parse(text)) : null
}

export function beginningOf({ places, products, uuids, slots, from, to }: Brought): FirstAnswer {
  const time = (minutes: number) => new Date(minutes * 60_000).toISOString()
  const bookables: Bookable[] = slots.map(
    ([start, end, timeslot, appointment, product, resource, capacity, left]) => ({
      start: time(start),
      end: time(end),
      timeslot_uuid: uuids[timeslot]!,
      appointment_uuid: uuids[appointment],
      product_uuid: uuids[product] ?? null,
      resource_uuid: uuids[resource]!,
      capacity,
      capacity_left: left,
    }),
  )
  const span = { from, to: to ?? Number.POSITIVE_INFINITY }
  return { places, products, listed: { visible: true, bookables }, span }
}

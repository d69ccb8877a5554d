import type { CalendarPeriod, CalendarProduct, CalendarResource } from '../../records.ts'
import { warningsOf } from '../calendar/warnings.ts'

type Span = { start: number; end: number }

const quarterMs = 900_000

/** A Resource that names no Product offers all. */
export const offers = ({ products }: CalendarResource, product: CalendarProduct) =>
  products.length === 0 || products.includes(product.uuid)

/** The first Resource that does this and at which nothing speaks against this time. */
export const freeAt = (data: CalendarPeriod, product: CalendarProduct, span: Span): CalendarResource | null =>
  data.resources.find(
    one =>
      offers(one, product) &&
      warningsOf(data, { ...span, resourceUuid: one.uuid, productUuid: product.uuid }).length === 0,
  ) ?? null

/** When that is for the first time, by quarters of an hour; null: not on this day any more. */
export function soonest(data: CalendarPeriod, product: CalendarProduct, from: number): number | null {
  const length = (product.minDuration ?? 30) * 60_000
  const last = Math.max(...data.timeslots.map(one => Date.parse(one.end)), 0)
  for (let start = from; start + length <= last; start += quarterMs)
    if (freeAt(data, product, { start, end: start + length })) return start
  return null
}

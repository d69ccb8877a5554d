import { addDays } from '#shared/dates.ts'
import { instantOf } from '#shared/zones.ts'
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
export function soonest(
  data: CalendarPeriod,
  product: CalendarProduct,
  from: number,
  length = lengthOf(product),
): number | null {
  const last = Math.max(...data.timeslots.map(one => Date.parse(one.end)), 0)
  for (let start = from; start + length <= last; start += quarterMs)
    if (freeAt(data, product, { start, end: start + length })) return start
  return null
}

export const lengthOf = ({ minDuration }: CalendarProduct) => (minDuration ?? 30) * 60_000

/** The first free time of each of these days that has one. Nothing before `from`. */
export function soonestByDay(
  data: CalendarPeriod,
  product: CalendarProduct,
  { from, length, days, zone }: { from: number; length: number; days: string[]; zone: string },
): number[] {
  return days.flatMap(day => {
    const [begin, end] = [instantOf(`${day}T00:00`, zone), instantOf(`${addDays(day, 1)}T00:00`, zone)]
    const ofDay = within(data, begin, end)
    const opens = Math.min(...ofDay.timeslots.map(one => Date.parse(one.start)))
    if (!Number.isFinite(opens)) return []
    const free = soonest(ofDay, product, Math.max(from, begin, opens), length)
    return free === null || free >= end ? [] : [free]
  })
}

/** What lies in this time: of six weeks a day is looked through at a time. */
function within(data: CalendarPeriod, begin: number, end: number): CalendarPeriod {
  const isIn = (from: string, to: string) => Date.parse(from) < end && Date.parse(to) > begin
  return {
    ...data,
    timeslots: data.timeslots.filter(one => isIn(one.start, one.end)),
    entries: data.entries.filter(one => isIn(one.blockedFrom, one.blockedTo)),
    closures: data.closures.filter(one => isIn(one.from, one.to)),
  }
}

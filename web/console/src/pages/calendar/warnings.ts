import type { CalendarPeriod, Entry } from '../../records.ts'
import { texts } from './words.ts'

type Wish = { resourceUuid: string; start: number; end: number; productUuid: string | null; except?: string }

/** What it would lie over, with its buffers. */
export function overlapping(data: CalendarPeriod, wish: Wish): Entry[] {
  const product = data.products.find(one => one.uuid === wish.productUuid)
  const from = wish.start - (product?.leadTimeMinutes ?? 0) * 60_000
  const to = wish.end + (product?.followUpTimeMinutes ?? 0) * 60_000
  return data.entries.filter(
    one =>
      one.state === 'ACTIVE' &&
      one.uuid !== wish.except &&
      one.resource.uuid === wish.resourceUuid &&
      Date.parse(one.blockedFrom) < to &&
      Date.parse(one.blockedTo) > from,
  )
}

/** What staff should know before they do it. They may do it all the same. */
export function warningsOf(data: CalendarPeriod, wish: Wish): string[] {
  const { resourceUuid, start, end } = wish
  if (!(start < end)) return []
  const overlaps = overlapping(data, wish)
  const isOpen = data.timeslots.some(
    one => one.resourceUuid === resourceUuid && Date.parse(one.start) <= start && Date.parse(one.end) >= end,
  )
  const closures = data.closures.filter(
    one =>
      (one.resources === null || one.resources.includes(resourceUuid)) &&
      Date.parse(one.from) < end &&
      Date.parse(one.to) > start,
  )
  return [
    ...overlaps.slice(0, 3).map(one => texts.overlaps(one.people[0]?.name ?? one.product.name)),
    ...closures.slice(0, 2).map(one => texts.isClosed(one.reason)),
    ...(isOpen ? [] : [texts.outside]),
    ...(start < Date.now() ? [texts.past] : []),
  ]
}

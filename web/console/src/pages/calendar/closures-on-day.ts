import { addDays } from '#shared/dates.ts'
import type { CalendarPeriod } from '../../records.ts'
import { clockAt, instant } from '../../time.ts'
import { closedName } from './calendar-events.ts'
import { texts } from './words.ts'

/**
 * The part of a closure, or of busy time in an external calendar, that falls on one day, in the Provider's local time. A block by
 * staff can be pressed to remove it.
 */
export type Closed = { uuid: string; name: string; start: string; end: string; isBlock: boolean }

export function closedOn(
  { closures, busyTimes }: CalendarPeriod,
  resource: string,
  day: string,
  zone: string,
): Closed[] {
  const closed = closures
    .filter(one => one.resources === null || one.resources.includes(resource))
    .map(one => ({ ...one, name: closedName(one) }))
  const busy = busyTimes
    .filter(one => one.resourceUuid === resource)
    .map(one => ({
      ...one,
      uuid: `busy ${resource} ${one.from}`,
      name: one.title ?? texts.busyOutside,
      isBlock: false,
    }))
  return [...closed, ...busy]
    .map(({ uuid, name, isBlock, from, to }) => ({
      uuid,
      name,
      isBlock,
      start: clockAt(instant(from), zone),
      end: clockAt(instant(to), zone),
    }))
    .filter(({ start, end }) => start < `${day}T24:00` && end > `${day}T00:00`)
    .map(one => ({
      ...one,
      start: one.start > `${day}T00:00` ? one.start : `${day}T00:00`,
      end: one.end < `${day}T24:00` ? one.end : `${addDays(day, 1)}T00:00`,
    }))
}

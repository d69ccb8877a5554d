import { addDays } from '#shared/dates.ts'
import type { CalendarPeriod } from '../../records.ts'
import { clockAt, instant } from '../../time.ts'
import { closedName } from './calendar-events.ts'

/**
 * The part of a closure that falls on one day, in the Provider's local time. A block by staff can be pressed
 * to remove it.
 */
export type Closed = { uuid: string; name: string; start: string; end: string; isBlock: boolean }

export function closedOn(
  { closures }: CalendarPeriod,
  resource: string,
  day: string,
  zone: string,
): Closed[] {
  return closures
    .filter(one => one.resources === null || one.resources.includes(resource))
    .map(one => ({ one, from: clockAt(instant(one.from), zone), to: clockAt(instant(one.to), zone) }))
    .filter(({ from, to }) => from < `${day}T24:00` && to > `${day}T00:00`)
    .map(({ one, from, to }) => ({
      uuid: one.uuid,
      name: closedName(one),
      start: from > `${day}T00:00` ? from : `${day}T00:00`,
      end: to < `${day}T24:00` ? to : `${addDays(day, 1)}T00:00`,
      isBlock: one.isBlock,
    }))
}

import { addDays, addMonths, firstDay, monthOf, startOfWeek } from '#shared/dates.ts'
import { instantOf } from '#shared/zones.ts'
import type { CalendarPeriod, Entry } from '../../records.ts'
import { clockAt, format, instant } from '../../time.ts'
import { locale } from '../../words.ts'

// The days and hours on show.

export type View = 'day' | 'week' | 'month' | 'list'

export const views: View[] = ['day', 'week', 'month', 'list']

/** The default is the day view, on phones and at the desk. */
export const viewOf = (asked: string | null): View => views.find(one => one === asked) ?? 'day'

export const firstWeekday = weekStart()

export function periodOf(view: View, day: string): { from: string; to: string } {
  if (view === 'day') return { from: day, to: addDays(day, 1) }
  if (view === 'month') {
    const from = startOfWeek(firstDay(monthOf(day)), firstWeekday)
    return { from, to: addDays(from, 42) }
  }
  const from = startOfWeek(day, firstWeekday)
  return { from, to: addDays(from, 7) }
}

export const daysOf = ({ from, to }: { from: string; to: string }): string[] => {
  const days: string[] = []
  for (let day = from; day < to; day = addDays(day, 1)) days.push(day)
  return days
}

export function stepped(view: View, day: string, count: number): string {
  if (view === 'month') return firstDay(addMonths(monthOf(day), count))
  return addDays(day, view === 'day' ? count : 7 * count)
}

export function titleOf(view: View, day: string): string {
  if (view === 'day') return format.day(day)
  if (view === 'month') return format.month(monthOf(day))
  const from = startOfWeek(day, firstWeekday)
  return `${format.shortDay(from)} – ${format.shortDay(addDays(from, 6))}`
}

export const isInPeriod = (from: string, to: string, zone: string) => {
  const [begin, end] = [instantOf(`${from}T00:00`, zone), instantOf(`${to}T00:00`, zone)]
  return (entry: Entry) => instant(entry.start) < end && instant(entry.end) > begin
}

export type Hours = { from: number; to: number; first: number }

/**
 * Leaves out nights unless something falls into them. `first` is the start of the first entry, nine o'clock
 * at the latest.
 */
export function hoursOf({ timeslots, entries }: CalendarPeriod, zone: string): Hours {
  const hours = { from: 7, to: 20, first: 9 }
  for (const { start, end } of [...timeslots, ...entries]) {
    const [begins, ends] = [clockAt(instant(start), zone), clockAt(instant(end), zone)]
    const goesOn = begins.slice(0, 10) < ends.slice(0, 10)
    const last = Number(ends.slice(11, 13)) + (ends.endsWith(':00') ? 0 : 1)
    hours.first = Math.min(hours.first, Number(begins.slice(11, 13)))
    hours.from = Math.min(hours.from, goesOn && last > 0 ? 0 : hours.first)
    hours.to = Math.max(hours.to, goesOn ? 24 : last)
  }
  return hours
}

const two = (value: number) => String(value).padStart(2, '0')

/** One hour, starting at the next full one. */
export function nextHour(time: string): { from: string; to: string } {
  const hour = Math.min(22, Number(time.slice(0, 2)) + (time.endsWith(':00') ? 0 : 1))
  return { from: `${two(hour)}:00`, to: `${two(hour + 1)}:00` }
}

/** A click is not exact to the minute. */
export const quarterOf = (time: string) =>
  `${time.slice(0, 14)}${two(Math.floor(Number(time.slice(14)) / 15) * 15)}`

/** One hour, or until the next booking. */
export function hourFrom(start: string, booked: string[]): { from: string; to: string } {
  const end = `${start.slice(0, 11)}${hourAfter(start.slice(11))}`
  const [next = end] = booked.filter(one => one > start && one < end).sort()
  return { from: start.slice(11), to: next.slice(11) }
}

const hourAfter = (time: string) => `${two((Number(time.slice(0, 2)) + 1) % 24)}${time.slice(2)}`

function weekStart(): number {
  const { weekInfo, getWeekInfo } = new Intl.Locale(locale.tag) as unknown as {
    weekInfo?: { firstDay: number }
    getWeekInfo?: () => { firstDay: number }
  }
  return getWeekInfo?.call(new Intl.Locale(locale.tag)).firstDay ?? weekInfo?.firstDay ?? 1
}

import { type Day, dayDate, type Month } from './dates.ts'
import { offsetAt, offsetText } from './zones.ts'

/** Dates and times in the words of a locale. */
export type Format = ReturnType<typeof makeFormat>

export function makeFormat(tag: string) {
  const formats = new Map<string, Intl.DateTimeFormat>()
  const format = (options: Intl.DateTimeFormatOptions) => {
    const key = JSON.stringify(options)
    let known = formats.get(key)
    if (!known) {
      known = new Intl.DateTimeFormat(tag, options)
      formats.set(key, known)
    }
    return known
  }
  const timeZone = 'UTC'
  // 9:00 AM, but 09:00: as mails and pages write it.
  const { hour12 } = format({ hour: 'numeric' }).resolvedOptions()
  const hour = hour12 ? 'numeric' : '2-digit'
  return {
    tag,
    month: (month: Month) =>
      format({ month: 'long', year: 'numeric', timeZone }).format(dayDate(`${month}-15`)),
    day: (day: Day) =>
      format({ weekday: 'long', day: 'numeric', month: 'long', timeZone }).format(dayDate(day)),
    shortDay: (day: Day) =>
      format({ weekday: 'short', day: 'numeric', month: 'short', timeZone }).format(dayDate(day)),
    weekday: (day: Day, weekday: 'short' | 'long') => format({ weekday, timeZone }).format(dayDate(day)),
    time: (instant: number, zone: string) =>
      format({ hour, minute: '2-digit', timeZone: zone }).format(instant),
    fullDay: (instant: number, zone: string) =>
      format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: zone }).format(
        instant,
      ),
    when: (instant: number, zone: string) =>
      format({
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        hour,
        minute: '2-digit',
        timeZone: zone,
      }).format(instant),
    /** Where the clocks change in between, each end would need its own: the start's is shown. */
    zone: (zone: string, instant: number) =>
      `${zone.replaceAll('_', ' ')} (${offsetText(offsetAt(instant, zone))})`,
    price: ({ value, currency }: { value: number; currency: string }) =>
      new Intl.NumberFormat(tag, { style: 'currency', currency }).format(value),
  }
}

/** 125 is '2:05'. */
export const countdown = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.max(0, seconds) % 60).padStart(2, '0')}`

export function duration(
  minutes: number,
  texts: { minutes(n: number): string; hours(n: number): string },
): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return texts.minutes(rest)
  return rest === 0 ? texts.hours(hours) : `${texts.hours(hours)} ${texts.minutes(rest)}`
}

import { type Day, dayDate, type Month } from './dates.ts'
import { cityOf, isPlace, isTwice, offsetAt, offsetText, remembered, wallAt } from './zones.ts'

/** Dates and times in the format of a locale. */
export type Format = ReturnType<typeof makeFormat>

/** The names of zones in the reader's language. The widget loads those of most languages after the first list. */
export type ZoneNames = {
  city: (zone: string) => string
  /** 'Berlin time'; null for zones that are only an offset. */
  name: (zone: string) => string | null
  label: (zone: string, offset: string) => string
}

/** `inWords` makes 'Berlin time' of 'Berlin'. A zone that is only an offset has no name. */
export function zoneNamesBy(inWords: (city: string) => string, city = cityOf): ZoneNames {
  const name = (zone: string) => {
    if (!isPlace(zone)) return null
    const words = inWords(city(zone))
    return `${words[0]!.toUpperCase()}${words.slice(1)}`
  }
  return {
    city,
    name,
    /** 'Berlin time (UTC+1)': the one way to write a zone. The offset may be two, if the clock changes in between. */
    label(zone, offset) {
      const known = name(zone)
      return known ? `${known} (${offset})` : offset
    },
  }
}

export const englishZone = (city: string) => `${city} time`

export function makeFormat(tag: string, names = zoneNamesBy(city => city)) {
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
  const fullDay = (instant: number | Date, zone: string) =>
    format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: zone }).format(
      instant,
    )
  // 9:00 AM, but 09:00: the same as in emails and pages.
  const { hour12 } = format({ hour: 'numeric' }).resolvedOptions()
  const hour = hour12 ? 'numeric' : '2-digit'
  /** When the clock is put back, two times read the same; both then show their offset. */
  const distinct = (text: string, instant: number, zone: string) =>
    isTwice(instant, zone) ? `${text} (${offsetText(offsetAt(instant, zone))})` : text
  const time = remembered((minuteOfDay: number) =>
    format({ hour, minute: '2-digit', timeZone }).format(minuteOfDay * 60_000),
  )
  return {
    tag,
    month: (month: Month) =>
      format({ month: 'long', year: 'numeric', timeZone }).format(dayDate(`${month}-15`)),
    // Intl itself writes "Wednesday 18 November", but "Wednesday, 18 November 2026".
    day: remembered((day: Day) => fullDay(dayDate(day), timeZone).replace(/,?( de)? \d{4}$/, '')),
    shortDay: (day: Day) =>
      format({ weekday: 'short', day: 'numeric', month: 'short', timeZone }).format(dayDate(day)),
    weekday: (day: Day, weekday: 'short' | 'long') => format({ weekday, timeZone }).format(dayDate(day)),
    time: (instant: number, zone: string) => {
      const wall = wallAt(instant, zone)
      return distinct(time(wall.hour * 60 + wall.minute), instant, zone)
    },
    fullDay,
    when: (instant: number, zone: string) =>
      distinct(
        format({
          weekday: 'short',
          day: 'numeric',
          month: 'short',
          hour,
          minute: '2-digit',
          timeZone: zone,
        }).format(instant),
        instant,
        zone,
      ),
    /** If the clock changes in between, start and end differ; the start's offset is shown. */
    zone: (zone: string, instant: number) => names.label(zone, offsetText(offsetAt(instant, zone))),
    /** Without the offset, where there is a name. */
    zoneName: (zone: string, instant: number) => names.name(zone) ?? offsetText(offsetAt(instant, zone)),
    /** In a list of zones the city comes first: people look for it, and type its first letters. */
    zoneOption: (zone: string, instant: number) =>
      `${names.city(zone)} (${offsetText(offsetAt(instant, zone))})`,
    price: ({ value, currency }: { value: number; currency: string }) =>
      new Intl.NumberFormat(tag, { style: 'currency', currency }).format(value),
  }
}

/** 125 is '2:05'. */
export const countdown = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.max(0, seconds) % 60).padStart(2, '0')}`

type Units = { minutes(n: number): string; hours(n: number): string; days(n: number): string }

/** 1530 is '1 day 1 h 30 min'. */
export function duration(minutes: number, texts: Units): string {
  const parts = [
    [Math.floor(minutes / 1440), texts.days],
    [Math.floor(minutes / 60) % 24, texts.hours],
    [minutes % 60, texts.minutes],
  ] as const
  const phrases = parts.filter(([count]) => count > 0).map(([count, text]) => text(count))
  return phrases.join(' ') || texts.minutes(0)
}

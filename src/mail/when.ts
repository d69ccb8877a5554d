import type { Language } from '../languages.ts'
import { textsIn } from './texts/index.ts'

export type When = {
  /** The day, then the hours; or, over midnight, from and to. */
  lines: [string, string]
  /** The same on one line. */
  sentence: string
  /** 'Europe/Berlin, MEZ (UTC+1)' */
  zone: string
  /** Short, for a subject, and still with its zone. */
  brief: string
}

export function whenOf(span: { start: string; end: string; timeZone: string }, language: Language): When {
  const from = momentOf(span.start, span.timeZone, language)
  const to = momentOf(span.end, span.timeZone, language)
  const lines = from.day === to.day ? [from.day, hours(from, to, language)] : days(from, to, language)
  return {
    lines: lines as [string, string],
    sentence: lines.join(from.day === to.day ? ', ' : ' '),
    zone: zoneOf(span.timeZone, from, to),
    brief: `${from.shortDay}, ${from.clock} (${from.zoneCode})`,
  }
}

type Moment = {
  day: string
  shortDay: string
  clock: string
  offset: string
  zoneName: string | null
  zoneCode: string
}

function momentOf(instant: string, timeZone: string, language: Language): Moment {
  const { locale } = textsIn(language)
  const date = new Date(instant)
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(date)
  const dayAndYear = { day: 'numeric', year: 'numeric' } as const
  const offset = `UTC${shortOffset(Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).offset)}`
  const zoneCode = zoneNameOf(date, timeZone, locale, 'short')
  return {
    day: format({ ...dayAndYear, weekday: 'long', month: 'long' }),
    shortDay: format({ ...dayAndYear, weekday: 'short', month: 'short' }),
    clock: format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    offset,
    zoneName: zoneCode ?? zoneNameOf(date, timeZone, locale, 'long'),
    zoneCode: zoneCode ?? offset,
  }
}

/** Where a language has no name for a zone, Intl answers with the offset, which we show anyway. */
function zoneNameOf(date: Date, timeZone: string, locale: string, timeZoneName: 'short' | 'long') {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName }).formatToParts(date)
  const name = parts.find(part => part.type === 'timeZoneName')?.value
  return name && !/^(GMT|UTC)[+\u2212-]/.test(name) ? name : null
}

/** '+01:00' is '+1', '+10:30' stays as it is but for the zero in front. */
function shortOffset(offset: string): string {
  return offset.replace(/^([+-])0?(\d+):(\d\d).*$/, (_, sign, hours, minutes) =>
    minutes === '00' ? `${sign}${hours}` : `${sign}${hours}:${minutes}`,
  )
}

function hours(from: Moment, to: Moment, language: Language): string {
  const { time, timeRange } = textsIn(language)
  if (from.offset !== to.offset) return `${clockWithZone(from, language)} – ${clockWithZone(to, language)}`
  return from.clock === to.clock ? time(from.clock) : timeRange(from.clock, to.clock)
}

function days(from: Moment, to: Moment, language: Language): [string, string] {
  const clock = (moment: Moment) =>
    from.offset === to.offset ? textsIn(language).time(moment.clock) : clockWithZone(moment, language)
  return [`${from.day}, ${clock(from)} –`, `${to.day}, ${clock(to)}`]
}

/** When the clocks change in between, 02:30 to 02:30 is an hour: each time needs its own zone. */
function clockWithZone(moment: Moment, language: Language): string {
  return `${textsIn(language).time(moment.clock)} ${moment.zoneCode}`
}

function zoneOf(timeZone: string, from: Moment, to: Moment): string {
  const names = [from, to].map(({ zoneName, offset }) => (zoneName ? `${zoneName} (${offset})` : offset))
  return `${timeZone}, ${[...new Set(names)].join(' – ')}`
}

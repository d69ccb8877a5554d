import type { Language } from '../languages.ts'
import { textsIn } from './texts/index.ts'

export type When = {
  /** The date and the times; or, past midnight, start and end. */
  lines: [string, string]
  /** The same on one line. */
  sentence: string
  /** 'Europe/Berlin, MEZ (UTC+1)' */
  zone: string
  /** Short, for a subject, including its zone. */
  brief: string
}

type Span = { start: string; end: string; timeZone: string; locale?: string | null }

export function whenOf(span: Span, language: Language): When {
  const style = styleOf(span, language)
  const from = momentOf(span.start, style)
  const to = momentOf(span.end, style)
  const lines = from.day === to.day ? [from.day, hours(from, to, language)] : days(from, to, language)
  return {
    lines: lines as [string, string],
    sentence: lines.join(from.day === to.day ? ', ' : ' '),
    zone: zoneOf(span.timeZone, from, to),
    brief: `${from.shortDay}, ${from.clock} (${from.zoneCode})`,
  }
}

type Style = { timeZone: string; locale: string; isTwelve: boolean }

/** The reader's region decides on date and clock format if it belongs to the language of the email. */
function styleOf({ timeZone, locale }: Span, language: Language): Style {
  const isOwn = locale?.toLowerCase().split('-')[0] === language
  const tag = isOwn && locale.includes('-') ? locale : textsIn(language).locale
  const { hour12 = false } = formatter(tag, { hour: 'numeric' }).resolvedOptions()
  return { timeZone, locale: tag, isTwelve: hour12 }
}

type Moment = {
  day: string
  shortDay: string
  clock: string
  offset: string
  zoneName: string | null
  zoneCode: string
  /** '8:30 AM' needs no word after it. */
  isTwelve: boolean
}

function momentOf(instant: string, { timeZone, locale, isTwelve }: Style): Moment {
  const date = new Date(instant)
  const format = (options: Intl.DateTimeFormatOptions) =>
    formatter(locale, { timeZone, ...options }).format(date)
  const dayAndYear = { day: 'numeric', year: 'numeric' } as const
  const offset = `UTC${shortOffset(Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).offset)}`
  const zoneCode = zoneNameOf(date, timeZone, locale, 'short')
  return {
    day: format({ ...dayAndYear, weekday: 'long', month: 'long' }),
    shortDay: format({ ...dayAndYear, weekday: 'short', month: 'short' }),
    clock: isTwelve
      ? format({ hour: 'numeric', minute: '2-digit' })
      : format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    isTwelve,
    offset,
    zoneName: zoneCode ?? zoneNameOf(date, timeZone, locale, 'long'),
    zoneCode: zoneCode ?? offset,
  }
}

/** If a language has no name for a zone, Intl returns the offset, which we show anyway. */
function zoneNameOf(date: Date, timeZone: string, locale: string, timeZoneName: 'short' | 'long') {
  const parts = formatter(locale, { timeZone, timeZoneName }).formatToParts(date)
  const name = parts.find(part => part.type === 'timeZoneName')?.value
  return name && !/^(GMT|UTC)[+\u2212-]/.test(name) ? name : null
}

/** '+01:00' becomes '+1' and '+10:30' stays. Uses a minus sign, because lines break at a hyphen. */
function shortOffset(offset: string): string {
  return offset
    .replace(/^([+-])0?(\d+):(\d\d).*$/, (_, sign, hours, minutes) =>
      minutes === '00' ? `${sign}${hours}` : `${sign}${hours}:${minutes}`,
    )
    .replace('-', '−')
}

function hours(from: Moment, to: Moment, language: Language): string {
  if (from.offset !== to.offset) return `${clockWithZone(from, language)} – ${clockWithZone(to, language)}`
  if (from.clock === to.clock) return clockOf(from, language)
  return from.isTwelve ? `${from.clock} – ${to.clock}` : textsIn(language).timeRange(from.clock, to.clock)
}

function days(from: Moment, to: Moment, language: Language): [string, string] {
  const clock = (moment: Moment) =>
    from.offset === to.offset ? clockOf(moment, language) : clockWithZone(moment, language)
  return [`${from.day}, ${clock(from)} –`, `${to.day}, ${clock(to)}`]
}

/** If the clocks change in between, 02:30 to 02:30 is an hour, so each time needs its own zone. */
function clockWithZone(moment: Moment, language: Language): string {
  return `${clockOf(moment, language)} ${moment.zoneCode}`
}

const clockOf = ({ clock, isTwelve }: Moment, language: Language) =>
  isTwelve ? clock : textsIn(language).time(clock)

function zoneOf(timeZone: string, from: Moment, to: Moment): string {
  const names = [from, to].map(({ zoneName, offset }) => (zoneName ? `${zoneName} (${offset})` : offset))
  return `${timeZone.replaceAll('_', ' ')}, ${[...new Set(names)].join(' – ')}`
}

const formatters = new Map<string, Intl.DateTimeFormat>()
const maxFormatters = 500

/** Cached: creating one takes a hundred times as long as using it, and an email needs a dozen. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const known = formatters.get(key)
  if (known) return known
  // Readers choose zones and regions freely, so the cache is bounded.
  if (formatters.size >= maxFormatters) formatters.clear()
  const made = new Intl.DateTimeFormat(locale, options)
  formatters.set(key, made)
  return made
}

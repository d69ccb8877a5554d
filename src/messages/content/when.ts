import { zoneLabel, zoneName } from '../../../web/shared/zone-names.ts'
import { offsetAt, offsetText } from '../../../web/shared/zones.ts'
import type { Language } from '../../languages.ts'
import { textsIn } from '../texts/index.ts'

export type When = {
  /** The date and the times; or, past midnight, start and end. */
  lines: [string, string]
  /** The same on one line. */
  sentence: string
  /** 'Berlin time (UTC+1)' */
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
    zone: zoneLabel(language, span.timeZone, [...new Set([from.offset, to.offset])].join(' – ')),
    brief: `${from.shortDay}, ${clockOf(from, language)} (${zoneName(language, span.timeZone) ?? from.offset})`,
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
  /** '8:30 AM' needs no word after it. */
  isTwelve: boolean
}

function momentOf(instant: string, { timeZone, locale, isTwelve }: Style): Moment {
  const date = new Date(instant)
  const format = (options: Intl.DateTimeFormatOptions) =>
    formatter(locale, { timeZone, ...options }).format(date)
  const dayAndYear = { day: 'numeric', year: 'numeric' } as const
  return {
    day: format({ ...dayAndYear, weekday: 'long', month: 'long' }),
    shortDay: format({ ...dayAndYear, weekday: 'short', month: 'short' }),
    clock: isTwelve
      ? format({ hour: 'numeric', minute: '2-digit' })
      : format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    isTwelve,
    offset: offsetText(offsetAt(date.getTime(), timeZone)),
  }
}

function hours(from: Moment, to: Moment, language: Language): string {
  if (from.offset !== to.offset)
    return `${clockWithOffset(from, language)} – ${clockWithOffset(to, language)}`
  if (from.clock === to.clock) return clockOf(from, language)
  return from.isTwelve ? `${from.clock} – ${to.clock}` : textsIn(language).timeRange(from.clock, to.clock)
}

function days(from: Moment, to: Moment, language: Language): [string, string] {
  const clock = (moment: Moment) =>
    from.offset === to.offset ? clockOf(moment, language) : clockWithOffset(moment, language)
  return [`${from.day}, ${clock(from)} –`, `${to.day}, ${clock(to)}`]
}

/** If the clocks change in between, 02:30 to 02:30 is an hour, so each time needs its own offset. */
function clockWithOffset(moment: Moment, language: Language): string {
  return `${clockOf(moment, language)} (${moment.offset})`
}

const clockOf = ({ clock, isTwelve }: Moment, language: Language) =>
  isTwelve ? clock : textsIn(language).time(clock)

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

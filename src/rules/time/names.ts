// The date words of a language, read from Intl once: formatting a slot then only looks them up.

export type Names = {
  /** January first. */
  months: readonly string[]
  shortMonths: readonly string[]
  /** Monday first. */
  weekdays: readonly string[]
  shortWeekdays: readonly string[]
  am: string
  pm: string
}

const MAX_LANGUAGES_KNOWN = 100
const languagesKnown = new Map<string, Names>()

/** Null if the tag is malformed or its language is unknown. */
export function namesFor(languageTag: string): Names | null {
  const known = languagesKnown.get(languageTag)
  if (known) return known
  if (!isKnownLanguage(languageTag)) return null
  const names = findNames(languageTag)
  if (languagesKnown.size >= MAX_LANGUAGES_KNOWN) languagesKnown.clear()
  languagesKnown.set(languageTag, names)
  return names
}

function isKnownLanguage(tag: string): boolean {
  // Real tags are short; a long one is invalid and would only fill the cache.
  if (tag.length > 35) return false
  try {
    // Without this check, Intl falls back to the language of the machine.
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

function findNames(tag: string): Names {
  return {
    months: MONTHS.map(date => monthName(tag, date, 'long')),
    shortMonths: MONTHS.map(date => monthName(tag, date, 'short')),
    weekdays: WEEKDAYS.map(date => wordOf('weekday', tag, date, dateWith('long'))),
    shortWeekdays: WEEKDAYS.map(date => wordOf('weekday', tag, date, dateWith('short'))),
    am: wordOf('dayPeriod', tag, Date.UTC(2024, 0, 1, 9), { hour: 'numeric', hour12: true }),
    pm: wordOf('dayPeriod', tag, Date.UTC(2024, 0, 1, 15), { hour: 'numeric', hour12: true }),
  }
}

// 1 January 2024 was a Monday.
const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 1))
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day))

function monthName(tag: string, date: number, width: 'long' | 'short'): string {
  const inDate = wordOf('month', tag, date, dateWith(width))
  // Some languages use a number in dates (Czech "4. 2."); the standalone name is better then.
  return /^\d+$/.test(inDate) ? Intl.DateTimeFormat(tag, { ...FIXED, month: width }).format(date) : inDate
}

/** A whole date, because many languages inflect the words in one: Polish "luty", but "4 lutego". */
function dateWith(width: 'long' | 'short'): Intl.DateTimeFormatOptions {
  return { weekday: width, year: 'numeric', month: width, day: 'numeric' }
}

// Persian and Thai would otherwise use their own calendars.
const FIXED = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' } as const

function wordOf(
  type: 'month' | 'weekday' | 'dayPeriod',
  tag: string,
  date: number,
  options: Intl.DateTimeFormatOptions,
): string {
  const parts = Intl.DateTimeFormat(tag, { ...FIXED, ...options }).formatToParts(date)
  return parts.find(part => part.type === type)?.value ?? ''
}

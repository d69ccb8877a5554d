// Calendar arithmetic on plain numbers. A list has tens of thousands of slots, so nothing here calls Date,
// Temporal or Intl; an offset from UTC (see zones.ts) is all it needs to know about a zone.

export const MINUTE = 60_000
export const DAY = 86_400_000
/** The latest instant: the last millisecond that ISO 8601 writes with a four-digit year. */
export const lastInstant = 253_402_300_799_999

export type LocalParts = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  /** 1 is Monday, 7 is Sunday. */
  weekday: number
  /** Days since 1970-01-01, local. */
  dayNumber: number
}

export function localParts(ms: number, offsetMs: number): LocalParts {
  const local = ms + offsetMs
  const dayNumber = Math.floor(local / DAY)
  const { year, month, day } = dateOfDay(dayNumber)
  const seconds = Math.floor((local - dayNumber * DAY) / 1000)
  return {
    year,
    month,
    day,
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    weekday: weekdayOf(dayNumber),
    dayNumber,
  }
}

export function weekdayOf(dayNumber: number): number {
  // Day 0 was a Thursday. The second remainder is for days before 1970.
  return ((((dayNumber + 3) % 7) + 7) % 7) + 1
}

export function toUtcText(ms: number): string {
  return toOffsetText(ms, 0)
}

/** ISO 8601 with the offset, `Z` when it is zero; milliseconds only when there are any. */
export function toOffsetText(ms: number, offsetMs: number): string {
  // An offset text has no seconds. Monrovia had -00:44:30 until 1972; shifting the clock by the shortened
  // offset keeps the instant exact.
  const offset = Math.trunc(offsetMs / MINUTE)
  const local = ms + offset * MINUTE
  const dayNumber = Math.floor(local / DAY)
  return `${dayText(dayNumber)}T${clockText(local - dayNumber * DAY)}${offsetText(offset)}`
}

function clockText(msOfDay: number): string {
  const minutes = Math.floor(msOfDay / MINUTE)
  const millis = msOfDay % 1000
  const fraction = millis === 0 ? '' : `.${String(millis).padStart(3, '0')}`
  return `${minuteText(minutes)}:${twoDigits(Math.floor(msOfDay / 1000) % 60)}${fraction}`
}

/** `10:00`, by the minute of the day. */
export function minuteText(minuteOfDay: number): string {
  return MINUTES[minuteOfDay] ?? ''
}

// Every HH:mm of a day. This table and the memoised results below make long lists several times as fast.
const MINUTES = Array.from({ length: 1440 }, (_, minute) => {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
})

const dateOfDay = keepLast(computeDate)

/** `2026-03-04` */
export const dayText = keepLast((dayNumber: number) => {
  const { year, month, day } = dateOfDay(dayNumber)
  return `${fourDigits(year)}-${twoDigits(month)}-${twoDigits(day)}`
})

const offsetText = keepLast((minutes: number) => {
  if (minutes === 0) return 'Z'
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
})

/** Slots come in order, so the next key mostly equals the last one. */
function keepLast<Answer>(compute: (key: number) => Answer): (key: number) => Answer {
  let lastKey = 0
  let answer = compute(lastKey)
  return key => {
    if (key !== lastKey) {
      answer = compute(key)
      lastKey = key
    }
    return answer
  }
}

export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}

export function fourDigits(year: number): string {
  return year < 1000 ? String(year).padStart(4, '0') : `${year}`
}

/**
 * The proleptic Gregorian date of a day number. Years are counted from 1 March, so that the leap day comes
 * last in its year, its century and its 400-year era, and every month length follows from one formula.
 */
function computeDate(dayNumber: number): { year: number; month: number; day: number } {
  const sinceMarch0000 = dayNumber + 719_468
  const era = Math.floor(sinceMarch0000 / 146_097)
  const dayOfEra = sinceMarch0000 - era * 146_097
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return { year, month, day }
}

// Days and months as strings (`2026-03-04`, `2026-03`): no zone, no clock, and they sort naturally.

export type Day = string
export type Month = string

export const dayMs = 86_400_000
/** Midnight in UTC, in milliseconds, and back. */
export const utcOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)
export const dayText = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)

export const monthOf = (day: Day): Month => day.slice(0, 7)
export const firstDay = (month: Month): Day => `${month}-01`
export const addDays = (day: Day, count: number): Day => dayText(utcOf(day) + count * dayMs)

export function addMonths(month: Month, count: number): Month {
  const date = new Date(utcOf(firstDay(month)))
  date.setUTCMonth(date.getUTCMonth() + count)
  return date.toISOString().slice(0, 7)
}

/** The same day in another month, or its last one: 31 January becomes 28 February. */
export function sameDayIn(day: Day, month: Month): Day {
  const last = addDays(firstDay(addMonths(month, 1)), -1)
  const wanted = `${month}-${day.slice(8)}`
  return wanted > last ? last : wanted
}

/** 1 is Monday, 7 is Sunday. */
export const weekday = (day: Day): number => new Date(utcOf(day)).getUTCDay() || 7

export function startOfWeek(day: Day, firstWeekday: number): Day {
  return addDays(day, -((weekday(day) - firstWeekday + 7) % 7))
}

/** Always six weeks, so that the page does not jump between months. */
export function weeksOf(month: Month, firstWeekday: number): Day[][] {
  const start = startOfWeek(firstDay(month), firstWeekday)
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, column) => addDays(start, week * 7 + column)),
  )
}

/** The year after must have four digits too, since following months are computed. */
export const isDay = (value: string | null | undefined): value is Day =>
  /^[1-8]\d{3}-\d\d-\d\d$/.test(value ?? '') &&
  !Number.isNaN(utcOf(value!)) &&
  dayText(utcOf(value!)) === value

/** A day as a Date at noon UTC, for formatting with timeZone UTC. */
export const dayDate = (day: Day) => new Date(utcOf(day) + dayMs / 2)

const steps: Record<string, number> = { ArrowUp: -7, ArrowDown: 7 }

/** The day that a key moves to in the month grid; null for other keys. */
export function dayAfterKey(day: Day, key: string, firstWeekday: number, rightToLeft: boolean): Day | null {
  const forward = rightToLeft ? 'ArrowLeft' : 'ArrowRight'
  if (key === 'ArrowLeft' || key === 'ArrowRight') return addDays(day, key === forward ? 1 : -1)
  if (key in steps) return addDays(day, steps[key]!)
  if (key === 'Home') return startOfWeek(day, firstWeekday)
  if (key === 'End') return addDays(startOfWeek(day, firstWeekday), 6)
  if (key === 'PageUp') return sameDayIn(day, addMonths(monthOf(day), -1))
  if (key === 'PageDown') return sameDayIn(day, addMonths(monthOf(day), 1))
  return null
}

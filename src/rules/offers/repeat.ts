// The dates of a series: every n days, weeks or months, at the same time by the wall clock.

import { DAY, localParts, weekdayOf } from '../time/civil.ts'
import { parseDateOrInstant, parseWall } from '../time/time.ts'
import { instantOfWall, wallOfInstant } from '../time/zones.ts'

/** One transaction books them all, and one email lists them. */
export const maxDates = 100
/** Keeps "every 100 months" from running far beyond any plan. */
const maxDays = 5 * 366

export const repeatUnits = ['day', 'week', 'month'] as const

export type Repeat = {
  unit: (typeof repeatUnits)[number]
  every: number
  /** For weeks: '1' is Monday. Default: the weekday of the first date. */
  weekdays?: readonly string[] | null
  count?: number | null
  /** The last possible day. */
  until?: string | null
}

type Problem = {
  invalid: 'first' | 'count' | 'until' | 'weekdays'
  because: 'format' | 'end' | 'none' | 'many'
}

/** The starts, as instants. A time in the gap of a clock change moves forward on that day only. */
export function repeatedStarts(first: string, repeat: Repeat, zone: string): number[] | Problem {
  const wall = parseWall(first, zone)
  if (wall === null) return { invalid: 'first', because: 'format' }
  if (repeat.unit !== 'week' && repeat.weekdays?.length) return { invalid: 'weekdays', because: 'format' }
  if (!repeat.count && !repeat.until) return { invalid: 'count', because: 'end' }
  const lastDay = lastDayOf(repeat.until)
  if (lastDay === null) return { invalid: 'until', because: 'format' }
  const firstDay = Math.floor(wall / DAY)
  const timeOfDay = wall - firstDay * DAY
  const starts: number[] = []
  for (const day of daysOf(firstDay, repeat)) {
    if (day > lastDay || starts.length === repeat.count) break
    if (starts.length === maxDates || day > firstDay + maxDays)
      return { invalid: repeat.count ? 'count' : 'until', because: 'many' }
    starts.push(instantOfWall(day * DAY + timeOfDay, zone))
  }
  return starts.length > 0 ? starts : { invalid: 'until', because: 'none' }
}

function lastDayOf(until: string | null | undefined): number | null {
  if (!until) return Infinity
  const midnight = /^\d{4}-\d\d-\d\d$/.test(until) ? parseDateOrInstant(until, 'UTC') : null
  return midnight === null ? null : midnight / DAY
}

/** Endless; the caller stops. */
function* daysOf(firstDay: number, { unit, every, weekdays }: Repeat): Generator<number> {
  if (unit === 'month') yield* monthlyFrom(firstDay, every)
  else if (unit === 'day') for (let day = firstDay; ; day += every) yield day
  else {
    const monday = firstDay - weekdayOf(firstDay) + 1
    const wanted = weekdays?.length ? [...new Set(weekdays)].map(Number).sort() : [weekdayOf(firstDay)]
    for (let week = monday; ; week += 7 * every)
      for (const weekday of wanted) if (week + weekday > firstDay) yield week + weekday - 1
  }
}

/** The 31st becomes the last day of shorter months. */
function* monthlyFrom(firstDay: number, every: number): Generator<number> {
  const { year, month, day } = localParts(firstDay * DAY, 0)
  for (let ahead = month - 1; ; ahead += every) {
    const last = new Date(Date.UTC(year, ahead + 1, 0)).getUTCDate()
    yield Date.UTC(year, ahead, Math.min(day, last)) / DAY
  }
}

/** If the date at `from` moves to `to`, the others move by as many local days, to the same time of day. */
export function shiftedStart(
  start: number,
  { from, to }: { from: number; to: number },
  zone: string,
): number {
  const dayOf = (instant: number) => Math.floor(wallOfInstant(instant, zone) / DAY)
  const timeOfDay = wallOfInstant(to, zone) - dayOf(to) * DAY
  return instantOfWall((dayOf(start) + dayOf(to) - dayOf(from)) * DAY + timeOfDay, zone)
}

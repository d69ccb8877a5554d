// A series of Appointments: the same local hours on several days, split into pieces of `raster` minutes.

import { DAY, MINUTE, weekdayOf } from '../time/civil.ts'
import { parseInstant, parseWall } from '../time/time.ts'
import { instantOfWall, wallOfInstant } from '../time/zones.ts'
import { rasterLines, slotCount } from './timeslots.ts'

export const MAX_SERIES = 5000

export type Series = {
  /** A date-time as text, or an instant. */
  from: string | number
  to: string | number
  raster: number
  /** '1' is Monday, '7' is Sunday. */
  weekdays?: readonly string[] | null
  zone: string
}

/** [start, end) in epoch milliseconds. */
type Window = { start: number; end: number }

type SeriesWindows =
  | { windows: Window[] }
  | { invalid: 'from' | 'to' | 'raster' | 'weekdays' }
  | { tooMany: true }

export function seriesWindows(series: Series): SeriesWindows {
  const { raster, zone } = series
  const weekdays = series.weekdays ?? []
  const from = momentOf(series.from, zone)
  if (!from) return { invalid: 'from' }
  const to = momentOf(series.to, zone)
  if (!to || to.at <= from.at) return { invalid: 'to' }

  const plan = planOf(from, to)
  // A raster longer than the window would make us try every day up to the year 9999 in vain.
  if (!Number.isInteger(raster) || raster < 1 || raster * MINUTE > plan.length) return { invalid: 'raster' }
  if (!weekdays.every(weekday => /^[1-7]$/.test(weekday))) return { invalid: 'weekdays' }
  if (weekdays.length === 0 && plan.lastDay > plan.firstDay) return { invalid: 'weekdays' }

  return cutDays(daysOf(plan, weekdays, zone), raster)
}

type Moment = { at: number; wall: number }

/** Keeps the wall clock beside the instant: a `from` in the spring gap moves on that one day only. */
function momentOf(time: string | number, zone: string): Moment | null {
  if (typeof time === 'number') return { at: time, wall: wallOfInstant(time, zone) }
  const at = parseInstant(time, zone)
  const wall = parseWall(time, zone)
  return at === null || wall === null ? null : { at, wall }
}

/** What repeats: local hours that start on each day from `firstDay` to `lastDay`. */
type Plan = {
  firstDay: number
  lastDay: number
  /** Since local midnight, and the length in wall clock time. */
  timeOfDay: number
  length: number
  /** The exact period if there is only one day: it need not be computed from the wall clock. */
  only?: Window
}

function planOf(from: Moment, to: Moment): Plan {
  const firstDay = Math.floor(from.wall / DAY)
  const lastDay = Math.floor(to.wall / DAY)
  const timeOfDay = from.wall - firstDay * DAY
  if (firstDay === lastDay) {
    const only = { start: from.at, end: to.at }
    return { firstDay, lastDay, timeOfDay, length: to.at - from.at, only }
  }
  const length = to.wall - lastDay * DAY - timeOfDay
  if (length > 0) return { firstDay, lastDay, timeOfDay, length }
  // Past midnight: a window that started on the date of `to` would start at or after `to`, so the last one
  // starts the day before. From Monday 22:00 to Tuesday 02:00 is one window, not two.
  return { firstDay, lastDay: lastDay - 1, timeOfDay, length: length + DAY }
}

/** Lazy, because the caller stops as soon as there are too many. */
function* daysOf(plan: Plan, weekdays: readonly string[], zone: string): Generator<Window> {
  for (let day = plan.firstDay; day <= plan.lastDay; day++) {
    if (weekdays.length > 0 && !weekdays.includes(String(weekdayOf(day)))) continue
    const wall = day * DAY + plan.timeOfDay
    yield plan.only ?? { start: instantOfWall(wall, zone), end: instantOfWall(wall + plan.length, zone) }
  }
}

function cutDays(days: Iterable<Window>, raster: number): SeriesWindows {
  const windows: Window[] = []
  for (const { start, end } of days) {
    if (windows.length + slotCount(start, end, raster) > MAX_SERIES) return { tooMany: true }
    for (const line of rasterLines(start, end, raster)) {
      windows.push({ start: line, end: line + raster * MINUTE })
    }
  }
  return { windows }
}

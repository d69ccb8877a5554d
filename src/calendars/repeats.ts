import type ICAL from 'ical.js'
import { type Moment, momentOf, type Reader, readMoments } from './moments.ts'
import { CalendarProblem } from './problem.ts'
import { timeOf, wallOf } from './zones.ts'

const dayMs = 86_400_000

type Limits = { budget: { left: number }; options: { from: number; to: number } }

/**
 * The starts of a repeated entry, up to the end of the period. The rules are followed by the wall clock of the entry's zone, so that
 * ten o'clock stays ten o'clock when the clocks change.
 */
export function* repeatedStarts(
  entry: ICAL.Component,
  start: Moment,
  lengthMs: number,
  reader: Reader,
  limits: Limits,
): Generator<Moment> {
  const isExcluded = exclusionsOf(entry, start, reader)
  const seen = new Set<number>()
  const isNew = ({ instant }: Moment) => !seen.has(instant) && seen.add(instant) !== undefined
  const moments = function* () {
    yield start
    for (const rule of entry.getAllProperties('rrule'))
      yield* ofRule(rule.getFirstValue() as ICAL.Recur, start, lengthMs, reader, limits)
    for (const property of entry.getAllProperties('rdate')) yield* readMoments(property, reader)
  }
  for (const moment of moments()) {
    if (!isExcluded(moment) && isNew(moment)) yield moment
  }
}

function* ofRule(
  rule: ICAL.Recur,
  start: Moment,
  lengthMs: number,
  reader: Reader,
  limits: Limits,
): Generator<Moment> {
  // Years of past occurrences are skipped without a look at their zone. A month of room, for those that an exception moves.
  const firstWall = limits.options.from - lengthMs - 31 * dayMs
  const lastWall = untilOf(rule, start, reader)
  const free = rule.clone()
  // Compared here, by the wall clock: the library would compare a UTC end with local starts.
  if (rule.until) free.until = null as never
  const iterator = free.iterator(timeOf(start.wall))
  for (let time = iterator.next(); time; time = iterator.next()) {
    const wall = wallOf(time)
    if (wall > lastWall) return
    if (--limits.budget.left < 0) throw new CalendarProblem('repeats')
    if (wall < firstWall) continue
    const instant = start.zone.toInstant(wall)
    if (instant >= limits.options.to) return
    yield { ...start, wall, instant }
  }
}

/** The last moment at which the rule may start, as a wall clock. A day counts to its end. */
function untilOf({ until }: ICAL.Recur, start: Moment, reader: Reader): number {
  if (!until) return Number.POSITIVE_INFINITY
  const last = momentOf(until, null, { ...reader, zoneNamed: () => start.zone })
  if (last.isDate) return last.wall + dayMs - 1
  if (start.isDate) return Math.floor(last.wall / dayMs) * dayMs
  return start.zone.toWall(last.instant)
}

/** Excluded days match whatever starts on them, excluded times the instant. A time without a zone is one of the entry's own zone. */
function exclusionsOf(entry: ICAL.Component, start: Moment, reader: Reader): (moment: Moment) => boolean {
  const days = new Set<number>()
  const instants = new Set<number>()
  const inZone: Reader = {
    ...reader,
    zoneNamed: tzid => (tzid === null ? start.zone : reader.zoneNamed(tzid)),
  }
  for (const property of entry.getAllProperties('exdate'))
    for (const { wall, instant, isDate } of readMoments(property, inZone))
      if (isDate || start.isDate) days.add(Math.floor(wall / dayMs))
      else instants.add(instant)
  return ({ wall, instant }) => instants.has(instant) || days.has(Math.floor(wall / dayMs))
}

// Opening hours: rules in local time that become Timeslots, day by day.

import { invalidField } from '../../errors.ts'
import { instantOfWall, wallOfInstant } from '../time/zones.ts'

export type OpeningRule = {
  uuid: string
  /** 1 is Monday. */
  weekdays: number[]
  /** Minutes since local midnight; `to` exceeds 1440 if the rule runs past midnight. */
  from: number
  to: number
  raster: number
  capacity: number
  acceptBookings: boolean
  /** Days such as 2026-03-04, inclusive; null for no limit. */
  validFrom: string | null
  validUntil: string | null
  /** Every second week: the Monday of a week in which it applies. Null for every week. */
  weekOf: string | null
  /** The only day on which it applies, instead of the rules of the week. */
  onlyOn: string | null
  /** Only with `onlyOn`: that day is closed. */
  isClosed: boolean
}

/** What a rule opens on one day. */
export type Opening = {
  rule: string
  day: string
  start: number
  end: number
  raster: number
  capacity: number
  acceptBookings: boolean
}

const minute = 60_000
const dayMs = 86_400_000
const dayMinutes = 1440
const weekMinutes = 7 * dayMinutes
const cycleMinutes = 2 * weekMinutes

const wallOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
export const addDays = (day: string, count: number) =>
  new Date(wallOf(day) + count * dayMs).toISOString().slice(0, 10)
const weekdayOf = (day: string) => new Date(wallOf(day)).getUTCDay() || 7
export const mondayOf = (day: string) => addDays(day, 1 - weekdayOf(day))
/** 0 or 1: which of two alternating weeks this day is in. */
const weekInCycle = (day: string) => Math.floor(wallOf(mondayOf(day)) / (7 * dayMs)) & 1

/** The openings from `first` to `last`, inclusive. Local times hold across clock changes. */
export function openingsOf(rules: OpeningRule[], zone: string, first: string, last: string): Opening[] {
  const openings: Opening[] = []
  const exceptions = new Set(rules.map(rule => rule.onlyOn))
  for (let day = first; day <= last; day = addDays(day, 1))
    for (const rule of rules)
      if (exceptions.has(day) ? rule.onlyOn === day && !rule.isClosed : isOpen(rule, day))
        openings.push(...openingOn(rule, day, zone))
  return openings
}

const isOpen = ({ weekdays, validFrom, validUntil, weekOf, onlyOn }: OpeningRule, day: string) =>
  onlyOn === null &&
  weekdays.includes(weekdayOf(day)) &&
  (weekOf === null || weekInCycle(weekOf) === weekInCycle(day)) &&
  (validFrom === null || day >= validFrom) &&
  (validUntil === null || day <= validUntil)

/** Programs that do not know such rules may have extended the hours; see the migration. */
export const isIrregular = ({ weekOf, onlyOn }: OpeningRule) => weekOf !== null || onlyOn !== null

/** Whether the hours cover this time, if need be with several adjoining openings. */
export function isWithin(rules: OpeningRule[], zone: string, { start, end }: { start: number; end: number }) {
  const dayAt = (instant: number) => new Date(wallOfInstant(instant, zone)).toISOString().slice(0, 10)
  // Openings of the day before may run past midnight.
  const openings = openingsOf(rules, zone, addDays(dayAt(start), -1), dayAt(end))
  let covered = start
  for (const one of openings.toSorted((a, b) => a.start - b.start))
    if (one.start <= covered && one.end > covered) covered = one.end
  return covered >= end
}

function openingOn(rule: OpeningRule, day: string, zone: string): Opening[] {
  const { uuid, raster, capacity, acceptBookings } = rule
  const start = instantOfWall(wallOf(day) + rule.from * minute, zone)
  const end = instantOfWall(wallOf(day) + rule.to * minute, zone)
  // A clock change can leave a short rule without time.
  if (end - start < raster * minute) return []
  return [{ rule: uuid, day, start, end, raster, capacity, acceptBookings }]
}

/** Two rules that overlap would offer the same time twice. */
export function refuseOverlap(rules: OpeningRule[]) {
  const weekly = rules.filter(rule => rule.onlyOn === null)
  for (const [index, one] of weekly.entries())
    for (const [before, other] of weekly.slice(0, index).entries()) {
      if (!areOverlapping(one, other)) continue
      throw invalidField(`rules[${index}]`, 'overlap:rules', {
        own: nameOf(one),
        other: nameOf(other),
        before,
      })
    }
  for (const day of new Set(rules.map(rule => rule.onlyOn))) if (day) refuseOverlapAround(rules, day)
}

/** The hours of a single day, and those around it that run past midnight. */
function refuseOverlapAround(rules: OpeningRule[], day: string) {
  const openings = openingsOf(rules, 'UTC', addDays(day, -1), addDays(day, 1))
  const inOrder = openings.toSorted((one, other) => one.start - other.start)
  if (inOrder.some((one, index) => one.end > (inOrder[index + 1]?.start ?? Infinity)))
    throw invalidField('exceptions', 'overlap:day', { day })
}

function areOverlapping(one: OpeningRule, other: OpeningRule): boolean {
  const isValidTogether =
    (one.validUntil ?? '9999-12-31') >= (other.validFrom ?? '0000-01-01') &&
    (other.validUntil ?? '9999-12-31') >= (one.validFrom ?? '0000-01-01')
  return isValidTogether && spansOf(one).some(span => spansOf(other).some(rival => meet(span, rival)))
}

type Span = { from: number; to: number }

/** In minutes of two weeks. A rule that runs past midnight on the last Sunday continues on the first Monday. */
function spansOf({ weekdays, from, to, weekOf }: OpeningRule): Span[] {
  const weeks = weekOf === null ? [0, 1] : [weekInCycle(weekOf)]
  return weeks.flatMap(week =>
    weekdays.flatMap(weekday => {
      const start = week * weekMinutes + (weekday - 1) * dayMinutes
      const span = { from: start + from, to: start + to }
      if (span.to <= cycleMinutes) return [span]
      return [
        { from: span.from, to: cycleMinutes },
        { from: 0, to: span.to - cycleMinutes },
      ]
    }),
  )
}

const meet = (one: Span, other: Span) => one.from < other.to && other.from < one.to

export const clockText = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const nameOf = ({ weekdays, from, to }: OpeningRule) =>
  `weekdays ${weekdays.join(', ')}, ${clockText(from)} to ${clockText(to > dayMinutes ? to - dayMinutes : to)}`

/** A Timeslot made by opening hours; `rule` is null for a remnant that is kept for its bookings. */
export type ExistingOpening = Omit<Opening, 'rule'> & {
  id: number
  rule: string | null
  /** In the past: unchanged unless its day is extended. */
  isOver: boolean
  booked: { start: number; end: number }[]
}

export type Plan = {
  insert: Opening[]
  update: (Opening & { id: number })[]
  /** Has bookings: kept for as long as they last, with nothing new on offer. */
  rest: { id: number; start: number; end: number }[]
  remove: number[]
}

/**
 * The changes that make the Timeslots match the rules. Bookings keep their times. A new rule takes over the
 * equal Timeslots of one that ends, so that groups in them can still be joined.
 */
export function planOpenings(made: ExistingOpening[], wanted: Opening[]): Plan {
  const plan: Plan = { insert: [], update: [], rest: [], remove: [] }
  const fresh: Opening[] = []
  const byKey = new Map(made.filter(one => one.rule !== null).map(one => [keyOf(one), one]))
  for (const opening of wanted) {
    const there = byKey.get(keyOf(opening))
    byKey.delete(keyOf(opening))
    if (!there) fresh.push(opening)
    else if (isSame(there, opening)) continue
    else if (there.booked.every(span => opening.start <= span.start && span.end <= opening.end))
      plan.update.push({ ...opening, id: there.id })
    else {
      plan.rest.push(restOf(there))
      plan.insert.push(opening)
    }
  }
  for (const opening of fresh) {
    const former = [...byKey.values()].find(one => !one.isOver && isSame(one, opening))
    if (!former) {
      plan.insert.push(opening)
      continue
    }
    byKey.delete(keyOf(former))
    plan.update.push({ ...opening, id: former.id })
  }
  const others = [...byKey.values(), ...made.filter(one => one.rule === null)]
  for (const surplus of others.filter(one => !one.isOver)) {
    if (surplus.booked.length === 0) plan.remove.push(surplus.id)
    else if (surplus.rule !== null) plan.rest.push(restOf(surplus))
  }
  return plan
}

const keyOf = ({ rule, day }: { rule: string | null; day: string }) => `${rule} ${day}`

const isSame = (one: ExistingOpening, other: Opening) =>
  one.start === other.start &&
  one.end === other.end &&
  one.raster === other.raster &&
  one.capacity === other.capacity &&
  one.acceptBookings === other.acceptBookings

const restOf = ({ id, booked }: ExistingOpening) => ({
  id,
  start: Math.min(...booked.map(one => one.start)),
  end: Math.max(...booked.map(one => one.end)),
})

// Opening hours: rules in local time that become Timeslots, day by day.

import { invalidField } from '../../errors.ts'
import { instantOfWall } from '../time/zones.ts'

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

const wallOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
export const addDays = (day: string, count: number) =>
  new Date(wallOf(day) + count * dayMs).toISOString().slice(0, 10)
const weekdayOf = (day: string) => new Date(wallOf(day)).getUTCDay() || 7

/** The openings from `first` to `last`, inclusive. Local times hold across clock changes. */
export function openingsOf(rules: OpeningRule[], zone: string, first: string, last: string): Opening[] {
  const openings: Opening[] = []
  for (let day = first; day <= last; day = addDays(day, 1))
    for (const rule of rules) if (isOpen(rule, day)) openings.push(...openingOn(rule, day, zone))
  return openings
}

const isOpen = ({ weekdays, validFrom, validUntil }: OpeningRule, day: string) =>
  weekdays.includes(weekdayOf(day)) &&
  (validFrom === null || day >= validFrom) &&
  (validUntil === null || day <= validUntil)

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
  for (const [index, one] of rules.entries())
    for (const [before, other] of rules.slice(0, index).entries()) {
      if (!areOverlapping(one, other)) continue
      throw invalidField(
        `rules[${index}]`,
        `rules[${index}] (${nameOf(one)}) overlaps rules[${before}] (${nameOf(other)}). Change the times, the weekdays or the days on which they are valid.`,
      )
    }
}

function areOverlapping(one: OpeningRule, other: OpeningRule): boolean {
  const isValidTogether =
    (one.validUntil ?? '9999-12-31') >= (other.validFrom ?? '0000-01-01') &&
    (other.validUntil ?? '9999-12-31') >= (one.validFrom ?? '0000-01-01')
  return isValidTogether && spansOf(one).some(span => spansOf(other).some(rival => meet(span, rival)))
}

type Span = { from: number; to: number }

/** In minutes of the week. A rule that runs past midnight on Sunday continues on Monday. */
function spansOf({ weekdays, from, to }: OpeningRule): Span[] {
  return weekdays.flatMap(weekday => {
    const start = (weekday - 1) * dayMinutes
    const span = { from: start + from, to: start + to }
    if (span.to <= weekMinutes) return [span]
    return [
      { from: span.from, to: weekMinutes },
      { from: 0, to: span.to - weekMinutes },
    ]
  })
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

/** The changes that make the Timeslots match the rules. Bookings keep their times. */
export function planOpenings(made: ExistingOpening[], wanted: Opening[]): Plan {
  const plan: Plan = { insert: [], update: [], rest: [], remove: [] }
  const byKey = new Map(made.filter(one => one.rule !== null).map(one => [keyOf(one), one]))
  for (const opening of wanted) {
    const there = byKey.get(keyOf(opening))
    byKey.delete(keyOf(opening))
    if (!there) plan.insert.push(opening)
    else if (isSame(there, opening)) continue
    else if (there.booked.every(span => opening.start <= span.start && span.end <= opening.end))
      plan.update.push({ ...opening, id: there.id })
    else {
      plan.rest.push(restOf(there))
      plan.insert.push(opening)
    }
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

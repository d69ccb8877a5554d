// Opening hours: rules in local time that become Timeslots, day by day.

import { invalidField } from '../../errors.ts'
import { instantOfWall } from '../time/zones.ts'

export type OpeningRule = {
  uuid: string
  /** 1 is Monday. */
  weekdays: number[]
  /** Minutes since local midnight; `to` is over 1440 where the rule runs past midnight. */
  from: number
  to: number
  raster: number
  capacity: number
  acceptBookings: boolean
  /** Days such as 2026-03-04, both included; null: no end. */
  validFrom: string | null
  validUntil: string | null
}

/** What a rule makes on one day. */
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

/** The openings of the days from `first` to `last`, both included. Local times hold across clock changes. */
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
  // In the night in which the clock jumps, a short rule may have no time left.
  if (end - start < raster * minute) return []
  return [{ rule: uuid, day, start, end, raster, capacity, acceptBookings }]
}

/** Two rules that are open at the same time would offer each moment twice. */
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

/** In minutes of the week. What runs past Sunday's midnight goes on on Monday. */
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

/** A Timeslot that opening hours made; `rule` is null for what is left of one. */
export type Made = Omit<Opening, 'rule'> & {
  id: number
  rule: string | null
  /** It stays as it is, unless its day is to last longer. */
  isOver: boolean
  booked: { start: number; end: number }[]
}

export type Plan = {
  insert: Opening[]
  update: (Opening & { id: number })[]
  /** Somebody is booked in it: it stays as long as they do, and offers nothing new. */
  rest: { id: number; start: number; end: number }[]
  remove: number[]
}

/** What must happen so that the Timeslots are those of the rules; whoever is booked keeps their time. */
export function planOpenings(made: Made[], wanted: Opening[]): Plan {
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

const isSame = (one: Made, other: Opening) =>
  one.start === other.start &&
  one.end === other.end &&
  one.raster === other.raster &&
  one.capacity === other.capacity &&
  one.acceptBookings === other.acceptBookings

const restOf = ({ id, booked }: Made) => ({
  id,
  start: Math.min(...booked.map(one => one.start)),
  end: Math.max(...booked.map(one => one.end)),
})

import { changedRangesSince } from './changed-ranges.ts'
import { type Appointment, day, type Span } from './window.ts'

/** Blocked time; `until` is when the hold on it expires, or null. */
export type Busy = Span & { until: number | null }

/**
 * The busy times of a Resource as of a revision. Every change records its range, so only that range becomes
 * uncertain and the rest stays usable.
 */
export class KnownTimes {
  revision: number
  /** By day; a span across midnight is listed under each of its days. */
  days = new Map<number, Busy[]>()
  /** Spans of too many days to list under each. */
  long: Busy[] = []
  unsure: Span[] = []

  constructor(revision: number, busy: Busy[]) {
    this.revision = revision
    for (const one of busy) this.add(one)
  }

  add(busy: Busy) {
    if (isLong(busy)) this.long.push(busy)
    else for (const index of daysOf(busy)) this.days.set(index, [...(this.days.get(index) ?? []), busy])
  }

  /** Moves to this revision; false if nothing can be relied on there. */
  bringTo(revision: number, touched: string): boolean {
    if (revision === this.revision) return true
    const spans = revision > this.revision ? changedRangesSince(touched, this.revision, revision) : null
    // An empty range changed nothing.
    const some = spans?.filter(one => one.from < one.to)
    if (!some || some.length + this.unsure.length > mostUnsure) return false
    this.unsure.push(...some)
    this.revision = revision
    return true
  }

  /** Applies a known change from one revision to the next. */
  advance(from: number, change: { added: Busy[]; kept: Span[] }) {
    if (this.revision !== from) return
    this.revision = from + 1
    for (const one of change.added) this.add(one)
    for (const span of change.kept) this.keep(span)
  }

  /** The hold on this span was booked. */
  keep(span: Span) {
    const known = this.overlapping(span).find(one => one.from === span.from && one.to === span.to)
    if (known) known.until = null
    else this.unsure.push(span)
  }

  /**
   * What blocks this span; null if that is uncertain, or if an expired hold may not have been cleaned up yet.
   */
  within(span: Span, now: number): Busy[] | null {
    if (isLong(span) || this.unsure.some(one => overlaps(one, span))) return null
    const found = this.overlapping(span)
    return found.some(one => one.until !== null && one.until <= now) ? null : found
  }

  overlapping(span: Span): Busy[] {
    const found = new Set<Busy>()
    for (const some of [...daysOf(span).map(index => this.days.get(index)), this.long])
      for (const one of some ?? []) if (overlaps(one, span)) found.add(one)
    return [...found]
  }

  /** Replaces this span by what was read at the current revision; false if it is too long to keep. */
  replace(span: Span, busy: Busy[]): boolean {
    if (isLong(span)) return false
    const isLeft = (one: Busy) => !overlaps(one, span)
    const before = this.overlapping(span)
    for (const index of new Set(before.filter(one => !isLong(one)).flatMap(daysOf)))
      this.days.set(index, this.days.get(index)!.filter(isLeft))
    this.long = this.long.filter(isLeft)
    this.unsure = this.unsure.filter(one => one.from < span.from || one.to > span.to)
    // Only what overlaps: anything else that was read is already known.
    for (const one of busy) if (overlaps(one, span)) this.add(one)
    return true
  }

  get size(): number {
    const inDays = [...this.days.values()].reduce((sum, some) => sum + some.length, 0)
    return this.days.size + inDays + this.long.length + this.unsure.length
  }
}

const mostUnsure = 50
const mostDays = 100

const isLong = ({ from, to }: Span) => to - from > mostDays * day
const overlaps = (one: Span, other: Span) => one.from < other.to && one.to > other.from

function daysOf({ from, to }: Span): number[] {
  const first = Math.floor(from / day)
  const last = Math.floor((to - 1) / day)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

export const asBusy = ({ blockedFrom, blockedTo, holdUntil }: Appointment): Busy => ({
  from: blockedFrom,
  to: blockedTo,
  until: holdUntil,
})

/** Only the blocked time is known, so it cannot be joined. */
export const asAppointment = ({ from, to, until }: Busy): Appointment => ({
  id: null,
  uuid: '',
  reference: '',
  timeslotUuid: null,
  productId: 0,
  productName: null,
  start: from,
  end: to,
  blockedFrom: from,
  blockedTo: to,
  capacity: 0,
  taken: 1,
  open: false,
  holdUntil: until,
})

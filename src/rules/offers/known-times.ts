import { touchedSince } from './touched.ts'
import { type Appointment, day, type Span } from './window.ts'

/** Time that somebody has, and for how long at least: null, or until their hold expires. */
export type Busy = Span & { until: number | null }

/**
 * When a Resource is busy, as of a revision. Every change says which time it touched: that is not known any more then, but
 * all the rest still is.
 */
export class KnownTimes {
  revision: number
  /** By day; one that reaches over midnight stands in each of its days. */
  days = new Map<number, Busy[]>()
  /** Those of many days. */
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

  /** Whether anything of it can be relied on at this revision. */
  bringTo(revision: number, touched: string): boolean {
    if (revision === this.revision) return true
    const spans = revision > this.revision ? touchedSince(touched, this.revision, revision) : null
    // Where nothing was touched there is nothing to be unsure of.
    const some = spans?.filter(one => one.from < one.to)
    if (!some || some.length + this.unsure.length > mostUnsure) return false
    this.unsure.push(...some)
    this.revision = revision
    return true
  }

  /** The change that leads from one revision to the next is known. */
  advance(from: number, change: { added: Busy[]; kept: Span[] }) {
    if (this.revision !== from) return
    this.revision = from + 1
    for (const one of change.added) this.add(one)
    for (const span of change.kept) this.keep(span)
  }

  /** What was held is booked. */
  keep(span: Span) {
    const known = this.overlapping(span).find(one => one.from === span.from && one.to === span.to)
    if (known) known.until = null
    else this.unsure.push(span)
  }

  /** What blocks some of this time; null where that is not known, or a hold has expired: nobody may have tidied it away yet. */
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

  /** This time was read anew, at the revision that it is at. False if it is too long to be taken over. */
  replace(span: Span, busy: Busy[]): boolean {
    if (isLong(span)) return false
    const isLeft = (one: Busy) => !overlaps(one, span)
    const before = this.overlapping(span)
    for (const index of new Set(before.filter(one => !isLong(one)).flatMap(daysOf)))
      this.days.set(index, this.days.get(index)!.filter(isLeft))
    this.long = this.long.filter(isLeft)
    this.unsure = this.unsure.filter(one => one.from < span.from || one.to > span.to)
    // What was read beside it is known already.
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

/** Somebody's, whoever they are: nobody can join it. */
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

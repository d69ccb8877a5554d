import {
  type CalendarPeriod,
  type CalendarResource,
  type Entry,
  type OpenTime,
  offers,
} from '../../records.ts'

type Span = { start: number; end: number }

/** Open time that is neither booked nor closed, if it is long enough for something. */
export function gapsIn(open: Span[], taken: Span[], shortest: number): Span[] {
  let gaps = joined(open)
  for (const one of taken) gaps = gaps.flatMap(gap => without(gap, one))
  return gaps.filter(({ start, end }) => end - start >= shortest)
}

/** Slots that touch are one time for people. */
function joined(spans: Span[]): Span[] {
  const all: Span[] = []
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else all.push({ start, end })
  }
  return all
}

function without(gap: Span, { start, end }: Span): Span[] {
  if (end <= gap.start || start >= gap.end) return [gap]
  const parts = [
    { start: gap.start, end: start },
    { start: end, end: gap.end },
  ]
  return parts.filter(one => one.end > one.start)
}

const spanOf = (start: string, end: string): Span => ({ start: Date.parse(start), end: Date.parse(end) })

export const openSpan = ({ start, end }: OpenTime) => spanOf(start, end)
export const takenSpan = ({ blockedFrom, blockedTo }: Entry) => spanOf(blockedFrom, blockedTo)
export const closedSpan = ({ from, to }: { from: string; to: string }) => spanOf(from, to)

/** A service without a length takes one slot, which is rarely shorter than this. */
const oneSlot = 15

/** In milliseconds: of the shortest service that the Resource offers. */
export function shortestOf(resource: CalendarResource, { products }: CalendarPeriod): number {
  const minutes = products.filter(one => offers(resource, one)).map(one => one.minDuration ?? oneSlot)
  return Math.min(...minutes, 60) * 60_000
}

type Span = { start: number; end: number }

/**
 * Where two that trade places come to lie: each begins where the other began and keeps its length. One that is longer than the
 * gap would run into the other, at the same Resource; then the later one ends where the later one ended, as when two who sit
 * beside each other change seats.
 */
export function swapped(one: Span, other: Span, isSamePlace: boolean): [Span, Span] {
  if (other.start < one.start) return swapped(other, one, isSamePlace).toReversed() as [Span, Span]
  const later = begin(one, other.start)
  const earlier = begin(other, one.start)
  const isTouched = isSamePlace && earlier.end > later.start
  return [isTouched ? begin(one, Math.max(other.end, one.end) - lengthOf(one)) : later, earlier]
}

const lengthOf = ({ start, end }: Span) => end - start

const begin = (span: Span, start: number): Span => ({ start, end: start + lengthOf(span) })

type Span = { start: number; end: number }

/**
 * The new times of two Appointments that swap: each starts where the other started and keeps its length. At
 * the same Resource, if one is longer than the gap, the one that becomes the later ends where the later one
 * ended, so that they do not overlap.
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

import type { Span } from '#shared/slots.ts'

// Fetched periods, as spans that neither overlap nor touch.

export function addSpan(spans: Span[], added: Span): Span[] {
  const separate = spans.filter(one => one.to < added.from || one.from > added.to)
  const touching = spans.filter(one => !separate.includes(one))
  const merged = {
    from: Math.min(added.from, ...touching.map(one => one.from)),
    to: Math.max(added.to, ...touching.map(one => one.to)),
  }
  return [...separate, merged]
}

export const isCovered = (spans: Span[], { from, to }: Span): boolean =>
  spans.some(one => one.from <= from && one.to >= to)

/** The parts of a period outside the others. */
export const without = (span: Span, others: Span[]): Span[] =>
  others.reduce(
    (rest, { from, to }) =>
      rest
        .flatMap(one => [
          { from: one.from, to: Math.min(one.to, from) },
          { from: Math.max(one.from, to), to: one.to },
        ])
        .filter(one => one.from < one.to),
    [span],
  )

/** Finds what overlaps a span by binary search, for lists of thousands of slots. */
export type Reach<T> = {
  /** Sorted. */
  starts: number[]
  /** reaching[i]: of the first i + 1 spans, the one that ends last; ends[i]: its end. */
  reaching: T[]
  ends: number[]
}

type Span = { from: number; to: number }

/** Appointments, by the time that each of them blocks. */
export const busySpansOf = <T extends { blockedFrom: number; blockedTo: number }>(
  appointments: T[],
): Reach<T> =>
  reachOf(
    appointments,
    one => one.blockedFrom,
    one => one.blockedTo,
  )

export const spansOf = <T extends Span>(spans: T[]): Reach<T> =>
  reachOf(
    spans,
    one => one.from,
    one => one.to,
  )

function reachOf<T>(items: T[], fromOf: (item: T) => number, toOf: (item: T) => number): Reach<T> {
  const ordered = items.toSorted((one, other) => fromOf(one) - fromOf(other))
  const reaching: T[] = []
  for (const item of ordered) {
    const before = reaching.at(-1)
    reaching.push(before !== undefined && toOf(before) >= toOf(item) ? before : item)
  }
  return { starts: ordered.map(fromOf), reaching, ends: reaching.map(toOf) }
}

/** An overlapping item, or null. Of all that start before the end, the one that ends last decides. */
export function findOverlap<T>({ starts, reaching, ends }: Reach<T>, { from, to }: Span): T | null {
  const index = countBelow(starts, to) - 1
  return index >= 0 && ends[index]! > from ? reaching[index]! : null
}

/** How many of the sorted numbers are below the limit. */
export function countBelow(sorted: number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
